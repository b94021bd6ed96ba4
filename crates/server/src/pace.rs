//! How slowly a body may arrive.

use crate::problem::Problem;
use axum::http::StatusCode;
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Bytes a second that a body has at least.
const LEAST_RATE: u64 = 16 << 10;

/// The time that a body may take: some for each, and more with every byte that arrives, but never more ahead than at the beginning. So a
/// client that stops sending does not keep its place for long, however much it sent before.
pub(crate) struct Pace {
    time: Duration,
    due: Instant,
}

impl Pace {
    pub(crate) fn new(time: Duration) -> Self {
        Self { time, due: Instant::now() + time }
    }

    /// Waits for the next piece of the body.
    pub(crate) async fn wait<T>(&self, next: impl Future<Output = T>) -> Result<T, Problem> {
        let slow = |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", "the body did not arrive in time");
        timeout_at(self.due, next).await.map_err(slow)
    }

    /// Bytes have arrived.
    pub(crate) fn count(&mut self, bytes: usize) {
        let more = Duration::from_nanos(bytes as u64 * (1_000_000_000 / LEAST_RATE));
        self.due = (self.due + more).min(Instant::now() + self.time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that stops is ended in the same time whether little or much of it arrived, and one that keeps the pace is not.
    #[tokio::test(start_paused = true)]
    async fn what_arrived_earlier_buys_no_time() {
        let mut pace = Pace::new(Duration::from_secs(10));
        for _ in 0..60 {
            pace.wait(tokio::time::sleep(Duration::from_secs(1))).await.unwrap();
            pace.count(LEAST_RATE as usize);
        }
        pace.count(8 << 20);
        let stopped = Instant::now();
        pace.wait(std::future::pending::<()>()).await.unwrap_err();
        assert!(stopped.elapsed() <= Duration::from_secs(11), "{:?}", stopped.elapsed());
    }
}
