//! Several files at a time.

use crate::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Files under way at the same time. Each takes a few megabytes at most.
const PARALLEL: usize = 8;

/// Who watches, and may stop it.
pub trait Watch: Sync {
    /// So many bytes will be fetched or put.
    fn begin(&self, phase: &'static str, bytes: u64);
    /// So many more bytes are done.
    fn advance(&self, bytes: u64);
    /// All of them are.
    fn end(&self);
    /// Whether to stop.
    fn is_cancelled(&self) -> bool;
}

/// Works on each of them, some at the same time; the error is that of the first in their order among those that failed.
pub(crate) fn for_each<T: Sync>(all: &[T], work: impl Fn(&T) -> Result<(), Error> + Sync) -> Result<(), Error> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..PARALLEL.min(all.len()) {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = all.get(at) else { break };
                    let Err(error) = work(one) else { continue };
                    is_over.store(true, Ordering::Relaxed);
                    let mut first = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(other, _)| at < *other) {
                        *first = Some((at, error));
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(crate) struct Quiet;

#[cfg(test)]
impl Watch for Quiet {
    fn begin(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn is_cancelled(&self) -> bool {
        false
    }
}
