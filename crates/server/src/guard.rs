//! Stands before every handler: who asks, from where, and whether there is room for it.

use crate::app::App;
use crate::page;
use crate::problem::Problem;
use crate::tokens::Scope;
use axum::extract::{MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What needs no token, beside the files of the page: whether the server is there, and what it can be asked.
const PUBLIC: [&str; 2] = ["/healthz", "/v1/openapi.json"];
/// From here on a request is slow enough to be told.
const SLOW: Duration = Duration::from_secs(1);

/// Everything goes through here.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = app.request_ids.of(request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = match admit(&app, &request) {
        Err(problem) => problem.into_response(),
        Ok(scope) => match app.requests.try_acquire() {
            Err(_) => Problem::busy("as many requests as allowed are being answered; try again").into_response(),
            Ok(_permit) => {
                request.extensions_mut().insert(scope);
                // until the answer is there
                let memory = app.memory.body();
                request.extensions_mut().insert(memory.clone());
                let answer = tokio::time::timeout(app.limits.time, next.run(request)).await;
                drop(memory);
                answer.unwrap_or_else(|_| {
                    Problem::busy("there was no answer in time; ask for less, or try again").into_response()
                })
            }
        },
    };
    let (status, time) = (response.status(), begun.elapsed());
    app.metrics.count(route.as_ref().map(MatchedPath::as_str), status, time);
    let request_id = id.to_str().unwrap_or("-");
    let micros = time.as_micros() as u64;
    // what everybody asks a thousand times a second is told to nobody but who wants it
    if status.is_server_error() {
        tracing::warn!(request_id, %method, path, status = status.as_u16(), micros, "request");
    } else if status.is_client_error() || time > SLOW {
        tracing::info!(request_id, %method, path, status = status.as_u16(), micros, "request");
    } else {
        tracing::debug!(request_id, %method, path, status = status.as_u16(), micros, "request");
    }
    let headers = response.headers_mut();
    headers.insert("x-request-id", id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// What a request may do, or why it may not even ask.
fn admit(app: &App, request: &Request) -> Result<Scope, Problem> {
    check_host(request, &app.hosts)?;
    check_origin(request)?;
    let open = if app.read_only { Scope::Read } else { Scope::Write };
    let Some(tokens) = &app.tokens else { return Ok(open) };
    let path = request.uri().path();
    if PUBLIC.contains(&path) || page::PATHS.contains(&path) {
        return Ok(Scope::Read);
    }
    let refused = |detail: &str| Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail);
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.ok_or_else(|| refused("expected a header \"Authorization: Bearer TOKEN\", found none"))?;
    let token = given.as_bytes().split_at_checked(7).filter(|(word, _)| word.eq_ignore_ascii_case(b"bearer "));
    let scope = token.and_then(|(_, token)| tokens.scope(token.trim_ascii()));
    Ok(scope.ok_or_else(|| refused("the token is not one of this server"))?.min(open))
}

/// Before routes of which some methods change something.
pub(crate) async fn only_writers_change(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match check_write(request.extensions().get::<Scope>().copied()) {
        Err(problem) if !reads => problem.into_response(),
        _ => next.run(request).await,
    }
}

/// Refuses to change something for who may only read, or where nothing is changed.
pub(crate) fn check_write(scope: Option<Scope>) -> Result<(), Problem> {
    if scope == Some(Scope::Write) {
        return Ok(());
    }
    Err(Problem::forbidden("this server, or this token, is for reading only"))
}

/// The host that a request names, and its port.
fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') && !name.ends_with(':') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Names that somebody else's DNS may point to us are refused: a page of theirs would be taken for ours. An address is no name.
fn check_host(request: &Request, known: &[String]) -> Result<(), Problem> {
    let header = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = request.uri().authority().map(Authority::as_str).or(header);
    let host = host.ok_or_else(|| Problem::malformed("expected a header Host, found none"))?;
    let (name, _) = split_port(host);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let is_known = |other: &String| other.eq_ignore_ascii_case(name);
    if bare.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost") || known.iter().any(is_known) {
        return Ok(());
    }
    let detail = format!("this server is not known as {name:?}; whoever runs it can name it so when it is started");
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "unknown-host", detail))
}

/// What a page of another site sends in its reader's name is refused.
fn check_origin(request: &Request) -> Result<(), Problem> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let headers = request.headers();
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let foreign = || Problem::forbidden("the request comes from a page of another site");
    if let Some(site) = headers.get("sec-fetch-site")
        && ![&b"same-origin"[..], b"none"].contains(&site.as_bytes())
    {
        return Err(foreign());
    }
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let host = request.uri().authority().map(Authority::as_str).or(text(header::HOST));
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    match (from, host) {
        (Some(from), Some(host)) if from.eq_ignore_ascii_case(host) => Ok(()),
        _ => Err(foreign()),
    }
}
