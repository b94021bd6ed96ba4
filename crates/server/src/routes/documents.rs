//! Documents by name.

use super::check::{CheckRequest, check_id};
use crate::app::App;
use crate::collection::{Collection, Kind};
use crate::content::{Answer, Content, Params};
use crate::living::{LivingIndex, Record, Written};
use crate::problem::Problem;
use crate::store::{Change, ChangeKind, Changed, DocumentId, PageStore};
use axum::extract::{Path, State};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use utoipa::{IntoParams, ToSchema};

/// Which document, and when.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct DocumentRequest {
    /// The index or store; without it, the first.
    pub(super) index: Option<String>,
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

/// What became of an entry of a store.
#[derive(Debug, Serialize, ToSchema)]
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

#[derive(ToSchema)]
#[schema(title = "DocumentChanged")]
#[serde(untagged)]
#[expect(dead_code, reason = "the description of two answers")]
pub(super) enum DocumentChanged {
    Index(Written),
    Store(EntryChanged),
}

enum Place<'a> {
    Index(&'a LivingIndex),
    Store(&'a PageStore),
}

fn place<'a>(app: &'a App, name: Option<&str>) -> Result<Place<'a>, Problem> {
    app.collections.pick(name, "an index of documents or a store of fingerprints", |collection: &Collection| {
        match &collection.kind {
            Kind::Index(index) => Some(Place::Index(index)),
            Kind::Store(store) => Some(Place::Store(store)),
            Kind::Run(_) => None,
        }
    })
}

/// What is known of a name. An index keeps no texts: content id, size and history are what it has. A store tells, with a fingerprint,
/// whether it has that entry.
#[utoipa::path(get, path = "/v1/documents/{id}", tag = "documents", params(DocumentRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, description = "As a row of `lookalike index list --json`, with `history` and `pending`", body = Object), (status = "4XX", body = Problem)))]
pub(super) async fn get_document(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<DocumentRequest>,
) -> Result<Answer, Problem> {
    app.block(move |app| match place(app, request.index.as_deref())? {
        Place::Index(index) => Answer::versioned(&index.document(&id)?),
        Place::Store(store) => {
            let digits = request.fingerprint.as_deref().ok_or_else(|| {
                Problem::meaningless(
                    "a store finds entries by fingerprint, not by name; expected \"fingerprint\", found none",
                )
            })?;
            let fingerprint = parse(digits)?;
            let near = store.near(fingerprint, 0, usize::MAX, request.crawl.as_deref())?;
            let found = near.matches.into_iter().find(|found| found.id.name() == id);
            Answer::plain(&found.ok_or_else(|| Problem::not_found(format!("the store has no {id:?} with {digits}")))?)
        }
    })
    .await
}

fn parse(digits: &str) -> Result<u64, Problem> {
    let wrong = || Problem::meaningless(format!("fingerprint: expected 16 hexadecimal digits, found {digits:?}"));
    crate::store::parse_fingerprint(digits).ok_or_else(wrong)
}

/// Puts a document, or a new version of it. The answer comes when it is safe; an index shows it a moment later.
#[utoipa::path(put, path = "/v1/documents/{id}", tag = "documents", params(DocumentRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    request_body(content((DocumentBody = "application/json"), (String = "text/plain"), (String = "text/html"))),
    responses((status = 200, description = "Of an index, or of a store", body = DocumentChanged), (status = "4XX", body = Problem), (status = 503, body = Problem), (status = 507, body = Problem)))]
pub(super) async fn put_document(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<DocumentRequest>,
    content: Content<DocumentBody>,
) -> Result<Answer, Problem> {
    let (body, raw) = match content {
        Content::Json(body) => (body, None),
        Content::Document(bytes) => (DocumentBody::default(), Some(bytes)),
    };
    prepare_put(&app, id, request, body, raw).await?.submit(&app)?.answer(&app).await
}

/// Deletes a document: its name from an index, from one sweep or all; an entry from a store, by name and fingerprint.
#[utoipa::path(delete, path = "/v1/documents/{id}", tag = "documents", params(DocumentRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, description = "Of an index, or of a store", body = DocumentChanged), (status = "4XX", body = Problem), (status = 503, body = Problem), (status = 507, body = Problem)))]
pub(super) async fn delete_document(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<DocumentRequest>,
) -> Result<Answer, Problem> {
    prepare_delete(&app, id, request)?.submit(&app)?.answer(&app).await
}

/// A change that is ready to be made.
pub(super) struct PreparedChange {
    index: Option<String>,
    wait: bool,
    what: What,
}

enum What {
    Record(Record),
    Entry(Change),
}

/// The same on its way.
pub(super) struct SubmittedChange {
    index: Option<String>,
    wait: bool,
    id: String,
    /// A document comes to an index.
    comes: bool,
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
    id: String,
    request: DocumentRequest,
    body: DocumentBody,
    raw: Option<Bytes>,
) -> Result<PreparedChange, Problem> {
    let name = DocumentId::Name(id.clone());
    check_id(&name)?;
    check_sweep(request.sweep.as_deref())?;
    let what = match place(app, request.index.as_deref())? {
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
            let (index, id, text) = check_text(app, request.index.clone(), id, text).await?;
            return Ok(PreparedChange {
                index,
                wait: request.wait,
                what: What::Record(Record::Put { id, text, sweep: request.sweep }),
            });
        }
        Place::Store(_) => {
            let check = CheckRequest {
                index: request.index.clone(),
                id: Some(name.clone()),
                fingerprint: body.fingerprint.or(request.fingerprint),
                text: body.text,
                html: body.html,
                ..CheckRequest::default()
            };
            let fingerprint = Arc::new(check).fingerprint(app, raw.as_ref()).await?;
            What::Entry(Change { kind: ChangeKind::Insert, fingerprint, id: name, crawl: request.crawl })
        }
    };
    Ok(PreparedChange { index: request.index, wait: request.wait, what })
}

/// Refuses a text that the index would not take.
async fn check_text(
    app: &Arc<App>,
    index: Option<String>,
    id: String,
    text: String,
) -> Result<(Option<String>, String, String), Problem> {
    app.block(move |app| {
        if let Place::Index(served) = place(app, index.as_deref())? {
            served.check(&id, &text)?;
        }
        Ok((index, id, text))
    })
    .await
}

pub(super) fn prepare_delete(app: &App, id: String, request: DocumentRequest) -> Result<PreparedChange, Problem> {
    check_sweep(request.sweep.as_deref())?;
    let what = match place(app, request.index.as_deref())? {
        Place::Index(_) => What::Record(Record::Delete { id, sweep: request.sweep }),
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
    Ok(PreparedChange { index: request.index, wait: request.wait, what })
}

impl PreparedChange {
    /// Changes are made in the order in which they are submitted.
    pub(super) fn submit(self, app: &App) -> Result<SubmittedChange, Problem> {
        let Self { index, wait, what } = self;
        let comes = matches!(what, What::Record(Record::Put { .. }));
        let (id, reply) = match (place(app, index.as_deref())?, what) {
            (Place::Index(served), What::Record(record)) => {
                (record.id().to_owned(), Reply::Record(served.submit(record)?))
            }
            (Place::Store(store), What::Entry(change)) => (change.id.name(), Reply::Entry(store.submit(change)?)),
            _ => return Err(Problem::internal(&"an index became a store")),
        };
        Ok(SubmittedChange { index, wait, id, comes, reply })
    }
}

impl SubmittedChange {
    pub(super) async fn answer(self, app: &App) -> Result<Answer, Problem> {
        let ended = |_| Problem::busy("the server is shutting down");
        match self.reply {
            Reply::Record(reply) => {
                let number = reply.await.map_err(ended)??;
                app.metrics.inserted.fetch_add(u64::from(self.comes), Ordering::Relaxed);
                let mut written = Written { id: self.id, durable: true, visible: false, reason: None };
                if self.wait
                    && let Place::Index(index) = place(app, self.index.as_deref())?
                {
                    written.reason = index.wait_until_visible(number).await?;
                    written.visible = written.reason.is_none();
                }
                Answer::plain(&written)
            }
            Reply::Entry(reply) => Answer::plain(&match reply.await.map_err(ended)?? {
                Changed::Deleted(deleted) => EntryChanged::Deleted { deleted },
                Changed::Inserted(inserted) => {
                    app.metrics.inserted.fetch_add(u64::from(inserted), Ordering::Relaxed);
                    EntryChanged::Inserted { inserted }
                }
                Changed::New | Changed::Known(_) => EntryChanged::Inserted { inserted: false },
            }),
        }
    }
}
