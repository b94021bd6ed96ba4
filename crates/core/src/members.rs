//! Membership in a set that is asked for often and found seldom.

/// A set that is asked again and again whether it has a feature, and seldom has it.
#[derive(Clone, Debug, Default)]
pub struct Members {
    sorted: Vec<u64>,
    /// A table at most half full: each member's place, counted from one, in the first slot that was free from that of its bits on.
    slots: Vec<u32>,
    /// A bit for each member, at a place that its product tells, among sixteen times as many: small enough to stay in the nearest cache, where
    /// the table does not.
    bits: Vec<u64>,
}

/// Bits for each slot of the table.
const BITS_PER_SLOT: usize = 8;

impl Members {
    /// A set of features, sorted and without repeats.
    pub fn new(sorted: Vec<u64>) -> Self {
        debug_assert!(sorted.is_sorted());
        let slots = (sorted.len() * 2).next_power_of_two().max(8);
        let mut members = Self { slots: vec![0; slots], bits: vec![0; slots * BITS_PER_SLOT / 64], sorted };
        for (place, feature) in (1..).zip(&members.sorted) {
            let (word, bit) = members.bit(*feature);
            members.bits[word] |= 1 << bit;
            let mut slot = members.slot(*feature);
            while members.slots[slot] != 0 {
                slot = members.next(slot);
            }
            members.slots[slot] = place;
        }
        members
    }

    /// Its place among the members, if it is one.
    #[inline]
    pub fn place(&self, feature: u64) -> Option<usize> {
        if self.sorted.is_empty() || !self.may_have(feature) {
            return None;
        }
        let mut slot = self.slot(feature);
        loop {
            let place = (self.slots[slot] as usize).checked_sub(1)?;
            if self.sorted[place] == feature {
                return Some(place);
            }
            slot = self.next(slot);
        }
    }

    /// Samples are multiples of 2^i or the smallest of all; the product spreads both.
    #[inline]
    fn slot(&self, feature: u64) -> usize {
        (feature.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1)
    }

    /// Where its bit is: the word by the bits that choose the slot, the bit by those below.
    #[inline]
    fn bit(&self, feature: u64) -> (usize, u32) {
        let product = feature.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((product >> 32) as usize & (self.bits.len() - 1), (product >> 26) as u32 & 63)
    }

    #[inline]
    fn may_have(&self, feature: u64) -> bool {
        let (word, bit) = self.bit(feature);
        self.bits[word] >> bit & 1 != 0
    }

    #[inline]
    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// How many of these are members.
    pub fn count_in(&self, features: &[u64]) -> usize {
        features.iter().filter(|f| self.place(**f).is_some()).count()
    }

    /// Takes the members out of a list.
    pub fn subtract_from(&self, features: &mut Vec<u64>) {
        if self.sorted.is_empty() {
            return;
        }
        // nearly all stay: each is moved, and whether it stays only moves the end
        let mut kept = 0;
        for at in 0..features.len() {
            let feature = features[at];
            features[kept] = feature;
            kept += usize::from(self.place(feature).is_none());
        }
        features.truncate(kept);
    }

    /// The members, sorted.
    pub fn as_slice(&self) -> &[u64] {
        &self.sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_the_definition(set in prop::collection::btree_set(0u64..500, 0..200), list in prop::collection::vec(0u64..500, 0..200), shift in 0u32..50) {
            let set: BTreeSet<u64> = set.into_iter().map(|x| x << shift).collect();
            let mut list: Vec<u64> = list.into_iter().map(|x| x << shift).collect();
            let members = Members::new(set.iter().copied().collect());
            prop_assert_eq!(members.count_in(&list), list.iter().filter(|x| set.contains(x)).count());
            prop_assert!(set.iter().enumerate().all(|(at, x)| members.place(*x) == Some(at)));
            let rest: Vec<u64> = list.iter().copied().filter(|x| !set.contains(x)).collect();
            members.subtract_from(&mut list);
            prop_assert_eq!(list, rest);
        }
    }
}
