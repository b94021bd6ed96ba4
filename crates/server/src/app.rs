//! What handlers share: what is open, and how much may be done with it at once.

use crate::collection::{Collection, Collections};
use crate::error::Error;
use crate::jobs::Jobs;
use crate::memory::Memory;
use crate::metrics::Metrics;
use crate::options::{Limits, ServerOptions};
use crate::problem::Problem;
use crate::request_ids::RequestIds;
use crate::tokens::Tokens;
use std::sync::Arc;
use tokio::sync::Semaphore;
use utoipa::openapi::OpenApi;

/// Batches that are answered at once.
const MAX_BATCHES: usize = 16;

/// What handlers share.
pub(crate) struct App {
    pub(crate) collections: Collections,
    pub(crate) jobs: Jobs,
    pub(crate) metrics: Metrics,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) hosts: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) read_only: bool,
    pub(crate) texts: bool,
    pub(crate) request_ids: RequestIds,
    /// Requests that are under way.
    pub(crate) requests: Semaphore,
    pub(crate) batches: Arc<Semaphore>,
    /// For the bodies of requests, and the work on them.
    pub(crate) memory: Memory,
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

impl App {
    /// Opens all that is to be served.
    pub(crate) fn new(options: &ServerOptions, description: &OpenApi) -> Result<Self, Error> {
        let openapi = serde_json::to_vec(description);
        let openapi =
            openapi.map_err(|error| Error::System { what: "cannot describe the API".into(), source: error.into() })?;
        lookalike::code::limit_memory(options.resources.memory);
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            collections: Collections::open(options)?,
            jobs: Jobs::new(&options.key, &options.resources, options.limits.jobs)?,
            metrics: Metrics::new(description.paths.paths.keys().cloned()),
            tokens: options.tokens.clone(),
            hosts: options.hosts.clone(),
            limits: options.limits.clone(),
            read_only: options.read_only,
            texts: options.texts,
            request_ids: RequestIds::new(),
            requests: Semaphore::new(options.limits.requests),
            batches: Arc::new(Semaphore::new(MAX_BATCHES)),
            memory: Memory::new(options.resources.memory),
            pool: Arc::new(Semaphore::new(threads)),
            openapi,
        })
    }

    pub(crate) fn close(&self) {
        self.jobs.close();
        self.collections.all().iter().for_each(Collection::close);
    }
}
