//! Crawls: the pages of one become visible, or vanish, together.

use crate::app::App;
use crate::collection::Collection;
use crate::content::{Answer, IdPath, InPath, Named};
use crate::problem::Problem;
use crate::store::CrawlInfo;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The crawls of a store.
#[derive(Serialize, JsonSchema)]
pub(super) struct Crawls {
    crawls: Vec<CrawlInfo>,
}

/// The crawls that are under way.
#[utoipa::path(get, path = "/crawls", tag = "crawls", responses((status = 200, body = ref("#/components/schemas/CrawlsAnswer"))))]
pub(super) async fn list_crawls(State(app): State<Arc<App>>, Named(collection): Named) -> Result<Answer, Problem> {
    app.block(move |_| Answer::of(&collection, Crawls { crawls: collection.store()?.crawls()? })).await
}

/// A crawl that is under way. It began with its first page: check-and-insert with `crawl`.
#[utoipa::path(get, path = "/crawls/{id}", tag = "crawls", params(("id" = String, Path)), responses((status = 200, body = ref("#/components/schemas/CrawlInfoAnswer"))))]
pub(super) async fn get_crawl(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<Answer, Problem> {
    app.block(move |_| {
        let crawls = collection.store()?.crawls()?;
        let found = crawls.iter().find(|crawl| crawl.id == id);
        Answer::of(
            &collection,
            found.ok_or_else(|| Problem::not_found(format!("no crawl called {id:?} is under way")))?,
        )
    })
    .await
}

async fn end(collection: &Collection, id: &str, commit: bool) -> Result<Answer, Problem> {
    let ended = collection.store()?.end_crawl(id, commit)?;
    Answer::of(collection, ended.await.map_err(|_| Problem::unfinished("the server is shutting down"))??)
}

/// Makes all pages of a crawl visible to everybody, at once and for good.
#[utoipa::path(post, path = "/crawls/{id}/commit", tag = "crawls", params(("id" = String, Path)), responses((status = 200, body = ref("#/components/schemas/CrawlInfoAnswer"))))]
pub(super) async fn commit_crawl(
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<Answer, Problem> {
    end(&collection, &id, true).await
}

/// Forgets all pages of a crawl.
#[utoipa::path(post, path = "/crawls/{id}/cancel", tag = "crawls", params(("id" = String, Path)), responses((status = 200, body = ref("#/components/schemas/CrawlInfoAnswer"))))]
pub(super) async fn cancel_crawl(
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<Answer, Problem> {
    end(&collection, &id, false).await
}
