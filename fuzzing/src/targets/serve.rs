//! Requests to the handlers of the server: any route, any parameters, any headers, any body. No handler may panic, and what is refused is a
//! problem that says so.
//!
//! Input: the route, the method, the media type, then a line of what follows the path and a line of a header; the rest is the body.

use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::BodyExt;
use lookalike::hamming::store::{OnlineStore, StoreNames, StoreOptions};
use lookalike::index::IndexWriter;
use lookalike::{Input, PassagesOptions, ShinglesOptions};
use crate::folder;
use lookalike_server::{Server, ServerOptions};
use serde_json::Value;
use std::sync::OnceLock;
use tokio::runtime::Runtime;
use tower::ServiceExt;

const METHODS: [Method; 6] =
    [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::HEAD, Method::PATCH];
const MEDIA: [&str; 6] = [
    "application/json",
    "text/plain",
    "text/html",
    "application/x-ndjson",
    "application/octet-stream",
    "multipart/form-data; boundary=b",
];

/// A server, and the paths that it describes.
struct Served {
    server: Server,
    runtime: Runtime,
    paths: Vec<String>,
}

pub(crate) fn fuzz(bytes: &[u8]) {
    static SERVED: OnceLock<Served> = OnceLock::new();
    let served = SERVED.get_or_init(make);
    let [path, method, media, rest @ ..] = bytes else { return };
    let mut parts = rest.splitn(3, |byte| *byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    let (tail, extra, body) = (part(), part(), part());
    let path = &served.paths[usize::from(*path) % served.paths.len()];
    let method = &METHODS[usize::from(*method) % METHODS.len()];
    let tail = String::from_utf8_lossy(tail);
    // an id in the path is of the input too
    let (id, query) = tail.split_once('?').unwrap_or((&tail, ""));
    let path = path.replace("{collection}", ["pages", "passages", "seen", id][usize::from(id.len() as u8) % 4]);
    let path = path.replace("{id}", id).replace("{name}", id);
    let mut request = Request::builder()
        .method(method)
        .uri(format!("{path}?{query}"))
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, MEDIA[usize::from(*media) % MEDIA.len()]);
    if let Some(at) = extra.iter().position(|byte| *byte == b':') {
        request = request.header(&extra[..at], &extra[at + 1..]);
    }
    // what is no request of HTTP does not come this far
    let Ok(request) = request.body(Body::from(body.to_vec())) else { return };
    served.runtime.block_on(async {
        let Ok(response) = served.server.router().oneshot(request).await;
        let status = response.status();
        let kind = response.headers().get(header::CONTENT_TYPE).cloned();
        let answer = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        assert_ne!(status.as_u16(), 500, "{}", String::from_utf8_lossy(&answer));
        if status.is_client_error() && method != Method::HEAD {
            assert_eq!(kind.unwrap(), "application/problem+json");
            let problem: Value = serde_json::from_slice(&answer).unwrap();
            assert_eq!(problem["status"], status.as_u16());
        }
    });
}

fn make() -> Served {
    let folder = folder();
    let (store, pages, passages) = (folder.join("seen"), folder.join("pages"), folder.join("passages"));
    OnlineStore::<u64>::open(&store, &StoreOptions::default()).unwrap().close().unwrap();
    if !StoreNames::exists(&store) {
        StoreNames::create(&store, "").unwrap();
    }
    let text = "where have I seen this before, said the page to the other page that looked like it";
    let documents = [("a", text), ("b", "something else that nobody has seen anywhere at all")];
    let build = |path: &std::path::Path, options: lookalike::LensOptions| {
        IndexWriter::new(path).build(options, vec![Input::documents(documents)], None).unwrap();
    };
    build(&pages, ShinglesOptions::default().into());
    build(&passages, PassagesOptions::default().into());
    let options = ServerOptions { indexes: vec![pages, passages, store], ..ServerOptions::default() };
    let server = Server::open(&options).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request = Request::builder().uri("/v1/openapi.json").header(header::HOST, "localhost").body(Body::empty());
    let described = runtime.block_on(async {
        let Ok(response) = server.router().oneshot(request.unwrap()).await;
        response.into_body().collect().await.unwrap().to_bytes()
    });
    let description: Value = serde_json::from_slice(&described).unwrap();
    let paths: Vec<String> = description["paths"].as_object().unwrap().keys().cloned().collect();
    assert!(paths.len() > 20);
    Served { server, runtime, paths }
}
