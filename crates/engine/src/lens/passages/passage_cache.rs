//! Passages of pairs that will be listed, kept from the comparison for the report, as many as there is room for.

use lookalike_core::passage::Passage;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// What two submissions share, by family: the index of the stream on either side, and the passages.
pub type SharedPassages = Vec<(usize, usize, Vec<Passage>)>;

/// Passages by pair. What it does not have is found again: they are the same.
#[derive(Debug)]
pub struct PassageCache {
    max_bytes: usize,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    bytes: usize,
    by_pair: FxHashMap<(u32, u32), SharedPassages>,
}

impl PassageCache {
    pub fn new(max_bytes: usize) -> Self {
        Self { max_bytes, entries: Mutex::default() }
    }

    /// Keeps the passages of a pair if there is room.
    pub fn insert(&self, pair: (u32, u32), passages: SharedPassages) {
        let bytes = 128 + passages.iter().map(|(_, _, some)| 64 + some.len() * size_of::<Passage>()).sum::<usize>();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.bytes + bytes <= self.max_bytes {
            entries.bytes += bytes;
            entries.by_pair.insert(pair, passages);
        }
    }

    /// Gives the passages of a pair away.
    pub fn remove(&self, pair: (u32, u32)) -> Option<SharedPassages> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).by_pair.remove(&pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_what_there_is_room_for() {
        let some = || vec![(0, 0, vec![Passage { a: 0..9, b: 1..10, equal: 9 }])];
        let cache = PassageCache::new(500);
        (0..9).for_each(|other| cache.insert((0, other), some()));
        assert_eq!(cache.remove((0, 1)), Some(some()));
        assert_eq!((cache.remove((0, 1)), cache.remove((0, 8))), (None, None), "given away once; no room");
    }
}
