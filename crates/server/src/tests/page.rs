//! The page, and the texts that it lays side by side.

use super::{Served, new_index, new_store, request, text};
use crate::{ServerOptions, Tokens};
use axum::body::Body;
use axum::http::{Method, header};
use http_body_util::BodyExt;
use lookalike::index::IndexWriter;
use lookalike::{Input, ShinglesOptions};
use serde_json::json;
use tower::ServiceExt;

#[tokio::test]
async fn files_of_the_page_need_no_token_and_are_sent_once() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = Tokens::parse("t".as_ref(), "read aaaaaaaaaaaaaaaa").unwrap();
    let options = ServerOptions { indexes: vec![new_store(&folder)], tokens: Some(tokens), ..ServerOptions::default() };
    let served = Served::with(folder, &options);
    for (path, kind, part) in [
        ("/", "text/html", "<script src=\"page.js\""),
        ("/page.js", "text/javascript", "'use strict'"),
        ("/page.css", "text/css", ":root"),
    ] {
        let ask = async |tag: Option<&str>| {
            let request = tag
                .into_iter()
                .fold(request(Method::GET, path), |request, tag| request.header(header::IF_NONE_MATCH, tag));
            served.server.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
        };
        let first = ask(None).await;
        let headers = first.headers().clone();
        assert_eq!(first.status(), 200, "{path}");
        assert!(headers[header::CONTENT_TYPE].to_str().unwrap().starts_with(kind));
        assert!(
            headers[header::CONTENT_SECURITY_POLICY]
                .to_str()
                .unwrap()
                .starts_with("default-src 'none'; script-src 'self'")
        );
        let body = String::from_utf8(first.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap();
        assert!(body.contains(part), "{path}");
        let tag = headers[header::ETAG].to_str().unwrap();
        for known in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}")] {
            let again = ask(Some(&known)).await;
            assert_eq!(again.status(), 304, "{known}");
            assert!(again.into_body().collect().await.unwrap().to_bytes().is_empty());
        }
        assert_eq!(ask(Some("\"other\"")).await.status(), 200);
    }
    assert_eq!(served.get("/v1/collections").await.0, 401);
}

#[tokio::test]
async fn texts_are_shown_only_where_that_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    std::fs::create_dir(&pages).unwrap();
    let words = text(3, 200);
    std::fs::write(pages.join("a.html"), format!("<html><body><p>{words}</p></body></html>")).unwrap();
    let path = folder.path().join("files");
    IndexWriter::new(&path).build(ShinglesOptions::default(), vec![Input::Path(pages.clone())], None).unwrap();
    let memory = new_index(&folder, "memory", ShinglesOptions::default(), &[("a", &words)]);
    let options = ServerOptions { indexes: vec![path, memory], texts: true, ..ServerOptions::default() };
    let served = Served::with(folder, &options);
    let (_, found) = served.post("/v1/collections/files/query", json!({ "text": words })).await;
    let name = found["matches"][0]["seen"][0]["url"].as_str().unwrap().replace('/', "%2F");
    let (status, shown) = served.get(&format!("/v1/collections/files/documents/{name}/text")).await;
    assert_eq!(
        (status, shown["text"].as_str().unwrap().trim(), &shown["content"]),
        (200, &*words, &found["matches"][0]["content"])
    );
    assert_eq!(served.get(&format!("/v1/collections/files/documents/{name}/text?content=0123")).await.0, 404);
    assert_eq!(served.get("/v1/collections/files/documents/nobody/text").await.0, 404);
    let (status, none) = served.get("/v1/collections/memory/documents/a/text").await;
    assert_eq!(status, 404);
    assert!(none["detail"].as_str().unwrap().contains("keeps no texts"), "{none}");
    std::fs::write(pages.join("a.html"), "something else").unwrap();
    assert_eq!(
        served.get(&format!("/v1/collections/files/documents/{name}/text")).await.0,
        404,
        "what was changed is not what was indexed"
    );
    let page = request(Method::POST, "/v1/collections/files/text?id=a.html").header("content-type", "text/html");
    let (_, read) = served.send(page.body(Body::from("<p>one <b>two</b></p>")).unwrap()).await;
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&read).unwrap()["text"].as_str().unwrap().trim(), "one two");
    assert_eq!(served.post("/v1/collections/files/text", json!({})).await.0, 422);
    let closed = Served::index(&[("a", &words)]);
    assert_eq!(closed.get("/v1/collections/pages/documents/a/text").await.0, 403);
}
