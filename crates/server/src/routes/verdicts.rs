//! Decisions of reviewers about clusters: all see them, with the name of the reviewer and the time.

use crate::app::App;
use crate::content::{Answer, Json, Named, Params};
use crate::problem::Problem;
use crate::verdicts::{KeptVerdict, NewVerdict};
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::IntoParams;

/// Bytes of a name, of a note, and documents of a verdict.
const MAX_NAME: usize = 4096;
const MAX_NOTE: usize = 4096;
const MAX_DOCUMENTS: usize = 10_000;

/// Which verdicts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct VerdictsRequest {
    /// Only those with a higher number: those since the last time.
    after: u64,
}

/// Verdicts.
#[derive(Serialize, JsonSchema)]
pub(super) struct VerdictList {
    /// The newest on each cluster, the oldest first.
    verdicts: Vec<KeptVerdict>,
    /// The number of the last of all, to ask for those after it.
    last: u64,
}

/// The verdicts of all reviewers.
#[utoipa::path(get, path = "/verdicts", tag = "review", params(VerdictsRequest),
    responses((status = 200, body = ref("#/components/schemas/VerdictListAnswer"))))]
pub(super) async fn list_verdicts(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(request): Params<VerdictsRequest>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let (verdicts, last) = collection.verdicts()?.after(request.after)?;
        Answer::of(&collection, VerdictList { verdicts, last })
    })
    .await
}

/// Decides about a cluster. The answer is sent when the verdict is safe; of several the newest holds.
#[utoipa::path(put, path = "/verdicts", tag = "review", request_body = NewVerdict,
    responses((status = 200, body = ref("#/components/schemas/KeptVerdictAnswer"))))]
pub(super) async fn put_verdict(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Json(verdict): Json<NewVerdict>,
) -> Result<Answer, Problem> {
    check(&verdict)?;
    app.block(move |_| Answer::of(&collection, collection.verdicts()?.append(verdict)?)).await
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
