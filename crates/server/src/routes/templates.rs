//! Templates of a saved run: chunks that people marked to be ignored.

use crate::app::App;
use crate::content::{Answer, InPath, Json, NamePath, Named};
use crate::problem::Problem;
use axum::extract::State;
use lookalike::templates::Mark;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The templates of a saved run.
#[utoipa::path(get, path = "/templates", tag = "review", params(),
    responses((status = 200, description = "As `lookalike templates list --json`", body = ref("#/components/schemas/TemplateListAnswer"))))]
pub(super) async fn list_templates(State(app): State<Arc<App>>, Named(collection): Named) -> Result<Answer, Problem> {
    app.block(move |_| Answer::of(&collection, collection.run()?.templates()?)).await
}

/// The chunks to be marked: those of a cluster, or one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkRequest {
    /// The chunks that all files of this cluster share; by its number in the list of clusters.
    cluster: Option<u64>,
    /// A chunk, by its hash or the beginning of it.
    chunk: Option<String>,
    /// The name of the template.
    name: Option<String>,
}

/// Marks chunks as a template.
#[utoipa::path(post, path = "/templates", tag = "review", request_body = MarkRequest,
    responses((status = 200, description = "As `lookalike templates mark --json`", body = ref("#/components/schemas/MarkedTemplateAnswer"))))]
pub(super) async fn mark_template(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Json(mark): Json<MarkRequest>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let what = match (mark.cluster, &mark.chunk) {
            (Some(cluster), None) => Mark::Cluster(cluster),
            (None, Some(chunk)) => Mark::Chunk(chunk),
            _ => return Err(Problem::meaningless("expected one of \"cluster\" and \"chunk\"")),
        };
        Answer::of(&collection, collection.run()?.mark(what, mark.name.as_deref())?)
    })
    .await
}

/// A template with its chunks.
#[utoipa::path(get, path = "/templates/{name}", tag = "review", params(("name" = String, Path)),
    responses((status = 200, description = "As `lookalike templates show --json`", body = ref("#/components/schemas/MarkedTemplateAnswer"))))]
pub(super) async fn get_template(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(NamePath { name }): InPath<NamePath>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let list = collection.run()?.templates()?;
        let found = list.templates.iter().find(|template| template.name == name);
        let unknown = || Problem::not_found(format!("the run has no template called {name:?}"));
        Answer::of(&collection, found.ok_or_else(unknown)?)
    })
    .await
}

/// Takes a template off the list.
#[utoipa::path(delete, path = "/templates/{name}", tag = "review", params(("name" = String, Path)),
    responses((status = 200, description = "As `lookalike templates unmark --json`", body = ref("#/components/schemas/MarkedTemplateAnswer"))))]
pub(super) async fn unmark_template(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(NamePath { name }): InPath<NamePath>,
) -> Result<Answer, Problem> {
    app.block(move |_| Answer::of(&collection, collection.run()?.unmark(&name)?)).await
}
