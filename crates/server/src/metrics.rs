//! Numbers for Prometheus, as text.

use axum::http::StatusCode;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the buckets, in microseconds.
const BUCKETS: [u64; 12] = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 50_000, 250_000, 1_000_000, 10_000_000];

#[derive(Default)]
struct RouteNumbers {
    /// By the first digit of the status.
    answers: [AtomicU64; 6],
    buckets: [AtomicU64; BUCKETS.len() + 1],
    micros: AtomicU64,
}

/// Requests and their times, by route.
pub(crate) struct Metrics {
    routes: BTreeMap<String, RouteNumbers>,
    other: RouteNumbers,
    /// Documents and fingerprints that were inserted.
    pub(crate) inserted: AtomicU64,
    /// Pages that were known.
    pub(crate) known: AtomicU64,
}

impl Metrics {
    /// For these routes.
    pub(crate) fn new(routes: impl Iterator<Item = String>) -> Self {
        Self {
            routes: routes.map(|route| (route, RouteNumbers::default())).collect(),
            other: RouteNumbers::default(),
            inserted: AtomicU64::new(0),
            known: AtomicU64::new(0),
        }
    }

    pub(crate) fn count(&self, route: Option<&str>, status: StatusCode, time: Duration) {
        let numbers = route.and_then(|route| self.routes.get(route)).unwrap_or(&self.other);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.iter().position(|end| micros <= *end).unwrap_or(BUCKETS.len());
        numbers.answers[usize::from(status.as_u16() / 100).min(5)].fetch_add(1, Ordering::Relaxed);
        numbers.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        numbers.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// As Prometheus reads it; `gauges` are told beside.
    pub(crate) fn render(&self, gauges: &[(String, u64)]) -> String {
        let mut out = String::new();
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let all =
            || self.routes.iter().map(|(route, numbers)| (route.as_str(), numbers)).chain([("other", &self.other)]);
        out.push_str("# TYPE lookalike_requests_total counter\n");
        for (route, numbers) in all() {
            for (class, count) in numbers.answers.iter().enumerate().filter(|(_, count)| get(count) > 0) {
                let _ =
                    writeln!(out, "lookalike_requests_total{{route=\"{route}\",status=\"{class}xx\"}} {}", get(count));
            }
        }
        out.push_str("# TYPE lookalike_request_seconds histogram\n");
        for (route, numbers) in all() {
            let count: u64 = numbers.buckets.iter().map(get).sum();
            if count == 0 {
                continue;
            }
            let mut sum = 0;
            for (end, bucket) in BUCKETS.iter().zip(&numbers.buckets) {
                sum += get(bucket);
                let end = *end as f64 / 1e6;
                let _ = writeln!(out, "lookalike_request_seconds_bucket{{route=\"{route}\",le=\"{end}\"}} {sum}");
            }
            let _ = writeln!(out, "lookalike_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let seconds = get(&numbers.micros) as f64 / 1e6;
            let _ = writeln!(out, "lookalike_request_seconds_sum{{route=\"{route}\"}} {seconds}");
            let _ = writeln!(out, "lookalike_request_seconds_count{{route=\"{route}\"}} {count}");
        }
        for (name, count) in [("inserted", &self.inserted), ("known", &self.known)] {
            let _ = writeln!(
                out,
                "# TYPE lookalike_pages_{name}_total counter\nlookalike_pages_{name}_total {}",
                get(count)
            );
        }
        for (gauge, value) in gauges {
            let _ = writeln!(out, "{gauge} {value}");
        }
        out
    }
}
