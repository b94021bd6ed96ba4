//! How long questions took.

use serde::Serialize;
use std::time::Duration;

/// Milliseconds by rank: half of the questions took at most `p50_ms`.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Times {
    queries: usize,
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    open_ms: f64,
    total_ms: f64,
}

impl Times {
    pub(crate) fn new(mut seconds: Vec<f64>, opened: Duration) -> Self {
        seconds.sort_by(f64::total_cmp);
        let ms = |seconds: f64| (seconds * 1e6).round() / 1e3;
        let at = |hundredths: usize| {
            let rank = (seconds.len() * hundredths).div_ceil(100).max(1);
            seconds.get(rank - 1).copied().map_or(0.0, ms)
        };
        Self {
            queries: seconds.len(),
            p50_ms: at(50),
            p90_ms: at(90),
            p99_ms: at(99),
            max_ms: at(100),
            open_ms: ms(opened.as_secs_f64()),
            total_ms: ms(seconds.iter().sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks() {
        let seconds = (1..=200).rev().map(|n| f64::from(n) / 1000.0).collect();
        let times = Times::new(seconds, Duration::from_micros(1500));
        let expected = Times {
            queries: 200,
            p50_ms: 100.0,
            p90_ms: 180.0,
            p99_ms: 198.0,
            max_ms: 200.0,
            open_ms: 1.5,
            total_ms: 20_100.0,
        };
        assert_eq!(times, expected);
        let none =
            Times { queries: 0, p50_ms: 0.0, p90_ms: 0.0, p99_ms: 0.0, max_ms: 0.0, open_ms: 0.0, total_ms: 0.0 };
        assert_eq!(Times::new(Vec::new(), Duration::ZERO), none);
    }
}
