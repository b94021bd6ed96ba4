//! The history of an index.

use super::query::QueryRequest;
use crate::app::App;
use crate::collection::Collection;
use crate::content::{Answer, Content, Json, Named, Params};
use crate::problem::Problem;
use axum::extract::State;
use bytes::Bytes;
use lookalike::index::{ChangesOptions, Holders, HoldersOptions, LostOptions, LostStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Least resemblance of a page that died and one that was born, for a move: as the command has it.
const DEFAULT_MOVED: f64 = 0.5;
/// Results that are collapsed at once.
const MAX_RESULTS: usize = 100_000;

/// A URL, and how its content is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LostRequest {
    /// The URL or id.
    url: String,
    /// The date of the content that is looked for.
    at: Option<String>,
    /// Least share of it that a place must hold to be listed.
    contained: Option<f64>,
    /// Places to list.
    limit: Option<usize>,
}

/// The places of the content of a dead or changed URL.
#[utoipa::path(get, path = "/lost", tag = "history", params(LostRequest),
    responses((status = 200, description = "As `lookalike lost --json`", body = ref("#/components/schemas/LostResultAnswer"))))]
pub(super) async fn lost(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(request): Params<LostRequest>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let open = collection.shingles()?.open();
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
        Answer::of(&collection, lost)
    })
    .await
}

/// The document whose holders are looked for.
#[derive(Clone, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct HoldersRequest {
    /// A URL or id of the index: what it had when it was last seen.
    url: Option<String>,
    /// The document, as text.
    text: Option<String>,
    /// The name of the document.
    id: Option<String>,
    /// Least share of the document that a holder has.
    contained: Option<f64>,
}

/// The holders of a document.
#[derive(Serialize, JsonSchema)]
pub(super) struct AskedHolders {
    /// `name` or `file`.
    asked: &'static str,
    #[serde(flatten)]
    holders: Holders,
}

async fn holders(
    app: &Arc<App>,
    collection: Arc<Collection>,
    request: HoldersRequest,
    raw: Option<Bytes>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let open = collection.shingles()?.open();
        let usual = HoldersOptions::default();
        let options = HoldersOptions { least: request.contained.unwrap_or(usual.least), ..usual };
        let asked = if request.url.is_some() { "name" } else { "file" };
        let query = QueryRequest { url: request.url, text: request.text, id: request.id, ..QueryRequest::default() };
        let holders = open.index.holders(&query.question(raw.as_deref())?, &options)?;
        Answer::of(&collection, AskedHolders { asked, holders })
    })
    .await
}

/// The holders of the content of a URL, or of a part of it.
#[utoipa::path(get, path = "/holders", tag = "history", params(HoldersRequest),
    responses((status = 200, description = "As `lookalike holders --json`", body = ref("#/components/schemas/AskedHoldersAnswer"))))]
pub(super) async fn get_holders(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(request): Params<HoldersRequest>,
) -> Result<Answer, Problem> {
    holders(&app, collection, request, None).await
}

/// The holders of a document, or of a part of it.
#[utoipa::path(post, path = "/holders", tag = "history", params(HoldersRequest),
    request_body(content((HoldersRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "As `lookalike holders --json`", body = ref("#/components/schemas/AskedHoldersAnswer"))))]
pub(super) async fn post_holders(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(params): Params<HoldersRequest>,
    content: Content<HoldersRequest>,
) -> Result<Answer, Problem> {
    match content {
        Content::Json(body) => holders(&app, collection, body, None).await,
        Content::Document(bytes) => holders(&app, collection, params, Some(bytes)).await,
    }
}

/// How moves are recognised.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ChangesRequest {
    /// Least resemblance of a page that died and one that was born, for a move.
    threshold: Option<f64>,
}

/// How pages change from sweep to sweep.
#[utoipa::path(get, path = "/changes", tag = "history", params(ChangesRequest),
    responses((status = 200, description = "As `lookalike changes --json`", body = ref("#/components/schemas/ChangesAnswer"))))]
pub(super) async fn changes(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(request): Params<ChangesRequest>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let open = collection.shingles()?.open();
        let options = ChangesOptions { threshold: request.threshold.unwrap_or(DEFAULT_MOVED) };
        Answer::of(&collection, open.index.changes(&options)?)
    })
    .await
}

/// Ranked results.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CollapseRequest {
    /// URLs or ids, best first.
    urls: Vec<String>,
}

/// Puts search results that look alike under the first of them.
#[utoipa::path(post, path = "/collapse", tag = "history", request_body = CollapseRequest,
    responses((status = 200, description = "As `lookalike collapse --json`", body = ref("#/components/schemas/CollapseResultAnswer"))))]
pub(super) async fn collapse(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Json(request): Json<CollapseRequest>,
) -> Result<Answer, Problem> {
    if request.urls.len() > MAX_RESULTS {
        return Err(Problem::meaningless(format!(
            "urls: expected at most {MAX_RESULTS}, found {}",
            request.urls.len()
        )));
    }
    app.block(move |_| {
        let open = collection.shingles()?.open();
        Answer::of(&collection, open.index.collapse(request.urls)?)
    })
    .await
}
