//! Handlers, asked in the process.

mod batches;
mod crawls;
mod described;
mod indexes;
mod jobs;
mod journal;
mod memory;
mod page;
mod refusals;
mod review;
mod stores;

use crate::{Limits, Server, ServerOptions};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use lookalike::hamming::store::{OnlineStore, StoreOptions};
use lookalike::index::IndexWriter;
use lookalike::{Input, LensOptions, ShinglesOptions};
use serde_json::Value;
use std::path::PathBuf;
use tempfile::TempDir;
use tower::ServiceExt;

/// A server over folders that go when it goes.
pub(super) struct Served {
    pub(super) server: Server,
    pub(super) folder: TempDir,
}

pub(super) fn new_store(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("seen");
    OnlineStore::<u64>::open(&path, &StoreOptions::default()).unwrap().close().unwrap();
    path
}

pub(super) fn new_index(
    folder: &TempDir,
    name: &str,
    lens: impl Into<LensOptions>,
    documents: &[(&str, &str)],
) -> PathBuf {
    let path = folder.path().join(name);
    IndexWriter::new(&path).build(lens, vec![Input::documents(documents.iter().copied())], None).unwrap();
    path
}

/// Words that are the same for the same seed.
pub(super) fn text(seed: u64, words: usize) -> String {
    let mut state = seed;
    let word = move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("w{}", (state >> 33) % 5000)
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

impl Served {
    pub(super) fn with(folder: TempDir, options: &ServerOptions) -> Self {
        Self { server: Server::open(options).unwrap(), folder }
    }

    /// A store without entries.
    pub(super) fn store() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let indexes = vec![new_store(&folder)];
        Self::with(folder, &ServerOptions { indexes, ..ServerOptions::default() })
    }

    /// A store with small limits.
    pub(super) fn limited(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let indexes = vec![new_store(&folder)];
        Self::with(folder, &ServerOptions { indexes, limits, ..ServerOptions::default() })
    }

    /// An index of shingles with some documents.
    pub(super) fn index(documents: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let indexes = vec![new_index(&folder, "pages", ShinglesOptions::default(), documents)];
        Self::with(folder, &ServerOptions { indexes, ..ServerOptions::default() })
    }

    /// The same folders, opened again.
    pub(super) fn reopen(&mut self) {
        self.server.close();
        let names = std::fs::read_dir(self.folder.path()).unwrap();
        let indexes = names.map(|entry| entry.unwrap().path()).collect();
        // the lock of a folder goes with what held it
        self.server = Server::open(&ServerOptions::default()).unwrap();
        self.server = Server::open(&ServerOptions { indexes, ..ServerOptions::default() }).unwrap();
    }

    pub(super) async fn send(&self, request: Request<Body>) -> (StatusCode, Vec<u8>) {
        let response = self.server.router().oneshot(request).await.unwrap();
        let status = response.status();
        if status.is_client_error() || status.is_server_error() {
            assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        }
        (status, response.into_body().collect().await.unwrap().to_bytes().to_vec())
    }

    pub(super) async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut request = request(method.clone(), path);
        let body = body.map_or_else(Body::empty, |body| {
            request.headers_mut().unwrap().insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
            Body::from(body.to_string())
        });
        let (status, bytes) = self.send(request.body(body).unwrap()).await;
        let mut answer = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if status.is_success()
            && let Some(rest) = path.strip_prefix("/v1/collections/")
            && let Value::Object(fields) = &mut answer
        {
            // every answer names the collection that gave it
            let name = rest.split(['/', '?']).next().unwrap();
            assert_eq!(fields.remove("collection"), Some(name.into()), "{method} {path}");
            assert!(fields.remove("schema").is_some() && fields.remove("lookalike").is_some(), "{method} {path}");
        }
        (status.as_u16(), answer)
    }

    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        self.ask(Method::GET, path, None).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.ask(Method::POST, path, Some(body)).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.server.close();
    }
}

pub(super) fn request(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header(header::HOST, "localhost:7777")
}
