//! The memory of a server that is asked for more than it has.

use super::refusals::{A, B, two_readers};
use super::{Served, request, text};
use crate::Limits;
use axum::body::Body;
use axum::http::Method;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use serde_json::json;
use std::time::Duration;
use tower::ServiceExt;

/// Bytes of memory that the server may take under 64 MB, with the program itself.
const MOST: u64 = 110 << 20;

/// The most memory that this process has had.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() << 10
}

async fn send(served: &Served, token: &str, path: &str, kind: &str, body: Body) -> u16 {
    let asked = request(Method::POST, path).header("content-type", kind).header("authorization", token);
    let response = served.server.router().oneshot(asked.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    response.into_body().collect().await.unwrap();
    status
}

/// Two clients send lines without an end, long Markdown and texts to compare, all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_is_kept() {
    let served = &two_readers(64, Limits { idle_time: Duration::from_secs(1), ..Limits::default() });
    let piece = bytes::Bytes::from(vec![b'a'; 64 << 10]);
    let endless = |token| {
        let pieces = stream::repeat(piece.clone()).take(256).map(Ok::<_, std::io::Error>);
        let body = Body::from_stream(pieces.chain(stream::pending()));
        send(served, token, "/v1/collections/seen/batch", "application/x-ndjson", body)
    };
    let lines = futures_util::future::join_all((0..24).map(|number| endless(if number % 2 == 0 { A } else { B })));
    let markdown = "- a *list* of `words` and [links](https://a.example/)\n".repeat(10_000);
    let pages = futures_util::future::join_all([A, B].map(|token| {
        send(served, token, "/v1/collections/essays/text?id=a.md", "text/markdown", Body::from(markdown.clone()))
    }));
    let compared = json!({ "a": text(1, 60_000), "b": text(2, 60_000) }).to_string();
    let compared = send(served, A, "/v1/compare", "application/json", Body::from(compared));
    let (lines, pages, compared) = tokio::join!(lines, pages, compared);
    assert_eq!(lines, [200; 24], "they say in their lines why they end");
    assert!(pages.iter().chain([&compared]).all(|status| [200, 413, 503].contains(status)), "{pages:?} {compared}");
    let peak = peak();
    assert!(peak < MOST, "{} MB", peak >> 20);
}
