//! Held against a set of fingerprints with ids.

mod faults;
mod golden;
mod logs;
mod model;
mod reader;
mod threads;

use super::{Match, Matches, OnlineStore, StoreOptions};
use lookalike_core::bits::FingerprintBits;
use std::collections::BTreeSet;

/// What a store should hold.
pub(super) type Model<F> = BTreeSet<(F, u64)>;

/// A stream of numbers from a seed.
pub(super) fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(z ^ (z >> 31))
    })
}

/// What a question should find.
pub(super) fn expected<F: FingerprintBits>(model: &Model<F>, query: F, k: u32, limit: usize) -> Matches<F> {
    let near = model.iter().filter(|(fingerprint, _)| fingerprint.distance(query) <= k);
    let mut matches: Vec<Match<F>> = near
        .map(|(fingerprint, id)| Match { id: *id, fingerprint: *fingerprint, distance: fingerprint.distance(query) })
        .collect();
    matches.sort_by_key(|hit| (hit.distance, hit.id, hit.fingerprint));
    let count = matches.len() as u64;
    matches.truncate(limit);
    Matches { matches, count, complete: true }
}

/// Small levels, and no threads: the same every time.
pub(super) fn small() -> StoreOptions {
    StoreOptions { memtable: 8, background: false, sync: false, memory: 1 << 16, ..StoreOptions::default() }
}

/// Everything in the store is as in the model.
#[track_caller]
pub(super) fn assert_same<F: FingerprintBits>(store: &OnlineStore<F>, model: &Model<F>) {
    assert_eq!(store.len(), model.len() as u64);
    for (fingerprint, _) in model {
        let found = store.near(*fingerprint, store.max_distance(), usize::MAX).unwrap();
        assert_eq!(found, expected(model, *fingerprint, store.max_distance(), usize::MAX));
    }
    let wrong = store.verify();
    assert!(wrong.is_empty(), "{wrong:?}");
}
