//! What is refused, and with what: nothing of it panics, and the server goes on.

use super::{Served, new_store, request};
use crate::{Limits, ServerOptions, Tokens};
use axum::body::Body;
use axum::http::{Method, header};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

async fn send(served: &Served, method: Method, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> u16 {
    let request = headers.iter().fold(request(method, path), |request, (name, value)| request.header(*name, *value));
    let (status, bytes) = served.send(request.body(body.into()).unwrap()).await;
    if !status.is_success() {
        let problem: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(problem["status"], status.as_u16());
        assert!(problem["type"].as_str().unwrap().starts_with("urn:lookalike:"));
        assert!(!problem["detail"].as_str().unwrap().is_empty());
    }
    status.as_u16()
}

#[tokio::test]
async fn bodies() {
    let served = Served::store();
    let json = [("content-type", "application/json")];
    let check = |body: &'static [u8]| send(&served, Method::POST, "/v1/check", &json, body);
    assert_eq!(check(b"{").await, 400);
    assert_eq!(check(b"").await, 400);
    assert_eq!(check(b"{\"text\":\"\xff\xfe\"}").await, 400);
    assert_eq!(check(b"[]").await, 422);
    assert_eq!(check(b"{\"txet\":\"a\"}").await, 422);
    assert_eq!(check(b"{\"text\":7}").await, 422);
    assert_eq!(check(b"{}").await, 422);
    assert_eq!(check(b"{\"text\":\"\"}").await, 422);
    assert_eq!(check(b"{\"text\":\"a\",\"html\":\"b\"}").await, 422);
    assert_eq!(check(b"{\"text\":\"a\",\"fingerprint\":\"0123456789abcdef\"}").await, 422);
    for fingerprint in ["", "0", "+123456789abcdef", "0123456789abcdeg", "0x23456789abcdef", "00123456789abcdef"] {
        let body = json!({ "fingerprint": fingerprint }).to_string();
        assert_eq!(send(&served, Method::POST, "/v1/check", &json, body).await, 422, "{fingerprint}");
    }
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\",\"distance\":4}").await, 422);
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\",\"limit\":10001}").await, 422);
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\",\"limit\":-1}").await, 422);
    // so deep that recursion would overflow the stack
    let deep = "[".repeat(200_000);
    assert_eq!(send(&served, Method::POST, "/v1/check", &json, deep).await, 422);
    for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        assert_eq!(send(&served, Method::POST, "/v1/check", &[("content-type", kind)], "text=a").await, 415, "{kind}");
    }
    assert_eq!(send(&served, Method::POST, "/v1/compare", &[("content-type", "text/plain")], "a").await, 415);
    assert_eq!(send(&served, Method::GET, "/v1/check?fingerprint=0123456789abcdef&colour=red", &[], "").await, 400);
    assert_eq!(send(&served, Method::GET, "/v1/check?limit=many", &[], "").await, 400);
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\"}").await, 200, "and it goes on");
}

#[tokio::test]
async fn sizes() {
    let served = Served::limited(Limits { body: 1000, ..Limits::default() });
    let text = [("content-type", "text/plain")];
    assert_eq!(send(&served, Method::POST, "/v1/check", &text, "word ".repeat(200)).await, 200);
    assert_eq!(send(&served, Method::POST, "/v1/check", &text, "word ".repeat(201)).await, 413);
    // what is announced is not waited for
    let announced = [("content-type", "text/plain"), ("content-length", "1000000000")];
    assert_eq!(send(&served, Method::POST, "/v1/check", &announced, "").await, 413);
    // what is not announced ends where it is too long
    let endless = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'a'; 100]));
    assert_eq!(send(&served, Method::POST, "/v1/check", &text, Body::from_stream(endless)).await, 413);
}

#[tokio::test]
async fn bodies_share_the_memory_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let indexes = vec![new_store(&folder)];
    let resources = lookalike::Resources { memory: 16 << 20, ..lookalike::Resources::default() };
    let served = Served::with(folder, &ServerOptions { indexes, resources, ..ServerOptions::default() });
    let text = [("content-type", "text/plain")];
    let check = |bytes: usize| send(&served, Method::POST, "/v1/check", &text, "word ".repeat(bytes / 5));
    assert_eq!(check(3_000_000).await, 413, "three times as much is more than half of the memory");
    assert_eq!(check(1_500_000).await, 200);
    // a body of which a part has arrived holds the memory of that part
    let part = futures_util::stream::iter([Ok::<_, std::io::Error>(vec![b'a'; 2_000_000])]);
    let body = Body::from_stream(part.chain(futures_util::stream::pending()));
    let slow = request(Method::POST, "/v1/check").header("content-type", "text/plain").body(body).unwrap();
    let slow = tokio::spawn(served.server.router().oneshot(slow));
    let mut status = 0;
    for _ in 0..500 {
        status = check(1_500_000).await;
        if status == 503 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(status, 503);
    assert_eq!(check(100_000).await, 200, "what is left is enough for small ones");
    slow.abort();
    assert!(slow.await.unwrap_err().is_cancelled());
    assert_eq!(check(1_500_000).await, 200);
}

#[tokio::test(start_paused = true)]
async fn slow_bodies() {
    let served = Served::store();
    let never = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    assert_eq!(
        send(&served, Method::POST, "/v1/check", &[("content-type", "text/plain")], Body::from_stream(never)).await,
        408
    );
}

#[tokio::test]
async fn too_many_at_once() {
    let served = Served::limited(Limits { requests: 0, ..Limits::default() });
    let response =
        ServiceExt::oneshot(served.server.router(), request(Method::GET, "/healthz").body(Body::empty()).unwrap());
    let response = response.await.unwrap();
    assert_eq!(response.status(), 503);
    assert_eq!(response.headers()[header::RETRY_AFTER], "1");
}

#[tokio::test]
async fn places_and_methods() {
    let served = Served::store();
    for path in [
        "/page",
        "/page.js/",
        "/v1",
        "/v1/",
        "/v1/checks",
        "/v1/../healthz",
        "/v1/%2e%2e/healthz",
        "//healthz",
        "/v1/check/",
    ] {
        assert_eq!(send(&served, Method::GET, path, &[], "").await, 404, "{path}");
    }
    assert_eq!(send(&served, Method::DELETE, "/v1/check", &[], "").await, 405);
    assert_eq!(send(&served, Method::GET, "/v1/check-and-insert", &[], "").await, 405);
    assert_eq!(
        send(&served, Method::GET, "/v1/check?fingerprint=0123456789abcdef&index=..%2Fseen", &[], "").await,
        404
    );
    for crawl in ["..", "a%2Fb", "", "%00", "x%20y"] {
        let path = format!("/v1/crawls/{crawl}/commit");
        let status = send(&served, Method::POST, &path, &[], "").await;
        assert!([404, 422].contains(&status), "{path}: {status}");
    }
    let crawl = json!({ "id": "a", "text": "some words", "crawl": "../../x" });
    assert_eq!(served.post("/v1/check-and-insert", crawl).await.0, 422);
    for path in ["/v1/query", "/v1/collapse", "/v1/copies"] {
        let (status, problem) = served
            .post(path, if path == "/v1/collapse" { json!({ "urls": [] }) } else { json!({ "text": "a b" }) })
            .await;
        assert_eq!(status, 422, "{path}");
        assert!(problem["detail"].as_str().unwrap().contains("an index"), "{problem}");
    }
    assert_eq!(served.get("/v1/templates").await.0, 422);
    assert_eq!(served.get("/v1/copies/jobs/none/report").await.0, 404);
}

#[tokio::test]
async fn hosts() {
    let folder = tempfile::tempdir().unwrap();
    let options = ServerOptions {
        indexes: vec![new_store(&folder)],
        hosts: vec!["near.example".into()],
        ..ServerOptions::default()
    };
    let served = Served::with(folder, &options);
    let host = async |host: &str| {
        let request = axum::http::Request::builder().uri("/healthz").header("host", host).body(Body::empty()).unwrap();
        served.send(request).await.0.as_u16()
    };
    for known in [
        "localhost",
        "LOCALHOST:1",
        "127.0.0.1:7777",
        "[::1]:7777",
        "[::1]",
        "near.example",
        "Near.Example:443",
        "192.0.2.1",
    ] {
        assert_eq!(host(known).await, 200, "{known}");
    }
    for unknown in [
        "evil.example",
        "evil.example:7777",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "near.example.evil",
        "",
    ] {
        assert_eq!(host(unknown).await, 421, "{unknown}");
    }
    let none = axum::http::Request::builder().uri("/healthz").body(Body::empty()).unwrap();
    assert_eq!(served.send(none).await.0, 400);
}

#[tokio::test]
async fn pages_of_other_sites() {
    let served = Served::store();
    let post = async |headers: &[(&str, &str)]| {
        let all = [&[("content-type", "application/json")], headers].concat();
        send(&served, Method::POST, "/v1/check-and-insert", &all, "{\"id\":\"a\",\"text\":\"some words\"}").await
    };
    assert_eq!(post(&[]).await, 200);
    assert_eq!(post(&[("origin", "http://localhost:7777"), ("sec-fetch-site", "same-origin")]).await, 200);
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:7778",
        "http://localhost",
        "localhost:7777",
        "file://localhost:7777",
    ] {
        assert_eq!(post(&[("origin", origin)]).await, 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(post(&[("sec-fetch-site", site)]).await, 403, "{site}");
    }
    assert_eq!(send(&served, Method::GET, "/healthz", &[("origin", "http://evil.example")], "").await, 200);
}

#[tokio::test]
async fn tokens() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = Tokens::parse("t".as_ref(), "read aaaaaaaaaaaaaaaa\nwrite bbbbbbbbbbbbbbbb").unwrap();
    let options = ServerOptions { indexes: vec![new_store(&folder)], tokens: Some(tokens), ..ServerOptions::default() };
    let served = Served::with(folder, &options);
    let (read, write) = ("Bearer aaaaaaaaaaaaaaaa", "bearer bbbbbbbbbbbbbbbb");
    let insert = async |token: &str| {
        let headers = [("content-type", "application/json"), ("authorization", token)];
        send(&served, Method::POST, "/v1/check-and-insert", &headers, "{\"id\":\"a\",\"text\":\"some words\"}").await
    };
    let check = async |token: &str| {
        send(&served, Method::GET, "/v1/check?fingerprint=0123456789abcdef", &[("authorization", token)], "").await
    };
    assert_eq!((check(read).await, check(write).await, insert(read).await, insert(write).await), (200, 200, 403, 200));
    for wrong in ["", "Bearer", "Bearer ", "Bearer aaaaaaaaaaaaaaa", "Basic aaaaaaaaaaaaaaaa", "Bearer \u{e4}"] {
        assert_eq!((check(wrong).await, insert(wrong).await), (401, 401), "{wrong}");
    }
    assert_eq!(send(&served, Method::GET, "/v1/check", &[], "").await, 401);
    assert_eq!(send(&served, Method::GET, "/metrics", &[], "").await, 401);
    assert_eq!(send(&served, Method::GET, "/healthz", &[], "").await, 200);
    assert_eq!(send(&served, Method::GET, "/v1/openapi.json", &[], "").await, 200);
    // the lines of a batch need it one by one
    let headers = [("content-type", "application/x-ndjson"), ("authorization", read)];
    let lines =
        "{\"op\":\"check-and-insert\",\"id\":\"b\",\"text\":\"other words\"}\n{\"fingerprint\":\"0123456789abcdef\"}\n";
    let request =
        headers.iter().fold(request(Method::POST, "/v1/batch"), |request, (name, value)| request.header(*name, *value));
    let (_, bytes) = served.send(request.body(Body::from(lines)).unwrap()).await;
    let answers: Vec<Value> =
        String::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["error"]["status"], &answers[1]["new"]), (&json!(403), &json!(true)));
}

#[tokio::test]
async fn nothing_is_changed_by_a_reader() {
    let folder = tempfile::tempdir().unwrap();
    let indexes = vec![new_store(&folder)];
    let served = Served::with(folder, &ServerOptions { indexes, read_only: true, ..ServerOptions::default() });
    assert_eq!(served.get("/v1/check?fingerprint=0123456789abcdef").await.0, 200);
    assert_eq!(served.post("/v1/check-and-insert", json!({ "id": "a", "text": "some words" })).await.0, 403);
    assert_eq!(served.ask(Method::DELETE, "/v1/documents/a", None).await.0, 403);
    assert_eq!(served.ask(Method::POST, "/v1/crawls/a/commit", None).await.0, 403);
}
