//! What an index knows over time.

use super::query::QueryRequest;
use crate::app::App;
use crate::content::{Answer, Content, Json, Params};
use crate::living::LivingIndex;
use crate::problem::Problem;
use axum::extract::State;
use bytes::Bytes;
use lookalike::Lens;
use lookalike::index::{ChangesOptions, Holders, HoldersOptions, LostOptions, LostStatus};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Least resemblance of a page that died and one that was born, for a move: as the command has it.
const DEFAULT_MOVED: f64 = 0.5;
/// Results that are collapsed at once.
const MAX_RESULTS: usize = 100_000;

fn shingles<'a>(app: &'a App, name: Option<&str>) -> Result<&'a LivingIndex, Problem> {
    app.collections.pick(name, "an index of shingles", |collection| collection.index_of(Lens::Shingles))
}

/// A URL, and how its content is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LostRequest {
    /// The index that is asked; without it, the first of shingles.
    index: Option<String>,
    /// The URL or id.
    url: String,
    /// What it had on this date is looked for.
    at: Option<String>,
    /// Least share of it that a place must hold to be listed.
    contained: Option<f64>,
    /// Places to list.
    limit: Option<usize>,
}

/// Where the content of a dead or changed URL lives now.
#[utoipa::path(get, path = "/v1/lost", tag = "history", params(LostRequest),
    responses((status = 200, description = "As `lookalike lost --json`", body = Object), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn lost(State(app): State<Arc<App>>, Params(request): Params<LostRequest>) -> Result<Answer, Problem> {
    app.block(move |app| {
        let open = shingles(app, request.index.as_deref())?.open();
        let usual = LostOptions::default();
        let options = LostOptions {
            at: request.at,
            least: request.contained.unwrap_or(usual.least),
            limit: request.limit.unwrap_or(usual.limit),
            ..usual
        };
        let lost = open.index.lost(&request.url, &options)?;
        if lost.status == LostStatus::Unknown {
            return Err(Problem::not_found(format!(
                "{:?} was never seen by the index; check its spelling",
                request.url
            )));
        }
        Answer::shown(&lost)
    })
    .await
}

/// Who is looked for.
#[derive(Clone, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct HoldersRequest {
    /// The index that is asked; without it, the first of shingles.
    index: Option<String>,
    /// A URL or id of the index: what it had when it was last seen.
    url: Option<String>,
    /// The document, as text.
    text: Option<String>,
    /// What the document is called.
    id: Option<String>,
    /// Least share of the document that a holder has.
    contained: Option<f64>,
}

#[derive(Serialize)]
struct HoldersAnswer {
    asked: &'static str,
    #[serde(flatten)]
    holders: Holders,
}

async fn holders(app: &Arc<App>, request: HoldersRequest, raw: Option<Bytes>) -> Result<Answer, Problem> {
    app.block(move |app| {
        let open = shingles(app, request.index.as_deref())?.open();
        let usual = HoldersOptions::default();
        let options = HoldersOptions { least: request.contained.unwrap_or(usual.least), ..usual };
        let asked = if request.url.is_some() { "name" } else { "file" };
        let query = QueryRequest { url: request.url, text: request.text, id: request.id, ..QueryRequest::default() };
        let holders = open.index.holders(&query.question(raw.as_deref())?, &options)?;
        Answer::versioned(&HoldersAnswer { asked, holders })
    })
    .await
}

/// Everyone who holds what a URL has, or a part of it.
#[utoipa::path(get, path = "/v1/holders", tag = "history", params(HoldersRequest),
    responses((status = 200, description = "As `lookalike holders --json`", body = Object), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn get_holders(
    State(app): State<Arc<App>>,
    Params(request): Params<HoldersRequest>,
) -> Result<Answer, Problem> {
    holders(&app, request, None).await
}

/// Everyone who holds a document, or a part of it.
#[utoipa::path(post, path = "/v1/holders", tag = "history", params(HoldersRequest),
    request_body(content((HoldersRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "As `lookalike holders --json`", body = Object), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn post_holders(
    State(app): State<Arc<App>>,
    Params(params): Params<HoldersRequest>,
    content: Content<HoldersRequest>,
) -> Result<Answer, Problem> {
    match content {
        Content::Json(body) => {
            let index = body.index.clone().or(params.index);
            holders(&app, HoldersRequest { index, ..body }, None).await
        }
        Content::Document(bytes) => holders(&app, params, Some(bytes)).await,
    }
}

/// How changes are told.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ChangesRequest {
    /// The index that is asked; without it, the first of shingles.
    index: Option<String>,
    /// Least resemblance of a page that died and one that was born, for a move.
    threshold: Option<f64>,
}

/// How pages change from sweep to sweep.
#[utoipa::path(get, path = "/v1/changes", tag = "history", params(ChangesRequest),
    responses((status = 200, description = "As `lookalike changes --json`", body = Object), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn changes(
    State(app): State<Arc<App>>,
    Params(request): Params<ChangesRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| {
        let open = shingles(app, request.index.as_deref())?.open();
        let options = ChangesOptions { threshold: request.threshold.unwrap_or(DEFAULT_MOVED) };
        Answer::shown(&open.index.changes(&options)?)
    })
    .await
}

/// Ranked results.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CollapseRequest {
    /// The index that is asked; without it, the first of shingles.
    index: Option<String>,
    /// URLs or ids, best first.
    urls: Vec<String>,
}

/// Puts search results that look alike under the first of them.
#[utoipa::path(post, path = "/v1/collapse", tag = "history", request_body = CollapseRequest,
    responses((status = 200, description = "As `lookalike collapse --json`", body = Object), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn collapse(
    State(app): State<Arc<App>>,
    Json(request): Json<CollapseRequest>,
) -> Result<Answer, Problem> {
    if request.urls.len() > MAX_RESULTS {
        return Err(Problem::meaningless(format!(
            "urls: expected at most {MAX_RESULTS}, found {}",
            request.urls.len()
        )));
    }
    app.block(move |app| {
        let open = shingles(app, request.index.as_deref())?.open();
        Answer::shown(&open.index.collapse(request.urls)?)
    })
    .await
}
