//! What the threads of a store share, and the one way of changing it.

use super::level::{Level, LevelWriter, StoreManifest};
use super::memtable::Memtable;
use super::options::{StoreOptions, check_store_distance};
use super::record::{Operation, Record};
use super::view::{Matches, SharedMemtable, StoreView, with_memtable};
use crate::error::Error;
use crate::segment::ScratchBudget;
use lookalike_core::bits::FingerprintBits;
use lookalike_store::{Error as StoreError, Folder, Log};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// A lock, even if the thread that held it panicked.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Full memtables; beyond that the next caller helps to write them.
const MAX_FROZEN: usize = 2;
/// Levels; beyond that the next caller helps to merge them.
const MAX_LEVELS: usize = 32;

/// The folder and what its manifest says.
#[derive(Debug)]
pub(super) struct FolderState {
    pub(super) folder: Folder,
    pub(super) done: u64,
}

/// What the threads share.
#[derive(Debug)]
pub(super) struct StoreState<F> {
    pub(super) path: PathBuf,
    pub(super) options: StoreOptions,
    pub(super) scratch: ScratchBudget,
    pub(super) log: Log,
    pub(super) view: RwLock<Arc<StoreView<F>>>,
    /// Held while something is changed, from looking to having changed it.
    pub(super) gate: Mutex<()>,
    pub(super) folder_state: Mutex<FolderState>,
    /// Held while a frozen memtable is written, and while levels are merged.
    pub(super) flushing: Mutex<()>,
    pub(super) merging: Mutex<()>,
    /// Why levels cannot be written any more.
    pub(super) failed: OnceLock<String>,
    /// Whether to stop.
    pub(super) stop: Mutex<bool>,
    pub(super) woken: Condvar,
}

impl<F: FingerprintBits> StoreState<F> {
    pub(super) fn view(&self) -> Arc<StoreView<F>> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// An error after which the store promises nothing more.
    pub(super) fn failure(&self, error: &StoreError) -> Error {
        Error::Failed { path: self.path.clone(), reason: format!("{error}; then open the store again") }
    }

    /// Returns when an operation and all before it are safe.
    pub(super) fn wait(&self, sequence: u64) -> Result<(), Error> {
        self.log.wait(sequence).map_err(|error| self.failure(&error))
    }

    /// Refuses what cannot be kept.
    pub(super) fn check_usable(&self) -> Result<(), Error> {
        if let Some(reason) = self.failed.get() {
            return Err(Error::Failed { path: self.path.clone(), reason: reason.clone() });
        }
        self.log.failed().map_or(Ok(()), |error| Err(self.failure(&error)))
    }

    fn within(&self, k: u32) -> Result<(), Error> {
        check_store_distance(&self.path, self.options.distance, k)
    }

    /// Inserts or deletes. False if there is nothing to do; and the last operation that the answer rests on.
    pub(super) fn change(&self, operation: Operation, fingerprint: F, id: u64) -> Result<(bool, u64), Error> {
        self.check_usable()?;
        self.help_background();
        loop {
            let view = self.view();
            let (settled, last) = view.settled(fingerprint, id)?;
            let Some(gate) = self.enter(&view) else { continue };
            let (change, sequence) = with_memtable(&view.active, |memtable| memtable.change(fingerprint, id));
            if (settled + change == 1) == (operation == Operation::Insert) {
                return Ok((false, last.max(sequence)));
            }
            return Ok((true, self.apply(gate, &view, &Record { operation, fingerprint, id })?));
        }
    }

    /// No other thread changes anything, and nothing was missed in what no longer changes: what was active then still is. Merging meanwhile
    /// does not matter, for it changes nothing.
    fn enter(&self, view: &StoreView<F>) -> Option<MutexGuard<'_, ()>> {
        let gate = lock(&self.gate);
        Arc::ptr_eq(&view.active, &self.view().active).then_some(gate)
    }

    /// All that is near.
    pub(super) fn near(&self, query: F, k: u32, limit: usize) -> Result<(Matches<F>, u64), Error> {
        self.within(k)?;
        Ok(self.view().near(query, k, limit)?)
    }

    /// Inserts if nothing is near.
    pub(super) fn check(&self, record: &Record<F>, k: u32, limit: usize) -> Result<(Option<Matches<F>>, u64), Error> {
        self.within(k)?;
        self.check_usable()?;
        self.help_background();
        loop {
            let view = self.view();
            let settled = view.gather(record.fingerprint, k, limit)?;
            let Some(gate) = self.enter(&view) else { continue };
            let all = view.latest(settled, k, limit)?;
            if all.count() > 0 {
                drop(gate);
                let last = all.last;
                return Ok((Some(all.found(limit)?), last));
            }
            return Ok((None, self.apply(gate, &view, record)?));
        }
    }

    /// Writes an operation down and makes it so.
    fn apply(&self, gate: MutexGuard<'_, ()>, view: &StoreView<F>, record: &Record<F>) -> Result<u64, Error> {
        // asked again: what failed since would leave a change in memory that is nowhere else
        self.check_usable()?;
        let sequence = self.log.append(&record.encode());
        let mut active = view.active.write().unwrap_or_else(PoisonError::into_inner);
        let changed = active.apply(record.fingerprint, record.id, record.operation.change(), sequence);
        debug_assert!(changed, "it was looked at before");
        let full = active.operations() >= self.options.memtable;
        drop(active);
        if full {
            self.freeze();
        }
        drop(gate);
        if full {
            self.wake();
        }
        Ok(sequence)
    }

    /// What was active is on its way to the disk. Nothing changes while it is done: the gate is held.
    pub(super) fn freeze(&self) {
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        let last = with_memtable(&view.active, Memtable::last);
        let active: SharedMemtable<F> =
            Arc::new(RwLock::new(Memtable::new(self.options.distance, self.options.memtable, last)));
        let frozen = view.frozen.iter().chain([&view.active]).cloned().collect();
        *view = Arc::new(StoreView { levels: view.levels.clone(), frozen, active });
        self.log.rotate();
    }

    /// Puts levels in the place of others and makes it the folder's state, in one step. What was frozen and is now a level goes, and its
    /// last operation is done.
    pub(super) fn commit(
        &self,
        gone: &[Arc<Level<F>>],
        new: Option<Level<F>>,
        frozen: Option<(&SharedMemtable<F>, u64)>,
    ) -> Result<(), Error> {
        let mut folder_state = lock(&self.folder_state);
        let mut levels = self.view().levels.clone();
        // from the oldest to the youngest: those that go stand side by side, and what replaces them has their place
        let is_gone = |level: &Arc<Level<F>>| gone.iter().any(|gone| Arc::ptr_eq(gone, level));
        let place = levels.iter().position(is_gone).unwrap_or(levels.len());
        levels.retain(|level| !is_gone(level));
        if let Some(new) = new {
            levels.insert(place, Arc::new(new));
        }
        let done = frozen.map_or(folder_state.done, |(_, done)| done);
        let all = levels.iter().map(|level| level.meta.clone()).collect();
        let files = levels.iter().flat_map(|level| level.files()).collect();
        folder_state.folder.commit(files, &StoreManifest::new(F::WIDTH, self.options.distance, done, all))?;
        folder_state.done = done;
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        let still = |memtable: &&SharedMemtable<F>| frozen.is_none_or(|(gone, _)| !Arc::ptr_eq(gone, memtable));
        let frozen = view.frozen.iter().filter(still).cloned().collect();
        *view = Arc::new(StoreView { levels, frozen, active: Arc::clone(&view.active) });
        Ok(())
    }

    /// What a writer of a level needs.
    pub(super) fn level_writer<T>(
        &self,
        make: impl FnOnce(&LevelWriter<'_>) -> Result<T, StoreError>,
    ) -> Result<T, Error> {
        let segment = || lock(&self.folder_state).folder.segment();
        let StoreOptions { distance, design, .. } = self.options;
        Ok(make(&LevelWriter { folder: &self.path, k: distance, design, scratch: &self.scratch, segment: &segment })?)
    }
}

/// What is done in the background: a full memtable is written as a level, and levels are merged.
impl<F: FingerprintBits> StoreState<F> {
    /// Tells the background that there is work; or does it, if there is no background.
    pub(super) fn wake(&self) {
        if self.options.background {
            // a worker that is about to sleep has looked for work under this lock
            let _stop = lock(&self.stop);
            self.woken.notify_all();
        } else {
            // what fails is remembered, and told to the next
            while let Ok(true) = self.flush_one() {}
            while let Ok(true) = self.merge_one() {}
        }
    }

    /// Helps, if the background cannot follow.
    pub(super) fn help_background(&self) {
        let view = self.view();
        if view.frozen.len() > MAX_FROZEN {
            let _ = self.flush_one();
        } else if view.levels.len() > MAX_LEVELS {
            let _ = self.merge_one();
        }
    }

    /// Writes the oldest of what is full. False if nothing is.
    pub(super) fn flush_one(&self) -> Result<bool, Error> {
        let _alone = lock(&self.flushing);
        self.recording_failure(|| {
            let view = self.view();
            let Some(oldest) = view.frozen.first() else { return Ok(false) };
            let done = with_memtable(oldest, Memtable::last);
            // a level never knows more than the log: so operations follow on each other without a gap
            self.wait(done)?;
            let level =
                with_memtable(oldest, |memtable| self.level_writer(|level_writer| memtable.write(level_writer)))?;
            self.commit(&[], level, Some((oldest, done)))?;
            // a file that cannot be removed now is read over and removed when the store is opened again
            let _ = self.log.retire(done);
            Ok(true)
        })
    }

    /// Merges levels. False if none need be.
    pub(super) fn merge_one(&self) -> Result<bool, Error> {
        let _alone = lock(&self.merging);
        self.recording_failure(|| {
            let view = self.view();
            let small = merged(&rows(&view));
            let some: &[Arc<Level<F>>] = &view.levels[view.levels.len() - small..];
            if some.is_empty() {
                return Ok(false);
            }
            let level = self.level_writer(|level_writer| level_writer.merge_levels(some))?;
            self.commit(some, level, None)?;
            Ok(true)
        })
    }

    /// Makes one level of all.
    pub(super) fn merge_all(&self) -> Result<(), Error> {
        let _alone = lock(&self.merging);
        self.recording_failure(|| {
            let view = self.view();
            if view.levels.len() < 2 && view.levels.iter().all(|level| level.removed.is_none()) {
                return Ok(());
            }
            let level = self.level_writer(|level_writer| level_writer.merge_levels(&view.levels))?;
            self.commit(&view.levels, level, None)
        })
    }

    /// After a failure nothing more is promised.
    fn recording_failure<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.check_usable()?;
        work().inspect_err(|error| {
            let _ = self.failed.set(error.to_string());
        })
    }

    /// Writes what is full until told to stop.
    pub(super) fn flush_loop(&self) {
        self.work_loop(Self::flush_one, |view| !view.frozen.is_empty());
    }

    /// Merges levels until told to stop.
    pub(super) fn merge_loop(&self) {
        self.work_loop(Self::merge_one, |view| merged(&rows(view)) > 0);
    }

    fn work_loop(&self, step: impl Fn(&Self) -> Result<bool, Error>, needed: impl Fn(&StoreView<F>) -> bool) {
        loop {
            let mut stop = lock(&self.stop);
            // looked at under the lock that a call takes, so that none is missed
            while !*stop && !needed(&self.view()) {
                stop = self.woken.wait(stop).unwrap_or_else(PoisonError::into_inner);
            }
            if *stop {
                return;
            }
            drop(stop);
            // what fails is remembered, and told to the next caller
            if step(self).is_err() {
                return;
            }
            self.wake();
        }
    }
}

/// The sizes of the levels, from the oldest to the youngest.
fn rows<F: FingerprintBits>(view: &StoreView<F>) -> Vec<u64> {
    view.levels.iter().map(|level| level.rows()).collect()
}

/// How many of the levels, the oldest first, should become one: the last so many. A level that is at least as large as all younger ones
/// together stays as it is, so there are few, and nothing is written again before it has doubled. Only neighbours in time are merged:
/// what was inserted, deleted and inserted again would add up to two where the deletion is left out.
fn merged(rows: &[u64]) -> usize {
    let mut younger: u64 = rows.iter().sum();
    for (at, rows_here) in rows.iter().enumerate() {
        younger -= rows_here;
        if *rows_here < younger {
            return rows.len() - at;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_levels_and_little_written() {
        let (mut levels, mut written, mut most) = (Vec::<u64>::new(), 0, 0);
        for _ in 0..10_000 {
            levels.push(1);
            loop {
                let some = merged(&levels);
                if some == 0 {
                    break;
                }
                let sum: u64 = levels.drain(levels.len() - some..).sum();
                levels.push(sum);
                written += sum;
            }
            most = most.max(levels.len());
        }
        assert_eq!(levels.iter().sum::<u64>(), 10_000);
        assert!(most <= 15, "{most} levels");
        assert!(written < 12 * 10_000, "each is written {} times", written / 10_000);
    }
}
