//! The parts of a request: its path, parameters, JSON, or a document as it is. What does not fit is a problem. And answers of JSON.

use crate::app::App;
use crate::collection::Collection;
use crate::memory::RequestMemory;
use crate::pace::Pace;
use crate::problem::Problem;
use crate::shares::Client;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use lookalike::report::SCHEMA;
use lookalike_report::{Show, write_answer, write_json};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of a request.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Query(value) = Query::try_from_uri(&parts.uri)
            .map_err(|error| Problem::malformed(format!("parameters: {}", error.body_text())))?;
        Ok(Self(value))
    }
}

/// Parts of the path, by name.
pub(crate) struct InPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(value) = Path::from_request_parts(parts, state)
            .await
            .map_err(|error| Problem::malformed(format!("path: {}", error.body_text())))?;
        Ok(Self(value))
    }
}

/// The id that the path ends with.
#[derive(Deserialize)]
pub(crate) struct IdPath {
    pub(crate) id: String,
}

/// The name that the path ends with.
#[derive(Deserialize)]
pub(crate) struct NamePath {
    pub(crate) name: String,
}

/// The collection that the path names. Each request asks one, and its answer names it.
pub(crate) struct Named(pub(crate) Arc<Collection>);

impl FromRequestParts<Arc<App>> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        #[derive(Deserialize)]
        struct CollectionPath {
            collection: String,
        }
        let InPath(CollectionPath { collection }) = InPath::from_request_parts(parts, app).await?;
        app.collections.named(&collection).cloned().map(Self)
    }
}

/// The kind of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Media {
    Json,
    /// A document as it is.
    Document,
}

/// A body of JSON, or a document as it is.
pub(crate) enum Content<T> {
    Json(T),
    Document(Bytes),
}

/// A body of JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Content<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let media = media(request.headers())?;
        let bytes = read(request, app).await?;
        match media {
            Media::Json => Ok(Self::Json(parse(&bytes)?)),
            Media::Document => Ok(Self::Document(bytes)),
        }
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        match Content::from_request(request, app).await? {
            Content::Json(value) => Ok(Self(value)),
            Content::Document(_) => Err(unsupported("application/json (curl sends it with --json)")),
        }
    }
}

fn unsupported(expected: &str) -> Problem {
    let detail = format!("Content-Type: expected {expected}");
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail)
}

fn media(headers: &HeaderMap) -> Result<Media, Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "application/json" => Ok(Media::Json),
        // any site can send a form
        "" | "application/x-www-form-urlencoded" | "multipart/form-data" => Err(unsupported(
            "application/json (curl sends it with --json), or that of a document such as text/plain, text/html or application/octet-stream",
        )),
        _ => Ok(Media::Document),
    }
}

/// Reads a body that fits in memory and arrives in time.
async fn read(request: Request, app: &App) -> Result<Bytes, Problem> {
    let limit = app.limits.body;
    let memory = request.extensions().get::<RequestMemory>().cloned();
    let memory = memory.unwrap_or_else(|| app.memory.request(Client::Unknown));
    let too_large = || Problem::too_large(limit as u64);
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    memory.check(announced.unwrap_or(0))?;
    let mut body = request.into_body();
    let (mut pace, mut bytes) = (Pace::new(app.limits.body_time), BytesMut::new());
    while let Some(frame) = pace.wait(body.frame()).await? {
        let frame = frame.map_err(|error| Problem::malformed(format!("the body broke off: {error}")))?;
        let Ok(piece) = frame.into_data() else { continue };
        pace.count(piece.len());
        if bytes.len() + piece.len() > limit {
            return Err(too_large());
        }
        // memory is taken piece by piece: a body that arrives slowly holds no more than has arrived
        memory.more(bytes.len() as u64, piece.len() as u64)?;
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.freeze())
}

/// A value of JSON. Unknown fields are refused: a misspelled field would be taken for a missing one.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // a derived reader takes an array for the fields in their order, and an empty one for an object without fields
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(Problem::meaningless("JSON: expected an object, found an array"));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        if error.is_data() {
            Problem::meaningless(format!("JSON: {error}"))
        } else {
            Problem::malformed(format!("JSON: {error}"))
        }
    })
}

/// An answer of a collection, with its name: as the command writes it, beside that.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}Answer")]
pub(crate) struct Of<'a, T> {
    /// Version of the form of answers.
    schema: u32,
    /// Version of the program.
    lookalike: &'static str,
    /// The collection that answers.
    collection: &'a str,
    #[serde(flatten)]
    answer: T,
}

/// An answer of JSON.
pub(crate) struct Answer(pub(crate) Vec<u8>);

impl Answer {
    /// As the command writes it.
    pub(crate) fn shown(answer: &impl Show) -> Result<Self, Problem> {
        Self::filled(|out| write_answer(out, answer, true))
    }

    /// Of a collection.
    pub(crate) fn of(collection: &Collection, answer: impl Serialize) -> Result<Self, Problem> {
        let (schema, lookalike, collection) = (SCHEMA, env!("CARGO_PKG_VERSION"), collection.name.as_str());
        Self::plain(&Of { schema, lookalike, collection, answer })
    }

    pub(crate) fn plain(answer: &impl Serialize) -> Result<Self, Problem> {
        Self::filled(|out| write_json(out, answer))
    }

    pub(crate) fn filled(fill: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<Self, Problem> {
        let mut out = Vec::with_capacity(256);
        fill(&mut out).map_err(|error| Problem::internal(&error))?;
        Ok(Self(out))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.0));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}
