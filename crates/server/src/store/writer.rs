//! The one thread that changes a store. What waits is done together and becomes safe together; so of two equal pages one is new, and a
//! disk that takes a millisecond to be sure does so once for hundreds.

use super::crawl::Crawl;
use super::named_store::{DocumentId, NamedStore, Near, NearMatch, OpenStore, closed};
use super::shared::{CrawlInfo, Shared};
use crate::error::Error;
use crate::problem::Problem;
use lookalike::StoreError;
use lookalike::hamming::Error as HammingError;
use lookalike::hamming::store::{Match, OperationGroup};
use std::collections::{BTreeSet, VecDeque};
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
        let Applied { answers, failed } = apply(&stores, visible + 1, &changes);
        // before the answers: whoever asks again finds an open store
        for at in failed {
            stores[at].reopen();
        }
        for (reply, answer) in replies.into_iter().zip(answers) {
            // a request that no longer waits needs no answer
            let _ = reply.send(answer);
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

/// The answers to changes, in their order, and the stores that failed and must be opened again.
struct Applied {
    answers: Vec<Result<Changed, Problem>>,
    failed: BTreeSet<usize>,
}

/// A change that was made in memory.
struct Made {
    outcome: Outcome,
    /// The stores that it changed.
    wrote: Vec<usize>,
}

enum Outcome {
    Done(Changed),
    /// What is near: how many, whether all were counted, and by store. Names are read when nothing can fail for others any more.
    Near {
        count: u64,
        complete: bool,
        found: Vec<(usize, Vec<Match<u64>>)>,
        limit: usize,
    },
}

/// Stores in which changes are made together. The first `visible` are seen by all, and the others by their crawls.
struct Together<'a> {
    stores: Vec<Option<&'a OpenStore>>,
    groups: Vec<Option<OperationGroup<'a, u64>>>,
    visible: usize,
    /// Why a store fails; none for those that work.
    failures: Vec<Option<Problem>>,
}

/// Makes changes in order; each has the number of the store of its crawl, if it has one. An error is an answer to the change that it is
/// about. Each store makes its part safe by itself, and what became safe is answered as done.
fn apply(stores: &[&NamedStore], visible: usize, changes: &[(Change, Option<usize>)]) -> Applied {
    let guards: Vec<_> = stores.iter().map(|store| store.read()).collect();
    let mut together = Together::new(guards.iter().map(|guard| guard.as_ref()).collect(), visible);
    // where something is deleted, what was near may be near no more
    let deletes = changes.iter().any(|(change, _)| change.kind == ChangeKind::Delete);
    // names first: an entry never refers to a name that could still be lost
    let ids: Vec<Result<Option<u64>, Problem>> =
        changes.iter().map(|(change, own)| together.reserve(change, *own, deletes)).collect();
    together.sync_names();
    let made: Vec<Result<Made, Problem>> = changes
        .iter()
        .zip(ids)
        .map(|((change, own), id)| id.and_then(|id| together.change(change, *own, id)))
        .collect();
    together.commit();
    let answers = changes.iter().zip(made).map(|((_, own), made)| together.answer(*own, made?)).collect();
    let failed = together.failures.iter().enumerate().filter(|(_, failure)| failure.is_some()).map(|(at, _)| at);
    Applied { answers, failed: failed.collect() }
}

impl<'a> Together<'a> {
    fn new(stores: Vec<Option<&'a OpenStore>>, visible: usize) -> Self {
        let mut failures = Vec::with_capacity(stores.len());
        let groups = stores.iter().map(|store| {
            let group = store.ok_or_else(closed).and_then(|store| Ok(store.online()?.group()));
            failures.push(group.as_ref().err().cloned());
            group.ok()
        });
        let groups = groups.collect();
        Self { stores, groups, visible, failures }
    }

    /// Remembers why a store failed, where that is more than damage to what one change reads.
    fn noting(&mut self, at: usize, error: HammingError) -> Problem {
        let is_failure = matches!(error, HammingError::Failed { .. } | HammingError::Store(StoreError::Write { .. }));
        let problem = Problem::from(error);
        if is_failure {
            self.failures[at].get_or_insert_with(|| problem.clone());
        }
        problem
    }

    fn store(&self, at: usize) -> Result<&'a OpenStore, Problem> {
        self.stores[at].ok_or_else(closed)
    }

    /// Works in the group of a store.
    fn with<T>(
        &mut self,
        at: usize,
        work: impl FnOnce(&mut OperationGroup<'a, u64>, &'a OpenStore) -> Result<T, HammingError>,
    ) -> Result<T, Problem> {
        let store = self.store(at)?;
        let group = self.groups[at].as_mut().ok_or_else(closed)?;
        work(group, store).map_err(|error| self.noting(at, error))
    }

    /// The id of what may be inserted; none if nothing will be.
    fn reserve(&mut self, change: &Change, own: Option<usize>, deletes: bool) -> Result<Option<u64>, Problem> {
        let target = own.unwrap_or(0);
        let inserts = match change.kind {
            ChangeKind::Delete => false,
            ChangeKind::Insert => true,
            ChangeKind::CheckAndInsert { distance, .. } => {
                deletes || !self.is_near(change.fingerprint, distance, own)?
            }
        };
        if !inserts {
            return Ok(None);
        }
        let name = change.id.name();
        match &self.store(target)?.names {
            Some(names) => names.add(&name).map(Some).map_err(|error| self.noting(target, error)),
            None => change.id.number().map(Some).ok_or_else(|| {
                Problem::meaningless(format!("id: expected a number, as all ids of this store are, found {name:?}"))
            }),
        }
    }

    fn sync_names(&mut self) {
        for at in 0..self.stores.len() {
            if let Some(names) = self.stores[at].and_then(|store| store.names.as_ref())
                && let Err(error) = names.sync()
            {
                self.noting(at, error);
            }
        }
    }

    /// Makes safe what was changed, store by store.
    fn commit(&mut self) {
        for (at, group) in std::mem::take(&mut self.groups).into_iter().enumerate() {
            if let Some(Err(error)) = group.map(OperationGroup::commit) {
                self.failures[at] = Some(error.into());
                // nothing that this store has in memory counts
                self.stores[at] = None;
            }
        }
    }

    fn seen(&self, own: Option<usize>) -> impl Iterator<Item = usize> + use<> {
        (0..self.visible).chain(own)
    }

    fn is_near(&mut self, fingerprint: u64, distance: u32, own: Option<usize>) -> Result<bool, Problem> {
        for at in self.seen(own) {
            if self.with(at, |group, _| group.near(fingerprint, distance, 1))?.count > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn change(&mut self, change: &Change, own: Option<usize>, id: Option<u64>) -> Result<Made, Problem> {
        let fingerprint = change.fingerprint;
        let target = own.unwrap_or(0);
        // the name of a new entry must be safe
        if let (Some(problem), Some(_)) = (&self.failures[target], id) {
            return Err(problem.clone());
        }
        let (changed, wrote) = match (change.kind, id) {
            (ChangeKind::Delete, _) => {
                let places: Vec<usize> = if own.is_some() { vec![target] } else { self.seen(None).collect() };
                let mut found = Vec::new();
                // what cannot be read ends this before anything is deleted
                for at in places {
                    let entry = self.with(at, |group, store| find(group, store, fingerprint, &change.id.name()))?;
                    found.extend(entry.map(|id| (at, id)));
                }
                let mut wrote = Vec::new();
                for (at, id) in found {
                    if self.with(at, |group, _| group.delete(fingerprint, id))? {
                        wrote.push(at);
                    }
                }
                (Changed::Deleted(!wrote.is_empty()), wrote)
            }
            (ChangeKind::Insert, id) => {
                let known = self.with(target, |group, store| find(group, store, fingerprint, &change.id.name()))?;
                let inserted = match (known, id) {
                    (None, Some(id)) => self.with(target, |group, _| group.insert(fingerprint, id))?,
                    _ => false,
                };
                (Changed::Inserted(inserted), if inserted { vec![target] } else { Vec::new() })
            }
            (ChangeKind::CheckAndInsert { distance, limit }, id) => {
                if let Some(id) = id
                    && !self.is_near(fingerprint, distance, own)?
                {
                    self.with(target, |group, _| group.insert(fingerprint, id))?;
                    (Changed::New, vec![target])
                } else {
                    return self.near(fingerprint, distance, limit, own);
                }
            }
        };
        Ok(Made { outcome: Outcome::Done(changed), wrote })
    }

    fn near(&mut self, fingerprint: u64, distance: u32, limit: usize, own: Option<usize>) -> Result<Made, Problem> {
        let (mut count, mut complete, mut all) = (0, true, Vec::new());
        for at in self.seen(own) {
            let found = self.with(at, |group, _| group.near(fingerprint, distance, limit))?;
            count += found.count;
            complete &= found.complete;
            all.push((at, found.matches));
        }
        Ok(Made { outcome: Outcome::Near { count, complete, found: all, limit }, wrote: Vec::new() })
    }

    /// The answer to a change, when each store has made safe what it could.
    fn answer(&self, own: Option<usize>, made: Made) -> Result<Changed, Problem> {
        let Made { outcome, wrote } = made;
        let lost = |at: &usize| self.stores[*at].is_none();
        let failure = |at: usize| Err(self.failures[at].clone().unwrap_or_else(closed));
        match wrote.iter().find(|at| lost(at)) {
            Some(_) if !wrote.iter().all(lost) => {
                return Err(Problem::unfinished("a part of the change was made, and another part failed; try again"));
            }
            Some(at) => return failure(*at),
            None => {}
        }
        // an answer without a change rests on what it saw
        if wrote.is_empty()
            && let Some(at) = self.seen(own).find(lost)
        {
            return failure(at);
        }
        let (mut count, complete, found, limit) = match outcome {
            Outcome::Done(changed) => return Ok(changed),
            Outcome::Near { count, complete, found, limit } => (count, complete, found, limit),
        };
        let mut matches: Vec<NearMatch> = Vec::new();
        for (at, hits) in found {
            for hit in hits {
                let hit = self.store(at)?.spell(&hit)?;
                // on its way from a crawl into the main store
                if matches.contains(&hit) {
                    count -= 1;
                } else {
                    matches.push(hit);
                }
            }
        }
        matches.sort_by_key(|hit| hit.distance);
        matches.truncate(limit);
        Ok(Changed::Known(Near { count, complete, matches }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::named_store::{Access, spelled};
    use super::*;
    use std::fs;
    use std::path::Path;

    fn open(folder: &Path) -> NamedStore {
        NamedStore::open(folder, "", Access::Create(3)).unwrap()
    }

    fn insert(fingerprint: u64, name: &str) -> Change {
        let kind = ChangeKind::CheckAndInsert { distance: 3, limit: 10 };
        Change { kind, fingerprint, id: DocumentId::Name(name.into()), crawl: None }
    }

    /// A name that cannot be read costs the answer that needs it, and no other.
    #[test]
    fn a_damaged_name_costs_one_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let store = open(&path);
        assert_eq!(apply(&[&store], 1, &[(insert(1, "damaged"), None)]).answers, [Ok(Changed::New)]);
        let path = path.join("names");
        let mut names = fs::read(&path).unwrap();
        *names.last_mut().unwrap() ^= 1;
        fs::write(&path, names).unwrap();
        let far = |bit: u32| 0xffff_u64 << bit;
        let changes = [insert(far(16), "first"), insert(1, "near the damaged"), insert(far(32), "second")];
        let Applied { answers, failed } = apply(&[&store], 1, &changes.map(|change| (change, None)));
        assert_eq!((&answers[0], &answers[2]), (&Ok(Changed::New), &Ok(Changed::New)));
        assert_eq!(answers[1].as_ref().unwrap_err().status().as_u16(), 500);
        assert!(failed.is_empty(), "the store works");
        assert_eq!((store.len().unwrap(), spelled(&store, far(32))), (3, vec!["second".to_owned()]));
    }

    /// Of three stores one cannot write: its changes are refused and are not there later, and those of the others are done.
    #[test]
    fn each_store_answers_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["d", "m", "c"].map(|name| folder.path().join(name));
        let stores = paths.each_ref().map(|path| open(path));
        let [d, m, c] = &stores;
        // seen by all is the second store only
        let order = [m, d, c];
        let is_in_the_way = paths[1].join("log-000001");
        fs::create_dir(&is_in_the_way).unwrap();
        let far = |bit: u32| 0xffff_u64 << bit;
        let changes = [
            (insert(far(0), "in d"), Some(1)),
            (insert(far(16), "in m"), None),
            (insert(far(32), "in c"), Some(2)),
            (insert(far(16), "near what failed"), Some(2)),
        ];
        let Applied { answers, failed } = apply(&order, 1, &changes);
        assert_eq!((&answers[0], &answers[2]), (&Ok(Changed::New), &Ok(Changed::New)));
        assert!(answers[1].is_err() && answers[3].is_err(), "{answers:?}");
        assert_eq!(failed, BTreeSet::from([0]));
        fs::remove_dir(&is_in_the_way).unwrap();
        order[0].reopen();
        assert_eq!(order.map(|store| store.len().unwrap()), [0, 1, 1]);
        assert_eq!(apply(&order, 1, &changes[1..2]).answers, [Ok(Changed::New)], "sent again");
    }
}
