//! The server: what is open, and the router over it.

use crate::collection::Collections;
use crate::error::Error;
use crate::guard::{RequestIds, guard};
use crate::jobs::Jobs;
use crate::listen;
use crate::metrics::Metrics;
use crate::options::{Limits, ServerOptions};
use crate::problem::Problem;
use crate::routes;
use crate::tokens::Tokens;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;

/// Batches that are answered at once.
const MAX_BATCHES: usize = 16;
/// Threads that answer, at least.
const MIN_WORKERS: usize = 4;

/// What handlers share.
pub(crate) struct App {
    pub(crate) collections: Collections,
    pub(crate) jobs: Jobs,
    pub(crate) metrics: Metrics,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) hosts: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) read_only: bool,
    pub(crate) request_ids: RequestIds,
    /// Requests that are under way.
    pub(crate) requests: Semaphore,
    pub(crate) batches: Arc<Semaphore>,
    /// Work that would keep a thread busy.
    pool: Arc<Semaphore>,
    pub(crate) openapi: Vec<u8>,
}

impl App {
    /// Does work that takes long elsewhere, not more of it at once than there are threads.
    pub(crate) async fn block<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.pool).acquire_owned().await;
        let app = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&app)
        });
        done.await.unwrap_or_else(|error| Err(Problem::internal(&error)))
    }
}

/// Ends a server from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// What is under way is finished; nothing new is taken.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// Serves until told to stop, on threads of its own. `ready` is told the address.
pub fn run(
    options: &ServerOptions,
    address: SocketAddr,
    insecure: bool,
    stop: &Stop,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), Error> {
    let failed = |source| Error::System { what: "cannot start threads".into(), source };
    // an answer may have to wait for the disk: then others go on
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(cores.max(MIN_WORKERS)).enable_all().build().map_err(failed)?;
    let server = Server::open(options)?;
    runtime.block_on(async {
        let bound = server.bind(address, insecure).await;
        let listening = bound.and_then(|listener| Ok((listener.local_addr().map_err(failed)?, listener)));
        match listening {
            Ok((address, listener)) => {
                ready(address);
                server.serve(listener, stop.0.notified()).await;
                Ok(())
            }
            Err(error) => {
                server.close();
                Err(error)
            }
        }
    })
}

/// A service over indexes and stores.
pub struct Server {
    app: Arc<App>,
    router: Router,
}

impl Server {
    /// Opens all that is to be served.
    pub fn open(options: &ServerOptions) -> Result<Self, Error> {
        let (routes, description) = routes::all().split_for_parts();
        let app = Arc::new(App::new(options, &description)?);
        let router = routes
            .fallback(not_found)
            .method_not_allowed_fallback(method_not_allowed)
            .layer(DefaultBodyLimit::disable())
            .layer(CatchPanicLayer::custom(panicked))
            .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
            .with_state(Arc::clone(&app));
        Ok(Self { app, router })
    }

    /// The handlers, for who serves them in another way.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// An address that can be had; one that others can reach needs tokens, unless it is said that everybody may ask.
    pub async fn bind(&self, address: SocketAddr, insecure: bool) -> Result<TcpListener, Error> {
        if !address.ip().is_loopback() && self.app.tokens.is_none() && !insecure {
            return Err(Error::OpenToAll { address });
        }
        TcpListener::bind(address).await.map_err(|source| Error::Listen { address, source })
    }

    /// Serves until `stop`, finishes what is under way, and closes what is open: nothing that was answered is lost.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let limits = self.app.limits.clone();
        listen::serve(listener, self.router, &limits, stop).await;
        let app = self.app;
        // waits for threads
        let _ = tokio::task::spawn_blocking(move || app.close()).await;
    }

    /// Closes what is open, where nothing was served.
    pub fn close(&self) {
        self.app.close();
    }
}

impl App {
    fn new(options: &ServerOptions, description: &OpenApi) -> Result<Self, Error> {
        let openapi = serde_json::to_vec(description);
        let openapi =
            openapi.map_err(|error| Error::System { what: "cannot describe the API".into(), source: error.into() })?;
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            collections: Collections::open(options)?,
            jobs: Jobs::new(&options.key, &options.resources, options.limits.jobs)?,
            metrics: Metrics::new(description.paths.paths.keys().cloned()),
            tokens: options.tokens.clone(),
            hosts: options.hosts.clone(),
            limits: options.limits.clone(),
            read_only: options.read_only,
            request_ids: RequestIds::new(),
            requests: Semaphore::new(options.limits.requests),
            batches: Arc::new(Semaphore::new(MAX_BATCHES)),
            pool: Arc::new(Semaphore::new(threads)),
            openapi,
        })
    }

    fn close(&self) {
        self.jobs.close();
        self.collections.all().iter().for_each(crate::collection::Collection::close);
    }
}

async fn not_found(uri: Uri) -> Problem {
    Problem::not_found(format!("nothing is at {:?}; /v1/openapi.json says what is", uri.path()))
}

async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let detail = format!("{method} has no meaning at {:?}; /v1/openapi.json says what has", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail)
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    Problem::internal(&"a handler panicked").into_response()
}
