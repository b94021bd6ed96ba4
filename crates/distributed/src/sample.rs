//! What one document brings to a pair: how many features of its sketch count at each level, and those of them that any other document has
//! too. Two documents share no others.

use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch, survivors};
use lookalike_engine::lens::shingles::sample_counts::is_whole_at;
use std::cmp::Ordering;

/// What leads from a feature to others that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Lead {
    /// A list, which is not followed from here.
    Listed = 0,
    /// A list that is followed.
    Key = 1,
    /// Nothing: too many have it.
    Frequent = 2,
}

/// Of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) level: u8,
    /// How many features count at the own level, the next, and so on until there are none.
    counts: Vec<u32>,
    /// Sorted by feature.
    shared: Vec<(u64, Lead)>,
}

/// What the samples of two documents have in common.
pub(crate) struct CommonFeatures {
    pub(crate) overlap: SampleOverlap,
    /// The smallest feature by which both look for others.
    pub(crate) first_key: Option<u64>,
    /// A list leads from one to the other.
    pub(crate) is_listed: bool,
}

impl Sample {
    /// Of a sketch, and those of its features that others have; sorted.
    pub(crate) fn new(sketch: &Sketch, shared: Vec<(u64, Lead)>) -> Self {
        let all = (sketch.level..=u8::MAX).map(|level| survivors(&sketch.features, level));
        Self { level: sketch.level, counts: all.take_while(|count| *count > 0).collect(), shared }
    }

    fn survivors(&self, level: u8) -> u32 {
        self.counts.get(usize::from(level - self.level)).copied().unwrap_or(0)
    }

    /// As two sketches are compared.
    pub(crate) fn common(&self, other: &Self, sampling: Sampling) -> CommonFeatures {
        let level = self.level.max(other.level);
        let (mut i, mut j, mut shared) = (0, 0, 0);
        let (mut first_key, mut is_listed) = (None, false);
        while let (Some((x, lead)), Some((y, other_lead))) = (self.shared.get(i), other.shared.get(j)) {
            let order = x.cmp(y);
            if order == Ordering::Equal {
                shared += 1;
                is_listed |= *lead != Lead::Frequent;
                if *lead == Lead::Key && *other_lead == Lead::Key {
                    first_key.get_or_insert(*x);
                }
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        let (a, b, is_exhaustive) = (self.survivors(level), other.survivors(level), is_whole_at(sampling, level));
        CommonFeatures { overlap: SampleOverlap { a, b, shared, is_exhaustive }, first_key, is_listed }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![self.level, self.counts.len() as u8];
        self.counts.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        for (feature, lead) in &self.shared {
            bytes.extend(feature.to_le_bytes());
            bytes.push(*lead as u8);
        }
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let ([level, levels], rest) = bytes.split_first_chunk()?;
        let (counts, rest) = rest.split_at_checked(usize::from(*levels) * 4)?;
        let counts = counts.as_chunks().0.iter().map(|count| u32::from_le_bytes(*count)).collect();
        let (features, []) = rest.as_chunks::<9>() else { return None };
        let feature = |[feature @ .., lead]: &[u8; 9]| {
            let lead = match lead {
                0 => Lead::Listed,
                1 => Lead::Key,
                2 => Lead::Frequent,
                _ => return None,
            };
            Some((u64::from_le_bytes(*feature), lead))
        };
        let shared: Vec<(u64, Lead)> = features.iter().map(feature).collect::<Option<_>>()?;
        shared.is_sorted_by_key(|shared| shared.0).then_some(Self { level: *level, counts, shared })
    }
}

/// A sketch as bytes.
pub(crate) fn encode_features(features: &[u64]) -> Vec<u8> {
    features.iter().flat_map(|feature| feature.to_le_bytes()).collect()
}

/// The features of such bytes; none if they are none.
pub(crate) fn decode_features(bytes: &[u8]) -> Option<Vec<u64>> {
    let (features, []) = bytes.as_chunks() else { return None };
    Some(features.iter().map(|feature| u64::from_le_bytes(*feature)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sketch() -> impl Strategy<Value = Sketch> {
        (0u8..12, prop::collection::btree_set(0u64..60, 0..40)).prop_map(|(level, features)| {
            let features = features.into_iter().map(|feature| (feature + 1) << level).collect();
            Sketch { level, features }
        })
    }

    proptest! {
        #[test]
        fn as_sketches_are_compared(a in sketch(), b in sketch(), alone in 0usize..3) {
            let sampling = Sampling::Nested(100);
            let both: BTreeSet<u64> = a.features.iter().copied().filter(|f| b.features.contains(f)).collect();
            // features that only one of the two has may be shared with a third
            let sample = |sketch: &Sketch| {
                let is_known = |feature: &u64| both.contains(feature) || *feature as usize % 3 < alone;
                let shared = sketch.features.iter().copied().filter(is_known);
                let lead = |feature: u64| [Lead::Listed, Lead::Key, Lead::Frequent][(feature >> 12) as usize % 3];
                Sample::new(sketch, shared.map(|feature| (feature, lead(feature))).collect())
            };
            let (x, y) = (sample(&a), sample(&b));
            prop_assert_eq!(x.common(&y, sampling).overlap, SampleOverlap::of(sampling, &a, &b));
            prop_assert_eq!(x.common(&y, sampling).first_key, both.iter().copied().find(|f| (f >> 12) % 3 == 1));
            prop_assert_eq!(x.common(&y, sampling).is_listed, both.iter().any(|f| (f >> 12) % 3 != 2));
            prop_assert_eq!(Sample::decode(&x.encode()), Some(x));
        }

        #[test]
        fn broken_bytes_are_refused(bytes: Vec<u8>) {
            let _ = (Sample::decode(&bytes), decode_features(&bytes));
        }
    }
}
