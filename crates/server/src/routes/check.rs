//! Whether a page was seen before.

use super::query::{MAX_LIMIT, QueryRequest, search};
use crate::app::App;
use crate::collection::Collection;
use crate::content::{Answer, Content, Named, Params};
use crate::memory::RequestMemory;
use crate::problem::Problem;
use crate::store::{
    Change, ChangeKind, Changed, DocumentId, MAX_ID, Near, NearMatch, Page, parse_fingerprint, spell_fingerprint,
};
use axum::Extension;
use axum::extract::State;
use bytes::Bytes;
use lookalike::index::SearchResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use utoipa::{IntoParams, ToSchema};

/// Matches where no limit is given.
const DEFAULT_LIMIT: usize = 10;
/// Bytes of a page whose fingerprint takes so little time that handing it over would take as much.
const SMALL_PAGE: usize = 32 << 10;

/// A page or a fingerprint, and the limits of its matches.
#[derive(Clone, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct CheckRequest {
    /// Its name, such as a URL; a number in a store of numbers.
    #[schema(value_type = Option<String>)]
    #[param(value_type = Option<String>)]
    pub(super) id: Option<DocumentId>,
    /// A fingerprint of 16 hexadecimal digits; then there is no text.
    #[schema(example = "0123456789abcdef")]
    pub(super) fingerprint: Option<String>,
    /// A text; its format is recognised.
    pub(super) text: Option<String>,
    /// A text that is HTML.
    pub(super) html: Option<String>,
    /// Bits in which a near fingerprint differs at most; by default the greatest that the store was made for.
    pub(super) distance: Option<u32>,
    /// Matches to list.
    #[schema(maximum = 10_000)]
    #[param(maximum = 10_000)]
    pub(super) limit: Option<usize>,
    /// The crawl whose pages are seen, and to which it belongs.
    pub(super) crawl: Option<String>,
    /// Of an index of shingles: least resemblance of a match.
    pub(super) threshold: Option<f64>,
    /// Of an index of shingles: least containment of a match.
    pub(super) contained: Option<f64>,
}

/// The answer of a store of fingerprints.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StoreCheck {
    /// Its name, if it was given one.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<DocumentId>,
    /// Its fingerprint.
    fingerprint: String,
    /// Nothing is near.
    new: bool,
    /// How many are near; or, in a dense neighbourhood, how many were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// Whether all were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    /// The nearest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<NearMatch>>,
}

/// The answer of an index: its matches, and whether there are none.
#[derive(Serialize, JsonSchema)]
pub(super) struct IndexCheck {
    /// Nothing was found.
    new: bool,
    #[serde(flatten)]
    found: SearchResult,
}

impl StoreCheck {
    fn new(id: Option<DocumentId>, fingerprint: u64, near: Option<Near>) -> Self {
        let fingerprint = spell_fingerprint(fingerprint);
        match near {
            None => Self { id, fingerprint, new: true, count: None, complete: None, matches: None },
            Some(Near { count, complete, matches }) => {
                let (new, matches) = (count == 0, Some(matches));
                Self { id, fingerprint, new, count: Some(count), complete: Some(complete), matches }
            }
        }
    }
}

impl CheckRequest {
    /// The fields of the body, and the parameters for those that it lacks.
    fn or(self, other: Self) -> Self {
        Self {
            id: self.id.or(other.id),
            fingerprint: self.fingerprint.or(other.fingerprint),
            text: self.text.or(other.text),
            html: self.html.or(other.html),
            distance: self.distance.or(other.distance),
            limit: self.limit.or(other.limit),
            crawl: self.crawl.or(other.crawl),
            threshold: self.threshold.or(other.threshold),
            contained: self.contained.or(other.contained),
        }
    }

    /// The parameters of a request with what its body holds.
    pub(super) fn joined(params: Self, content: Content<Self>) -> (Self, Option<Bytes>) {
        match content {
            Content::Json(body) => (body.or(params), None),
            Content::Document(bytes) => (params, Some(bytes)),
        }
    }

    pub(super) fn limit(&self) -> Result<usize, Problem> {
        match self.limit {
            Some(found) if found > MAX_LIMIT => {
                Err(Problem::meaningless(format!("limit: expected at most {MAX_LIMIT}, found {found}")))
            }
            limit => Ok(limit.unwrap_or(DEFAULT_LIMIT)),
        }
    }

    /// The fingerprint that was given, if one was.
    fn given_fingerprint(&self) -> Result<Option<u64>, Problem> {
        let Some(digits) = &self.fingerprint else { return Ok(None) };
        if self.text.is_some() || self.html.is_some() {
            return Err(Problem::meaningless("expected a fingerprint or a text, found both"));
        }
        let wrong = || Problem::meaningless(format!("fingerprint: expected 16 hexadecimal digits, found {digits:?}"));
        parse_fingerprint(digits).map(Some).ok_or_else(wrong)
    }

    fn page<'a>(&'a self, raw: Option<&'a [u8]>) -> Result<Page<'a>, Problem> {
        match (&self.text, &self.html, raw) {
            (Some(text), None, None) => Ok(Page::Text(text)),
            (None, Some(html), None) => Ok(Page::Html(html)),
            (None, None, Some(bytes)) => Ok(Page::Bytes(bytes)),
            (None, None, None) => Err(Problem::meaningless(
                "expected \"fingerprint\", \"text\" or \"html\", or a document as the body; found none",
            )),
            _ => Err(Problem::meaningless("expected one of \"text\", \"html\" and a document as the body, found more")),
        }
    }

    /// The name of the document, for messages and for its format.
    fn name(&self) -> String {
        self.id.as_ref().map_or_else(|| "query".to_owned(), DocumentId::name)
    }

    /// The fingerprint of the page. Small pages take less time than handing them over.
    pub(super) async fn fingerprint(
        self: &Arc<Self>,
        app: &Arc<App>,
        collection: &Arc<Collection>,
        raw: Option<&Bytes>,
    ) -> Result<u64, Problem> {
        if let Some(given) = self.given_fingerprint()? {
            return Ok(given);
        }
        let store = collection.store()?;
        let page = self.page(raw.map(|bytes| &bytes[..]))?;
        // files may be read by another process, and waited for
        if page.len() <= SMALL_PAGE && !matches!(page, Page::Bytes(_)) {
            return store.fingerprint(&self.name(), page);
        }
        let (request, collection, raw) = (Arc::clone(self), Arc::clone(collection), raw.cloned());
        app.block(move |_| collection.store()?.fingerprint(&request.name(), request.page(raw.as_deref())?)).await
    }
}

/// Whether a fingerprint, or a short text, was seen before. Only a store of fingerprints knows fingerprints.
#[utoipa::path(get, path = "/check", tag = "check", params(CheckRequest), responses(
    (status = 200, description = "Of a store, or of an index", body = ref("#/components/schemas/CheckAnswer"))))]
pub(super) async fn get_check(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Extension(memory): Extension<RequestMemory>,
    Params(request): Params<CheckRequest>,
) -> Result<Answer, Problem> {
    check(&app, collection, request, None, memory).await
}

/// Whether a page was seen before: JSON, or the document itself as the body.
#[utoipa::path(post, path = "/check", tag = "check", params(CheckRequest),
    request_body(content((CheckRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "Of a store, or of an index", body = ref("#/components/schemas/CheckAnswer"))))]
pub(super) async fn post_check(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Extension(memory): Extension<RequestMemory>,
    Params(params): Params<CheckRequest>,
    content: Content<CheckRequest>,
) -> Result<Answer, Problem> {
    let (request, raw) = CheckRequest::joined(params, content);
    check(&app, collection, request, raw, memory).await
}

/// Asks a store or an index.
pub(super) async fn check(
    app: &Arc<App>,
    collection: Arc<Collection>,
    request: CheckRequest,
    raw: Option<Bytes>,
    memory: RequestMemory,
) -> Result<Answer, Problem> {
    let Ok(store) = collection.store() else { return check_index(app, collection, request, raw, memory).await };
    let request = Arc::new(request);
    let fingerprint = request.fingerprint(app, &collection, raw.as_ref()).await?;
    let near =
        store.near(fingerprint, store.check_distance(request.distance)?, request.limit()?, request.crawl.as_deref())?;
    Answer::of(&collection, StoreCheck::new(request.id.clone(), fingerprint, Some(near)))
}

async fn check_index(
    app: &Arc<App>,
    collection: Arc<Collection>,
    request: CheckRequest,
    raw: Option<Bytes>,
    memory: RequestMemory,
) -> Result<Answer, Problem> {
    if request.fingerprint.is_some() || request.crawl.is_some() {
        collection.store()?;
    }
    let query = QueryRequest {
        id: request.id.as_ref().map(DocumentId::name),
        text: request.text,
        html: request.html,
        distance: request.distance,
        limit: request.limit,
        threshold: request.threshold,
        contained: request.contained,
        ..QueryRequest::default()
    };
    app.block(move |_| {
        let found = search(&collection, &query, raw.as_deref(), &memory)?;
        Answer::of(&collection, IndexCheck { new: found.more == 0 && found.seen().is_empty(), found })
    })
    .await
}

/// Inserts a page if nothing is near it. Of equal pages that come at the same moment exactly one is new; the answer is sent when it is safe.
#[utoipa::path(post, path = "/check-and-insert", tag = "check", params(CheckRequest),
    request_body(content((CheckRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "Whether it was new, and what was near", body = ref("#/components/schemas/StoreCheckAnswer"))))]
pub(super) async fn check_and_insert(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(params): Params<CheckRequest>,
    content: Content<CheckRequest>,
) -> Result<Answer, Problem> {
    let (request, raw) = CheckRequest::joined(params, content);
    prepare_insert(&app, collection, request, raw).await?.submit()?.answer(&app).await
}

/// A page that is ready to be inserted.
pub(super) struct PreparedInsert {
    request: Arc<CheckRequest>,
    collection: Arc<Collection>,
    id: DocumentId,
    fingerprint: u64,
}

/// A page on its way into the store.
pub(super) struct SubmittedInsert {
    collection: Arc<Collection>,
    id: DocumentId,
    fingerprint: u64,
    changed: oneshot::Receiver<Result<Changed, Problem>>,
}

pub(super) async fn prepare_insert(
    app: &Arc<App>,
    collection: Arc<Collection>,
    request: CheckRequest,
    raw: Option<Bytes>,
) -> Result<PreparedInsert, Problem> {
    collection.store()?;
    let id = request.id.clone().ok_or_else(|| Problem::meaningless("expected \"id\", found none"))?;
    check_id(&id)?;
    let request = Arc::new(request);
    let fingerprint = request.fingerprint(app, &collection, raw.as_ref()).await?;
    Ok(PreparedInsert { request, collection, id, fingerprint })
}

pub(super) fn check_id(id: &DocumentId) -> Result<(), Problem> {
    match id {
        DocumentId::Name(name) if name.is_empty() || name.len() > MAX_ID => {
            Err(Problem::meaningless(format!("id: expected 1 to {MAX_ID} bytes, found {}", name.len())))
        }
        _ => Ok(()),
    }
}

impl PreparedInsert {
    /// Inserts happen in the order in which they are submitted.
    pub(super) fn submit(self) -> Result<SubmittedInsert, Problem> {
        let Self { request, collection, id, fingerprint } = self;
        let store = collection.store()?;
        let (distance, limit) = (store.check_distance(request.distance)?, request.limit()?);
        let kind = ChangeKind::CheckAndInsert { distance, limit };
        let change = Change { kind, fingerprint, id: id.clone(), crawl: request.crawl.clone() };
        let changed = store.submit(change)?;
        Ok(SubmittedInsert { collection, id, fingerprint, changed })
    }
}

impl SubmittedInsert {
    pub(super) async fn answer(self, app: &App) -> Result<Answer, Problem> {
        let changed = self.changed.await.map_err(|_| Problem::unfinished("the server is shutting down"))??;
        let (near, counter) = match changed {
            Changed::Known(near) => (Some(near), &app.metrics.known),
            Changed::New | Changed::Inserted(_) | Changed::Deleted(_) => (None, &app.metrics.inserted),
        };
        counter.fetch_add(1, Ordering::Relaxed);
        Answer::of(&self.collection, StoreCheck::new(Some(self.id), self.fingerprint, near))
    }
}
