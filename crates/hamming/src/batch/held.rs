//! Fingerprints in memory that others pass by, for whoever brings those: another engine reads and shuffles, this compares.

use super::partition::{Partition, PartitionMatch, TableSelector, plan_batch};
use crate::error::Error;
use crate::options::check_distance;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::ProbeBuffer;

/// Different fingerprints, ready to be held against very many others.
///
/// ```
/// use lookalike_hamming::HeldFingerprints;
///
/// let held = HeldFingerprints::new(vec![0b1011u64, u64::MAX, 0b1011], 3, 1 << 30)?;
/// let mut found = Vec::new();
/// held.search(&[0b0001, 42, u64::MAX - 1], |at, held, distance| found.push((at, held, distance)));
/// found.sort_unstable();
/// assert_eq!(found, [(0, 0b1011, 2), (1, 0b1011, 2), (2, u64::MAX, 1)]);
/// # Ok::<(), lookalike_hamming::Error>(())
/// ```
pub struct HeldFingerprints<F: FingerprintBits> {
    partitions: Vec<Partition<F>>,
}

/// As many are taken to pass by: the table that they are held against may cost as much as a pass.
const PASSING: u64 = 1 << 26;

impl<F: FingerprintBits> HeldFingerprints<F> {
    /// Those within `k` bits of what passes by are looked for. The tables take so much memory at most, but for a little of each partition.
    pub fn new(mut fingerprints: Vec<F>, k: u32, memory: u64) -> Result<Self, Error> {
        check_distance(k)?;
        fingerprints.sort_unstable();
        fingerprints.dedup();
        let plan = plan_batch::<F>(fingerprints.len() as u64, PASSING, k, memory);
        let parts = fingerprints.chunks((plan.partition as usize).max(1)).map(<[F]>::to_vec);
        Ok(Self { partitions: parts.map(|part| Partition::new(part, plan, k)).collect::<Result<_, Error>>()? })
    }

    /// Calls `each` with the place of a fingerprint that passes by, one in memory that is near it, and their distance; every such pair once, in
    /// no order.
    pub fn search(&self, passing: &[F], mut each: impl FnMut(usize, F, u32)) {
        let mut buffer = ProbeBuffer::default();
        for partition in &self.partitions {
            let held = partition.fingerprints();
            let mut later: Vec<(usize, TableSelector)> = Vec::new();
            let near = |at: usize, near: PartitionMatch| each(at, held[near.held], near.distance);
            partition.search_all(passing, &mut buffer, near, |at, selector| later.push((at, selector)));
            for (at, selector) in later {
                partition.search(passing[at], selector, |near| each(at, held[near.held], near.distance));
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.partitions.iter().map(|partition| partition.fingerprints().len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Near-copies, many of one value, and little memory, which makes partitions.
        #[test]
        fn what_is_near_is_what_a_look_at_all_finds(seed: u64, count in 0usize..400, k in 0u32..=4, memory in prop::sample::select(vec![1u64 << 20, 1 << 28])) {
            let mut state = seed | 1;
            let mut random = || { state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407); state ^ (state >> 29) };
            let held: Vec<u64> = (0..count).map(|_| if random() % 4 == 0 { 7 << (random() % 60) } else { random() }).collect();
            let passing: Vec<u64> = (0..300).map(|_| match held.get((random() % 500) as usize) {
                Some(near) => near ^ (1 << (random() % 64)) ^ (1 << (random() % 64)),
                None => random(),
            }).collect();
            let index = HeldFingerprints::new(held.clone(), k, memory).unwrap();
            let mut found = Vec::new();
            index.search(&passing, |at, held, distance| found.push((at, held, distance)));
            found.sort_unstable();
            let mut distinct = held;
            distinct.sort_unstable();
            distinct.dedup();
            let all = passing.iter().enumerate().flat_map(|(at, passing)| distinct.iter().map(move |held| (at, *held, (held ^ passing).count_ones())));
            prop_assert_eq!(found, all.filter(|found| found.2 <= k).collect::<Vec<_>>());
        }
    }
}
