//! What a request holds: parameters, JSON, or a document as it is. What does not fit is a problem.

use crate::app::App;
use crate::memory::BodyMemory;
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use lookalike_report::{Show, write_answer, write_json, write_versioned_json};
use serde::Serialize;
use serde::de::DeserializeOwned;
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

/// What a body is.
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
            Content::Document(_) => Err(unsupported("application/json")),
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
        // forms, which any site can send, are no documents
        "" | "application/x-www-form-urlencoded" | "multipart/form-data" => Err(unsupported(
            "application/json, or that of a document such as text/plain, text/html or application/octet-stream",
        )),
        _ => Ok(Media::Document),
    }
}

/// Reads a body that fits in memory, in time.
async fn read(request: Request, app: &App) -> Result<Bytes, Problem> {
    let limit = app.limits.body;
    let memory = request.extensions().get::<BodyMemory>().cloned().unwrap_or_else(|| app.memory.body());
    let told =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if told.is_some_and(|length| length > limit as u64) {
        return Err(Problem::too_large(limit as u64));
    }
    memory.check(told.unwrap_or(0))?;
    let body = Limited::new(request.into_body(), limit);
    let collected = tokio::time::timeout(app.limits.idle_time, collect(body, limit, &memory)).await;
    let slow = || Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", "the body did not come in time");
    collected.map_err(|_| slow())?
}

/// The whole body. Its memory is taken piece by piece: one that comes slowly holds no more than what came of it.
async fn collect(mut body: Limited<Body>, limit: usize, memory: &BodyMemory) -> Result<Bytes, Problem> {
    let mut bytes = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => Problem::too_large(limit as u64),
            false => Problem::malformed(format!("the body broke off: {error}")),
        })?;
        if let Ok(data) = frame.into_data() {
            memory.more(bytes.len() as u64, data.len() as u64)?;
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes.freeze())
}

/// A value of JSON. What it does not know is refused: a misspelled field would be taken for a missing one.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        if error.is_data() {
            Problem::meaningless(format!("JSON: {error}"))
        } else {
            Problem::malformed(format!("JSON: {error}"))
        }
    })
}

/// An answer of JSON.
pub(crate) struct Answer(pub(crate) Vec<u8>);

impl Answer {
    /// As the command writes it.
    pub(crate) fn shown(answer: &impl Show) -> Result<Self, Problem> {
        Self::filled(|out| write_answer(out, answer, true))
    }

    /// With the version of the form before everything else.
    pub(crate) fn versioned(answer: &impl Serialize) -> Result<Self, Problem> {
        Self::filled(|out| write_versioned_json(out, answer))
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
