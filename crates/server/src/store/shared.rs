//! What the writer of a store and those who ask it share.

use super::crawl::{Crawl, CrawlFolder};
use super::named_store::NamedStore;
use arc_swap::ArcSwap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use utoipa::ToSchema;

/// What the writer and those who ask share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) main: Arc<NamedStore>,
    /// Crawls that only those see who name them.
    pub(super) crawls: RwLock<BTreeMap<String, Arc<Crawl>>>,
    /// Crawls that all see, and that are on their way into the main store.
    pub(super) committed: ArcSwap<Vec<Arc<Crawl>>>,
    pub(super) folder: CrawlFolder,
    pub(super) recipe: String,
}

/// A crawl in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CrawlInfo {
    /// What it is called.
    pub(crate) id: String,
    /// Entries that it inserted.
    pub(crate) entries: u64,
    /// Whether all see them.
    pub(crate) committed: bool,
}
