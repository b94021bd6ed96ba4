//! Clusters: of an index of shingles page by page, of a saved run its whole report.

use crate::app::App;
use crate::collection::Kind;
use crate::content::{Answer, Params};
use crate::problem::Problem;
use axum::extract::State;
use lookalike::Lens;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

const DEFAULT_PAGE: usize = 50;
const MAX_PAGE: usize = 1000;

/// Which clusters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ClustersRequest {
    /// The index or run that is asked; without it, the first that has clusters.
    index: Option<String>,
    /// Of an index: clusters before the first that is listed.
    from: Option<usize>,
    /// Of an index: clusters to list.
    #[param(maximum = 1000)]
    limit: Option<usize>,
}

/// The clusters of an index of shingles, the largest first; or the report of a saved run without its templates.
#[utoipa::path(get, path = "/v1/clusters", tag = "review", params(ClustersRequest),
    responses((status = 200, description = "`{clusters, next, listed}` of an index; of a run as `lookalike recluster --json`", body = Object), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn clusters(
    State(app): State<Arc<App>>,
    Params(request): Params<ClustersRequest>,
) -> Result<Answer, Problem> {
    let limit = request.limit.unwrap_or(DEFAULT_PAGE);
    if limit == 0 || limit > MAX_PAGE {
        return Err(Problem::meaningless(format!("limit: expected 1 to {MAX_PAGE}, found {limit}")));
    }
    app.block(move |app| {
        let what = "an index of shingles or a saved run";
        let served = app.collections.pick(request.index.as_deref(), what, |collection| match &collection.kind {
            Kind::Index(index) => (index.lens() == Lens::Shingles).then_some(&collection.kind),
            Kind::Run(_) => Some(&collection.kind),
            Kind::Store(_) => None,
        })?;
        match served {
            Kind::Index(index) => Answer::versioned(&index.clusters(request.from.unwrap_or(0), limit)?),
            Kind::Run(run) => Answer::plain(&run.clusters()?),
            Kind::Store(_) => Err(Problem::meaningless("a store of fingerprints has no clusters")),
        }
    })
    .await
}
