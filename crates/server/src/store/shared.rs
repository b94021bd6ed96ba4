//! The state that the writer of a store shares with its readers.

use super::crawl::{Crawl, CrawlFolder};
use super::named_store::NamedStore;
use arc_swap::ArcSwap;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

/// The state that the writer shares with readers.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) main: Arc<NamedStore>,
    /// Crawls that only requests that name them see.
    pub(super) crawls: RwLock<BTreeMap<String, Arc<Crawl>>>,
    /// Crawls that all see, and that are on their way into the main store.
    pub(super) committed: ArcSwap<Vec<Arc<Crawl>>>,
    pub(super) folder: CrawlFolder,
    pub(super) recipe: String,
}

/// A crawl in numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CrawlInfo {
    /// What it is called.
    pub(crate) id: String,
    /// Entries that it inserted.
    pub(crate) entries: u64,
    /// Whether all see them.
    pub(crate) committed: bool,
}
