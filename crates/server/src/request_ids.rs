//! Ids of requests, for the log and for answers.

use crate::random::random;
use axum::http::{HeaderMap, HeaderValue};
use std::sync::atomic::{AtomicU64, Ordering};

const MAX_REQUEST_ID: usize = 64;

/// Numbers of requests; the beginning is of this process.
pub(crate) struct RequestIds {
    start: u32,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        Self { start: random() as u32, next: AtomicU64::new(1) }
    }

    /// The id that the client gave, if that is harmless; else a new one.
    pub(crate) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        let given = headers.get("x-request-id").filter(|id| {
            id.len() <= MAX_REQUEST_ID && !id.is_empty() && id.as_bytes().iter().all(u8::is_ascii_graphic)
        });
        given.cloned().unwrap_or_else(|| {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            HeaderValue::from_str(&format!("{:08x}-{number}", self.start)).unwrap_or(HeaderValue::from_static("-"))
        })
    }
}
