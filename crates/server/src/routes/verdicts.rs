//! What reviewers decided about clusters: all see it, with who said so and when.

use crate::app::App;
use crate::collection::Collection;
use crate::content::{Answer, Json, Params};
use crate::problem::Problem;
use crate::verdicts::{KeptVerdict, NewVerdict, VerdictLog};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Bytes of a name, of a note, and documents of a verdict.
const MAX_NAME: usize = 4096;
const MAX_NOTE: usize = 4096;
const MAX_DOCUMENTS: usize = 10_000;

/// Which verdicts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct VerdictsRequest {
    /// The index or run; without it, the first that has clusters.
    index: Option<String>,
    /// Only those with a higher number: what is new since the last time.
    after: u64,
}

/// Which index or run.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct VerdictRequest {
    /// The index or run; without it, the first that has clusters.
    index: Option<String>,
}

/// Verdicts.
#[derive(Serialize, ToSchema)]
pub(super) struct VerdictList {
    /// The newest on each cluster, the oldest first.
    verdicts: Vec<KeptVerdict>,
    /// The number of the last of all, to ask for what comes after it.
    last: u64,
}

fn log<'a>(app: &'a App, name: Option<&str>) -> Result<&'a VerdictLog, Problem> {
    let what = "an index of shingles or a saved run (others have no clusters)";
    app.collections.pick(name, what, |collection: &Collection| collection.verdicts.as_ref())
}

/// The verdicts of all reviewers.
#[utoipa::path(get, path = "/v1/verdicts", tag = "review", params(VerdictsRequest),
    responses((status = 200, body = VerdictList), (status = "4XX", body = Problem)))]
pub(super) async fn list_verdicts(
    State(app): State<Arc<App>>,
    Params(request): Params<VerdictsRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| {
        let (verdicts, last) = log(app, request.index.as_deref())?.after(request.after)?;
        Answer::plain(&VerdictList { verdicts, last })
    })
    .await
}

/// Says what is to become of a cluster. The answer comes when it is safe; of several verdicts the newest holds.
#[utoipa::path(put, path = "/v1/verdicts", tag = "review", params(VerdictRequest), request_body = NewVerdict,
    responses((status = 200, body = KeptVerdict), (status = "4XX", body = Problem), (status = 507, body = Problem)))]
pub(super) async fn put_verdict(
    State(app): State<Arc<App>>,
    Params(request): Params<VerdictRequest>,
    Json(verdict): Json<NewVerdict>,
) -> Result<Answer, Problem> {
    check(&verdict)?;
    app.block(move |app| Answer::plain(&log(app, request.index.as_deref())?.append(verdict)?)).await
}

fn check(verdict: &NewVerdict) -> Result<(), Problem> {
    let too_long = |field: &str, limit: usize, found: usize| {
        Problem::meaningless(format!("{field}: expected at most {limit} bytes, found {found}"))
    };
    if verdict.cluster.is_empty() {
        return Err(Problem::meaningless("cluster: expected a content id or a name, found nothing"));
    }
    for (field, text, limit) in
        [("cluster", &verdict.cluster, MAX_NAME), ("who", &verdict.who, MAX_NAME), ("note", &verdict.note, MAX_NOTE)]
    {
        if text.len() > limit {
            return Err(too_long(field, limit, text.len()));
        }
    }
    let found = verdict.documents.len().max(verdict.keep.len());
    if found > MAX_DOCUMENTS {
        return Err(Problem::meaningless(format!("documents: expected at most {MAX_DOCUMENTS}, found {found}")));
    }
    Ok(())
}
