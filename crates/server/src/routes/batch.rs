//! Many questions and changes in one request: a line of JSON each, answered in their order while they arrive.

use super::check::{CheckRequest, PreparedInsert, check, prepare_insert};
use super::documents::{DocumentBody, DocumentRequest, PreparedChange, prepare_delete, prepare_put};
use super::query::{QueryRequest, ask};
use crate::app::{App, UnderWay};
use crate::collection::Collection;
use crate::content::{Answer, Named, parse};
use crate::guard::check_write;
use crate::memory::RequestMemory;
use crate::options::Limits;
use crate::problem::Problem;
use crate::shares::Client;
use crate::shares::Share;
use crate::store::DocumentId;
use crate::tokens::Scope;
use axum::Extension;
use axum::body::{Body, BodyDataStream};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Buf, Bytes, BytesMut};
use futures_util::{FutureExt, StreamExt, stream};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};
use tracing::{Instrument, Span};
use utoipa::ToSchema;

/// Lines that are worked on at once, and changes that wait for the disk.
const WORKED: usize = 16;
const WAITING: usize = 1024;
/// Bytes of a body whose memory is taken at once.
const PIECE: usize = 64 << 10;

/// The operation of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Operation {
    #[default]
    Check,
    CheckAndInsert,
    Query,
    Put,
    Delete,
}

/// A line: an operation, and the fields that its own route has.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BatchLine {
    op: Operation,
    #[schema(value_type = Option<String>)]
    id: Option<DocumentId>,
    fingerprint: Option<String>,
    text: Option<String>,
    html: Option<String>,
    url: Option<String>,
    distance: Option<u32>,
    limit: Option<usize>,
    crawl: Option<String>,
    threshold: Option<f64>,
    contained: Option<f64>,
    sweep: Option<String>,
}

/// Why a line was refused.
#[derive(Serialize, ToSchema)]
pub(super) struct BatchError {
    /// Its number, from 1.
    line: u64,
    /// Why it was refused.
    error: Problem,
}

/// A line that was worked on: answered, or a change to be submitted in its turn.
enum Prepared {
    Answer(Answer),
    Insert(PreparedInsert),
    Change(PreparedChange),
}

/// Answers lines in their order, while they arrive. A line that is refused is answered with the reason, and the rest goes on.
#[utoipa::path(post, path = "/batch", tag = "batch",
    request_body(content = BatchLine, content_type = "application/x-ndjson", description = "A line of JSON for each operation"),
    responses((status = 200, description = "A line for each: the answer of its route, or `{line, error}`", body = ref("#/components/schemas/BatchAnswer"), content_type = "application/x-ndjson")))]
pub(super) async fn batch(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Extension(scope): Extension<Scope>,
    Extension(place): Extension<UnderWay>,
    Extension(memory): Extension<RequestMemory>,
    headers: axum::http::HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !["application/x-ndjson", "application/jsonl", "application/json-lines"]
        .iter()
        .any(|known| kind.starts_with(known))
    {
        let detail = "Content-Type: expected application/x-ndjson";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail));
    }
    let (worker, submitter, span) = (Arc::clone(&app), Arc::clone(&app), Span::current());
    let lines = lines(LineReader::new(body, &app.limits, memory), Arc::clone(&app.lines));
    let answers = lines
        .map(move |(number, line, turn)| {
            let (app, collection) = (Arc::clone(&worker), Arc::clone(&collection));
            let work = async move {
                let (line, memory): (Bytes, RequestMemory) = line?;
                let prepared = prepare(&app, collection, line, scope, &memory).await;
                drop(turn);
                Ok::<_, Problem>((prepared?, memory))
            };
            // apart, so that it is done even while the client takes no answers
            let done = tokio::spawn(work);
            async move { (number, done.await.unwrap_or_else(|error| Err(Problem::internal(&error)))) }
        })
        // worked on side by side, submitted one after the other
        .buffered(WORKED)
        .map(move |(number, prepared)| {
            let app = Arc::clone(&submitter);
            submit(app, number, prepared).instrument(span.clone())
        })
        .buffered(WAITING)
        .map(move |answer| {
            let _until_the_end = &place;
            Ok::<_, Infallible>(answer)
        });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(answers)).into_response())
}

async fn prepare(
    app: &Arc<App>,
    collection: Arc<Collection>,
    line: Bytes,
    scope: Scope,
    memory: &RequestMemory,
) -> Result<Prepared, Problem> {
    let line: BatchLine = parse(&line)?;
    if matches!(line.op, Operation::CheckAndInsert | Operation::Put | Operation::Delete) {
        check_write(Some(scope))?;
    }
    let name =
        || line.id.as_ref().map(DocumentId::name).ok_or_else(|| Problem::meaningless("expected \"id\", found none"));
    let of_document = |line: &BatchLine| DocumentRequest {
        sweep: line.sweep.clone(),
        wait: false,
        fingerprint: line.fingerprint.clone(),
        crawl: line.crawl.clone(),
    };
    match line.op {
        Operation::Check => check(app, collection, line.into_check(), None, memory.clone()).await.map(Prepared::Answer),
        Operation::CheckAndInsert => {
            prepare_insert(app, collection, line.into_check(), None).await.map(Prepared::Insert)
        }
        Operation::Query => {
            let query = QueryRequest {
                id: line.id.as_ref().map(DocumentId::name),
                text: line.text,
                html: line.html,
                url: line.url,
                limit: line.limit,
                threshold: line.threshold,
                contained: line.contained,
                distance: line.distance,
                ..QueryRequest::default()
            };
            ask(app, collection, query, None, memory.clone()).await.map(Prepared::Answer)
        }
        Operation::Put => {
            let (id, request) = (name()?, of_document(&line));
            let body = DocumentBody { text: line.text, html: line.html, fingerprint: line.fingerprint };
            prepare_put(app, collection, id, request, body, None, memory).await.map(Prepared::Change)
        }
        Operation::Delete => {
            let (id, request) = (name()?, of_document(&line));
            prepare_delete(app, collection, id, request).await.map(Prepared::Change)
        }
    }
}

impl BatchLine {
    fn into_check(self) -> CheckRequest {
        CheckRequest {
            id: self.id,
            fingerprint: self.fingerprint,
            text: self.text,
            html: self.html,
            distance: self.distance,
            limit: self.limit,
            crawl: self.crawl,
            threshold: self.threshold,
            contained: self.contained,
        }
    }
}

/// Submits what is a change, at once; what is awaited is its answer.
fn submit(
    app: Arc<App>,
    number: u64,
    prepared: Result<(Prepared, RequestMemory), Problem>,
) -> futures_util::future::BoxFuture<'static, Bytes> {
    enum Submitted {
        Answer(Answer),
        Insert(super::check::SubmittedInsert),
        Change(super::documents::SubmittedChange),
    }
    let (submitted, memory) = match prepared {
        Ok((Prepared::Answer(answer), _)) => (Ok(Submitted::Answer(answer)), None),
        Ok((Prepared::Insert(insert), memory)) => (insert.submit().map(Submitted::Insert), Some(memory)),
        Ok((Prepared::Change(change), memory)) => (change.submit().map(Submitted::Change), Some(memory)),
        Err(problem) => (Err(problem), None),
    };
    async move {
        // a change holds its text until it is safe
        let _memory = memory;
        let answer = match submitted {
            Ok(Submitted::Answer(answer)) => Ok(answer),
            Ok(Submitted::Insert(insert)) => insert.answer(&app).await,
            Ok(Submitted::Change(change)) => change.answer(&app).await,
            Err(problem) => Err(problem),
        };
        let answer = answer.or_else(|error| {
            error.log();
            Answer::plain(&BatchError { line: number, error })
        });
        answer.map_or_else(|_| Bytes::from_static(b"{}\n"), |answer| Bytes::from(answer.0))
    }
    .boxed()
}

/// A body that becomes lines.
struct LineReader {
    body: BodyDataStream,
    /// What arrived and is not in the buffer yet: no more than a connection reads at once.
    arrived: Bytes,
    buffer: BytesMut,
    /// The memory of the buffer.
    held: Share<Client>,
    memory: RequestMemory,
    /// Bytes of the buffer that have no end of a line in them.
    searched: usize,
    number: u64,
    /// The rest of a line that was too long is left out.
    skipping: bool,
    ended: bool,
    limit: usize,
    patience: Duration,
    /// The end of the time that the client has to send a line.
    due: Instant,
}

/// A line and its memory, or why it is refused.
type Line = Result<(Bytes, RequestMemory), Problem>;

/// The lines of a body, with their numbers, each when its turn has come. Empty ones do not count; one that is too long is an error in
/// its place.
fn lines(
    reader: LineReader,
    turns: Arc<Semaphore>,
) -> impl futures_util::Stream<Item = (u64, Line, Option<OwnedSemaphorePermit>)> {
    stream::unfold((reader, turns), |(mut reader, turns)| async move {
        let (number, line) = reader.next().await?;
        // a batch whose client sends nothing takes no turn from others
        let turn = Arc::clone(&turns).acquire_owned().await.ok();
        Some(((number, line, turn), (reader, turns)))
    })
}

impl LineReader {
    fn new(body: Body, limits: &Limits, memory: RequestMemory) -> Self {
        Self {
            body: body.into_data_stream(),
            arrived: Bytes::new(),
            buffer: BytesMut::new(),
            held: memory.line_reader(),
            memory,
            searched: 0,
            number: 0,
            skipping: false,
            ended: false,
            limit: limits.body,
            patience: limits.idle_time,
            due: Instant::now() + limits.idle_time,
        }
    }

    /// Takes a line out of the buffer, with its memory.
    fn take(&mut self, bytes: usize) -> (Bytes, RequestMemory) {
        self.searched = 0;
        let memory = self.memory.line(&mut self.held, bytes as u64);
        // a copy: a part of the buffer would keep the memory of all of it
        let line = Bytes::copy_from_slice(&self.buffer[..bytes]);
        self.buffer.advance(bytes);
        if self.buffer.is_empty() {
            self.buffer = BytesMut::new();
        }
        (line, memory)
    }

    /// Leaves the rest of the line out, which is refused.
    fn skip(&mut self, problem: Problem) -> (u64, Line) {
        self.skipping = true;
        self.clear();
        (self.number + 1, Err(problem))
    }

    fn clear(&mut self) {
        self.buffer = BytesMut::new();
        self.searched = 0;
        drop(self.held.split(u64::MAX));
    }

    /// Nothing that follows could be told from a part of a line.
    fn end(&mut self, problem: Problem) -> (u64, Line) {
        self.ended = true;
        self.arrived = Bytes::new();
        self.clear();
        (self.number + 1, Err(problem))
    }

    /// The next line. Empty ones do not extend the time that the client has.
    async fn next(&mut self) -> Option<(u64, Line)> {
        self.due = Instant::now() + self.patience;
        loop {
            let end = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let line = self.take(self.searched + end + 1);
                self.number += 1;
                if std::mem::take(&mut self.skipping) || line.0.trim_ascii().is_empty() {
                    continue;
                }
                let is_long = line.0.len() > self.limit;
                return Some((self.number, if is_long { Err(self.too_long()) } else { Ok(line) }));
            }
            self.searched = self.buffer.len();
            if self.skipping {
                self.clear();
            } else if self.buffer.len() > self.limit {
                return Some(self.skip(self.too_long()));
            }
            if self.ended && self.arrived.is_empty() {
                let rest = self.take(self.buffer.len());
                self.number += 1;
                return (!rest.0.trim_ascii().is_empty()).then_some((self.number, Ok(rest)));
            }
            if self.arrived.is_empty() {
                match timeout_at(self.due, self.body.next()).await {
                    Ok(Some(Ok(bytes))) => self.arrived = bytes,
                    Ok(None) => self.ended = true,
                    failed => {
                        let slow = failed.is_err();
                        let detail = if slow { "the next line did not arrive in time" } else { "the body broke off" };
                        return Some(self.end(Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", detail)));
                    }
                }
                continue;
            }
            let piece = self.arrived.len().min(PIECE);
            if let Err(problem) = self.memory.check((self.buffer.len() + piece) as u64)
                && !self.skipping
            {
                return Some(self.skip(problem));
            }
            // lines that are worked on give theirs back
            match timeout(self.patience, self.memory.wait_for_line(piece as u64)).await {
                Ok(share) => self.held.merge(share),
                Err(_) => return Some(self.end(Problem::busy("no memory became free for the next line; try again"))),
            }
            let piece = self.arrived.split_to(piece);
            self.buffer.extend_from_slice(&piece);
        }
    }

    fn too_long(&self) -> Problem {
        Problem::too_large(self.limit as u64)
    }
}
