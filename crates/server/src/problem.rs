//! Problems: why a request was refused, as `application/problem+json` (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lookalike::hamming::Error as HammingError;
use lookalike::{Error, IndexError, StoreError};
use serde::Serialize;
use std::io::{self, ErrorKind};
use utoipa::ToSchema;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// Which kind of problem, as a URN.
    #[serde(rename = "type")]
    kind: Box<str>,
    /// The kind for people.
    title: Box<str>,
    /// The status of the answer.
    status: u16,
    /// The reason: expected, found, and the way out.
    detail: String,
    /// The path of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<Box<str>>,
    /// The id of the request, which lines of the log have too.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<Box<str>>,
    /// The failure in the server: for its log only.
    #[serde(skip)]
    cause: Option<Box<str>>,
}

/// The kind of a problem after which the same request may be sent again: nothing was done.
const BUSY: &str = "urn:lookalike:busy";

/// The media type of a problem.
pub(crate) const PROBLEM: &str = "application/problem+json";
/// Seconds after which to try again.
const RETRY: &str = "1";

impl Problem {
    pub(crate) fn new(status: StatusCode, kind: &str, detail: impl Into<String>) -> Self {
        let title = status.canonical_reason().unwrap_or("Problem").into();
        let kind = format!("urn:lookalike:{kind}").into();
        Self {
            kind,
            title,
            status: status.as_u16(),
            detail: detail.into(),
            instance: None,
            request_id: None,
            cause: None,
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The request cannot be read.
    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", detail)
    }

    /// The request can be read, and has no meaning.
    pub(crate) fn meaningless(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "meaningless", detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", detail)
    }

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    pub(crate) fn too_large(limit: u64) -> Self {
        let detail = format!("expected at most {limit} bytes, found more; send less, or ask for a larger limit");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
    }

    /// There is no room for the request now, and nothing of it was done.
    pub(crate) fn busy(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    /// The answer did not become ready. A change may have been made, or may still be made.
    pub(crate) fn unfinished(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unfinished", detail)
    }

    /// A fault of ours: the log has what happened, the client does not.
    pub(crate) fn internal(error: &dyn std::fmt::Display) -> Self {
        let detail = "something failed in the server; its log says what, beside the id of this request";
        let problem = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail);
        Self { cause: Some(error.to_string().into()), ..problem }
    }

    fn full(error: &dyn std::fmt::Display) -> Self {
        let detail = "the disk of the index is full: nothing was kept of this request; make room, then send it again";
        let problem = Self::new(StatusCode::INSUFFICIENT_STORAGE, "full-disk", detail);
        Self { cause: Some(error.to_string().into()), ..problem }
    }

    /// Logs what failed in the server. Called where the request is known: changes fail in threads that know of none.
    pub(crate) fn log(&self) {
        if let Some(error) = &self.cause {
            tracing::error!(error, "a request failed");
        }
    }

    /// Something could not be written.
    pub(crate) fn of_io(error: &io::Error) -> Self {
        if is_full(error.kind()) { Self::full(error) } else { Self::internal(error) }
    }
}

fn is_full(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

impl IntoResponse for Problem {
    /// An answer without a body; `finish` writes it.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
        if *self.kind == *BUSY {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY));
        }
        if self.status() == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes the problem that an answer holds, with the request that it answers.
pub(crate) fn finish(response: &mut Response, path: &str, request_id: &str) {
    let Some(mut problem) = response.extensions_mut().remove::<Problem>() else { return };
    problem.log();
    problem.instance = Some(path.into());
    problem.request_id = Some(request_id.into());
    *response.body_mut() = serde_json::to_vec(&problem).unwrap_or_default().into();
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Write { source, .. } | StoreError::Temp { source, .. } if is_full(source.kind()) => {
                Self::full(&error)
            }
            StoreError::Locked { .. } => Self::busy("another process is changing the index; try again"),
            _ => Self::internal(&error),
        }
    }
}

impl From<HammingError> for Problem {
    fn from(error: HammingError) -> Self {
        match error {
            HammingError::Distance { found, max } | HammingError::StoreDistance { found, max, .. } => {
                Self::meaningless(format!("distance: expected at most {max}, found {found}"))
            }
            HammingError::Store(error) => error.into(),
            // the system's word is all that is left of it: no room, no quota, no larger file
            HammingError::Failed { reason, .. }
                if ["os error 28", "os error 122", "os error 27"].iter().any(|no| reason.contains(no)) =>
            {
                Self::full(&reason)
            }
            error => Self::internal(&error),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => error.into(),
            Error::Hamming(error) => error.into(),
            Error::Index { reason: IndexError::UnknownName { name }, .. } => {
                Self::not_found(format!("the index has no document called {name:?}; check its spelling"))
            }
            Error::DocumentMemory { id, bytes, needed, allowed } => {
                let detail = format!(
                    "{id}: {bytes} bytes take {needed} bytes of memory to work on, and {allowed} are allowed; send less, or ask for a larger limit"
                );
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
            }
            Error::Document { .. }
            | Error::OutOfRange { .. }
            | Error::Conflict(..)
            | Error::Needs(..)
            | Error::NotOfLens { .. }
            | Error::UnknownLanguage { .. }
            | Error::OwnerPattern { .. }
            | Error::Core(_)
            | Error::Recipe(_)
            | Error::NoDocuments
            | Error::Template(_) => Self::meaningless(error.to_string()),
            Error::Cancelled => Self::busy("the server is shutting down"),
            error => Self::internal(&error),
        }
    }
}
