//! Memory that documents take while they are worked on: admitted by weight, so that neither threads nor large documents add up to more
//! than their share.

use crate::Error;
use crate::run::text_extractor::TextExtractor;
use lookalike_corpus::{Body, Document};
use std::borrow::Cow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Documents of so many bytes are always worked on: what they take is within what every run takes.
pub const MIN_DOCUMENT: u64 = 256 << 10;

/// Bytes of memory that may be taken at once.
#[derive(Debug)]
pub struct MemoryBudget {
    limit: u64,
    taken: Mutex<Taken>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: u64,
    peak: u64,
}

impl MemoryBudget {
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit: limit as u64, taken: Mutex::default(), released: Condvar::new() })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Waits until so many bytes are left, and takes them. What is larger than the whole is taken alone. Who holds a permit must not ask
    /// for another.
    pub fn take(self: &Arc<Self>, bytes: u64) -> Permit {
        let full = |taken: &mut Taken| taken.bytes > 0 && taken.bytes.saturating_add(bytes) > self.limit;
        let mut taken = self.released.wait_while(self.taken(), full).unwrap_or_else(PoisonError::into_inner);
        taken.bytes += bytes;
        taken.peak = taken.peak.max(taken.bytes);
        Permit { budget: Arc::clone(self), bytes }
    }

    /// Waits while something is worked on that is larger than the whole.
    pub fn wait(&self) {
        let over = |taken: &mut Taken| taken.bytes > self.limit;
        drop(self.released.wait_while(self.taken(), over).unwrap_or_else(PoisonError::into_inner));
    }

    /// The most that was ever taken at once.
    pub fn peak(&self) -> u64 {
        self.taken().peak
    }
}

/// Memory that was taken; given back when this is dropped.
#[derive(Debug)]
pub struct Permit {
    budget: Arc<MemoryBudget>,
    bytes: u64,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.budget.taken().bytes -= self.bytes;
        self.budget.released.notify_all();
    }
}

/// What documents take while they are read.
pub struct ReadCost<'a> {
    /// Bytes of memory for a byte of a document at most: so much is taken of the budget.
    pub most: u64,
    /// What one document takes at most.
    pub of: &'a (dyn Fn(&Document<'_>) -> u64 + Sync),
}

impl ReadCost<'_> {
    /// Fails where a document that was read takes more memory than there is.
    pub fn check(&self, document: &Document<'_>, memory: u64) -> Result<(), Error> {
        let bytes = document.body.len();
        // whatever it is, it fits
        if bytes <= MIN_DOCUMENT || bytes.saturating_mul(self.most) <= memory {
            return Ok(());
        }
        let needed = (self.of)(document);
        if needed <= memory {
            return Ok(());
        }
        Err(Error::DocumentMemory { id: document.id.to_string(), bytes, needed, allowed: memory })
    }
}

/// What a document takes as it is read, whatever is made of it.
pub fn read_bytes(document: &Document<'_>) -> u64 {
    let bytes = document.body.len();
    let body = match &document.body {
        // beside the line that it was written in
        Body::Text(Cow::Owned(_)) => 2 * bytes,
        Body::Features(items) => 2 * bytes + (items.len() * size_of::<Cow<'_, str>>()) as u64,
        _ => bytes,
    };
    // what cannot be read again is copied on its way to a spill file
    body + if document.place.is_readable() { 0 } else { bytes }
}

/// The same with the text that a reader sees.
pub fn text_bytes(extractor: &TextExtractor, document: &Document<'_>) -> u64 {
    read_bytes(document) + extractor.text_bytes(&document.id, &document.body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn no_more_is_taken_than_there_is() {
        let budget = MemoryBudget::new(100);
        std::thread::scope(|scope| {
            for at in 0..8u64 {
                let budget = &budget;
                scope.spawn(move || {
                    for step in 0..50 {
                        let permit = budget.take(1 + (at * 37 + step * 11) % 60);
                        assert!(budget.taken().bytes <= 100);
                        drop(permit);
                    }
                });
            }
        });
        assert!(budget.peak() <= 100 && budget.taken().bytes == 0);
    }

    #[test]
    fn what_is_too_large_is_alone() {
        let budget = MemoryBudget::new(100);
        let small = budget.take(10);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let large = budget.take(500);
                tell.send(()).unwrap();
                drop(large);
            });
            assert!(told.recv_timeout(Duration::from_millis(50)).is_err(), "not beside another");
            drop(small);
            told.recv_timeout(Duration::from_secs(20)).expect("alone");
        });
        budget.wait();
        assert_eq!((budget.peak(), budget.taken().bytes), (500, 0));
    }
}
