//! How often a document has had each feature so far.

/// A table with open addressing. Features are hashes already: their highest bits are their place.
#[derive(Clone, Debug, Default)]
pub(super) struct Occurrences {
    /// The feature of a slot, if its count is not 0. As many slots as a power of two.
    features: Vec<u64>,
    counts: Vec<u32>,
    distinct: usize,
}

/// The fewest slots.
const MIN_SLOTS: usize = 1 << 10;

impl Occurrences {
    /// Bytes for each feature, at most: three quarters of the slots are filled before they are doubled, and the old ones are there until the
    /// new ones are filled.
    pub(super) const MAX_BYTES: u64 = (size_of::<u64>() + size_of::<u32>()) as u64 * 4;

    /// Forgets everything. The table is as large as so many features need: one long document does not slow the short ones after it.
    pub(super) fn reset(&mut self, expected: usize) {
        let slots = (expected * 2).next_power_of_two().max(MIN_SLOTS);
        self.features.resize(slots, 0);
        self.counts.clear();
        self.counts.resize(slots, 0);
        self.distinct = 0;
    }

    /// Leaves those features of a document that vote, by the number of their occurrence, which counts from 1.
    #[inline]
    pub(super) fn retain(&mut self, features: &mut Vec<u64>, votes: impl Fn(u32) -> bool) {
        // room for all of them, should they all be new
        while (self.distinct + features.len()) * 4 > self.counts.len() * 3 {
            self.grow();
        }
        let mut kept = 0;
        for at in 0..features.len() {
            let feature = features[at];
            // no branch depends on whether it votes: that is hard to guess
            features[kept] = feature;
            kept += usize::from(votes(self.add(feature)));
        }
        features.truncate(kept);
    }

    /// One more of a feature: how many there are now. The count stays where it is when it cannot grow.
    #[inline]
    fn add(&mut self, feature: u64) -> u32 {
        let slot = self.find(feature);
        self.features[slot] = feature;
        let count = &mut self.counts[slot];
        self.distinct += usize::from(*count == 0);
        *count = count.saturating_add(1);
        *count
    }

    /// The slot of a feature, or the one where it belongs.
    #[inline]
    fn find(&self, feature: u64) -> usize {
        let mask = self.counts.len() - 1;
        let mut slot = (feature >> mask.leading_zeros()) as usize;
        // whether a feature is new is hard to guess; that its first slot is the right one is not
        let other = |slot: usize| {
            let apart = self.features[slot] ^ feature;
            // a product has one branch, where the compiler makes two of "neither equal nor empty"
            u64::from((apart | apart >> 32) as u32) * u64::from(self.counts[slot]) != 0
        };
        while other(slot) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let slots = self.counts.len() * 2;
        let features = std::mem::replace(&mut self.features, vec![0; slots]);
        let counts = std::mem::replace(&mut self.counts, vec![0; slots]);
        for (feature, count) in features.into_iter().zip(counts).filter(|(_, count)| *count > 0) {
            let slot = self.find(feature);
            (self.features[slot], self.counts[slot]) = (feature, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// Features that begin with the same bits, and zero, among them.
        #[test]
        fn counts_are_those_of_a_map(texts in prop::collection::vec(prop::collection::vec(0u64..2000, 0..5000), 1..4), spread in 0u32..=53) {
            let mut table = Occurrences::default();
            for text in texts {
                table.reset(text.len() / 3);
                let mut naive: HashMap<u64, u32> = HashMap::new();
                for feature in text {
                    let feature = feature << spread;
                    let count = naive.entry(feature).or_default();
                    *count += 1;
                    let mut one = vec![feature];
                    table.retain(&mut one, |now| now == *count);
                    prop_assert_eq!(one, [feature]);
                }
            }
        }
    }

    #[test]
    fn a_count_stays_where_it_cannot_grow() {
        let mut table = Occurrences::default();
        table.reset(0);
        assert_eq!(table.add(7), 1);
        let slot = table.find(7);
        table.counts[slot] = u32::MAX;
        assert_eq!(table.add(7), u32::MAX);
    }
}
