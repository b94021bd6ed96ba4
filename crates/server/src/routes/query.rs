//! Queries: documents of an index that resemble one.

use crate::app::App;
use crate::collection::Collection;
use crate::content::{Answer, Content, Named, Params};
use crate::memory::RequestMemory;
use crate::problem::Problem;
use axum::Extension;
use axum::extract::State;
use bytes::Bytes;
use lookalike::index::{ChunksQuery, PassagesQuery, Query, QueryOptions, SearchResult, ShinglesQuery, SimhashQuery};
use lookalike::report::Policy;
use lookalike::{Index, Lens};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Matches at most.
pub(super) const MAX_LIMIT: usize = 10_000;

/// A document, and the limits of its matches.
#[derive(Clone, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryRequest {
    /// The name of the document.
    pub(super) id: Option<String>,
    /// The document, as text.
    pub(super) text: Option<String>,
    /// The document, as HTML.
    pub(super) html: Option<String>,
    /// A URL or id of the index: what it had when it was last seen.
    pub(super) url: Option<String>,
    /// Matches to list.
    #[schema(maximum = 10_000)]
    #[param(maximum = 10_000)]
    pub(super) limit: Option<usize>,
    /// Shingles: least resemblance of a match. Chunks: least share of the smaller of the two that they have in common.
    pub(super) threshold: Option<f64>,
    /// Shingles: least containment, either way, of a match.
    pub(super) contained: Option<f64>,
    /// Fingerprints: greatest distance of a match.
    pub(super) distance: Option<u32>,
    /// Passages: tokens in a row that are found wherever they are shared.
    pub(super) guarantee: Option<u32>,
    /// Passages: least similarity of a match.
    pub(super) min_similarity: Option<f64>,
    /// Chunks: least bytes in common.
    pub(super) min_shared: Option<u64>,
}

impl QueryRequest {
    fn or(self, other: Self) -> Self {
        Self {
            id: self.id.or(other.id),
            text: self.text.or(other.text),
            html: self.html.or(other.html),
            url: self.url.or(other.url),
            limit: self.limit.or(other.limit),
            threshold: self.threshold.or(other.threshold),
            contained: self.contained.or(other.contained),
            distance: self.distance.or(other.distance),
            guarantee: self.guarantee.or(other.guarantee),
            min_similarity: self.min_similarity.or(other.min_similarity),
            min_shared: self.min_shared.or(other.min_shared),
        }
    }

    pub(super) fn joined(params: Self, content: Content<Self>) -> (Self, Option<Bytes>) {
        match content {
            Content::Json(body) => (body.or(params), None),
            Content::Document(bytes) => (params, Some(bytes)),
        }
    }

    fn options(&self, index: &Index) -> Result<QueryOptions, Problem> {
        let options: QueryOptions = match index.lens() {
            Lens::Passages => PassagesQuery { guarantee: self.guarantee, min_similarity: self.min_similarity }.into(),
            Lens::Simhash => {
                let usual = SimhashQuery::default();
                SimhashQuery { distance: self.distance.unwrap_or(usual.distance) }.into()
            }
            Lens::Chunks => {
                let usual = ChunksQuery::default();
                let (threshold, min_shared) =
                    (self.threshold.unwrap_or(usual.threshold), self.min_shared.unwrap_or(usual.min_shared));
                ChunksQuery { threshold, min_shared, ..usual }.into()
            }
            Lens::Shingles => {
                let own = index.policy();
                let policy = Policy {
                    threshold: self.threshold.unwrap_or(own.threshold),
                    contained: self.contained.or(own.contained),
                    ..own
                };
                policy.check()?;
                let Policy { threshold, contained, .. } = policy;
                ShinglesQuery { threshold, contained, ..ShinglesQuery::default() }.into()
            }
        };
        match self.limit {
            Some(found) if found > MAX_LIMIT => {
                Err(Problem::meaningless(format!("limit: expected at most {MAX_LIMIT}, found {found}")))
            }
            Some(limit) => Ok(options.with_limit(limit)),
            None => Ok(options),
        }
    }

    pub(super) fn question<'a>(&'a self, raw: Option<&'a [u8]>) -> Result<Query<'a>, Problem> {
        let id = self.id.as_deref().unwrap_or("query");
        match (self.text.as_deref().or(self.html.as_deref()), &self.url, raw) {
            (Some(text), None, None) => Ok(Query::Text { id, text }),
            (None, Some(url), None) => Ok(Query::Url(url)),
            (None, None, Some(bytes)) => Ok(Query::Bytes { id, bytes }),
            (None, None, None) => Err(Problem::meaningless(
                "expected \"text\", \"html\" or \"url\", or a document as the body; found none",
            )),
            _ => Err(Problem::meaningless(
                "expected one of \"text\", \"html\", \"url\" and a document as the body, found more",
            )),
        }
    }
}

/// Documents of an index that resemble one, hold it, are inside it, share passages or bytes with it, or have a near fingerprint.
#[utoipa::path(post, path = "/query", tag = "query", params(QueryRequest),
    request_body(content((QueryRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, description = "As `lookalike query --json`", body = ref("#/components/schemas/SearchResultAnswer"))))]
pub(super) async fn query(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Extension(memory): Extension<RequestMemory>,
    Params(params): Params<QueryRequest>,
    content: Content<QueryRequest>,
) -> Result<Answer, Problem> {
    let (request, raw) = QueryRequest::joined(params, content);
    ask(&app, collection, request, raw, memory).await
}

/// Bytes of memory that a byte of a document takes beside the body: its shingles, chunks or features, or its tokens with all that they are
/// compared by.
pub(super) fn work_per_byte(lens: Lens) -> u64 {
    if lens == Lens::Passages { 48 } else { 4 }
}

/// Asks an index.
pub(super) async fn ask(
    app: &Arc<App>,
    collection: Arc<Collection>,
    request: QueryRequest,
    raw: Option<Bytes>,
    memory: RequestMemory,
) -> Result<Answer, Problem> {
    app.block(move |_| Answer::of(&collection, search(&collection, &request, raw.as_deref(), &memory)?)).await
}

/// The matches of a document in an index.
pub(super) fn search(
    collection: &Collection,
    request: &QueryRequest,
    raw: Option<&[u8]>,
    memory: &RequestMemory,
) -> Result<SearchResult, Problem> {
    let open = collection.index()?.open();
    let text = request.text.as_ref().or(request.html.as_ref()).map_or(0, String::len);
    let bytes = (text + raw.map_or(0, <[u8]>::len)) as u64;
    let _work = memory.work(bytes.saturating_mul(work_per_byte(open.index.lens())))?;
    Ok(open.index.query(&request.question(raw)?, &request.options(&open.index)?)?)
}
