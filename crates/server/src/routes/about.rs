//! The server itself: its health, its numbers, its description, and its collections.

use crate::app::App;
use crate::collection::{Collection, Kind};
use crate::content::{Answer, Named};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lookalike::report::SCHEMA;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The state of the server.
#[derive(Serialize, JsonSchema)]
pub(super) struct Health {
    status: &'static str,
    lookalike: &'static str,
    read_only: bool,
    /// Whether texts of documents are shown.
    texts: bool,
}

/// Whether the server answers. Needs no token, and is answered however busy the server is.
#[utoipa::path(get, path = "/healthz", tag = "about", responses((status = 200, description = "It answers", body = ref("#/components/schemas/Health"))))]
pub(super) async fn healthz(State(app): State<Arc<App>>) -> Result<Answer, Problem> {
    let (lookalike, read_only, texts) = (env!("CARGO_PKG_VERSION"), app.read_only, app.texts);
    Answer::plain(&Health { status: "ok", lookalike, read_only, texts })
}

/// This description. Needs no token.
#[utoipa::path(get, path = "/v1/openapi.json", tag = "about", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
pub(super) async fn openapi(State(app): State<Arc<App>>) -> Answer {
    Answer(app.openapi.clone())
}

/// Numbers for Prometheus. Answered however busy the server is.
#[utoipa::path(get, path = "/metrics", tag = "about", responses((status = 200, description = "Counters and gauges", body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    // beside the pool: it may be busy for long
    let text = tokio::task::spawn_blocking(move || {
        let mut gauges = Vec::new();
        for collection in app.collections.all() {
            let label = collection.name.replace(['\\', '"', '\n'], "_");
            let gauge = |what: &str| format!("lookalike_{what}{{collection=\"{label}\"}}");
            let (refused, missing) = collection.refused_and_missing();
            gauges.push((gauge("refused_changes"), refused));
            gauges.push((gauge("damaged_records"), missing));
            match &collection.kind {
                Kind::Store(store) => {
                    let entries = store.len().ok();
                    gauges.push((gauge("closed"), u64::from(entries.is_none())));
                    gauges.extend(entries.map(|entries| (gauge("entries"), entries)));
                }
                Kind::Index(index) => gauges.push((gauge("backlog"), index.backlog())),
                Kind::Run(_) => {}
            }
        }
        app.metrics.render(&gauges)
    });
    let text = text.await.map_err(|error| Problem::internal(&error))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// An index, a store or a run that is served.
#[derive(Serialize, JsonSchema)]
pub(super) struct Served {
    /// Its name in paths: `/v1/collections/{name}/…`.
    name: String,
    /// `shingles`, `simhash`, `passages` or `chunks` (an index), `fingerprints` (a store), `run` (a saved run of chunks).
    kind: &'static str,
    /// How documents become what is compared.
    recipe: Option<String>,
    /// Entries of a store; none while it is closed after a failure.
    entries: Option<u64>,
    /// The greatest distance that a store can be asked for.
    max_distance: Option<u32>,
    /// Whether ids of a store are names, and not numbers.
    named: Option<bool>,
    /// Changes of an index that are safe, and not visible yet.
    backlog: Option<u64>,
    /// Changes that the index did not take; they are in files of its journal.
    refused: u64,
    /// Changes and verdicts that could not be read because the disk damaged them.
    damaged: u64,
    /// An index in numbers, as `lookalike index info --json` has them.
    info: Option<lookalike::index::Info>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct CollectionList {
    /// Version of the form of answers.
    schema: u32,
    /// Version of the program.
    lookalike: &'static str,
    collections: Vec<Served>,
}

/// The collections that are served.
#[utoipa::path(get, path = "/v1/collections", tag = "about", responses((status = 200, body = ref("#/components/schemas/CollectionList"))))]
pub(super) async fn list_collections(State(app): State<Arc<App>>) -> Result<Answer, Problem> {
    app.block(|app| {
        let collections =
            app.collections.all().iter().map(|collection| served(collection)).collect::<Result<_, _>>()?;
        Answer::plain(&CollectionList { schema: SCHEMA, lookalike: env!("CARGO_PKG_VERSION"), collections })
    })
    .await
}

/// One of them.
#[utoipa::path(get, path = "/", tag = "about", responses((status = 200, body = ref("#/components/schemas/ServedAnswer"))))]
pub(super) async fn get_collection(State(app): State<Arc<App>>, Named(collection): Named) -> Result<Answer, Problem> {
    app.block(move |_| Answer::of(&collection, served(&collection)?)).await
}

fn served(collection: &Collection) -> Result<Served, Problem> {
    let (refused, damaged) = collection.refused_and_missing();
    let mut served = Served {
        name: collection.name.clone(),
        kind: collection.what(),
        recipe: None,
        entries: None,
        max_distance: None,
        named: None,
        backlog: None,
        refused,
        damaged,
        info: None,
    };
    match &collection.kind {
        Kind::Store(store) => {
            served.recipe = Some(store.recipe().to_owned());
            served.entries = store.len().ok();
            served.max_distance = Some(store.max_distance());
            served.named = Some(store.is_named());
        }
        Kind::Index(index) => {
            let info = index.open().index.info()?;
            served.recipe = Some(info.recipe.clone());
            served.backlog = Some(index.backlog());
            served.info = Some(info);
        }
        Kind::Run(_) => {}
    }
    Ok(served)
}
