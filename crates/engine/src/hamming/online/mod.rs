//! A store of fingerprints that changes while it is asked.
//!
//! ```no_run
//! use lookalike_engine::hamming::online::{Online, Options};
//!
//! let store: Online<u64> = Online::open("crawl.near".as_ref(), &Options::default())?;
//! match store.check_and_insert(0x0123_4567_89ab_cdef, 42, 3, 10)? {
//!     None => println!("new"),
//!     Some(found) => println!("{} are near, the nearest is {}", found.count, found.hits[0].id),
//! }
//! # Ok::<(), lookalike_engine::Error>(())
//! ```
//!
//! Changes go to a log and to memory (`recent`); when there are many they become a level on disk (`level`), and levels are merged as
//! they become many (`work`). A question sees a view of all of them that does not change under it, and waits for nothing but what its
//! answer rests on: an answer never tells of something that could still be lost.

mod bulk;
mod inner;
mod level;
mod log;
mod meta;
mod open;
mod reader;
mod recent;
mod record;
mod replay;
#[cfg(test)]
mod tests;
mod verify;
mod view;
mod work;

pub use bulk::{BuildOptions, Built};
pub use reader::Reader;

use super::Print;
use crate::Error;
use inner::{Inner, lock};
use lookalike_core::hamming::Design;
use record::{Operation, Record};
use std::sync::Arc;
use std::thread::JoinHandle;

/// How a store is kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// The greatest distance that will be asked for, at most 7. A store that exists keeps the one it was made with.
    pub k: u32,
    /// The design of all levels; by default the fastest for the size of each.
    pub design: Option<Design>,
    /// Whether what was acknowledged survives a power cut. Without, it survives whatever ends the process, and the machine does not
    /// wait for its disk.
    pub sync: bool,
    /// Changes that are collected in memory before they become a level.
    pub recent: usize,
    /// Bytes of memory for merging levels.
    pub memory: usize,
    /// Whether levels are written and merged by threads of their own, rather than by who comes.
    pub background: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 3, design: None, sync: true, recent: 1 << 16, memory: 256 << 20, background: true }
    }
}

/// Somebody near a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit<F> {
    /// Who.
    pub id: u64,
    /// Its fingerprint.
    pub print: F,
    /// In how many bits it differs from the query.
    pub distance: u32,
}

/// Who is near a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<F> {
    /// The nearest first, then by id; no more than were asked for.
    pub hits: Vec<Hit<F>>,
    /// How many there are; or, where very many crowd around the query, how many were looked at, at least as many as were asked for.
    pub count: u64,
    /// Whether all were counted.
    pub complete: bool,
}

/// A store of fingerprints, each with an id. Any number of threads may use it at once; one process has it at a time, and others may look at
/// it with a [`Reader`].
///
/// A fingerprint may have many ids, and an id many fingerprints. What returned without an error is safe.
#[derive(Debug)]
pub struct Online<F: Print> {
    inner: Arc<Inner<F>>,
    workers: Vec<JoinHandle<()>>,
}

impl<F: Print> Online<F> {
    /// Several operations that become safe together.
    pub fn group(&self) -> Group<'_, F> {
        Group { store: self, last: 0 }
    }

    /// Inserts. False if that very fingerprint with that very id was there.
    pub fn insert(&self, print: F, id: u64) -> Result<bool, Error> {
        self.alone(|group| group.insert(print, id))
    }

    /// Deletes. False if it was not there.
    pub fn delete(&self, print: F, id: u64) -> Result<bool, Error> {
        self.alone(|group| group.delete(print, id))
    }

    /// Who is within `k` of a query: how many, and the nearest, at most `limit`.
    pub fn near(&self, query: F, k: u32, limit: usize) -> Result<Found<F>, Error> {
        self.alone(|group| group.near(query, k, limit))
    }

    /// Inserts if nobody is within `k`; otherwise tells who is. Of several that come at once and are near each other, one is new.
    pub fn check_and_insert(&self, print: F, id: u64, k: u32, limit: usize) -> Result<Option<Found<F>>, Error> {
        self.alone(|group| group.check_and_insert(print, id, k, limit))
    }

    fn alone<T>(&self, work: impl FnOnce(&mut Group<'_, F>) -> Result<T, Error>) -> Result<T, Error> {
        let mut group = self.group();
        let value = work(&mut group)?;
        group.commit()?;
        Ok(value)
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        self.inner.view().balance().max(0) as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The greatest distance that can be asked for.
    pub fn k(&self) -> u32 {
        self.inner.options.k
    }

    /// Entries of each level on disk, the largest first: more than there are, while some that went are not merged yet.
    pub fn levels(&self) -> Vec<u64> {
        self.inner.view().levels.iter().map(|level| level.rows()).collect()
    }

    /// Makes a level of all that is in memory. Nothing is lost without it; the next to open the store has less to read.
    pub fn flush(&self) -> Result<(), Error> {
        self.inner.usable()?;
        let gate = lock(&self.inner.gate);
        let view = self.inner.view();
        if view::look(&view.active, recent::Recent::operations) > 0 {
            self.inner.freeze();
        }
        drop(gate);
        while self.inner.flush_one()? {}
        self.inner.wake();
        Ok(())
    }

    /// Makes one level of all: asked fastest, and what went takes no more room.
    pub fn merge(&self) -> Result<(), Error> {
        self.flush()?;
        self.inner.merge_all()
    }

    /// Ends it, and says if anything went wrong in the background. Dropping a store ends it too.
    pub fn close(self) -> Result<(), Error> {
        self.inner.log.settle().map_err(|reason| self.inner.broken(reason))?;
        self.inner.usable()
    }
}

impl<F: Print> Drop for Online<F> {
    fn drop(&mut self) {
        *lock(&self.inner.stop) = true;
        self.inner.woken.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
        // operations of groups that nobody waited for
        let _ = self.inner.log.settle();
    }
}

/// Operations that become safe together: none of the answers may be relied on before [`Group::commit`] has returned.
#[derive(Debug)]
pub struct Group<'a, F: Print> {
    store: &'a Online<F>,
    /// The last operation that an answer rests on.
    last: u64,
}

impl<F: Print> Group<'_, F> {
    fn rests<T>(&mut self, (value, last): (T, u64)) -> T {
        self.last = self.last.max(last);
        value
    }

    /// See [`Online::insert`].
    pub fn insert(&mut self, print: F, id: u64) -> Result<bool, Error> {
        let done = self.store.inner.change(Operation::Insert, print, id)?;
        Ok(self.rests(done))
    }

    /// See [`Online::delete`].
    pub fn delete(&mut self, print: F, id: u64) -> Result<bool, Error> {
        let done = self.store.inner.change(Operation::Delete, print, id)?;
        Ok(self.rests(done))
    }

    /// See [`Online::near`].
    pub fn near(&mut self, query: F, k: u32, limit: usize) -> Result<Found<F>, Error> {
        let found = self.store.inner.near(query, k, limit)?;
        Ok(self.rests(found))
    }

    /// See [`Online::check_and_insert`].
    pub fn check_and_insert(&mut self, print: F, id: u64, k: u32, limit: usize) -> Result<Option<Found<F>>, Error> {
        let record = Record { operation: Operation::Insert, print, id };
        let found = self.store.inner.check(&record, k, limit)?;
        Ok(self.rests(found))
    }

    /// Returns when all of it is safe.
    pub fn commit(self) -> Result<(), Error> {
        self.store.inner.wait(self.last)
    }
}
