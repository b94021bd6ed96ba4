//! Crawls: what one inserts becomes visible, or vanishes, as one.

use super::check::A_STORE;
use crate::app::App;
use crate::content::{Answer, Params};
use crate::problem::Problem;
use crate::store::{CrawlInfo, PageStore};
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Which store.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct StoreRequest {
    /// The store that is asked; without it, the first.
    index: Option<String>,
}

/// The crawls of a store.
#[derive(Serialize, ToSchema)]
pub(super) struct Crawls {
    crawls: Vec<CrawlInfo>,
}

fn store<'a>(app: &'a App, request: &StoreRequest) -> Result<&'a PageStore, Problem> {
    app.collections.pick(request.index.as_deref(), A_STORE, |collection| collection.store())
}

/// The crawls that are under way.
#[utoipa::path(get, path = "/v1/crawls", tag = "crawls", params(StoreRequest), responses((status = 200, body = Crawls), (status = "4XX", body = Problem)))]
pub(super) async fn list_crawls(
    State(app): State<Arc<App>>,
    Params(request): Params<StoreRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| Answer::plain(&Crawls { crawls: store(app, &request)?.crawls()? })).await
}

/// A crawl that is under way. It began with what it inserted first: check-and-insert with `crawl`.
#[utoipa::path(get, path = "/v1/crawls/{id}", tag = "crawls", params(StoreRequest, ("id" = String, Path)), responses((status = 200, body = CrawlInfo), (status = "4XX", body = Problem)))]
pub(super) async fn get_crawl(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<StoreRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| {
        let crawls = store(app, &request)?.crawls()?;
        let found = crawls.iter().find(|crawl| crawl.id == id);
        Answer::plain(found.ok_or_else(|| Problem::not_found(format!("no crawl called {id:?} is under way")))?)
    })
    .await
}

async fn end(app: &App, id: &str, request: &StoreRequest, commit: bool) -> Result<Answer, Problem> {
    let ended = store(app, request)?.end_crawl(id, commit)?;
    Answer::plain(&ended.await.map_err(|_| Problem::busy("the server is shutting down"))??)
}

/// Makes all that a crawl inserted visible to everybody, at once and for good.
#[utoipa::path(post, path = "/v1/crawls/{id}/commit", tag = "crawls", params(StoreRequest, ("id" = String, Path)), responses((status = 200, body = CrawlInfo), (status = "4XX", body = Problem), (status = 507, body = Problem)))]
pub(super) async fn commit_crawl(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<StoreRequest>,
) -> Result<Answer, Problem> {
    end(&app, &id, &request, true).await
}

/// Forgets all that a crawl inserted.
#[utoipa::path(post, path = "/v1/crawls/{id}/cancel", tag = "crawls", params(StoreRequest, ("id" = String, Path)), responses((status = 200, body = CrawlInfo), (status = "4XX", body = Problem)))]
pub(super) async fn cancel_crawl(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<StoreRequest>,
) -> Result<Answer, Problem> {
    end(&app, &id, &request, false).await
}
