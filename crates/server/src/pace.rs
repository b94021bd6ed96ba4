//! How slowly a body may arrive.

use crate::problem::Problem;
use axum::http::StatusCode;
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Bytes a second that a body has at least.
const LEAST_RATE: u64 = 16 << 10;

/// The time that a body may take: some for each, and more with every byte that arrives. A client that sends next to nothing does not
/// keep its place for long.
pub(crate) struct Pace {
    due: Instant,
}

impl Pace {
    pub(crate) fn new(time: Duration) -> Self {
        Self { due: Instant::now() + time }
    }

    /// Waits for the next piece of the body.
    pub(crate) async fn wait<T>(&self, next: impl Future<Output = T>) -> Result<T, Problem> {
        let slow = |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", "the body did not arrive in time");
        timeout_at(self.due, next).await.map_err(slow)
    }

    /// Bytes have arrived.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.due += Duration::from_nanos(bytes as u64 * (1_000_000_000 / LEAST_RATE));
    }
}
