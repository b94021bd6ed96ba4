//! Documents by name.

use super::check::{CheckRequest, check_id};
use super::query::work_per_byte;
use crate::app::App;
use crate::collection::{Collection, Kind};
use crate::content::{Answer, Content, IdPath, InPath, Named, Params};
use crate::living::{LivingIndex, Record, Written};
use crate::memory::RequestMemory;
use crate::problem::Problem;
use crate::store::{Change, ChangeKind, Changed, DocumentId, PageStore};
use axum::Extension;
use axum::extract::State;
use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use utoipa::{IntoParams, ToSchema};

/// The sweep or the entry of a document.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct DocumentRequest {
    /// Of an index: the date of the sweep.
    pub(super) sweep: Option<String>,
    /// Of an index: answer when the change is visible, not only safe.
    pub(super) wait: bool,
    /// Of a store: the fingerprint of the entry.
    pub(super) fingerprint: Option<String>,
    /// Of a store: the crawl to which it belongs.
    pub(super) crawl: Option<String>,
}

/// A document.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DocumentBody {
    /// As text.
    pub(super) text: Option<String>,
    /// As HTML.
    pub(super) html: Option<String>,
    /// Of a store: its fingerprint.
    pub(super) fingerprint: Option<String>,
}

/// A change of an entry of a store.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum EntryChanged {
    Inserted {
        /// False if it was there.
        inserted: bool,
    },
    Deleted {
        /// False if it was not there.
        deleted: bool,
    },
}

enum Place<'a> {
    Index(&'a LivingIndex),
    Store(&'a PageStore),
}

fn place(collection: &Collection) -> Result<Place<'_>, Problem> {
    match &collection.kind {
        Kind::Store(store) => Ok(Place::Store(store)),
        _ => collection.index().map(Place::Index),
    }
}

/// A document by its name. An index has its content id, size and history, but no text. A store finds the entry with a fingerprint.
#[utoipa::path(get, path = "/documents/{id}", tag = "documents", params(DocumentRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, description = "As a row of `lookalike index list --json`, with `history` and `pending`", body = ref("#/components/schemas/DocumentAnswer"))))]
pub(super) async fn get_document(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
    Params(request): Params<DocumentRequest>,
) -> Result<Answer, Problem> {
    app.block(move |_| match place(&collection)? {
        Place::Index(index) => Answer::of(&collection, index.document(&id)?),
        Place::Store(store) => {
            let digits = request.fingerprint.as_deref().ok_or_else(|| {
                Problem::meaningless(
                    "a store finds entries by fingerprint, not by name; expected \"fingerprint\", found none",
                )
            })?;
            let fingerprint = parse(digits)?;
            let near = store.near(fingerprint, 0, usize::MAX, request.crawl.as_deref())?;
            let found = near.matches.into_iter().find(|found| found.id.name() == id);
            let unknown = || Problem::not_found(format!("the store has no {id:?} with {digits}"));
            Answer::of(&collection, found.ok_or_else(unknown)?)
        }
    })
    .await
}

fn parse(digits: &str) -> Result<u64, Problem> {
    let wrong = || Problem::meaningless(format!("fingerprint: expected 16 hexadecimal digits, found {digits:?}"));
    crate::store::parse_fingerprint(digits).ok_or_else(wrong)
}

/// Puts a document, or a new version of it. The answer is sent when it is safe; an index shows it a moment later.
#[utoipa::path(put, path = "/documents/{id}", tag = "documents", params(DocumentRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    request_body(content((DocumentBody = "application/json"), (String = "text/plain"), (String = "text/html"))),
    responses((status = 200, description = "Of an index, or of a store", body = ref("#/components/schemas/DocumentChangedAnswer"))))]
pub(super) async fn put_document(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
    Extension(memory): Extension<RequestMemory>,
    Params(request): Params<DocumentRequest>,
    content: Content<DocumentBody>,
) -> Result<Answer, Problem> {
    let (body, raw) = match content {
        Content::Json(body) => (body, None),
        Content::Document(bytes) => (DocumentBody::default(), Some(bytes)),
    };
    prepare_put(&app, collection, id, request, body, raw, &memory).await?.submit()?.answer(&app).await
}

/// Deletes a document: its name from an index, from one sweep or all; an entry from a store, by name and fingerprint. `removed` and
/// `deleted` say whether there was one.
#[utoipa::path(delete, path = "/documents/{id}", tag = "documents", params(DocumentRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, description = "Of an index, or of a store", body = ref("#/components/schemas/DocumentChangedAnswer"))))]
pub(super) async fn delete_document(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
    Params(request): Params<DocumentRequest>,
) -> Result<Answer, Problem> {
    prepare_delete(&app, collection, id, request).await?.submit()?.answer(&app).await
}

/// A change that is ready to be made.
pub(super) struct PreparedChange {
    collection: Arc<Collection>,
    wait: bool,
    what: What,
}

enum What {
    /// With the number of observations that a deletion removes.
    Record(Record, Option<u64>),
    Entry(Change),
}

/// A change on its way.
pub(super) struct SubmittedChange {
    collection: Arc<Collection>,
    wait: bool,
    id: String,
    /// Observations that a deletion removes from an index.
    removed: Option<u64>,
    reply: Reply,
}

enum Reply {
    Record(oneshot::Receiver<Result<u64, Problem>>),
    Entry(oneshot::Receiver<Result<Changed, Problem>>),
}

fn check_sweep(sweep: Option<&str>) -> Result<(), Problem> {
    match sweep.filter(|date| lookalike::days(date).is_none()) {
        Some(date) => Err(Problem::meaningless(format!("sweep: expected a date such as 2026-05-01, found {date:?}"))),
        None => Ok(()),
    }
}

pub(super) async fn prepare_put(
    app: &Arc<App>,
    collection: Arc<Collection>,
    id: String,
    request: DocumentRequest,
    body: DocumentBody,
    raw: Option<Bytes>,
    memory: &RequestMemory,
) -> Result<PreparedChange, Problem> {
    let name = DocumentId::Name(id.clone());
    check_id(&name)?;
    check_sweep(request.sweep.as_deref())?;
    let what = match place(&collection)? {
        Place::Index(_) => {
            let text = match (body.text.or(body.html), raw, body.fingerprint) {
                (Some(text), None, None) => text,
                (None, Some(bytes), None) => String::from_utf8(bytes.into()).map_err(|_| {
                    Problem::meaningless(
                        "the body is no UTF-8; an index takes texts here, files with `lookalike index add`",
                    )
                })?,
                _ => return Err(Problem::meaningless("expected one of \"text\", \"html\" and a text as the body")),
            };
            let (id, text) = check_text(app, &collection, id, text, memory).await?;
            What::Record(Record::Put { id, text, sweep: request.sweep }, None)
        }
        Place::Store(_) => {
            let check = CheckRequest {
                id: Some(name.clone()),
                fingerprint: body.fingerprint.or(request.fingerprint),
                text: body.text,
                html: body.html,
                ..CheckRequest::default()
            };
            let fingerprint = Arc::new(check).fingerprint(app, &collection, raw.as_ref()).await?;
            What::Entry(Change { kind: ChangeKind::Insert, fingerprint, id: name, crawl: request.crawl })
        }
    };
    Ok(PreparedChange { collection, wait: request.wait, what })
}

/// Refuses a text that the index would not take.
async fn check_text(
    app: &Arc<App>,
    collection: &Arc<Collection>,
    id: String,
    text: String,
    memory: &RequestMemory,
) -> Result<(String, String), Problem> {
    let collection = Arc::clone(collection);
    // what takes more memory than a fold has is refused by the check itself
    let work = memory.work_within((text.len() as u64).saturating_mul(work_per_byte(collection.index()?.lens())))?;
    app.block(move |_| {
        let _work = work;
        collection.index()?.check(&id, &text)?;
        Ok((id, text))
    })
    .await
}

pub(super) async fn prepare_delete(
    app: &Arc<App>,
    collection: Arc<Collection>,
    id: String,
    request: DocumentRequest,
) -> Result<PreparedChange, Problem> {
    check_sweep(request.sweep.as_deref())?;
    let what = match place(&collection)? {
        Place::Index(index) => {
            index.settle(&id).await;
            let (asked, name, sweep) = (Arc::clone(&collection), id.clone(), request.sweep.clone());
            let seen = app.block(move |_| asked.index()?.observations(&name, sweep.as_deref())).await?;
            What::Record(Record::Delete { id, sweep: request.sweep }, Some(seen))
        }
        Place::Store(_) => {
            let digits = request.fingerprint.as_deref().ok_or_else(|| {
                Problem::meaningless(
                    "a store finds entries by fingerprint, not by name; expected \"fingerprint\", found none",
                )
            })?;
            let (fingerprint, id) = (parse(digits)?, DocumentId::Name(id));
            What::Entry(Change { kind: ChangeKind::Delete, fingerprint, id, crawl: request.crawl })
        }
    };
    Ok(PreparedChange { collection, wait: request.wait, what })
}

impl PreparedChange {
    /// Changes are made in the order in which they are submitted.
    pub(super) fn submit(self) -> Result<SubmittedChange, Problem> {
        let Self { collection, wait, what } = self;
        let (id, removed, reply) = match what {
            What::Record(record, removed) => {
                (record.id().to_owned(), removed, Reply::Record(collection.index()?.submit(record)?))
            }
            What::Entry(change) => (change.id.name(), None, Reply::Entry(collection.store()?.submit(change)?)),
        };
        Ok(SubmittedChange { collection, wait, id, removed, reply })
    }
}

impl SubmittedChange {
    pub(super) async fn answer(self, app: &App) -> Result<Answer, Problem> {
        let ended = |_| Problem::unfinished("the server is shutting down");
        match self.reply {
            Reply::Record(reply) => {
                let number = reply.await.map_err(ended)??;
                app.metrics.inserted.fetch_add(u64::from(self.removed.is_none()), Ordering::Relaxed);
                let Self { id, removed, .. } = self;
                let mut written = Written { id, durable: true, visible: false, reason: None, removed };
                if self.wait {
                    written.reason = self.collection.index()?.wait_until_visible(number).await?;
                    written.visible = written.reason.is_none();
                }
                Answer::of(&self.collection, written)
            }
            Reply::Entry(reply) => {
                let changed = match reply.await.map_err(ended)?? {
                    Changed::Deleted(deleted) => EntryChanged::Deleted { deleted },
                    Changed::Inserted(inserted) => {
                        app.metrics.inserted.fetch_add(u64::from(inserted), Ordering::Relaxed);
                        EntryChanged::Inserted { inserted }
                    }
                    Changed::New | Changed::Known(_) => EntryChanged::Inserted { inserted: false },
                };
                Answer::of(&self.collection, changed)
            }
        }
    }
}
