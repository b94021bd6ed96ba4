//! Features that count although very many documents have them: no list leads from one such document to the others, so each document
//! knows its own.

use lookalike_core::members::Members;

/// For each document, which of the frequent features it has.
pub struct UnindexedFeatures {
    /// Highest level of each frequent feature.
    levels: Vec<u8>,
    starts: Vec<usize>,
    places: Vec<u32>,
    /// One bit for each feature of a document, by its place: what is set in one only, only one has.
    signatures: Vec<Signature>,
}

/// Wide enough for the hundred features of a sketch.
type Signature = [u64; 4];

impl UnindexedFeatures {
    /// Of no document yet.
    pub fn new(frequent: &Members) -> Self {
        let levels = frequent.as_slice().iter().map(|feature| feature.trailing_zeros() as u8).collect();
        Self { levels, starts: vec![0], places: Vec::new(), signatures: Vec::new() }
    }

    /// Takes the features of the next document, sorted.
    pub fn push(&mut self, frequent: &Members, features: &[u64]) {
        let mut signature = Signature::default();
        for place in features.iter().filter_map(|feature| frequent.place(*feature)) {
            signature[place / 64 % signature.len()] |= 1 << (place % 64);
            self.places.push(place as u32);
        }
        self.signatures.push(signature);
        self.starts.push(self.places.len());
    }

    fn of(&self, document: u32) -> &[u32] {
        let at = document as usize;
        &self.places[self.starts[at]..self.starts[at + 1]]
    }

    /// How many a document has, and about which.
    #[inline]
    pub fn summary(&self, document: u32) -> UnindexedSummary {
        UnindexedSummary { count: self.of(document).len() as u32, signature: self.signatures[document as usize] }
    }

    /// How many a document has at a level.
    pub fn count(&self, document: u32, level: u8) -> u32 {
        self.of(document).iter().filter(|place| self.levels[**place as usize] >= level).count() as u32
    }

    /// How many two documents share at a level.
    pub fn shared(&self, a: u32, b: u32, level: u8) -> u32 {
        let (a, b) = (self.of(a), self.of(b));
        let (mut i, mut j, mut n) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            n += u32::from(x == y && self.levels[x as usize] >= level);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        n
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.levels.len()
            + self.starts.len() * 8
            + self.places.len() * 4
            + self.signatures.len() * size_of::<Signature>()
    }
}

/// How many unindexed features a document has, and about which.
#[derive(Clone, Copy, Default)]
pub struct UnindexedSummary {
    count: u32,
    signature: Signature,
}

impl UnindexedSummary {
    /// How many two documents share at most, at any level: without those that only one has by its signature.
    #[inline]
    pub fn max_shared(&self, other: &Self) -> u32 {
        let (mut only_a, mut only_b) = (0, 0);
        for (a, b) in self.signature.iter().zip(&other.signature) {
            only_a += (a & !b).count_ones();
            only_b += (b & !a).count_ones();
        }
        (self.count - only_a).min(other.count - only_b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Places that differ by the bits of a signature have one bit in common.
    #[test]
    fn a_signature_tells_most_that_only_one_has() {
        let members = Members::new((0..1000).collect());
        let mut unindexed = UnindexedFeatures::new(&members);
        let documents: [&[u64]; 4] = [&[1, 2, 3, 300], &[1, 2, 3, 556], &[1, 2, 3, 301], &[]];
        for features in documents {
            unindexed.push(&members, features);
        }
        let max_shared = |other| unindexed.summary(0).max_shared(&unindexed.summary(other));
        assert_eq!([1, 2, 3].map(max_shared), [4, 3, 0]);
    }

    proptest! {
        #[test]
        fn equals_the_definition(
            frequent in prop::collection::btree_set(0u64..100, 0..40),
            documents in prop::collection::vec(prop::collection::btree_set(0u64..100, 0..40), 2..6),
            level in 0u8..4,
        ) {
            let members = Members::new(frequent.iter().copied().collect());
            let mut unindexed = UnindexedFeatures::new(&members);
            for document in &documents {
                unindexed.push(&members, &document.iter().copied().collect::<Vec<u64>>());
            }
            let at_level = |f: &&u64| f.trailing_zeros() >= u32::from(level);
            let known = |document: &BTreeSet<u64>| document.intersection(&frequent).copied().collect::<BTreeSet<u64>>();
            for (a, one) in documents.iter().enumerate() {
                prop_assert_eq!(unindexed.count(a as u32, level), known(one).iter().filter(at_level).count() as u32);
                for (b, other) in documents.iter().enumerate() {
                    let both = known(one).intersection(&known(other)).filter(at_level).count() as u32;
                    prop_assert_eq!(unindexed.shared(a as u32, b as u32, level), both);
                    prop_assert!(unindexed.summary(a as u32).max_shared(&unindexed.summary(b as u32)) >= both);
                }
            }
        }
    }
}
