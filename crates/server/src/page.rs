//! The page at `/`: a shell, a script and a style, without a word of what is served. They need no token; what they ask does.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, REFERRER_POLICY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use axum::{Router, routing};
use bytes::Bytes;
use lookalike_web::{Page, SERVED_POLICY, served_page, style};
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64;

/// The paths of the files of the page.
pub(crate) const PATHS: [&str; 3] = ["/", "/page.js", "/page.css"];

/// A file of the page. It is asked for each time, and sent where it has changed.
struct PageFile {
    kind: &'static str,
    tag: HeaderValue,
    bytes: Bytes,
}

impl PageFile {
    fn new(kind: &'static str, text: String) -> Self {
        let tag = HeaderValue::from_str(&format!("\"{:016x}\"", xxh3_64(text.as_bytes())));
        Self { kind, tag: tag.unwrap_or(HeaderValue::from_static("\"\"")), bytes: text.into() }
    }

    fn send(&self, headers: &HeaderMap) -> Response {
        let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
        // a proxy that packs the file makes its tag a weak one
        let is_known = known
            .flat_map(|tags| tags.split(','))
            .any(|tag| tag.trim().trim_start_matches("W/").as_bytes() == self.tag.as_bytes());
        let mut response = Response::new(if is_known { Body::empty() } else { Body::from(self.bytes.clone()) });
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let set: [(HeaderName, &'static str); 4] = [
            (CONTENT_TYPE, self.kind),
            (CACHE_CONTROL, "no-cache"),
            (CONTENT_SECURITY_POLICY, SERVED_POLICY),
            (REFERRER_POLICY, "no-referrer"),
        ];
        let headers = response.headers_mut();
        headers.insert(ETAG, self.tag.clone());
        headers.extend(set.map(|(name, value)| (name, HeaderValue::from_static(value))));
        response
    }
}

/// Made when the first server begins.
static FILES: LazyLock<[PageFile; 3]> = LazyLock::new(|| {
    [
        PageFile::new("text/html; charset=utf-8", served_page()),
        PageFile::new("text/javascript; charset=utf-8", Page::Serve.script()),
        PageFile::new("text/css; charset=utf-8", style()),
    ]
});

/// The routes of the page.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    PATHS.into_iter().zip(FILES.iter()).fold(Router::new(), |router, (path, file)| {
        router.route(path, routing::get(move |headers: HeaderMap| async move { file.send(&headers) }))
    })
}
