//! The server: what is open, and the router over it.

use crate::app::App;
use crate::error::Error;
use crate::guard::guard;
use crate::listen;
use crate::options::ServerOptions;
use crate::page;
use crate::problem::Problem;
use crate::routes;
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
use tokio::sync::Notify;
use tower_http::catch_panic::CatchPanicLayer;

/// Threads that answer, at least.
const MIN_WORKERS: usize = 4;

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
        let (routes, description) = routes::all();
        let app = Arc::new(App::new(options, &description)?);
        let router = routes
            .merge(page::routes())
            .fallback(not_found)
            .method_not_allowed_fallback(method_not_allowed)
            .layer(DefaultBodyLimit::disable())
            .layer(CatchPanicLayer::custom(panicked))
            .layer(middleware::from_fn_with_state(Arc::clone(&app), guard))
            .with_state(Arc::clone(&app));
        Ok(Self { app, router })
    }

    /// The handlers, to be served in another way.
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
