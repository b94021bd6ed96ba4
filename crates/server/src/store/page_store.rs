//! The store as handlers see it.

use super::crawl::{Crawl, CrawlFolder, LeftCrawls, check_id};
use super::named_store::{Access, NamedStore, Near, NearMatch};
use super::pages::{Page, Pages};
use super::shared::{CrawlInfo, Shared};
use super::writer::{Change, Changed, Work, Writer};
use crate::error::Error;
use crate::problem::Problem;
use arc_swap::ArcSwap;
use lookalike::hamming::store::StoreNames;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock, mpsc};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// A store of fingerprints that is served.
#[derive(Debug)]
pub(crate) struct PageStore {
    shared: Arc<Shared>,
    pages: Pages,
    distance: u32,
    writer: Option<mpsc::Sender<Work>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl PageStore {
    pub(crate) fn open(path: &Path, key: &str, read_only: bool) -> Result<Self, Error> {
        let stored = if StoreNames::exists(path) { StoreNames::open(path)?.recipe().to_owned() } else { String::new() };
        let pages = Pages::new(&stored, key)?;
        let recipe = pages.recipe.clone();
        let main = NamedStore::open(path, &recipe, if read_only { Access::Read } else { Access::Change })?;
        let distance = main.distance().unwrap_or(0);
        let folder = CrawlFolder::new(path);
        let left = if read_only { LeftCrawls::default() } else { folder.load(&recipe)? };
        let shared = Arc::new(Shared {
            main: Arc::new(main),
            crawls: RwLock::new(left.open.into_iter().map(|crawl| (crawl.id.clone(), crawl)).collect()),
            committed: ArcSwap::from_pointee(left.committed),
            folder,
            recipe,
        });
        let (writer, thread) = if read_only {
            (None, None)
        } else {
            let (sender, thread) = Writer::start(Arc::clone(&shared), distance)?;
            (Some(sender), Some(thread))
        };
        Ok(Self { shared, pages, distance, writer, thread: Mutex::new(thread) })
    }

    /// How pages become fingerprints.
    pub(crate) fn recipe(&self) -> &str {
        &self.shared.recipe
    }

    /// The greatest distance that can be asked for.
    pub(crate) fn max_distance(&self) -> u32 {
        self.distance
    }

    /// The distance that is meant, if it can be asked for.
    pub(crate) fn check_distance(&self, asked: Option<u32>) -> Result<u32, Problem> {
        match asked {
            Some(found) if found > self.distance => Err(Problem::meaningless(format!(
                "distance: expected at most {}, which the store was made for, found {found}",
                self.distance
            ))),
            asked => Ok(asked.unwrap_or(self.distance)),
        }
    }

    /// How many entries all see.
    pub(crate) fn len(&self) -> Result<u64, Problem> {
        let committed = self.shared.committed.load();
        committed.iter().try_fold(self.shared.main.len()?, |sum, crawl| Ok(sum + crawl.store.len()?))
    }

    /// Changes that could not be read, of all crawls.
    pub(crate) fn missing(&self) -> u64 {
        let open = self.shared.crawls.read().unwrap_or_else(PoisonError::into_inner).clone();
        let committed = self.shared.committed.load();
        let crawls = open.values().chain(committed.iter()).map(|crawl| crawl.store.missing());
        self.shared.main.missing() + crawls.sum::<u64>()
    }

    pub(crate) fn is_named(&self) -> bool {
        self.shared.main.is_named()
    }

    /// The fingerprint of a page, or why it has none.
    pub(crate) fn fingerprint(&self, id: &str, page: Page<'_>) -> Result<u64, Problem> {
        self.pages.fingerprint(id, page).map_err(|reason| Problem::meaningless(format!("{id}: {reason}")))
    }

    /// What is near a fingerprint, and visible to a crawl, or to all.
    pub(crate) fn near(&self, query: u64, k: u32, limit: usize, crawl: Option<&str>) -> Result<Near, Problem> {
        let committed = self.shared.committed.load();
        if crawl.is_none() && committed.is_empty() {
            return self.shared.main.near(query, k, limit);
        }
        // a crawl that nobody began yet has inserted nothing
        let own = crawl.map(|id| check_id(id).map(|()| self.crawl(id))).transpose()?.flatten();
        near_in_all(&self.shared.main, committed.iter().chain(&own), query, k, limit)
    }

    fn crawl(&self, id: &str) -> Option<Arc<Crawl>> {
        self.shared.crawls.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Hands a change over; what is awaited comes when it is safe. Changes are made in the order in which they are handed over.
    pub(crate) fn submit(&self, change: Change) -> Result<oneshot::Receiver<Result<Changed, Problem>>, Problem> {
        if let Some(id) = &change.crawl {
            check_id(id)?;
        }
        let (reply, answer) = oneshot::channel();
        self.send(Work::Change(change, reply))?;
        Ok(answer)
    }

    fn send(&self, work: Work) -> Result<(), Problem> {
        let writer = self.writer.as_ref().ok_or_else(|| Problem::forbidden("this server changes nothing"))?;
        writer.send(work).map_err(|_| Problem::busy("the server is shutting down"))
    }

    /// The crawls that are under way, by id.
    pub(crate) fn crawls(&self) -> Result<Vec<CrawlInfo>, Problem> {
        let open = self.shared.crawls.read().unwrap_or_else(PoisonError::into_inner).clone();
        let committed = self.shared.committed.load();
        let info = |crawl: &Arc<Crawl>, committed: bool| {
            Ok(CrawlInfo { id: crawl.id.clone(), entries: crawl.store.len()?, committed })
        };
        let all = open.values().map(|crawl| info(crawl, false)).chain(committed.iter().map(|crawl| info(crawl, true)));
        let mut all = all.collect::<Result<Vec<_>, Problem>>()?;
        all.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(all)
    }

    /// Makes all that a crawl inserted visible, or forgets it.
    pub(crate) fn end_crawl(
        &self,
        id: &str,
        commit: bool,
    ) -> Result<oneshot::Receiver<Result<CrawlInfo, Problem>>, Problem> {
        check_id(id)?;
        let (reply, answer) = oneshot::channel();
        self.send(Work::EndCrawl { id: id.to_owned(), commit, reply })?;
        Ok(answer)
    }

    /// Ends the writer when it has done what was handed over, and writes what is in memory to its place.
    pub(crate) fn close(&self) {
        let _ = self.send(Work::Stop);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
            if let Err(problem) = self.shared.main.flush() {
                tracing::warn!(?problem, "what was in memory is in the log only");
            }
        }
    }
}

/// What is near in the main store and in crawls. An entry on its way from one to the other is there once.
pub(super) fn near_in_all<'a>(
    main: &NamedStore,
    crawls: impl Iterator<Item = &'a Arc<Crawl>>,
    query: u64,
    k: u32,
    limit: usize,
) -> Result<Near, Problem> {
    let mut all = main.near(query, k, usize::MAX)?;
    let mut seen: BTreeSet<NearMatch> = all.matches.iter().cloned().collect();
    for crawl in crawls {
        let found = crawl.store.near(query, k, usize::MAX)?;
        all.complete &= found.complete;
        all.matches.extend(found.matches.into_iter().filter(|hit| seen.insert(hit.clone())));
    }
    all.count = all.matches.len() as u64;
    all.matches.sort_by_key(|hit| hit.distance);
    all.matches.truncate(limit);
    Ok(all)
}
