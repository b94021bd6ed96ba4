//! What the server is and how it fares.

use crate::app::App;
use crate::collection::{Collection, Kind};
use crate::content::Answer;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The server is there.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    status: &'static str,
    lookalike: &'static str,
    read_only: bool,
    /// Whether texts of documents are shown.
    texts: bool,
}

/// Whether the server is there. Needs no token.
#[utoipa::path(get, path = "/healthz", tag = "about", responses((status = 200, body = Health)))]
pub(super) async fn healthz(State(app): State<Arc<App>>) -> Result<Answer, Problem> {
    let (lookalike, read_only, texts) = (env!("CARGO_PKG_VERSION"), app.read_only, app.texts);
    Answer::plain(&Health { status: "ok", lookalike, read_only, texts })
}

/// This description. Needs no token.
#[utoipa::path(get, path = "/v1/openapi.json", tag = "about", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
pub(super) async fn openapi(State(app): State<Arc<App>>) -> Answer {
    Answer(app.openapi.clone())
}

/// Numbers for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "about", responses((status = 200, body = String, content_type = "text/plain"), (status = 401, body = Problem)))]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let text = app.block(|app| {
        let mut gauges = Vec::new();
        for collection in app.collections.all() {
            let label = collection.name.replace(['\\', '"', '\n'], "_");
            let (refused, missing) = collection.refused_and_missing();
            gauges.push((format!("lookalike_refused_changes{{index=\"{label}\"}}"), refused));
            gauges.push((format!("lookalike_damaged_records{{index=\"{label}\"}}"), missing));
            match &collection.kind {
                Kind::Store(store) => gauges.push((format!("lookalike_entries{{index=\"{label}\"}}"), store.len()?)),
                Kind::Index(index) => gauges.push((format!("lookalike_backlog{{index=\"{label}\"}}"), index.backlog())),
                Kind::Run(_) => {}
            }
        }
        Ok(app.metrics.render(&gauges))
    });
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text.await?).into_response())
}

/// Something that is served.
#[derive(Serialize, ToSchema)]
pub(super) struct ServedIndex {
    /// Its name, for `index` of a request.
    name: String,
    /// `shingles`, `simhash`, `passages` or `chunks` (an index), `fingerprints` (a store), `run` (a saved run of chunks).
    kind: &'static str,
    /// How documents become what is compared.
    recipe: Option<String>,
    /// Entries of a store.
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
    #[schema(value_type = Option<Object>)]
    info: Option<lookalike::index::Info>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct ServedIndexes {
    indexes: Vec<ServedIndex>,
}

/// What is served, in the order in which it is asked where a request names none.
#[utoipa::path(get, path = "/v1/indexes", tag = "about", responses((status = 200, body = ServedIndexes), (status = 401, body = Problem)))]
pub(super) async fn indexes(State(app): State<Arc<App>>) -> Result<Answer, Problem> {
    app.block(|app| {
        let indexes = app.collections.all().iter().map(served).collect::<Result<_, _>>()?;
        Answer::versioned(&ServedIndexes { indexes })
    })
    .await
}

fn served(collection: &Collection) -> Result<ServedIndex, Problem> {
    let (refused, damaged) = collection.refused_and_missing();
    let mut served = ServedIndex {
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
            served.entries = Some(store.len()?);
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
