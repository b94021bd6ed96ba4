//! Crawls: what a crawl inserts is in a store of its own, beside the main one, until it becomes visible or vanishes as one.
//!
//! ```text
//! crawls/crawl-ID             a store; with a file COMMITTED in it, its entries are visible to all and on their way into the main store
//! crawls/done-ID              on its way out
//! ```
//!
//! The file is what commits: it is there or not. What moves afterwards moves again after a crash, entry by entry, if it is not there yet.

use super::named_store::{Access, NamedStore};
use crate::problem::Problem;
use lookalike::StoreError;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const COMMITTED: &str = "COMMITTED";
/// Characters of the longest id.
const MAX_CRAWL_ID: usize = 64;

/// A crawl that is not in the main store.
#[derive(Debug)]
pub(super) struct Crawl {
    pub(super) id: String,
    pub(super) store: NamedStore,
}

/// The crawls of a store on disk.
#[derive(Debug)]
pub(super) struct CrawlFolder {
    path: PathBuf,
}

/// Crawls that were left by the last process.
#[derive(Debug, Default)]
pub(super) struct LeftCrawls {
    pub(super) open: Vec<Arc<Crawl>>,
    pub(super) committed: Vec<Arc<Crawl>>,
}

/// Refuses an id that could be something else than the name of a folder.
pub(crate) fn check_id(id: &str) -> Result<(), Problem> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !id.is_empty() && id.len() <= MAX_CRAWL_ID && id.bytes().all(plain) {
        return Ok(());
    }
    let expected = format!("expected 1 to {MAX_CRAWL_ID} letters, digits, dots, dashes or underscores");
    Err(Problem::meaningless(format!("crawl: {expected}, found {id:?}")))
}

impl CrawlFolder {
    pub(super) fn new(store: &Path) -> Self {
        Self { path: store.join("crawls") }
    }

    fn folder(&self, id: &str) -> PathBuf {
        self.path.join(format!("crawl-{id}"))
    }

    /// What is there; and what was on its way out goes.
    pub(super) fn load(&self, recipe: &str) -> Result<LeftCrawls, lookalike::hamming::Error> {
        let mut left = LeftCrawls::default();
        let Ok(entries) = fs::read_dir(&self.path) else { return Ok(left) };
        let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        for name in names {
            let path = self.path.join(&name);
            if name.starts_with("done-") {
                // what cannot be removed is not in the way
                let _ = fs::remove_dir_all(&path);
            } else if let Some(id) = name.strip_prefix("crawl-") {
                let store = NamedStore::open(&path, recipe, Access::Change)?;
                let crawl = Arc::new(Crawl { id: id.to_owned(), store });
                let list = if path.join(COMMITTED).exists() { &mut left.committed } else { &mut left.open };
                list.push(crawl);
            }
        }
        Ok(left)
    }

    /// A new crawl.
    pub(super) fn begin(&self, id: &str, recipe: &str, distance: u32) -> Result<Arc<Crawl>, Problem> {
        fs::create_dir_all(&self.path).map_err(|source| unwritten(&self.path, source))?;
        let store = NamedStore::open(&self.folder(id), recipe, Access::Create(distance))?;
        sync(&self.path)?;
        Ok(Arc::new(Crawl { id: id.to_owned(), store }))
    }

    /// From here on it is committed, whatever happens.
    pub(super) fn mark(&self, crawl: &Crawl) -> Result<(), Problem> {
        lookalike::atomic::write(&self.folder(&crawl.id).join(COMMITTED), |_| Ok::<(), StoreError>(()))?;
        sync(&self.folder(&crawl.id))
    }

    /// Takes a crawl away: gone or not, never a part of it.
    pub(super) fn remove(&self, crawl: &Crawl) -> Result<(), Problem> {
        let gone = self.path.join(format!("done-{}", crawl.id));
        let _ = fs::remove_dir_all(&gone);
        fs::rename(self.folder(&crawl.id), &gone).map_err(|source| unwritten(&gone, source))?;
        sync(&self.path)?;
        let _ = fs::remove_dir_all(&gone);
        Ok(())
    }
}

fn sync(folder: &Path) -> Result<(), Problem> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|source| unwritten(folder, source))
}

fn unwritten(path: &Path, source: io::Error) -> Problem {
    StoreError::Write { what: path.display().to_string(), source }.into()
}
