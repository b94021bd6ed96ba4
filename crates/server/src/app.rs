//! The state that handlers share: open collections, and how much may be done with them at once.

use crate::collection::Collections;
use crate::error::Error;
use crate::jobs::Jobs;
use crate::memory::{Memory, Parts};
use crate::metrics::Metrics;
use crate::options::{Limits, ServerOptions};
use crate::problem::Problem;
use crate::request_ids::RequestIds;
use crate::shares::{Client, Share, Shares};
use crate::tokens::Tokens;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Lines of batches that are worked on at once.
const MAX_LINES: usize = 256;

/// The place of a request among those under way, until its answer is complete.
pub(crate) type UnderWay = Arc<Share<Client>>;

/// The state that handlers share.
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
    /// Requests under way.
    pub(crate) requests: Arc<Shares<Client>>,
    /// Lines of batches that are worked on.
    pub(crate) lines: Arc<Semaphore>,
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
    /// Opens all that is to be served, by routes of this description.
    pub(crate) fn new(options: &ServerOptions, description: &serde_json::Value) -> Result<Self, Error> {
        let routes = description["paths"].as_object().into_iter().flat_map(|paths| paths.keys().cloned());
        let Parts { requests, folds, jobs } = Parts::new(&options.resources);
        lookalike::parser::limit_memory(folds.memory);
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            collections: Collections::open(options, &folds)?,
            jobs: Jobs::new(&options.key, &jobs, options.limits.jobs)?,
            metrics: Metrics::new(routes),
            tokens: options.tokens.clone(),
            hosts: options.hosts.clone(),
            limits: options.limits.clone(),
            read_only: options.read_only,
            texts: options.texts,
            request_ids: RequestIds::new(),
            requests: Shares::new(options.limits.requests as u64),
            lines: Arc::new(Semaphore::new(MAX_LINES)),
            memory: Memory::new(requests),
            pool: Arc::new(Semaphore::new(threads)),
            openapi: description.to_string().into_bytes(),
        })
    }

    pub(crate) fn close(&self) {
        self.jobs.close();
        self.collections.all().iter().for_each(|collection| collection.close());
    }
}
