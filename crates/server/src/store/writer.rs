//! The one thread that changes a store. What waits is done together and becomes safe together; so of two equal pages one is new, and a
//! disk that takes a millisecond to be sure does so once for hundreds.

use super::crawl::Crawl;
use super::named_store::{DocumentId, NamedStore, Names, Near, OpenStore, closed};
use super::shared::{CrawlInfo, Shared};
use crate::error::Error;
use crate::problem::Problem;
use lookalike::hamming::Error as HammingError;
use lookalike::hamming::store::OperationGroup;
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::oneshot;

/// Changes that are made together, at most; and entries of a crawl that move together.
const MAX_GROUP: usize = 4096;
/// Until what failed is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// What is to be changed.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) kind: ChangeKind,
    pub(crate) fingerprint: u64,
    pub(crate) id: DocumentId,
    pub(crate) crawl: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// Insert if nothing is within this distance, and tell what is, so many.
    CheckAndInsert {
        distance: u32,
        limit: usize,
    },
    Insert,
    Delete,
}

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Nothing was near: it is there now.
    New,
    /// These are near: it was not inserted.
    Known(Near),
    /// False if it was there.
    Inserted(bool),
    /// False if it was not there.
    Deleted(bool),
}

type Reply<T> = oneshot::Sender<Result<T, Problem>>;

pub(super) enum Work {
    Change(Change, Reply<Changed>),
    EndCrawl { id: String, commit: bool, reply: Reply<CrawlInfo> },
    Stop,
}

/// A committed crawl, and those of its entries that are not in the main store yet.
struct Move {
    crawl: Arc<Crawl>,
    entries: VecDeque<(u64, u64)>,
}

pub(super) struct Writer {
    shared: Arc<Shared>,
    distance: u32,
    moves: VecDeque<Move>,
    work: Receiver<Work>,
}

impl Writer {
    pub(super) fn start(shared: Arc<Shared>, distance: u32) -> Result<(Sender<Work>, JoinHandle<()>), Error> {
        let (sender, work) = mpsc::channel();
        let mut writer = Self { shared, distance, moves: VecDeque::new(), work };
        let left: Vec<Arc<Crawl>> = writer.shared.committed.load().iter().cloned().collect();
        for crawl in left {
            writer
                .moves
                .push_back(Move { entries: entries(&crawl.store).map_err(|problem| Error::Crawl { problem })?, crawl });
        }
        let thread = thread::Builder::new().name("store".into()).spawn(move || writer.run());
        let thread = thread.map_err(|source| Error::System { what: "cannot start a thread".into(), source })?;
        Ok((sender, thread))
    }

    fn run(&mut self) {
        let mut waiting = None;
        loop {
            let next = match waiting.take() {
                Some(next) => next,
                None if self.moves.is_empty() => match self.work.recv() {
                    Ok(next) => next,
                    Err(_) => return,
                },
                None => match self.work.try_recv() {
                    Ok(next) => next,
                    Err(TryRecvError::Disconnected) => return,
                    Err(TryRecvError::Empty) => {
                        if let Err(problem) = self.move_some() {
                            tracing::warn!(?problem, "a crawl cannot be taken into the store yet");
                            waiting = match self.work.recv_timeout(PAUSE) {
                                Ok(next) => Some(next),
                                Err(RecvTimeoutError::Timeout) => None,
                                Err(RecvTimeoutError::Disconnected) => return,
                            };
                        }
                        continue;
                    }
                },
            };
            match next {
                Work::Stop => return,
                Work::EndCrawl { id, commit, reply } => {
                    let _ = reply.send(self.end_crawl(&id, commit));
                }
                Work::Change(change, reply) => {
                    let mut group = vec![(change, reply)];
                    while group.len() < MAX_GROUP {
                        match self.work.try_recv() {
                            Ok(Work::Change(change, reply)) => group.push((change, reply)),
                            Ok(other) => {
                                waiting = Some(other);
                                break;
                            }
                            Err(_) => break,
                        }
                    }
                    self.change_all(group);
                }
            }
        }
    }

    /// Makes changes and answers when they are safe.
    fn change_all(&self, group: Vec<(Change, Reply<Changed>)>) {
        let (mut changes, mut replies) = (Vec::new(), Vec::new());
        let mut crawls: Vec<Arc<Crawl>> = self.shared.committed.load().iter().cloned().collect();
        let visible = crawls.len();
        for (change, reply) in group {
            let own = match &change.crawl {
                None => Ok(None),
                Some(id) => match crawls[visible..].iter().position(|crawl| crawl.id == *id) {
                    Some(at) => Ok(Some(visible + at)),
                    None => self.crawl(id).map(|crawl| {
                        crawls.push(crawl);
                        Some(crawls.len() - 1)
                    }),
                },
            };
            match own {
                // stores are numbered from the main one
                Ok(own) => {
                    changes.push((change, own.map(|own| own + 1)));
                    replies.push(reply);
                }
                Err(problem) => drop(reply.send(Err(problem))),
            }
        }
        let stores: Vec<&NamedStore> =
            [&*self.shared.main].into_iter().chain(crawls.iter().map(|crawl| &crawl.store)).collect();
        match apply(&stores, visible + 1, &changes) {
            Ok(answers) => {
                for (reply, answer) in replies.into_iter().zip(answers) {
                    // who does not wait any more does not need it
                    let _ = reply.send(answer);
                }
            }
            Err(problem) => {
                for reply in replies {
                    let _ = reply.send(Err(problem.clone()));
                }
                for store in stores {
                    store.reopen();
                }
            }
        }
    }

    /// A crawl, which begins with what it inserts first.
    fn crawl(&self, id: &str) -> Result<Arc<Crawl>, Problem> {
        let known = self.shared.crawls.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        if let Some(crawl) = known {
            return Ok(crawl);
        }
        if self.shared.committed.load().iter().any(|crawl| crawl.id == id) {
            return Err(Problem::conflict(format!("the crawl {id} was committed; begin another")));
        }
        if !self.shared.main.is_named() {
            return Err(Problem::meaningless("crawls are for stores whose ids are names; this one has numbers"));
        }
        let crawl = self.shared.folder.begin(id, &self.shared.recipe, self.distance)?;
        let mut crawls = self.shared.crawls.write().unwrap_or_else(PoisonError::into_inner);
        crawls.insert(id.to_owned(), Arc::clone(&crawl));
        Ok(crawl)
    }

    fn end_crawl(&mut self, id: &str, commit: bool) -> Result<CrawlInfo, Problem> {
        let committed = self.shared.committed.load_full();
        if let Some(crawl) = committed.iter().find(|crawl| crawl.id == id) {
            if commit {
                return Ok(CrawlInfo { id: id.to_owned(), entries: crawl.store.len()?, committed: true });
            }
            return Err(Problem::conflict(format!("the crawl {id} was committed, and cannot be cancelled any more")));
        }
        let crawl = self.shared.crawls.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let crawl = crawl.ok_or_else(|| Problem::not_found(format!("no crawl called {id} is under way")))?;
        let info = CrawlInfo { id: id.to_owned(), entries: crawl.store.len()?, committed: commit };
        if commit {
            let entries = entries(&crawl.store)?;
            self.shared.folder.mark(&crawl)?;
            // first visible to all, then no longer its own: nobody sees it missing
            let all = committed.iter().cloned().chain([Arc::clone(&crawl)]).collect();
            self.shared.committed.store(Arc::new(all));
            self.moves.push_back(Move { crawl, entries });
        } else {
            self.shared.folder.remove(&crawl)?;
        }
        self.shared.crawls.write().unwrap_or_else(PoisonError::into_inner).remove(id);
        Ok(info)
    }

    /// Takes some entries of a committed crawl into the main store.
    fn move_some(&mut self) -> Result<(), Problem> {
        let Some(moved) = self.moves.front_mut() else { return Ok(()) };
        let many = moved.entries.len().min(MAX_GROUP);
        let result = move_entries(&self.shared.main, &moved.crawl.store, moved.entries.iter().take(many));
        if let Err(problem) = result {
            self.shared.main.reopen();
            return Err(problem);
        }
        moved.entries.drain(..many);
        if !moved.entries.is_empty() {
            return Ok(());
        }
        let crawl = Arc::clone(&moved.crawl);
        self.shared.folder.remove(&crawl)?;
        self.moves.pop_front();
        let rest = self.shared.committed.load().iter().filter(|other| !Arc::ptr_eq(other, &crawl)).cloned().collect();
        self.shared.committed.store(Arc::new(rest));
        Ok(())
    }
}

/// The entries of a crawl.
fn entries(store: &NamedStore) -> Result<VecDeque<(u64, u64)>, Problem> {
    let guard = store.read();
    let store = guard.as_ref().ok_or_else(closed)?;
    let mut entries = VecDeque::new();
    store.online()?.for_each(|fingerprint, id| {
        entries.push_back((fingerprint, id));
        Ok(())
    })?;
    Ok(entries)
}

fn move_entries<'a>(
    main: &NamedStore,
    crawl: &NamedStore,
    entries: impl Iterator<Item = &'a (u64, u64)>,
) -> Result<(), Problem> {
    let (main, crawl) = (main.read(), crawl.read());
    let (main, crawl) = (main.as_ref().ok_or_else(closed)?, crawl.as_ref().ok_or_else(closed)?);
    let (Some(main_names), Some(crawl_names)) = (&main.names, &crawl.names) else {
        return Err(Problem::internal(&"a crawl without names"));
    };
    let (mut group, mut source) = (main.online()?.group(), crawl.online()?.group());
    let mut inserts = Vec::new();
    for (fingerprint, id) in entries {
        let name = crawl_names.name(*id)?;
        // deleted since, or moved before a crash
        let still = source.near(*fingerprint, 0, usize::MAX)?.matches.iter().any(|hit| hit.id == *id);
        if still && find(&mut group, main, *fingerprint, &name)?.is_none() {
            inserts.push((*fingerprint, main_names.add(&name)?));
        }
    }
    main_names.sync()?;
    for (fingerprint, id) in inserts {
        group.insert(fingerprint, id)?;
    }
    Ok(group.commit()?)
}

/// The entry with this fingerprint and name, if there is one.
fn find(
    group: &mut OperationGroup<'_, u64>,
    store: &OpenStore,
    fingerprint: u64,
    name: &str,
) -> Result<Option<u64>, HammingError> {
    for hit in group.near(fingerprint, 0, usize::MAX)?.matches {
        let same = match &store.names {
            Some(names) => names.name(hit.id)? == name,
            None => hit.id.to_string() == name,
        };
        if same {
            return Ok(Some(hit.id));
        }
    }
    Ok(None)
}

/// What is done at once: stores, of which the first `visible` are seen by all, and a group of operations on each.
struct Together<'a> {
    stores: Vec<&'a OpenStore>,
    groups: Vec<OperationGroup<'a, u64>>,
    visible: usize,
}

/// Makes changes in order; each has the number of the store of its crawl, if it has one. When it returns, they are safe.
fn apply(
    stores: &[&NamedStore],
    visible: usize,
    changes: &[(Change, Option<usize>)],
) -> Result<Vec<Result<Changed, Problem>>, Problem> {
    let guards: Vec<_> = stores.iter().map(|store| store.read()).collect();
    let open = guards.iter().map(|guard| guard.as_ref().ok_or_else(closed)).collect::<Result<Vec<_>, _>>()?;
    let groups = open.iter().map(|store| Ok(store.online()?.group())).collect::<Result<_, Problem>>()?;
    let mut together = Together { stores: open, groups, visible };
    // where something goes, what was near may be near no more
    let deletes = changes.iter().any(|(change, _)| change.kind == ChangeKind::Delete);
    // names first: an entry never refers to a name that could still be lost
    let mut ids = Vec::with_capacity(changes.len());
    for (change, own) in changes {
        ids.push(together.reserve(change, *own, deletes)?);
    }
    for store in &together.stores {
        store.names.as_ref().map_or(Ok(()), Names::sync)?;
    }
    let mut answers = Vec::with_capacity(changes.len());
    for ((change, own), id) in changes.iter().zip(ids) {
        answers.push(match id {
            Ok(id) => Ok(together.change(change, *own, id)?),
            Err(problem) => Err(problem),
        });
    }
    for group in together.groups {
        group.commit()?;
    }
    Ok(answers)
}

impl Together<'_> {
    /// The id of what may be inserted; none if nothing will be.
    fn reserve(
        &mut self,
        change: &Change,
        own: Option<usize>,
        deletes: bool,
    ) -> Result<Result<Option<u64>, Problem>, HammingError> {
        let store = self.stores[own.unwrap_or(0)];
        let inserts = match change.kind {
            ChangeKind::Delete => false,
            ChangeKind::Insert => true,
            ChangeKind::CheckAndInsert { distance, .. } => {
                deletes || !self.is_near(change.fingerprint, distance, own)?
            }
        };
        if !inserts {
            return Ok(Ok(None));
        }
        match &store.names {
            Some(names) => Ok(Ok(Some(names.add(&change.id.name())?))),
            None => Ok(change.id.number().map(Some).ok_or_else(|| {
                Problem::meaningless(format!(
                    "id: expected a number, as all ids of this store are, found {:?}",
                    change.id.name()
                ))
            })),
        }
    }

    fn seen(&self, own: Option<usize>) -> impl Iterator<Item = usize> + use<> {
        (0..self.visible).chain(own)
    }

    fn is_near(&mut self, fingerprint: u64, distance: u32, own: Option<usize>) -> Result<bool, HammingError> {
        for at in self.seen(own) {
            if self.groups[at].near(fingerprint, distance, 1)?.count > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn change(&mut self, change: &Change, own: Option<usize>, id: Option<u64>) -> Result<Changed, HammingError> {
        let fingerprint = change.fingerprint;
        let target = own.unwrap_or(0);
        match (change.kind, id) {
            (ChangeKind::Delete, _) => {
                let mut deleted = false;
                let places: Vec<usize> = if own.is_some() { vec![target] } else { self.seen(None).collect() };
                for at in places {
                    let found = find(&mut self.groups[at], self.stores[at], fingerprint, &change.id.name())?;
                    if let Some(id) = found {
                        deleted |= self.groups[at].delete(fingerprint, id)?;
                    }
                }
                Ok(Changed::Deleted(deleted))
            }
            (ChangeKind::Insert, id) => {
                let known = find(&mut self.groups[target], self.stores[target], fingerprint, &change.id.name())?;
                let inserted = match (known, id) {
                    (None, Some(id)) => self.groups[target].insert(fingerprint, id)?,
                    _ => false,
                };
                Ok(Changed::Inserted(inserted))
            }
            (ChangeKind::CheckAndInsert { distance, limit }, id) => {
                if let Some(id) = id
                    && !self.is_near(fingerprint, distance, own)?
                {
                    self.groups[target].insert(fingerprint, id)?;
                    return Ok(Changed::New);
                }
                Ok(Changed::Known(self.near(fingerprint, distance, limit, own)?))
            }
        }
    }

    fn near(
        &mut self,
        fingerprint: u64,
        distance: u32,
        limit: usize,
        own: Option<usize>,
    ) -> Result<Near, HammingError> {
        let mut all = Near { count: 0, complete: true, matches: Vec::new() };
        for at in self.seen(own) {
            let found = self.groups[at].near(fingerprint, distance, limit)?;
            all.count += found.count;
            all.complete &= found.complete;
            for hit in &found.matches {
                let hit = self.stores[at].spell(hit)?;
                // on its way from a crawl into the main store
                if all.matches.contains(&hit) {
                    all.count -= 1;
                } else {
                    all.matches.push(hit);
                }
            }
        }
        all.matches.sort_by_key(|hit| hit.distance);
        all.matches.truncate(limit);
        Ok(all)
    }
}
