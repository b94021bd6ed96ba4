//! A set that many others are compared with: made once, it counts what each shares with it without a branch on their features.

use crate::sets;

/// Features of a bucket, which are compared with one at once.
const SLOTS: usize = 4;
/// Features of larger sets are merged: the table would not be near enough.
const MAX_FEATURES: usize = 1 << 16;

/// A bucket, which no line of the cache divides.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Bucket([u64; SLOTS]);

/// Tables that are used for set after set.
#[derive(Clone, Debug, Default)]
pub struct SetTable {
    features: Vec<u64>,
    /// By the highest bits of a feature: other sets are sorted, so they are walked through from the first to the last. There are as many as
    /// features, or some more.
    buckets: Vec<Bucket>,
    shift: u32,
    /// Those that found no slot.
    others: Vec<u64>,
    /// Features that are no hashes may all want the same bucket.
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
        let buckets = set.len().next_power_of_two().max(2);
        self.shift = u64::BITS - buckets.ilog2();
        // what stands in a free slot belongs into another bucket, so it is never found there
        self.buckets.clear();
        self.buckets.resize(buckets, Bucket([0; SLOTS]));
        self.buckets[0] = Bucket([u64::MAX; SLOTS]);
        let (mut last, mut filled) = (0, 0);
        for feature in set {
            let bucket = (feature >> self.shift) as usize;
            if std::mem::replace(&mut last, bucket) != bucket {
                filled = 0;
            }
            match self.buckets[bucket].0.get_mut(filled) {
                Some(slot) => *slot = *feature,
                None => self.others.push(*feature),
            }
            filled += 1;
        }
        self.is_spread = self.others.len() * 16 <= set.len();
    }

    /// How many features another set, sorted and without repeats, shares with this one.
    pub fn shared(&self, other: &[u64]) -> usize {
        if !self.is_spread || other.len() < self.features.len() / 4 || other.len() / 4 > self.features.len() {
            return sets::shared(&self.features, other);
        }
        self.in_buckets(other) + self.others.iter().filter(|feature| other.binary_search(feature).is_ok()).count()
    }

    /// How many features have a slot.
    fn in_buckets(&self, features: &[u64]) -> usize {
        let Self { buckets, shift, .. } = self;
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(WideCount { simd, buckets, shift: *shift, features });
        }
        count(buckets, *shift, features)
    }
}

/// How many features stand in their buckets.
fn count(buckets: &[Bucket], shift: u32, features: &[u64]) -> usize {
    let in_bucket = |feature: u64| {
        let same = buckets[(feature >> shift) as usize].0.map(|slot| usize::from(slot == feature));
        same.into_iter().sum::<usize>()
    };
    features.iter().map(|feature| in_bucket(*feature)).sum()
}

/// The same, the slots of a bucket at once.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
struct WideCount<'a> {
    simd: pulp::x86::V3,
    buckets: &'a [Bucket],
    shift: u32,
    features: &'a [u64],
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
impl pulp::NullaryFnOnce for WideCount<'_> {
    type Output = usize;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for these instructions")]
    fn call(self) -> usize {
        let Self { simd, buckets, shift, features } = self;
        // never so; but now the compiler knows that what is left of the bits is a place among them
        let Some(mask) = buckets.len().checked_sub(1) else { return 0 };
        let mut counts = simd.avx._mm256_setzero_si256();
        for feature in features {
            let bucket = pulp::cast(buckets[(feature >> shift) as usize & mask].0);
            let same = simd.avx2._mm256_cmpeq_epi64(bucket, simd.avx._mm256_set1_epi64x(feature.cast_signed()));
            // what is the same is minus one
            counts = simd.avx2._mm256_sub_epi64(counts, same);
        }
        let counts: [u64; SLOTS] = pulp::cast(counts);
        counts.iter().sum::<u64>() as usize
    }
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
                    prop_assert_eq!(table.in_buckets(b), count(&table.buckets, table.shift, b));
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
        assert!(table.is_spread && table.others.len() < 10, "{} of 1000 have no slot", table.others.len());
        assert_eq!(table.shared(&set), 1000);
    }
}
