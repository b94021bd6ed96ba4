//! Sets of which many pairs are compared: each is walked once, and becomes a row of bits, one for each feature that more than one of them
//! has. What two of them share is then counted in the bits of both.

/// Of a slot: nobody's yet.
const FREE: u32 = u32::MAX;
/// Of a slot: one set has the feature, and this is its number beside the flag.
const ALONE: u32 = 1 << 31;
/// Slots that are looked at for one feature. Hashes are spread, so that two are the rule; features that are none may want the same slot.
const MAX_PROBES: usize = 64;
/// Slots that there are at first.
const MIN_SLOTS: usize = 1 << 10;

/// Rows that are used for group after group.
#[derive(Clone, Debug, Default)]
pub struct SetBits {
    slots: Slots,
    /// The bits of each set that were known when it was walked, and where those of each begin; one more at the end.
    bits: Vec<u32>,
    starts: Vec<usize>,
    /// Bits of sets that were walked before somebody else had the feature: set and bit.
    late: Vec<(u32, u32)>,
    words: usize,
    rows: Vec<u64>,
}

/// A table of features by their highest bits: sets are sorted, so it is walked through from the first slot to the last.
#[derive(Clone, Debug, Default)]
struct Slots {
    /// A feature, and who has it, or its bit.
    holders: Vec<(u64, u32)>,
    filled: usize,
    shift: u32,
}

impl Slots {
    fn clear(&mut self, slots: usize) {
        self.holders.clear();
        self.holders.resize(slots, (0, FREE));
        self.filled = 0;
        self.shift = u64::BITS - slots.ilog2();
    }

    /// The slot of a feature, or the free one that it may have; none if that is too far.
    #[inline]
    fn of(&self, feature: u64) -> Option<usize> {
        let (first, mask) = ((feature >> self.shift) as usize, self.holders.len() - 1);
        (first..first + MAX_PROBES).map(|at| at & mask).find(|at| {
            let (other, holder) = self.holders[*at];
            other == feature || holder == FREE
        })
    }

    /// Room for twice as many; whether all have found a slot.
    #[cold]
    fn grow(&mut self) -> bool {
        let old = std::mem::take(self);
        self.clear(old.holders.len() * 2);
        self.filled = old.filled;
        old.holders
            .iter()
            .filter(|slot| slot.1 != FREE)
            .all(|slot| self.of(slot.0).map(|at| self.holders[at] = *slot).is_some())
    }
}

impl SetBits {
    /// Takes in sets, sorted and without repeats, instead of those before. Says whether their pairs can be counted: features that are no
    /// hashes may be in each other's way, and rows may be longer than the sets themselves.
    pub fn fill(&mut self, sets: &[&[u64]]) -> bool {
        let (all, largest) = sets.iter().fold((0, 0), |(all, largest), set| (all + set.len(), largest.max(set.len())));
        let Self { slots, bits, starts, late, words, rows } = self;
        slots.clear((largest * 2).next_power_of_two().max(MIN_SLOTS));
        bits.clear();
        starts.clear();
        late.clear();
        let mut shared = 0;
        for (number, set) in (0..).zip(sets) {
            starts.push(bits.len());
            for feature in *set {
                let Some(at) = slots.of(*feature) else { return false };
                let holder = slots.holders[at].1;
                if holder == FREE {
                    slots.holders[at] = (*feature, ALONE | number);
                    slots.filled += 1;
                    if slots.filled * 2 > slots.holders.len() && !slots.grow() {
                        return false;
                    }
                } else if holder & ALONE != 0 {
                    slots.holders[at].1 = shared;
                    late.push((holder & !ALONE, shared));
                    bits.push(shared);
                    shared += 1;
                } else {
                    bits.push(holder);
                }
            }
        }
        starts.push(bits.len());
        *words = (shared as usize).div_ceil(64);
        if *words * sets.len() > all {
            return false;
        }
        rows.clear();
        rows.resize(*words * sets.len(), 0);
        for (set, range) in starts.windows(2).enumerate() {
            let row = &mut rows[set * *words..(set + 1) * *words];
            bits[range[0]..range[1]].iter().for_each(|bit| row[*bit as usize / 64] |= 1 << (bit % 64));
        }
        for (set, bit) in late {
            rows[*set as usize * *words + *bit as usize / 64] |= 1 << (*bit % 64);
        }
        true
    }

    /// How many features two of the sets share, by their numbers.
    pub fn shared(&self, a: usize, b: usize) -> usize {
        let row = |set: usize| &self.rows[set * self.words..(set + 1) * self.words];
        row(a).iter().zip(row(b)).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Compares all pairs; whether the rows could be made.
    fn check(bits: &mut SetBits, sets: &[Vec<u64>]) -> bool {
        let given: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let filled = bits.fill(&given);
        for (a, of_a) in sets.iter().enumerate().filter(|_| filled) {
            for (b, of_b) in sets.iter().enumerate().filter(|(b, _)| *b != a) {
                assert_eq!(bits.shared(a, b), sets::shared(of_a, of_b));
            }
        }
        filled
    }

    fn hash(x: u64) -> u64 {
        x.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    proptest! {
        #[test]
        fn equals_a_merge(numbers in prop::collection::vec(prop::collection::btree_set(0u64..400, 0..300), 0..8), shift in 0u32..64) {
            let mut bits = SetBits::default();
            let mapped = |map: &dyn Fn(u64) -> u64| -> Vec<Vec<u64>> {
                let set = |set: &BTreeSet<u64>| set.iter().map(|x| map(*x)).collect::<BTreeSet<u64>>().into_iter().collect();
                numbers.iter().map(set).collect()
            };
            check(&mut bits, &mapped(&|x| hash(x) >> shift));
            check(&mut bits, &mapped(&|x| x));
            check(&mut bits, &mapped(&|x| u64::MAX - x));
            check(&mut bits, &mapped(&hash));
        }
    }

    #[test]
    fn versions_of_one_text_are_counted() {
        let version = |n: u64| -> Vec<u64> {
            let own = (0..200).map(move |x| 10_000 * (n + 1) + x);
            (0..2000 - n * 10).chain(own).map(hash).collect::<BTreeSet<u64>>().into_iter().collect()
        };
        let versions: Vec<Vec<u64>> = (0..20).map(version).collect();
        assert!(check(&mut SetBits::default(), &versions));
        // what is no hash wants the first slots
        assert!(!check(&mut SetBits::default(), &[(0..1000).collect(), (0..1000).collect()]));
    }
}
