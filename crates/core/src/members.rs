//! Membership in a set that is asked for often and found seldom.

/// A set that is asked again and again whether it has a feature, and seldom has it.
#[derive(Clone, Debug, Default)]
pub struct Members {
    sorted: Vec<u64>,
    /// A table at most half full: each member's place, counted from one, in the first slot that was free from that of its bits on.
    slots: Vec<u32>,
}

impl Members {
    /// A set of features, sorted and without repeats.
    pub fn new(sorted: Vec<u64>) -> Self {
        debug_assert!(sorted.is_sorted());
        let mut members = Self { slots: vec![0; (sorted.len() * 2).next_power_of_two().max(2)], sorted };
        for (place, feature) in (1..).zip(&members.sorted) {
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
        if self.sorted.is_empty() {
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
        if !self.sorted.is_empty() {
            features.retain(|f| self.place(*f).is_none());
        }
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
