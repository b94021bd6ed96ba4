//! What is refused, and with what: nothing of it panics, and the server goes on.

use super::{Served, new_index, new_store, request, text};
use crate::{Limits, ServerOptions, Tokens};
use axum::body::Body;
use axum::http::{Method, header};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::Duration;
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
    let check = |body: &'static [u8]| send(&served, Method::POST, "/v1/collections/seen/check", &json, body);
    assert_eq!(check(b"{").await, 400);
    assert_eq!(check(b"").await, 400);
    assert_eq!(check(b"{\"text\":\"\xff\xfe\"}").await, 400);
    let form =
        request(Method::POST, "/v1/collections/seen/check").header("content-type", "application/x-www-form-urlencoded");
    let (_, form) = served.send(form.body(Body::from("{}")).unwrap()).await;
    assert!(String::from_utf8(form).unwrap().contains("--json"), "curl -d sends a form");
    assert_eq!(check(b"[]").await, 422);
    let (_, array) = served.post("/v1/collections/seen/check", json!([])).await;
    assert_eq!(array["detail"], "JSON: expected an object, found an array");
    assert_eq!(check(b"{\"txet\":\"a\"}").await, 422);
    assert_eq!(check(b"{\"text\":7}").await, 422);
    assert_eq!(check(b"{}").await, 422);
    assert_eq!(check(b"{\"text\":\"\"}").await, 422);
    assert_eq!(check(b"{\"text\":\"a\",\"html\":\"b\"}").await, 422);
    assert_eq!(check(b"{\"text\":\"a\",\"fingerprint\":\"0123456789abcdef\"}").await, 422);
    for fingerprint in ["", "0", "+123456789abcdef", "0123456789abcdeg", "0x23456789abcdef", "00123456789abcdef"] {
        let body = json!({ "fingerprint": fingerprint }).to_string();
        assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &json, body).await, 422, "{fingerprint}");
    }
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\",\"distance\":4}").await, 422);
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\",\"limit\":10001}").await, 422);
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\",\"limit\":-1}").await, 422);
    // so deep that recursion would overflow the stack
    let deep = "[".repeat(200_000);
    assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &json, deep).await, 422);
    for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        assert_eq!(
            send(&served, Method::POST, "/v1/collections/seen/check", &[("content-type", kind)], "text=a").await,
            415,
            "{kind}"
        );
    }
    assert_eq!(send(&served, Method::POST, "/v1/compare", &[("content-type", "text/plain")], "a").await, 415);
    assert_eq!(
        send(&served, Method::GET, "/v1/collections/seen/check?fingerprint=0123456789abcdef&colour=red", &[], "").await,
        400
    );
    assert_eq!(send(&served, Method::GET, "/v1/collections/seen/check?limit=many", &[], "").await, 400);
    assert_eq!(check(b"{\"fingerprint\":\"0123456789abcdef\"}").await, 200, "and it goes on");
}

#[tokio::test]
async fn sizes() {
    let served = Served::limited(Limits { body: 1000, ..Limits::default() });
    let text = [("content-type", "text/plain")];
    assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &text, "word ".repeat(200)).await, 200);
    assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &text, "word ".repeat(201)).await, 413);
    // what is announced is not waited for
    let announced = [("content-type", "text/plain"), ("content-length", "1000000000")];
    assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &announced, "").await, 413);
    // what is not announced ends where it is too long
    let endless = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'a'; 100]));
    assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &text, Body::from_stream(endless)).await, 413);
}

/// A server of two readers with this much memory.
pub(super) fn two_readers(megabytes: u64, limits: Limits) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let tokens = Tokens::parse("t".as_ref(), "read aaaaaaaaaaaaaaaa\nread bbbbbbbbbbbbbbbb").unwrap();
    let indexes = vec![
        new_store(&folder),
        new_index(&folder, "essays", lookalike::PassagesOptions::default(), &[("old", &text(1, 300))]),
    ];
    let resources = lookalike::Resources { memory: megabytes << 20, ..lookalike::Resources::default() };
    let options = ServerOptions { indexes, tokens: Some(tokens), resources, limits, ..ServerOptions::default() };
    Served::with(folder, &options)
}

pub(super) const A: &str = "Bearer aaaaaaaaaaaaaaaa";
pub(super) const B: &str = "Bearer bbbbbbbbbbbbbbbb";

/// A body of which a part has arrived, and no more will.
fn unfinished(served: &Served, token: &str, path: &str, kind: &str, part: Vec<u8>) -> tokio::task::JoinHandle<u16> {
    let part = futures_util::stream::iter([Ok::<_, std::io::Error>(part)]);
    let body = Body::from_stream(part.chain(futures_util::stream::pending()));
    let slow = request(Method::POST, path).header("content-type", kind).header("authorization", token);
    let router = served.server.router();
    let slow = slow.body(body).unwrap();
    tokio::spawn(async move {
        let response = router.oneshot(slow).await.unwrap();
        let status = response.status().as_u16();
        let _ = http_body_util::BodyExt::collect(response.into_body()).await;
        status
    })
}

/// Bodies that do not arrive hold the memory of what has arrived, of their client only and not for long.
#[tokio::test(start_paused = true)]
async fn bodies_share_the_memory_of_the_server() {
    let served = two_readers(64, Limits::default());
    let path = "/v1/collections/seen/check";
    let check = async |token: &str, bytes: usize| {
        let headers = [("content-type", "text/plain"), ("authorization", token)];
        send(&served, Method::POST, path, &headers, "word ".repeat(bytes / 5)).await
    };
    assert_eq!(check(A, 5_000_000).await, 413, "three times as much is more than the half of one client");
    assert_eq!(check(A, 3_000_000).await, 200);
    let slow: Vec<_> = (0..10).map(|_| unfinished(&served, A, path, "text/plain", vec![b'a'; 1 << 20])).collect();
    let begun = tokio::time::Instant::now();
    // four hold what one client can have
    while slow.iter().filter(|body| body.is_finished()).count() < 6 {
        tokio::task::yield_now().await;
    }
    assert_eq!(check(A, 5_000).await, 503, "and what is left is too little for the smallest of its own");
    assert_eq!(check(B, 3_000_000).await, 200, "another client is not locked out");
    let mut statuses = Vec::new();
    for slow in slow {
        statuses.push(slow.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![408; 4], vec![503; 6]].concat());
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_eq!(check(A, 3_000_000).await, 200);
}

/// Lines that do not end are counted, and keep neither other clients nor their own finished lines waiting for ever.
#[tokio::test(start_paused = true)]
async fn lines_share_the_memory_of_the_server() {
    let served = two_readers(64, Limits::default());
    let batch = "/v1/collections/seen/batch";
    let endless: Vec<_> =
        (0..24).map(|_| unfinished(&served, A, batch, "application/x-ndjson", vec![b'a'; 3 << 20])).collect();
    let check = async |token: &str| {
        let headers = [("content-type", "text/plain"), ("authorization", token)];
        send(&served, Method::POST, "/v1/collections/seen/check", &headers, "word ".repeat(10_000)).await
    };
    while check(A).await != 503 {
        tokio::task::yield_now().await;
    }
    assert_eq!(check(B).await, 200);
    for batch in endless {
        assert_eq!(batch.await.unwrap(), 200, "a batch that is ended says so in its lines");
    }
    assert_eq!(check(A).await, 200);
}

/// On a server that does nothing else no request is told to come again, and the memory that is named is enough.
#[tokio::test]
async fn what_never_fits_is_not_asked_to_come_again() {
    let ask = async |megabytes: u64, path: &str, body: String| {
        let served = two_readers(megabytes, Limits::default());
        let asked = request(Method::POST, path).header("content-type", "application/json").header("authorization", A);
        let (status, answer) = served.send(asked.body(Body::from(body)).unwrap()).await;
        (status.as_u16(), serde_json::from_slice::<Value>(&answer).unwrap_or_default())
    };
    for (path, body) in [
        ("/v1/collections/essays/query", json!({ "text": text(3, 110_000) })),
        ("/v1/collections/essays/check", json!({ "text": text(3, 120_000) })),
    ] {
        let body = body.to_string();
        let (status, refused) = ask(64, path, body.clone()).await;
        assert_eq!(status, 413, "{path} {}", body.len());
        let detail = refused["detail"].as_str().unwrap();
        let enough: u64 = detail.split("memory of ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let (status, answer) = ask(enough, path, body).await;
        assert_eq!(status, 200, "{path} {enough}: {answer}");
    }
    for words in [20_000, 80_000, 200_000] {
        let body = json!({ "a": text(1, words), "b": text(2, words) }).to_string();
        let (status, answer) = ask(64, "/v1/compare", body).await;
        assert!([200, 413].contains(&status), "{words}: {answer}");
        assert!(status == 200 || words > 20_000, "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn slow_bodies() {
    let served = Served::store();
    let never = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    assert_eq!(
        send(
            &served,
            Method::POST,
            "/v1/collections/seen/check",
            &[("content-type", "text/plain")],
            Body::from_stream(never)
        )
        .await,
        408
    );
}

/// A body that trickles in is ended however often a byte arrives.
#[tokio::test(start_paused = true)]
async fn bodies_that_trickle_in() {
    let served = Served::store();
    let begun = tokio::time::Instant::now();
    let trickle = futures_util::stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Some((Ok::<_, std::io::Error>("a"), ()))
    });
    let kind = [("content-type", "text/plain")];
    assert_eq!(send(&served, Method::POST, "/v1/collections/seen/check", &kind, Body::from_stream(trickle)).await, 408);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}

/// Bodies that do not arrive hold places of their client only, and neither its health nor its numbers need a place.
#[tokio::test(start_paused = true)]
async fn slow_clients_do_not_lock_out_others() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = Tokens::parse("t".as_ref(), "read aaaaaaaaaaaaaaaa\nread bbbbbbbbbbbbbbbb").unwrap();
    let limits = Limits { requests: 8, ..Limits::default() };
    let options =
        ServerOptions { indexes: vec![new_store(&folder)], tokens: Some(tokens), limits, ..ServerOptions::default() };
    let served = Served::with(folder, &options);
    let slow = (0..20).map(|_| {
        let request = request(Method::POST, "/v1/collections/seen/check")
            .header("authorization", "Bearer aaaaaaaaaaaaaaaa")
            .header("content-type", "text/plain")
            .body(Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>()))
            .unwrap();
        tokio::spawn(served.server.router().oneshot(request))
    });
    let slow: Vec<_> = slow.collect();
    tokio::task::yield_now().await;
    let get = async |path: &str, token: &str| send(&served, Method::GET, path, &[("authorization", token)], "").await;
    let check = "/v1/collections/seen/check?fingerprint=0123456789abcdef";
    assert_eq!(get(check, "Bearer aaaaaaaaaaaaaaaa").await, 503, "its share is taken");
    assert_eq!(get(check, "Bearer bbbbbbbbbbbbbbbb").await, 200);
    assert_eq!(get("/healthz", "").await, 200);
    assert_eq!(get("/metrics", "Bearer aaaaaaaaaaaaaaaa").await, 200);
    let mut statuses = Vec::new();
    for response in slow {
        statuses.push(response.await.unwrap().unwrap().status().as_u16());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![408; 4], vec![503; 16]].concat());
    assert_eq!(get(check, "Bearer aaaaaaaaaaaaaaaa").await, 200, "and they do not hold it for long");
}

#[tokio::test]
async fn too_many_at_once() {
    let served = Served::limited(Limits { requests: 0, ..Limits::default() });
    let response = served.server.router().oneshot(request(Method::GET, "/v1/collections").body(Body::empty()).unwrap());
    let response = response.await.unwrap();
    assert_eq!(response.status(), 503);
    assert_eq!(response.headers()[header::RETRY_AFTER], "1");
    assert_eq!(served.get("/healthz").await.0, 200);
}

/// What is not known to be undone is not said to be: a client may repeat a change only after `Retry-After`.
#[tokio::test(start_paused = true)]
async fn answers_that_are_not_ready_in_time() {
    let served = Served::limited(Limits { time: Duration::from_secs(1), ..Limits::default() });
    let body = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let request = request(Method::POST, "/v1/collections/seen/check").header("content-type", "text/plain");
    let response = served.server.router().oneshot(request.body(body).unwrap()).await.unwrap();
    assert_eq!((response.status().as_u16(), response.headers().get(header::RETRY_AFTER)), (503, None));
}

/// A refusal has the path and the id of its request.
#[tokio::test]
async fn problems_name_their_request() {
    let served = Served::store();
    let path = "/v1/collections/none/check";
    let request = request(Method::GET, path).header("x-request-id", "mine").body(Body::empty()).unwrap();
    let (status, body) = served.send(request).await;
    let problem: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status.as_u16(), &problem["instance"], &problem["request_id"]), (404, &json!(path), &json!("mine")));
    assert!(problem["detail"].as_str().unwrap().contains("expected one of seen"), "{problem}");
}

#[tokio::test]
async fn places_and_methods() {
    let served = Served::store();
    for path in [
        "/page",
        "/page.js/",
        "/v1",
        "/v1/",
        "/v1/check",
        "/v1/collections/seen/",
        "/v1/collections/seen/checks",
        "/v1/../healthz",
        "/v1/%2e%2e/healthz",
        "//healthz",
        "/v1/collections/seen/check/",
    ] {
        assert_eq!(send(&served, Method::GET, path, &[], "").await, 404, "{path}");
    }
    assert_eq!(send(&served, Method::DELETE, "/v1/collections/seen/check", &[], "").await, 405);
    assert_eq!(send(&served, Method::GET, "/v1/collections/seen/check-and-insert", &[], "").await, 405);
    for (name, status) in [("..%2Fseen", 404), ("%2e%2e", 404), ("other", 404), ("%ff", 400)] {
        let path = format!("/v1/collections/{name}/check?fingerprint=0123456789abcdef");
        assert_eq!(send(&served, Method::GET, &path, &[], "").await, status, "{name}");
    }
    assert_eq!(send(&served, Method::GET, "/v1/collections/seen/documents/%ff", &[], "").await, 400);
    assert_eq!(send(&served, Method::GET, "/v1/copies/jobs/%ff", &[], "").await, 400);
    for crawl in ["..", "a%2Fb", "", "%00", "x%20y"] {
        let path = format!("/v1/collections/seen/crawls/{crawl}/commit");
        let status = send(&served, Method::POST, &path, &[], "").await;
        assert!([404, 422].contains(&status), "{path}: {status}");
    }
    let crawl = json!({ "id": "a", "text": "some words", "crawl": "../../x" });
    assert_eq!(served.post("/v1/collections/seen/check-and-insert", crawl).await.0, 422);
    for (path, body) in [("query", json!({ "text": "a b" })), ("collapse", json!({ "urls": [] }))] {
        let (status, problem) = served.post(&format!("/v1/collections/seen/{path}"), body).await;
        assert_eq!(status, 422, "{path}");
        assert!(problem["detail"].as_str().unwrap().contains("an index"), "{problem}");
    }
    assert_eq!(served.get("/v1/collections/seen/templates").await.0, 422);
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
    let hosts = async |uri: &str, hosts: &[&str]| {
        let request = axum::http::Request::builder().uri(uri);
        let request = hosts.iter().fold(request, |request, host| request.header("host", *host));
        served.send(request.body(Body::empty()).unwrap()).await.0.as_u16()
    };
    assert_eq!(hosts("/healthz", &[]).await, 400);
    assert_eq!(hosts("/healthz", &["localhost", "localhost"]).await, 400);
    assert_eq!(hosts("/healthz", &["localhost", "evil.example"]).await, 400);
    assert_eq!(hosts("http://localhost/healthz", &["evil.example"]).await, 400);
    assert_eq!(hosts("http://evil.example/healthz", &["evil.example"]).await, 421);
    assert_eq!(hosts("http://localhost:7777/healthz", &["LOCALHOST:7777"]).await, 200);
    assert_eq!(hosts("http://near.example:80/healthz", &["near.example"]).await, 200);
    assert_eq!(hosts("http://near.example/healthz", &["near.example:80"]).await, 200);
    assert_eq!(hosts("http://near.example:81/healthz", &["near.example"]).await, 400);
}

#[tokio::test]
async fn pages_of_other_sites() {
    let served = Served::store();
    let post = async |headers: &[(&str, &str)]| {
        let all = [&[("content-type", "application/json")], headers].concat();
        send(
            &served,
            Method::POST,
            "/v1/collections/seen/check-and-insert",
            &all,
            "{\"id\":\"a\",\"text\":\"some words\"}",
        )
        .await
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
    let get = async |headers: &[(&str, &str)]| send(&served, Method::GET, "/v1/collections", headers, "").await;
    assert_eq!(get(&[("origin", "http://evil.example")]).await, 403);
    assert_eq!(get(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]).await, 403);
    assert_eq!(get(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]).await, 200, "a link");
    assert_eq!(get(&[("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")]).await, 200);
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
        send(
            &served,
            Method::POST,
            "/v1/collections/seen/check-and-insert",
            &headers,
            "{\"id\":\"a\",\"text\":\"some words\"}",
        )
        .await
    };
    let check = async |token: &str| {
        send(
            &served,
            Method::GET,
            "/v1/collections/seen/check?fingerprint=0123456789abcdef",
            &[("authorization", token)],
            "",
        )
        .await
    };
    assert_eq!((check(read).await, check(write).await, insert(read).await, insert(write).await), (200, 200, 403, 200));
    for wrong in ["", "Bearer", "Bearer ", "Bearer aaaaaaaaaaaaaaa", "Basic aaaaaaaaaaaaaaaa", "Bearer \u{e4}"] {
        assert_eq!((check(wrong).await, insert(wrong).await), (401, 401), "{wrong}");
    }
    assert_eq!(send(&served, Method::GET, "/v1/collections/seen/check", &[], "").await, 401);
    assert_eq!(send(&served, Method::GET, "/metrics", &[], "").await, 401);
    assert_eq!(send(&served, Method::GET, "/healthz", &[], "").await, 200);
    assert_eq!(send(&served, Method::GET, "/v1/openapi.json", &[], "").await, 200);
    // the lines of a batch need it one by one
    let headers = [("content-type", "application/x-ndjson"), ("authorization", read)];
    let lines =
        "{\"op\":\"check-and-insert\",\"id\":\"b\",\"text\":\"other words\"}\n{\"fingerprint\":\"0123456789abcdef\"}\n";
    let request = headers.iter().fold(request(Method::POST, "/v1/collections/seen/batch"), |request, (name, value)| {
        request.header(*name, *value)
    });
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
    assert_eq!(served.get("/v1/collections/seen/check?fingerprint=0123456789abcdef").await.0, 200);
    assert_eq!(
        served.post("/v1/collections/seen/check-and-insert", json!({ "id": "a", "text": "some words" })).await.0,
        403
    );
    assert_eq!(served.ask(Method::DELETE, "/v1/collections/seen/documents/a", None).await.0, 403);
    assert_eq!(served.ask(Method::POST, "/v1/collections/seen/crawls/a/commit", None).await.0, 403);
}
