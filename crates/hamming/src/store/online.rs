//! The store: opened by one process, used by any number of its threads.

use super::level::{Level, MergedChanges, StoreManifest};
use super::memtable::{Memtable, replay, replay_memtables};
use super::options::StoreOptions;
use super::record::{Operation, Record, log_files};
use super::state::{FolderState, StoreState, lock};
use super::view::{Matches, StoreView, with_memtable};
use crate::error::Error;
use crate::segment::{self, ScratchBudget};
use lookalike_core::bits::FingerprintBits;
use lookalike_store::{Disk, Error as StoreError, Folder, Log, LogOptions, RealDisk, Replay, Snapshot, TempSpace};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, OnceLock, RwLock};
use std::thread::{self, JoinHandle};

/// A store of fingerprints, each with an id. Any number of threads may use it at once; one process has it at a time, and others read it
/// with a [`StoreReader`](super::StoreReader).
///
/// A fingerprint may have many ids, and an id many fingerprints. What returned without an error is safe.
#[derive(Debug)]
pub struct OnlineStore<F: FingerprintBits> {
    state: Arc<StoreState<F>>,
    workers: Vec<JoinHandle<()>>,
    replayed: Replay,
}

impl<F: FingerprintBits> OnlineStore<F> {
    /// Opens a folder, or makes it.
    pub fn open(path: &Path, options: &StoreOptions) -> Result<Self, Error> {
        Self::open_on(path, options, &(Arc::new(RealDisk) as Arc<dyn Disk>))
    }

    /// As [`OnlineStore::open`], on some disk.
    pub fn open_on(path: &Path, options: &StoreOptions, disk: &Arc<dyn Disk>) -> Result<Self, Error> {
        options.check()?;
        let mut folder = match Folder::lock(path, Arc::clone(disk)) {
            Err(StoreError::NoIndex { .. }) => Folder::create(path, Arc::clone(disk))?,
            folder => folder?,
        };
        if folder.generation() == 0 {
            folder.commit(Vec::new(), &StoreManifest::new(F::WIDTH, options.distance, 0, Vec::new()))?;
        }
        let meta: StoreManifest = Snapshot::open(path)?.meta;
        meta.check(path, F::WIDTH, options.distance)?;
        let options = StoreOptions { distance: meta.k, ..options.clone() };
        options.check()?;
        let (state, replayed) = load(path, folder, &meta, options, disk)?;
        let state = Arc::new(state);
        if !state.view().frozen.is_empty() {
            state.wake();
        }
        let mut workers = Vec::new();
        if state.options.background {
            for work in [StoreState::flush_loop, StoreState::merge_loop] {
                let state = Arc::clone(&state);
                workers.push(thread::spawn(move || work(&state)));
            }
        }
        Ok(Self { state, workers, replayed })
    }

    /// What was read from its log when it was opened, with everything that was damaged: those operations are missing, and an entry that one
    /// of them inserted is new when it is asked for. All others are there, and the damaged files are kept.
    pub fn replayed(&self) -> &Replay {
        &self.replayed
    }

    /// Several operations that become safe together.
    pub fn group(&self) -> OperationGroup<'_, F> {
        OperationGroup { store: self, last: 0 }
    }

    /// Inserts. False if that very fingerprint with that very id was there.
    pub fn insert(&self, fingerprint: F, id: u64) -> Result<bool, Error> {
        self.alone(|group| group.insert(fingerprint, id))
    }

    /// Deletes. False if it was not there.
    pub fn delete(&self, fingerprint: F, id: u64) -> Result<bool, Error> {
        self.alone(|group| group.delete(fingerprint, id))
    }

    /// What is within `k` of a query: how many, and the nearest, at most `limit`.
    pub fn near(&self, query: F, k: u32, limit: usize) -> Result<Matches<F>, Error> {
        self.alone(|group| group.near(query, k, limit))
    }

    /// Inserts if nothing is within `k`; otherwise tells what is. Of several that come at once and are near each other, one is new.
    pub fn check_and_insert(&self, fingerprint: F, id: u64, k: u32, limit: usize) -> Result<Option<Matches<F>>, Error> {
        self.alone(|group| group.check_and_insert(fingerprint, id, k, limit))
    }

    fn alone<T>(&self, work: impl FnOnce(&mut OperationGroup<'_, F>) -> Result<T, Error>) -> Result<T, Error> {
        let mut group = self.group();
        let value = work(&mut group)?;
        group.commit()?;
        Ok(value)
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        self.state.view().balance().max(0) as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The greatest distance that can be asked for.
    pub fn max_distance(&self) -> u32 {
        self.state.options.distance
    }

    /// Entries of each level on disk, the oldest first: more than there are, while some that went are not merged yet.
    pub fn levels(&self) -> Vec<u64> {
        self.state.view().levels.iter().map(|level| level.rows()).collect()
    }

    /// Makes a level of all that is in memory. Nothing is lost without it; the next to open the store has less to read.
    pub fn flush(&self) -> Result<(), Error> {
        self.state.check_usable()?;
        let gate = lock(&self.state.gate);
        let view = self.state.view();
        if with_memtable(&view.active, Memtable::operations) > 0 {
            self.state.freeze();
        }
        drop(gate);
        while self.state.flush_one()? {}
        self.state.wake();
        Ok(())
    }

    /// Makes one level of all: asked fastest, and what went takes no more room.
    pub fn merge(&self) -> Result<(), Error> {
        self.flush()?;
        self.state.merge_all()
    }

    /// Calls `each` with every entry, by fingerprint, then by id. What is in memory becomes a level first; what comes meanwhile is left out.
    pub fn for_each(&self, mut each: impl FnMut(F, u64) -> Result<(), Error>) -> Result<(), Error> {
        self.flush()?;
        let view = self.state.view();
        for change in MergedChanges::new(&view.levels)? {
            let (fingerprint, id, _) = change?;
            each(fingerprint, id)?;
        }
        Ok(())
    }

    /// All that is wrong with what is on the disk.
    pub fn verify(&self) -> Vec<Error> {
        self.damages().into_iter().map(Error::from).collect()
    }

    fn damages(&self) -> Vec<StoreError> {
        let state = &self.state;
        // so that no file of the log goes while it is read
        let _alone = lock(&state.flushing);
        let (view, done) = {
            let folder_state = lock(&state.folder_state);
            (state.view(), folder_state.done)
        };
        let mut wrong = Vec::new();
        for segment in view.levels.iter().flat_map(|level| &level.segments) {
            wrong.extend(segment.verify());
        }
        match replay::<F>(&state.path, done, |_, _| Ok(())) {
            Ok(read) => wrong.extend(read.damage.into_iter().filter(|damage| damage.missing > 0).map(StoreError::from)),
            Err(error) => wrong.push(error),
        }
        if !wrong.is_empty() {
            return wrong;
        }
        for level in &view.levels {
            for (tables, segment) in [&level.added].into_iter().chain(&level.removed).zip(&level.segments) {
                wrong.extend(segment::check(tables, &segment.path().display().to_string()).err());
            }
        }
        let what = || state.path.display().to_string();
        match MergedChanges::new(&view.levels) {
            Err(error) => wrong.push(error),
            Ok(changes) => {
                for change in changes {
                    match change {
                        Ok((_, _, 1)) => {}
                        Ok((fingerprint, id, _)) => {
                            let found = format!("{fingerprint:x} {id} went and never came");
                            wrong.push(StoreError::Damaged { what: what(), offset: 0, found });
                        }
                        Err(error) => {
                            wrong.push(error);
                            break;
                        }
                    }
                }
            }
        }
        wrong
    }

    /// Ends it, and says if anything went wrong in the background. Dropping a store ends it too.
    pub fn close(self) -> Result<(), Error> {
        self.state.log.flush().map_err(|error| self.state.failure(&error))?;
        self.state.check_usable()
    }
}

impl<F: FingerprintBits> OnlineStore<F> {
    /// Ends it without the operations of groups that were not committed, unless they are on the disk already. For a caller that has answered
    /// that they failed; dropping a store writes them.
    pub fn discard(mut self) {
        // a worker waits for operations that are dropped here
        self.end_workers();
        self.state.log.recover();
    }

    fn end_workers(&mut self) {
        *lock(&self.state.stop) = true;
        self.state.woken.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

impl<F: FingerprintBits> Drop for OnlineStore<F> {
    fn drop(&mut self) {
        self.end_workers();
        // operations of groups that were never committed
        let _ = self.state.log.flush();
    }
}

/// Operations that become safe together: none of the answers may be relied on before [`OperationGroup::commit`] has returned.
#[derive(Debug)]
pub struct OperationGroup<'a, F: FingerprintBits> {
    store: &'a OnlineStore<F>,
    /// The last operation that an answer rests on.
    last: u64,
}

impl<F: FingerprintBits> OperationGroup<'_, F> {
    fn rests<T>(&mut self, (value, last): (T, u64)) -> T {
        self.last = self.last.max(last);
        value
    }

    /// See [`OnlineStore::insert`].
    pub fn insert(&mut self, fingerprint: F, id: u64) -> Result<bool, Error> {
        let done = self.store.state.change(Operation::Insert, fingerprint, id)?;
        Ok(self.rests(done))
    }

    /// See [`OnlineStore::delete`].
    pub fn delete(&mut self, fingerprint: F, id: u64) -> Result<bool, Error> {
        let done = self.store.state.change(Operation::Delete, fingerprint, id)?;
        Ok(self.rests(done))
    }

    /// See [`OnlineStore::near`].
    pub fn near(&mut self, query: F, k: u32, limit: usize) -> Result<Matches<F>, Error> {
        let found = self.store.state.near(query, k, limit)?;
        Ok(self.rests(found))
    }

    /// See [`OnlineStore::check_and_insert`].
    pub fn check_and_insert(
        &mut self,
        fingerprint: F,
        id: u64,
        k: u32,
        limit: usize,
    ) -> Result<Option<Matches<F>>, Error> {
        let record = Record { operation: Operation::Insert, fingerprint, id };
        let found = self.store.state.check(&record, k, limit)?;
        Ok(self.rests(found))
    }

    /// Returns when all of it is safe.
    pub fn commit(self) -> Result<(), Error> {
        self.store.state.wait(self.last)
    }
}

/// Levels and log; and what was read from the log.
fn load<F: FingerprintBits>(
    path: &Path,
    folder: Folder,
    meta: &StoreManifest,
    options: StoreOptions,
    disk: &Arc<dyn Disk>,
) -> Result<(StoreState<F>, Replay), Error> {
    let mut levels = Vec::new();
    for level_files in &meta.levels {
        levels.push(Arc::new(Level::open(path, level_files.clone(), folder.files())?));
    }
    let (memtables, replayed) = replay_memtables(path, &levels, meta.k, meta.done, options.memtable)?;
    let log_options = LogOptions { sync: options.sync, ..LogOptions::default() };
    let log = Log::new(log_files::<F>(path), Arc::clone(disk), log_options, &replayed)?;
    let view = StoreView::new(levels, memtables);
    let scratch = ScratchBudget { space: Arc::new(TempSpace::new(Some(path))?), memory: options.memory };
    let state = StoreState {
        path: path.to_owned(),
        options,
        scratch,
        log,
        view: RwLock::new(Arc::new(view)),
        gate: Mutex::new(()),
        folder_state: Mutex::new(FolderState { folder, done: meta.done }),
        flushing: Mutex::new(()),
        merging: Mutex::new(()),
        failed: OnceLock::new(),
        stop: Mutex::new(false),
        woken: Condvar::new(),
    };
    Ok((state, replayed))
}
