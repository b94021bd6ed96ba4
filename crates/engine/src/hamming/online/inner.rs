//! What the threads of a store share, and the one way of changing it.

use super::level::{Level, Making};
use super::log::Log;
use super::meta::Meta;
use super::recent::Recent;
use super::record::{Operation, Record};
use super::view::{Shared, View, look};
use super::{Found, Options};
use crate::Error;
use crate::hamming::Print;
use crate::hamming::kept::Room;
use lookalike_store::Folder;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// A lock, whatever befell who had it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refuses a distance that a store was not made for.
pub(super) fn within(path: &Path, most: u32, k: u32) -> Result<(), Error> {
    if k > most {
        return Err(Error::Options(format!("distance {k}: {} was made for up to {most}", path.display())));
    }
    Ok(())
}

/// The folder and what its manifest says.
#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) folder: Folder,
    pub(super) done: u64,
}

/// What the threads share.
#[derive(Debug)]
pub(super) struct Inner<F> {
    pub(super) path: PathBuf,
    pub(super) options: Options,
    pub(super) room: Room,
    pub(super) log: Log,
    pub(super) view: RwLock<Arc<View<F>>>,
    /// Held by who changes something, from looking to having changed it.
    pub(super) gate: Mutex<()>,
    pub(super) shelf: Mutex<Shelf>,
    /// Held by who writes what is frozen, and by who merges.
    pub(super) flushing: Mutex<()>,
    pub(super) merging: Mutex<()>,
    /// Why levels cannot be written any more.
    pub(super) failed: OnceLock<String>,
    /// Whether to stop.
    pub(super) stop: Mutex<bool>,
    pub(super) woken: Condvar,
}

impl<F: Print> Inner<F> {
    pub(super) fn view(&self) -> Arc<View<F>> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// An error that is about the whole of it.
    pub(super) fn broken(&self, reason: String) -> Error {
        Error::Index { path: self.path.display().to_string(), reason }
    }

    /// Returns when an operation and all before it are safe.
    pub(super) fn wait(&self, sequence: u64) -> Result<(), Error> {
        self.log.wait(sequence).map_err(|reason| self.broken(reason))
    }

    /// Refuses what cannot be kept.
    pub(super) fn usable(&self) -> Result<(), Error> {
        let reason = self.failed.get().cloned().or_else(|| self.log.failed());
        reason.map_or(Ok(()), |reason| Err(self.broken(reason)))
    }

    fn within(&self, k: u32) -> Result<(), Error> {
        within(&self.path, self.options.k, k)
    }

    /// Inserts or deletes. False if there is nothing to do; and the last operation that the answer rests on.
    pub(super) fn change(&self, operation: Operation, print: F, id: u64) -> Result<(bool, u64), Error> {
        self.usable()?;
        self.relieve();
        loop {
            let view = self.view();
            let (settled, last) = view.settled(print, id)?;
            let Some(gate) = self.enter(&view) else { continue };
            let (change, sequence) = look(&view.active, |recent| recent.change(print, id));
            if (settled + change == 1) == (operation == Operation::Insert) {
                return Ok((false, last.max(sequence)));
            }
            return Ok((true, self.apply(gate, &view, &Record { operation, print, id })?));
        }
    }

    /// Nobody else changes anything, and nothing was missed in what no longer changes: what was active then still is. Merging meanwhile
    /// does not matter, for it changes nothing.
    fn enter(&self, view: &View<F>) -> Option<MutexGuard<'_, ()>> {
        let gate = lock(&self.gate);
        Arc::ptr_eq(&view.active, &self.view().active).then_some(gate)
    }

    /// All that is near.
    pub(super) fn near(&self, query: F, k: u32, limit: usize) -> Result<(Found<F>, u64), Error> {
        self.within(k)?;
        Ok(self.view().near(query, k, limit)?)
    }

    /// Inserts if nothing is near.
    pub(super) fn check(&self, record: &Record<F>, k: u32, limit: usize) -> Result<(Option<Found<F>>, u64), Error> {
        self.within(k)?;
        self.usable()?;
        self.relieve();
        loop {
            let view = self.view();
            let settled = view.gather(record.print, k, limit)?;
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
    fn apply(&self, gate: MutexGuard<'_, ()>, view: &View<F>, record: &Record<F>) -> Result<u64, Error> {
        // asked again: what failed since would leave a change in memory that is nowhere else
        self.usable()?;
        let sequence = self.log.append(record);
        let mut active = view.active.write().unwrap_or_else(PoisonError::into_inner);
        let changed = active.apply(record.print, record.id, record.operation.change(), sequence);
        debug_assert!(changed, "it was looked at before");
        let full = active.operations() >= self.options.recent;
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
        let last = look(&view.active, Recent::last);
        let active: Shared<F> = Arc::new(RwLock::new(Recent::new(self.options.k, self.options.recent, last)));
        let frozen = view.frozen.iter().chain([&view.active]).cloned().collect();
        *view = Arc::new(View { levels: view.levels.clone(), frozen, active });
        self.log.turn();
    }

    /// Puts levels in the place of others and makes it the folder's state, in one step. What was frozen and is now a level goes, and its
    /// last operation is done.
    pub(super) fn commit(
        &self,
        gone: &[Arc<Level<F>>],
        new: Option<Level<F>>,
        frozen: Option<(&Shared<F>, u64)>,
    ) -> Result<(), Error> {
        let mut shelf = lock(&self.shelf);
        let mut levels = self.view().levels.clone();
        levels.retain(|level| !gone.iter().any(|gone| Arc::ptr_eq(gone, level)));
        levels.extend(new.map(Arc::new));
        levels.sort_by_key(|level| std::cmp::Reverse(level.rows()));
        let done = frozen.map_or(shelf.done, |(_, done)| done);
        let all = levels.iter().map(|level| level.meta.clone()).collect();
        let files = levels.iter().flat_map(|level| level.files()).collect();
        shelf.folder.commit(files, &Meta::new(F::WIDTH, self.options.k, done, all))?;
        shelf.done = done;
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        let still = |recent: &&Shared<F>| frozen.is_none_or(|(gone, _)| !Arc::ptr_eq(gone, recent));
        let frozen = view.frozen.iter().filter(still).cloned().collect();
        *view = Arc::new(View { levels, frozen, active: Arc::clone(&view.active) });
        Ok(())
    }

    /// What a writer of a level needs.
    pub(super) fn making<T>(
        &self,
        make: impl FnOnce(&Making<'_>) -> Result<T, lookalike_store::Error>,
    ) -> Result<T, Error> {
        let segment = || lock(&self.shelf).folder.segment();
        let Options { k, design, .. } = self.options;
        Ok(make(&Making { folder: &self.path, k, design, room: &self.room, segment: &segment })?)
    }
}
