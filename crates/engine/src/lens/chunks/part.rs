//! A part of the graph of documents and chunks that fits in memory: only the chunks that more than one of its documents have.

use bytemuck::{Pod, Zeroable};
use rayon::slice::ParallelSliceMut;

/// A document of a part has a chunk. Sorted by chunk, then by component and document. A chunk is a hash with a length: what others claim of a
/// hash must not change what is counted here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Edge {
    hash: [u32; 4],
    pub length: u32,
    /// Frequent chunks stand in many components; documents are compared within one.
    component: u32,
    /// The document's number in its part.
    pub document: u32,
    /// How often it has the chunk.
    pub times: u32,
}

impl Edge {
    pub fn new(hash: u128, length: u32, component: u32, document: u32, times: u32) -> Self {
        let word = |at: u32| (hash >> (96 - 32 * at)) as u32;
        Self { hash: [word(0), word(1), word(2), word(3)], length, component, document, times }
    }

    fn same_chunk(&self, other: &Self) -> bool {
        (self.hash, self.length, self.component) == (other.hash, other.length, other.component)
    }

    pub fn hash(&self) -> u128 {
        self.hash.iter().fold(0, |hash, word| hash << 32 | u128::from(*word))
    }
}

/// A chunk of a document, and how often it stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub chunk: u32,
    pub times: u32,
}

/// The graph, from documents to chunks. Documents are numbered by rank: who may represent is before who may join.
pub struct Part {
    /// By document: where its chunks begin in `held`; one more at the end.
    starts: Vec<usize>,
    held: Vec<Held>,
    /// By document: its bytes that count.
    pub sizes: Vec<u32>,
    /// By chunk: its bytes.
    pub lengths: Vec<u32>,
    /// By chunk: documents that have it.
    pub degrees: Vec<u32>,
    /// By chunk: its hash.
    pub hashes: Vec<u128>,
}

impl Part {
    /// Made of the edges of a part; `each` sees the edges of every chunk of a component, also of those that one document alone has.
    pub fn new(sizes: Vec<u32>, mut edges: Vec<Edge>, mut each: impl FnMut(&[Edge])) -> Self {
        edges.par_sort_unstable();
        let mut starts = vec![0; sizes.len() + 1];
        let shared = |list: &&[Edge]| list.len() > 1;
        let lists = || edges.chunk_by(Edge::same_chunk);
        for edge in lists().filter(shared).flatten() {
            starts[edge.document as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut part = Self {
            held: vec![Held { chunk: 0, times: 0 }; starts[sizes.len()]],
            starts,
            sizes,
            lengths: Vec::new(),
            degrees: Vec::new(),
            hashes: Vec::new(),
        };
        let mut free = part.starts.clone();
        for list in lists() {
            each(list);
            if !shared(&list) {
                continue;
            }
            let chunk = part.lengths.len() as u32;
            for edge in list {
                let at = &mut free[edge.document as usize];
                part.held[*at] = Held { chunk, times: edge.times };
                *at += 1;
            }
            part.lengths.push(list[0].length);
            part.degrees.push(list.len() as u32);
            part.hashes.push(list[0].hash());
        }
        part
    }

    /// Documents.
    pub fn len(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// The chunks of a document that others have too, by number.
    pub fn held(&self, document: u32) -> &[Held] {
        &self.held[self.starts[document as usize]..self.starts[document as usize + 1]]
    }

    /// The size of the smaller of two documents.
    pub fn smaller(&self, a: u32, b: u32) -> u32 {
        self.sizes[a as usize].min(self.sizes[b as usize])
    }

    /// Bytes of some chunks of a document.
    pub fn bytes(&self, held: Held) -> u64 {
        u64::from(self.lengths[held.chunk as usize]) * u64::from(held.times)
    }

    /// Shared bytes of two documents, at least: their shared chunks, each as often as both have it.
    pub fn shared(&self, a: u32, b: u32) -> u64 {
        let (a, b) = (self.held(a), self.held(b));
        let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if small.len() * 16 < large.len() {
            self.shared_by_search(small, large)
        } else {
            self.shared_by_merge(small, large)
        }
    }

    fn shared_by_merge(&self, a: &[Held], b: &[Held]) -> u64 {
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            if x.chunk == y.chunk {
                shared += self.bytes(Held { times: x.times.min(y.times), ..x });
            }
            i += usize::from(x.chunk <= y.chunk);
            j += usize::from(y.chunk <= x.chunk);
        }
        shared
    }

    fn shared_by_search(&self, small: &[Held], mut large: &[Held]) -> u64 {
        let mut shared = 0;
        for x in small {
            match large.binary_search_by_key(&x.chunk, |y| y.chunk) {
                Ok(at) => {
                    shared += self.bytes(Held { times: x.times.min(large[at].times), ..*x });
                    large = &large[at + 1..];
                }
                Err(at) => large = &large[at..],
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn shared_bytes_equal_the_definition(chunks in prop::collection::vec((0u32..6, 0u8..40), 1..300)) {
            let mut times: BTreeMap<(u8, u32), u32> = BTreeMap::new();
            for (document, chunk) in &chunks {
                *times.entry((*chunk, *document)).or_default() += 1;
            }
            let length = |chunk: u8| u32::from(chunk) * 7 + 1;
            let edges = times.iter().map(|((chunk, document), n)| Edge::new(u128::from(*chunk) << 70, length(*chunk), 0, *document, *n));
            let part = Part::new(vec![0; 6], edges.collect(), |_| {});
            for a in 0..6 {
                for b in (0..6).filter(|b| *b != a) {
                    let of = |chunk: u8, document| times.get(&(chunk, document)).copied().unwrap_or_default();
                    let naive: u64 = (0..40).map(|c| u64::from(length(c)) * u64::from(of(c, a).min(of(c, b)))).sum();
                    prop_assert_eq!(part.shared(a, b), naive);
                    prop_assert_eq!(part.shared_by_search(part.held(a), part.held(b)), naive);
                }
            }
            prop_assert!(part.degrees.iter().all(|degree| *degree > 1));
        }
    }

    #[test]
    fn hashes_come_back() {
        let hash = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128;
        assert_eq!(Edge::new(hash, 1, 2, 3, 4).hash(), hash);
    }

    #[test]
    fn components_and_lengths_stay_apart() {
        let edges = [(5, 0, 0), (5, 0, 1), (5, 7, 2), (5, 7, 3), (6, 0, 0), (6, 7, 2)];
        let edges = edges.map(|(length, component, document)| Edge::new(1, length, component, document, 1));
        let part = Part::new(vec![9; 4], edges.to_vec(), |_| {});
        assert_eq!((part.shared(0, 1), part.shared(2, 3), part.shared(0, 2)), (5, 5, 0));
        assert_eq!(part.degrees, [2, 2]);
    }
}
