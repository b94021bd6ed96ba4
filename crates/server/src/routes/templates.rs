//! Templates of a saved run: chunks that people marked to be ignored.

use crate::app::App;
use crate::content::{Answer, Json, Params};
use crate::problem::Problem;
use crate::saved_run::SavedRun;
use axum::extract::{Path, State};
use lookalike::templates::{Mark, MarkedTemplate};
use lookalike_report::TemplateChange;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Which run.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct RunRequest {
    /// The run that is asked; without it, the first.
    index: Option<String>,
}

fn run<'a>(app: &'a App, name: Option<&str>) -> Result<&'a SavedRun, Problem> {
    app.collections
        .pick(name, "a saved run of chunks (templates are chunks; an index keeps none)", |collection| collection.run())
}

fn changed(marked: bool, template: &MarkedTemplate) -> Result<Answer, Problem> {
    Answer::shown(&TemplateChange { list: "templates.json", marked, template })
}

/// The templates of a saved run.
#[utoipa::path(get, path = "/v1/templates", tag = "review", params(RunRequest),
    responses((status = 200, description = "As `lookalike templates list --json`", body = Object), (status = "4XX", body = Problem)))]
pub(super) async fn list_templates(
    State(app): State<Arc<App>>,
    Params(request): Params<RunRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| Answer::shown(&run(app, request.index.as_deref())?.templates()?)).await
}

/// What is to be marked: one of a cluster and a chunk.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkRequest {
    /// The chunks that all files of this cluster share; numbered as /v1/clusters lists them.
    cluster: Option<u64>,
    /// A chunk, by its hash or the beginning of it.
    chunk: Option<String>,
    /// What it is to be called.
    name: Option<String>,
}

/// Marks chunks as a template.
#[utoipa::path(post, path = "/v1/templates", tag = "review", params(RunRequest), request_body = MarkRequest,
    responses((status = 200, description = "As `lookalike templates mark --json`", body = Object), (status = "4XX", body = Problem)))]
pub(super) async fn mark_template(
    State(app): State<Arc<App>>,
    Params(request): Params<RunRequest>,
    Json(mark): Json<MarkRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| {
        let what = match (mark.cluster, &mark.chunk) {
            (Some(cluster), None) => Mark::Cluster(cluster),
            (None, Some(chunk)) => Mark::Chunk(chunk),
            _ => return Err(Problem::meaningless("expected one of \"cluster\" and \"chunk\"")),
        };
        changed(true, &run(app, request.index.as_deref())?.mark(what, mark.name.as_deref())?)
    })
    .await
}

/// A template with its chunks.
#[utoipa::path(get, path = "/v1/templates/{name}", tag = "review", params(RunRequest, ("name" = String, Path)),
    responses((status = 200, description = "As `lookalike templates show --json`", body = Object), (status = "4XX", body = Problem)))]
pub(super) async fn get_template(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Params(request): Params<RunRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| {
        let list = run(app, request.index.as_deref())?.templates()?;
        let found = list.templates.iter().find(|template| template.name == name);
        Answer::shown(&found.ok_or_else(|| Problem::not_found(format!("the run has no template called {name:?}")))?)
    })
    .await
}

/// Takes a template off the list.
#[utoipa::path(delete, path = "/v1/templates/{name}", tag = "review", params(RunRequest, ("name" = String, Path)),
    responses((status = 200, description = "As `lookalike templates unmark --json`", body = Object), (status = "4XX", body = Problem)))]
pub(super) async fn unmark_template(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Params(request): Params<RunRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| changed(false, &run(app, request.index.as_deref())?.unmark(&name)?)).await
}
