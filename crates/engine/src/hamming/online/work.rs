//! What is done in the background: what is full is written as a level, and levels are merged.

use super::inner::{Inner, lock};
use super::level::Level;
use super::recent::Recent;
use super::view::{View, look};
use crate::Error;
use crate::hamming::Print;
use std::sync::{Arc, PoisonError};

/// More than so many that are full: who comes next helps to write them.
const FROZEN: usize = 2;
/// More than so many levels: who comes next helps to merge them.
const LEVELS: usize = 32;

impl<F: Print> Inner<F> {
    /// Tells the background that there is work; or does it, if there is no background.
    pub(super) fn wake(&self) {
        if self.options.background {
            // who is about to sleep has looked for work under this lock
            let _stop = lock(&self.stop);
            self.woken.notify_all();
        } else {
            // what fails is remembered, and told to the next
            while let Ok(true) = self.flush_one() {}
            while let Ok(true) = self.merge_one() {}
        }
    }

    /// Helps, if the background cannot follow.
    pub(super) fn relieve(&self) {
        let view = self.view();
        if view.frozen.len() > FROZEN {
            let _ = self.flush_one();
        } else if view.levels.len() > LEVELS {
            let _ = self.merge_one();
        }
    }

    /// Writes the oldest of what is full. False if nothing is.
    pub(super) fn flush_one(&self) -> Result<bool, Error> {
        let _alone = lock(&self.flushing);
        self.remember(|| {
            let view = self.view();
            let Some(oldest) = view.frozen.first() else { return Ok(false) };
            let done = look(oldest, Recent::last);
            // a level never knows more than the log: so operations follow on each other without a gap
            self.wait(done)?;
            let level = look(oldest, |recent| self.making(|making| making.of_recent(recent)))?;
            self.commit(&[], level, Some((oldest, done)))?;
            self.log.forget(done);
            Ok(true)
        })
    }

    /// Merges levels. False if none need be.
    pub(super) fn merge_one(&self) -> Result<bool, Error> {
        let _alone = lock(&self.merging);
        self.remember(|| {
            let view = self.view();
            let small = merged(&rows(&view));
            let some: &[Arc<Level<F>>] = &view.levels[view.levels.len() - small..];
            if some.is_empty() {
                return Ok(false);
            }
            let level = self.making(|making| making.of_levels(some))?;
            self.commit(some, level, None)?;
            Ok(true)
        })
    }

    /// Makes one level of all.
    pub(super) fn merge_all(&self) -> Result<(), Error> {
        let _alone = lock(&self.merging);
        self.remember(|| {
            let view = self.view();
            if view.levels.len() < 2 && view.levels.iter().all(|level| level.removed.is_none()) {
                return Ok(());
            }
            let level = self.making(|making| making.of_levels(&view.levels))?;
            self.commit(&view.levels, level, None)
        })
    }

    /// After a failure nothing more is promised.
    fn remember<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.usable()?;
        work().inspect_err(|error| {
            let _ = self.failed.set(error.to_string());
        })
    }

    /// Writes what is full until told to stop.
    pub(super) fn keep_flushing(&self) {
        self.keep_on(Self::flush_one, |view| !view.frozen.is_empty());
    }

    /// Merges levels until told to stop.
    pub(super) fn keep_merging(&self) {
        self.keep_on(Self::merge_one, |view| merged(&rows(view)) > 0);
    }

    fn keep_on(&self, step: impl Fn(&Self) -> Result<bool, Error>, needed: impl Fn(&View<F>) -> bool) {
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
            // what fails is remembered, and told to who comes next
            if step(self).is_err() {
                return;
            }
            self.wake();
        }
    }
}

/// The levels by size.
fn rows<F: Print>(view: &View<F>) -> Vec<u64> {
    view.levels.iter().map(|level| level.rows()).collect()
}

/// How many of the levels, the largest first, should become one: the last so many. A level that is at least as large as all smaller ones
/// together stays as it is, so there are few, and nothing is written again before it has doubled.
fn merged(rows: &[u64]) -> usize {
    let mut smaller: u64 = rows.iter().sum();
    for (at, rows_here) in rows.iter().enumerate() {
        smaller -= rows_here;
        if *rows_here < smaller {
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
            levels.sort_by_key(|rows| std::cmp::Reverse(*rows));
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
