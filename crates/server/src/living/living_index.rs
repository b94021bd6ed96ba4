//! The index as handlers see it.

use super::clusters::{ClusterPage, page, sizes};
use super::fold::{Fold, Switch};
use super::journal::{Append, Journal};
use super::record::Record;
use crate::error::Error;
use crate::problem::Problem;
use arc_swap::ArcSwap;
use lookalike::index::IndexEntry;
use lookalike::{Index, Lens, Resources};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// How long changes wait for others, so that many become part of the index at once.
const DELAY: Duration = Duration::from_millis(500);
/// Until what failed is tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// How long a change of a name is waited for, before its observations are counted without it.
const SETTLED: Duration = Duration::from_secs(2);

/// Held while an index is changed: all indexes of a server share the memory that is for that.
static FOLDING: Mutex<()> = Mutex::new(());

/// An index as it was at some moment.
pub(crate) struct OpenIndex {
    pub(crate) index: Index,
    clusters: OnceLock<Vec<(u32, u64)>>,
}

/// An index that is served.
pub(crate) struct LivingIndex {
    shared: Arc<SharedIndex>,
    append: Mutex<Option<Sender<Append>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    folded: watch::Receiver<u64>,
    /// Held while a document is read before it is acknowledged: so that takes the memory of one document.
    checking: Mutex<()>,
}

struct SharedIndex {
    path: PathBuf,
    key: String,
    resources: Resources,
    open: ArcSwap<OpenIndex>,
    /// None if nothing is to be changed.
    journal: Option<Arc<Journal>>,
    switch: Switch,
}

/// A change that is safe.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Written {
    /// The name.
    pub(crate) id: String,
    /// It survives a crash.
    pub(crate) durable: bool,
    /// Answers take it into account.
    pub(crate) visible: bool,
    /// With `wait`, why the index did not take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Of a deletion: observations of the name that the index had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) removed: Option<u64>,
}

/// A document as the index and the journal have it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DocumentState {
    /// As the index has it; none if it does not.
    #[serde(flatten)]
    entry: Option<IndexEntry>,
    /// Its contents over time: date of the sweep, content id.
    history: Vec<(Option<String>, String)>,
    /// A change that is safe, and not in the index yet: `put` or `delete`.
    pending: Option<&'static str>,
}

impl LivingIndex {
    /// An index that was opened.
    pub(crate) fn new(
        path: &Path,
        index: Index,
        key: &str,
        resources: &Resources,
        read_only: bool,
    ) -> Result<Self, Error> {
        let journal = if read_only { None } else { Some(Journal::open(path)?) };
        let (folded_sender, folded) = watch::channel(0);
        let shared = Arc::new(SharedIndex {
            path: path.to_owned(),
            key: key.to_owned(),
            resources: resources.clone(),
            open: ArcSwap::from_pointee(OpenIndex { index, clusters: OnceLock::new() }),
            journal,
            switch: Switch::default(),
        });
        let (mut append, mut threads) = (None, Vec::new());
        if let Some(journal) = &shared.journal {
            let (sender, thread) = journal.start()?;
            append = Some(sender);
            let folding = Arc::clone(&shared);
            let folder = thread::Builder::new().name("fold".into()).spawn(move || folding.fold_loop(&folded_sender));
            threads.push(thread);
            threads.push(folder.map_err(|source| Error::System { what: "cannot start a thread".into(), source })?);
        }
        let (append, threads) = (Mutex::new(append), Mutex::new(threads));
        Ok(Self { shared, append, threads, folded, checking: Mutex::new(()) })
    }

    /// The index at this moment: later changes make another one.
    pub(crate) fn open(&self) -> Arc<OpenIndex> {
        self.shared.open.load_full()
    }

    pub(crate) fn lens(&self) -> Lens {
        self.shared.open.load().index.lens()
    }

    /// Refuses a document that the index would not take, for a reason that remains: it has no words, or takes too much memory.
    pub(crate) fn check(&self, id: &str, text: &str) -> Result<(), Problem> {
        let _one = self.checking.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.open().index.check_document(id, text, &self.shared.resources)?)
    }

    /// Hands a change over; what is awaited comes when it is safe.
    pub(crate) fn submit(&self, record: Record) -> Result<oneshot::Receiver<Result<u64, Problem>>, Problem> {
        let append = self.append.lock().unwrap_or_else(PoisonError::into_inner);
        let append =
            append.as_ref().ok_or_else(|| Problem::forbidden("this server changes nothing, or is shutting down"))?;
        let (reply, answer) = oneshot::channel();
        append.send((record, reply)).map_err(|_| Problem::busy("the server is shutting down"))?;
        Ok(answer)
    }

    /// Returns when a change is visible, or why the index did not take it.
    pub(crate) async fn wait_until_visible(&self, number: u64) -> Result<Option<String>, Problem> {
        let mut folded = self.folded.clone();
        folded.wait_for(|folded| *folded >= number).await.map_err(|_| Problem::busy("the server is shutting down"))?;
        Ok(self.shared.journal.as_ref().and_then(|journal| journal.reason(number)))
    }

    /// The document of a name.
    pub(crate) fn document(&self, id: &str) -> Result<DocumentState, Problem> {
        let open = self.open();
        let index = &open.index;
        let seen = index.find(id)?;
        let date = |sweep: u32| index.sweeps().get(sweep as usize).and_then(|sweep| sweep.date.clone());
        let history = seen.iter().map(|(sweep, document)| Ok((date(*sweep), index.content(*document)?)));
        let history = history.collect::<Result<Vec<_>, lookalike::Error>>()?;
        let pending = self.shared.journal.as_ref().and_then(|journal| journal.pending(id));
        let entry = index.entry(id, &seen)?;
        if entry.is_none() && pending.is_none() {
            return Err(Problem::not_found(format!("the index has no document called {id:?}; check its spelling")));
        }
        Ok(DocumentState { entry, history, pending })
    }

    /// Returns when no change of a name is on its way, or after some time.
    pub(crate) async fn settle(&self, id: &str) {
        let Some(journal) = &self.shared.journal else { return };
        let mut folded = self.folded.clone();
        let _ = tokio::time::timeout(SETTLED, folded.wait_for(|_| journal.pending(id).is_none())).await;
    }

    /// How often a name was observed, in one sweep or in all.
    pub(crate) fn observations(&self, id: &str, sweep: Option<&str>) -> Result<u64, Problem> {
        let open = self.open();
        let sweeps = open.index.sweeps();
        let is_asked = |number: u32| sweeps.get(number as usize).and_then(|found| found.date.as_deref()) == sweep;
        let seen = open.index.find(id)?;
        Ok(seen.iter().filter(|(number, _)| sweep.is_none() || is_asked(*number)).count() as u64)
    }

    /// A page of at most `limit` clusters, the largest first.
    pub(crate) fn clusters(&self, from: usize, limit: usize) -> Result<ClusterPage, Problem> {
        let open = self.open();
        let known = if let Some(known) = open.clusters.get() {
            known
        } else {
            let counted = sizes(&open.index)?;
            open.clusters.get_or_init(|| counted)
        };
        Ok(page(&open.index, known, from, limit)?)
    }

    /// Changes that are safe and not visible yet.
    pub(crate) fn backlog(&self) -> u64 {
        self.shared.journal.as_ref().map_or(0, |journal| journal.backlog())
    }

    /// Changes that the index did not take, and changes in the journal that could not be read.
    pub(crate) fn refused_and_missing(&self) -> (u64, u64) {
        self.shared.journal.as_ref().map_or((0, 0), |journal| (journal.refused(), journal.missing()))
    }

    /// Ends the threads. What is not folded is in the journal, and folded when the index is served again.
    pub(crate) fn close(&self) {
        self.append.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.shared.switch.stop();
        if let Some(journal) = &self.shared.journal {
            journal.state().stop = true;
            journal.changed.notify_all();
        }
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _ = thread.join();
        }
    }
}

impl SharedIndex {
    /// Folds the changes in the journal until it is time to stop.
    fn fold_loop(&self, folded: &watch::Sender<u64>) {
        let Some(journal) = &self.journal else { return };
        // files of the last process may have nothing left but damage
        let mut is_first = true;
        loop {
            let mut state = journal.state();
            while !state.stop && !std::mem::take(&mut is_first) && journal.is_folded(&state) {
                state = journal.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            drop(state);
            if sleep(journal, DELAY) {
                return;
            }
            match self.fold_round(journal) {
                Ok(()) => {
                    let _ = folded.send(journal.state().folded);
                }
                Err(error) => {
                    tracing::warn!(index = %self.path.display(), %error, "changes wait in the journal");
                    if sleep(journal, PAUSE) {
                        return;
                    }
                }
            }
        }
    }

    fn fold_round(&self, journal: &Journal) -> Result<(), lookalike::Error> {
        let Some(round) = journal.round()? else { return Ok(()) };
        let _one = FOLDING.lock().unwrap_or_else(PoisonError::into_inner);
        let Self { path, key, resources, switch, .. } = self;
        let refused = Fold { path, key, resources, switch }.run(&round.records)?;
        let index = Index::open(path, key)?;
        self.open.store(Arc::new(OpenIndex { index, clusters: OnceLock::new() }));
        journal.set_aside(&round, &refused)?;
        Ok(journal.done(&round, refused)?)
    }
}

/// Sleeps; true if it was time to stop meanwhile.
fn sleep(journal: &Journal, time: Duration) -> bool {
    let end = Instant::now() + time;
    let mut state = journal.state();
    while !state.stop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        state = journal.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
    }
    true
}
