//! A set that many others are compared with: made once, it counts what each shares with it without a branch on their features.

use crate::sets;

/// Slots for each feature: of two that want the same one only the first has it.
const SLOTS_PER_FEATURE: usize = 4;
/// Features of larger sets are merged: the table would not be near enough.
const MAX_FEATURES: usize = 1 << 16;

/// Tables that are used for set after set.
#[derive(Clone, Debug, Default)]
pub struct SetTable {
    features: Vec<u64>,
    /// By the highest bits of a feature: other sets are sorted, so it is walked through from the first to the last.
    by_high: Vec<u64>,
    shift: u32,
    /// By the lowest bits: those that found their slot taken. It is small.
    by_low: Vec<u64>,
    /// Those that found it taken there, too.
    others: Vec<u64>,
    /// Features that are no hashes may all want the same slot.
    is_spread: bool,
}

impl SetTable {
    /// Takes in a set, sorted and without repeats, instead of the one before.
    pub fn fill(&mut self, set: &[u64]) {
        self.features.clear();
        self.features.extend_from_slice(set);
        self.others.clear();
        self.is_spread = false;
        if set.len() > MAX_FEATURES {
            return;
        }
        let slots = (set.len() * SLOTS_PER_FEATURE).next_power_of_two().max(4);
        self.shift = u64::BITS - slots.ilog2();
        // what stands in a free slot belongs into another, so it is never found there
        self.by_high.clear();
        self.by_high.resize(slots, 0);
        self.by_high[0] = u64::MAX;
        self.by_low.clear();
        self.by_low.resize((slots / SLOTS_PER_FEATURE).max(2), 0);
        self.by_low[0] = 1;
        for feature in set {
            let high = (feature >> self.shift) as usize;
            let low = self.low(*feature);
            if is_free(self.by_high[high], high, u64::MAX) {
                self.by_high[high] = *feature;
            } else if is_free(self.by_low[low], low, 1) {
                self.by_low[low] = *feature;
            } else {
                self.others.push(*feature);
            }
        }
        self.is_spread = self.others.len() * 16 <= set.len();
    }

    #[inline]
    fn low(&self, feature: u64) -> usize {
        feature as usize & (self.by_low.len() - 1)
    }

    /// How many features another set, sorted and without repeats, shares with this one.
    pub fn shared(&self, other: &[u64]) -> usize {
        if !self.is_spread || other.len() < self.features.len() / 4 || other.len() / 4 > self.features.len() {
            return sets::shared(&self.features, other);
        }
        let (high, low, shift) = (&*self.by_high, &*self.by_low, self.shift);
        // never so; but now the compiler knows that what is left of the bits is a place in them
        if high.is_empty() || low.is_empty() {
            return 0;
        }
        let (high_mask, low_mask) = (high.len() - 1, low.len() - 1);
        let mut in_tables = 0;
        for feature in other {
            in_tables += usize::from(high[(feature >> shift) as usize & high_mask] == *feature);
            in_tables += usize::from(low[*feature as usize & low_mask] == *feature);
        }
        in_tables + self.others.iter().filter(|feature| other.binary_search(feature).is_ok()).count()
    }
}

/// Whether nothing was put into a slot yet.
#[inline]
fn is_free(content: u64, slot: usize, first: u64) -> bool {
    content == if slot == 0 { first } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_a_merge(sets in prop::collection::vec(prop::collection::btree_set(any::<u64>(), 0..300), 1..4), both: BTreeSet<u64>, shift in 0u32..64, up: bool) {
            // spread over all numbers, over the smallest, or all of one level
            let part = |feature: &u64| if up { feature << shift } else { feature >> shift };
            let sets: Vec<Vec<u64>> = sets
                .iter()
                .map(|set| set.union(&both).map(part).chain([0, u64::MAX, 1]).collect::<BTreeSet<u64>>().into_iter().collect())
                .collect();
            let mut table = SetTable::default();
            for a in &sets {
                table.fill(a);
                for b in sets.iter().map(Vec::as_slice).chain([&[][..]]) {
                    prop_assert_eq!(table.shared(b), sets::shared(a, b));
                }
            }
        }
    }

    #[test]
    fn hashes_are_looked_up() {
        let set: Vec<u64> = (0..1000u64)
            .map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect::<BTreeSet<u64>>()
            .into_iter()
            .collect();
        let mut table = SetTable::default();
        table.fill(&set);
        assert!(table.is_spread && table.others.len() < 60, "{} of 1000 have no slot", table.others.len());
        assert_eq!(table.shared(&set), 1000);
    }
}
