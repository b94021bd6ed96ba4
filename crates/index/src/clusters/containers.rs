//! Documents that are inside shorter ones.
//!
//! A document may be longer than one that it is inside of, since it repeats itself or is longer by what does not count. It joins the shorter one,
//! if neither has another place: a document never represents what it is a part of.

use crate::clusters::rank::Rank;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The shorter documents that longer ones have joined.
#[derive(Default)]
pub(crate) struct Containers {
    inside: FxHashMap<u32, BTreeSet<(Rank, u32)>>,
}

impl Containers {
    /// A longer document joins a shorter one.
    pub(crate) fn insert(&mut self, container: u32, rank: Rank, document: u32) {
        self.inside.entry(container).or_default().insert((rank, document));
    }

    /// It leaves again.
    pub(crate) fn remove(&mut self, container: u32, rank: Rank, document: u32) {
        if let Some(inside) = self.inside.get_mut(&container) {
            inside.remove(&(rank, document));
        }
    }

    /// Whether one of those before a rank has joined it.
    pub(crate) fn has_before(&self, container: u32, rank: Rank) -> bool {
        self.inside.get(&container).and_then(BTreeSet::first).is_some_and(|first| first.0 < rank)
    }
}
