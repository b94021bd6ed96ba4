//! Clusters: of an index of shingles page by page, of a saved run its whole report.

use crate::app::App;
use crate::collection::Kind;
use crate::content::{Answer, Named, Params};
use crate::problem::Problem;
use axum::extract::State;
use lookalike::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::IntoParams;

const DEFAULT_PAGE: usize = 50;
const MAX_PAGE: usize = 1000;

/// The clusters to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ClustersRequest {
    /// Of an index: clusters before the first that is listed.
    from: Option<usize>,
    /// Of an index: clusters to list.
    #[param(maximum = 1000)]
    limit: Option<usize>,
}

/// The report of a saved run: it has the versions that other answers begin with.
#[derive(Serialize, JsonSchema)]
pub(super) struct RunAnswer<'a> {
    /// The collection that answers.
    collection: &'a str,
    #[serde(flatten)]
    report: &'a Report,
}

/// The clusters of an index of shingles, the largest first; or the report of a saved run without its templates.
#[utoipa::path(get, path = "/clusters", tag = "review", params(ClustersRequest),
    responses((status = 200, description = "`{clusters, next, listed}` of an index; of a run as `lookalike recluster --json`", body = ref("#/components/schemas/ClustersAnswer"))))]
pub(super) async fn clusters(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(request): Params<ClustersRequest>,
) -> Result<Answer, Problem> {
    let limit = request.limit.unwrap_or(DEFAULT_PAGE);
    if limit == 0 || limit > MAX_PAGE {
        return Err(Problem::meaningless(format!("limit: expected 1 to {MAX_PAGE}, found {limit}")));
    }
    app.block(move |_| match &collection.kind {
        Kind::Run(run) => Answer::plain(&RunAnswer { collection: &collection.name, report: &run.clusters()? }),
        _ => Answer::of(&collection, collection.shingles()?.clusters(request.from.unwrap_or(0), limit)?),
    })
    .await
}
