//! The checks before every handler: the host, the origin, the token, and whether there is room for the request.

use crate::app::{App, UnderWay};
use crate::memory::RequestMemory;
use crate::page;
use crate::problem::{self, Problem};
use crate::shares::Client;
use crate::tokens::Scope;
use axum::extract::{MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Routes that need no token, beside the files of the page.
const PUBLIC: [&str; 2] = ["/healthz", "/v1/openapi.json"];
/// Routes that are answered however busy the server is: it must not be taken for dead, nor its numbers be missing then.
const UNLIMITED: [&str; 2] = ["/healthz", "/metrics"];
/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

/// Admits a request, counts it, and completes its answer.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = app.request_ids.of(request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let request_id = id.to_str().unwrap_or("-").to_owned();
    let span = tracing::error_span!("request", request_id, %method, path);
    let admitted = admit(&app, &request).and_then(|(scope, client)| {
        request.extensions_mut().insert(scope);
        request.extensions_mut().insert(app.memory.request(client.clone()));
        let place = if UNLIMITED.contains(&path.as_str()) { None } else { Some(enter(&app, client)?) };
        if let Some(place) = &place {
            request.extensions_mut().insert(UnderWay::clone(place));
        }
        Ok((request, place))
    });
    let mut response = match admitted {
        Err(problem) => problem.into_response(),
        Ok((request, _place)) => {
            // until the answer is there
            let memory = request.extensions().get::<RequestMemory>().cloned();
            let answer = tokio::time::timeout(app.limits.time, next.run(request).instrument(span.clone())).await;
            drop(memory);
            answer.unwrap_or_else(|_| {
                Problem::unfinished("there was no answer in time; ask for less, or see whether a change was made")
                    .into_response()
            })
        }
    };
    span.in_scope(|| problem::finish(&mut response, &path, &request_id));
    let (status, time) = (response.status(), begun.elapsed());
    app.metrics.count(route.as_ref().map(MatchedPath::as_str), status, time);
    let micros = time.as_micros() as u64;
    // quick requests that succeed would fill the log
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

/// A place for a request of this client.
fn enter(app: &App, client: Client) -> Result<UnderWay, Problem> {
    let full = || Problem::busy("as many requests as allowed are under way, or half of them are yours; try again");
    app.requests.take(client, 1).map(Arc::new).ok_or_else(full)
}

/// What a request may do, and whose it is; or why it is refused.
fn admit(app: &App, request: &Request) -> Result<(Scope, Client), Problem> {
    check_host(request, &app.hosts)?;
    check_origin(request)?;
    let open = if app.read_only { Scope::Read } else { Scope::Write };
    let client = request.extensions().get::<Client>().cloned().unwrap_or(Client::Unknown);
    let Some(tokens) = &app.tokens else { return Ok((open, client)) };
    let path = request.uri().path();
    if PUBLIC.contains(&path) || page::PATHS.contains(&path) {
        return Ok((Scope::Read, client));
    }
    let refused = |detail: &str| Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail);
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.ok_or_else(|| refused("expected a header \"Authorization: Bearer TOKEN\", found none"))?;
    let token = given.as_bytes().split_at_checked(7).filter(|(word, _)| word.eq_ignore_ascii_case(b"bearer "));
    let scope = token.and_then(|(_, token)| tokens.scope(token.trim_ascii()));
    let (scope, hash) = scope.ok_or_else(|| refused("the token is not one of this server"))?;
    Ok((scope.min(open), Client::Token(hash)))
}

/// Before routes of which some methods change something.
pub(crate) async fn only_writers_change(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match check_write(request.extensions().get::<Scope>().copied()) {
        Err(problem) if !reads => problem.into_response(),
        _ => next.run(request).await,
    }
}

/// Refuses a change by a reader, or of what is served for reading only.
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

/// Whether two authorities are the same: the default port may be left out.
fn is_same_host(one: &str, other: &str) -> bool {
    let parts = |host| {
        let (name, port) = split_port(host);
        (name, port.filter(|port| !["", "80"].contains(port)))
    };
    let (one, other) = (parts(one), parts(other));
    one.0.eq_ignore_ascii_case(other.0) && one.1 == other.1
}

/// Refuses names that the DNS of others may point to this server: their pages would be taken for its own. An address is no name.
fn check_host(request: &Request, known: &[String]) -> Result<(), Problem> {
    let headers: Vec<_> = request.headers().get_all(header::HOST).iter().collect();
    let named = request.uri().authority().map(Authority::as_str);
    let host = match (&headers[..], named) {
        // RFC 9112, section 3.2: a proxy in front may have taken another of the two
        ([_, _, ..], _) => return Err(Problem::malformed("expected one header Host, found more")),
        ([header], Some(named)) if !is_same_host(header.to_str().unwrap_or_default(), named) => {
            return Err(Problem::malformed("expected the same host in the request line and in the header Host"));
        }
        (_, Some(named)) => Some(named),
        ([header], None) => header.to_str().ok(),
        ([], None) => None,
    };
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

/// Refuses requests that a browser sends for a page of another site, but for links that a reader follows.
fn check_origin(request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let follows = headers.get("sec-fetch-mode").is_some_and(|mode| mode.as_bytes() == b"navigate");
    if follows && matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
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
