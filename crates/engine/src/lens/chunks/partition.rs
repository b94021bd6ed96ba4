//! Which documents have anything to do with each other (§2.5 of the paper): postings are divided and sorted outside of memory, and
//! each chunk unites the documents that have it. Only documents are kept in memory, not the many more chunks.

use crate::run::packed_postings::PackedPostings;
use crate::run::postings::{self, for_each_bucket, spread};
use crate::{Cancel, Error};
use lookalike_core::cluster::UnionFind;
use lookalike_store::TempSpace;
use std::path::Path;
use std::sync::Arc;

/// A chunk that no more documents than this have is never too frequent to connect them.
const MIN_FREQUENT: usize = 100;

/// A chunk that more of these documents have is too frequent to connect them.
pub fn max_documents(counted: u64, max_df: f64) -> usize {
    ((counted as f64 * max_df) as usize).max(MIN_FREQUENT)
}

/// Takes chunks of documents and finds the documents that chunks connect.
///
/// Half of a hash is looked at here. A collision would only put documents together that need not be: what they share is counted
/// on whole hashes.
pub struct Partitioner {
    postings: PackedPostings,
    room: usize,
    cancel: Cancel,
}

/// The documents that chunks connect.
#[derive(Debug)]
pub struct Components {
    /// By document: the first document of its component.
    pub first: Vec<u32>,
    /// Different chunks of all documents.
    pub distinct: u64,
    /// Chunks that are too frequent to connect documents, by the half of their hash that is looked at; sorted.
    pub frequent: Vec<FrequentHash>,
    shared: SharedFilter,
}

/// Remembers chunks, a bit each: it may take a strange one for known, never a known one for strange.
#[derive(Debug)]
struct SharedFilter {
    bits: Vec<u64>,
}

impl SharedFilter {
    /// A filter within so many bytes.
    fn within(bytes: usize) -> Self {
        let words = (bytes.clamp(1 << 13, 1 << 26) / 8).next_power_of_two();
        Self { bits: vec![0; words] }
    }

    /// By the highest bits: chunks come in about that order, so that one place is near the next.
    fn place(&self, half: u64) -> (usize, u64) {
        let place = (spread(half) >> (64 - (self.bits.len() * 64).ilog2())) as usize;
        (place / 64, 1 << (place % 64))
    }

    fn add(&mut self, half: u64) {
        let (word, bit) = self.place(half);
        self.bits[word] |= bit;
    }

    fn may_have(&self, half: u64) -> bool {
        let (word, bit) = self.place(half);
        self.bits[word] & bit != 0
    }
}

/// A chunk that is too frequent to connect documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrequentHash {
    /// The upper half of its hash.
    pub hash: u64,
    /// Documents that have it.
    pub documents: u64,
}

impl Partitioner {
    /// A partitioner that spills to a folder (by default the system's) and keeps within `memory` bytes, but for four bytes a document.
    pub fn new(tmp: Option<&Path>, memory: u64) -> Result<Self, Error> {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        Ok(Self::within(&Arc::new(TempSpace::new(tmp)?), memory / 2, memory / 3, &Cancel::default()))
    }

    pub fn within(space: &Arc<TempSpace>, held: usize, room: usize, cancel: &Cancel) -> Self {
        Self { postings: PackedPostings::new(space, held), room, cancel: cancel.clone() }
    }

    /// A document has a chunk. Documents come in order.
    #[inline]
    pub fn push(&mut self, document: u32, hash: u128) -> Result<(), Error> {
        self.postings.push((hash >> 64) as u64, document)
    }

    /// The components of `documents` documents, of which `counted` are to be compared. A chunk that more than `max_df` of those have does not connect them.
    pub fn finish(self, documents: usize, counted: u64, max_df: f64) -> Result<Components, Error> {
        let most = max_documents(counted, max_df);
        let postings = self.postings.finish()?;
        let mut sets = UnionFind::new(documents);
        let (mut frequent, mut lists) = (Vec::new(), 0);
        let mut shared = SharedFilter::within(self.room / 8);
        let mut parents = Vec::new();
        let singletons = for_each_bucket(&self.cancel, &postings.of(|_| true), self.room, |sorted| {
            // where very many documents are, each of them is far away: all are asked for at once
            sets.parents(sorted.iter().map(|posting| posting.document), &mut parents);
            let mut rest = &parents[..];
            for list in postings::lists(sorted) {
                let (of_list, behind) = rest.split_at(list.len());
                rest = behind;
                lists += 1;
                if list.len() > 1 {
                    shared.add(list[0].feature());
                }
                if list.len() > most {
                    // a chunk may stand in a document more than once
                    let documents = list.chunk_by(|a, b| a.document == b.document).count();
                    if documents > most {
                        frequent.push(FrequentHash { hash: list[0].feature(), documents: documents as u64 });
                        continue;
                    }
                }
                // mostly they are together already
                if of_list.iter().any(|parent| *parent != of_list[0]) {
                    for pair in list.windows(2) {
                        sets.union(pair[0].document, pair[1].document);
                    }
                }
            }
            Ok(())
        })?;
        frequent.sort_unstable();
        Ok(Components { first: sets.into_firsts(), distinct: singletons + lists, frequent, shared })
    }
}

impl Components {
    /// Whether a chunk is too frequent to connect documents.
    pub fn is_frequent(&self, hash: u128) -> bool {
        !self.frequent.is_empty() && self.frequent.binary_search_by_key(&((hash >> 64) as u64), |c| c.hash).is_ok()
    }

    /// False only if one document alone has the chunk.
    pub fn may_be_shared(&self, hash: u128) -> bool {
        self.shared.may_have((hash >> 64) as u64)
    }

    /// Puts documents into one component.
    pub fn unite(&mut self, documents: &[u32]) {
        if documents.len() < 2 {
            return;
        }
        let mut sets = UnionFind::new(self.first.len());
        for (document, first) in self.first.iter().enumerate() {
            sets.union(document as u32, *first);
        }
        for pair in documents.windows(2) {
            sets.union(pair[0], pair[1]);
        }
        self.first = sets.into_firsts();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn components(edges: &[(u32, u128)], documents: usize, memory: u64) -> Components {
        let mut partitioner = Partitioner::new(None, memory).unwrap();
        let mut edges = edges.to_vec();
        edges.sort_by_key(|(document, _)| *document);
        for (document, chunk) in edges {
            partitioner.push(document, chunk).unwrap();
        }
        partitioner.finish(documents, documents as u64, 0.5).unwrap()
    }

    proptest! {
        /// Flooding over the whole graph of documents and chunks is the oracle.
        #[test]
        fn equals_flooding(edges in prop::collection::vec((0u32..40, 0u64..60), 0..120)) {
            let edges: Vec<(u32, u128)> = edges.iter().map(|(d, c)| (*d, u128::from(c.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64)).collect();
            let found = components(&edges, 40, 1 << 24);
            let mut label: Vec<u32> = (0..40).collect();
            for _ in 0..40 {
                for (a, x) in &edges {
                    for (b, y) in &edges {
                        if x == y {
                            let low = label[*a as usize].min(label[*b as usize]);
                            (label[*a as usize], label[*b as usize]) = (low, low);
                        }
                    }
                }
            }
            prop_assert_eq!(&found.first, &label);
            let mut chunks: Vec<u128> = edges.iter().map(|e| e.1).collect();
            chunks.sort_unstable();
            chunks.dedup();
            prop_assert_eq!(found.distinct, chunks.len() as u64);
        }
    }

    #[test]
    fn what_half_of_all_have_connects_nobody() {
        let header = |document: u32| (document, 7u128 << 64);
        let mut edges: Vec<(u32, u128)> = (0..400).map(header).collect();
        // a chunk that one document has a thousand times is not frequent
        edges.extend((0..1000).map(|_| (5, 9u128 << 64)));
        edges.extend([(10, 11u128 << 64), (20, 11u128 << 64)]);
        let found = components(&edges, 600, 1 << 24);
        assert_eq!(found.frequent, [FrequentHash { hash: 7, documents: 400 }]);
        assert!(found.is_frequent(7u128 << 64 | 1) && !found.is_frequent(9u128 << 64));
        let together: Vec<u32> = (0..600u32).filter(|d| found.first[*d as usize] != *d).collect();
        assert_eq!(together, [20]);
        // in a small collection nothing is frequent
        assert!(components(&edges[..90], 90, 1 << 24).frequent.is_empty());
    }
}
