//! What one document brings to a pair: how many features of its sketch count at each level, and those of them that any other document has
//! too. Two documents share no others.

use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch, survivors};
use lookalike_engine::lens::shingles::boilerplate_bands::class;
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
    /// How many of them are frequent.
    frequent: u32,
}

/// Where two documents meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// In the list of a feature.
    Feature(u64),
    /// In a band.
    Band,
}

impl Sample {
    /// Of a sketch, and those of its features that others have; sorted.
    pub(crate) fn new(sketch: &Sketch, shared: Vec<(u64, Lead)>) -> Self {
        let all = (sketch.level..=u8::MAX).map(|level| survivors(&sketch.features, level));
        Self::of(sketch.level, all.take_while(|count| *count > 0).collect(), shared)
    }

    fn of(level: u8, counts: Vec<u32>, shared: Vec<(u64, Lead)>) -> Self {
        let frequent = shared.iter().filter(|(_, lead)| *lead == Lead::Frequent).count() as u32;
        Self { level, counts, shared, frequent }
    }

    fn survivors(&self, level: u8) -> u32 {
        self.counts.get(usize::from(level - self.level)).copied().unwrap_or(0)
    }

    /// The class of the document among those of a band.
    pub(crate) fn class(&self) -> u32 {
        class(self.survivors(self.level), self.frequent)
    }

    /// The most that two documents can have in common that meet here.
    pub(crate) fn most_overlap(&self, other: &Self, sampling: Sampling, meeting: Meeting) -> SampleOverlap {
        let level = self.level.max(other.level);
        let (a, b) = (self.survivors(level), other.survivors(level));
        let leading = |sample: &Self| match meeting {
            Meeting::Feature(_) => sample.shared.len() as u32,
            Meeting::Band => sample.frequent,
        };
        let shared = a.min(b).min(leading(self)).min(leading(other));
        SampleOverlap { a, b, shared, is_exhaustive: is_whole_at(sampling, level) }
    }

    /// What they have in common, as two sketches are compared; none if they meet elsewhere: of the features by which both look for others
    /// in the smallest, and in bands only if no list leads from one to the other. None, too, if it is less than is needed.
    pub(crate) fn overlap(
        &self,
        other: &Self,
        sampling: Sampling,
        meeting: Meeting,
        needed: u32,
    ) -> Option<SampleOverlap> {
        let (mut i, mut j, mut shared, mut has_met) = (0, 0, 0, meeting == Meeting::Band);
        // features of either that the other may lack
        let spare = |all: usize| all.checked_sub(needed as usize);
        let (spare_here, spare_there) = (spare(self.shared.len())?, spare(other.shared.len())?);
        while let (Some((x, lead)), Some((y, other_lead))) = (self.shared.get(i), other.shared.get(j)) {
            if i - shared as usize > spare_here || j - shared as usize > spare_there {
                return None;
            }
            let order = x.cmp(y);
            if order == Ordering::Equal {
                shared += 1;
                let is_listed = *lead != Lead::Frequent;
                if is_listed && meeting == Meeting::Band {
                    return None;
                }
                if !has_met && *lead == Lead::Key && *other_lead == Lead::Key {
                    if meeting != Meeting::Feature(*x) {
                        return None;
                    }
                    has_met = true;
                }
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        has_met.then(|| SampleOverlap { shared, ..self.most_overlap(other, sampling, meeting) })
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
        shared.is_sorted_by_key(|shared| shared.0).then(|| Self::of(*level, counts, shared))
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
            let (expected, lead) = (SampleOverlap::of(sampling, &a, &b), |feature: &u64| (feature >> 12) % 3);
            let first = both.iter().copied().find(|feature| lead(feature) == 1);
            for feature in &both {
                let found = x.overlap(&y, sampling, Meeting::Feature(*feature), 0);
                prop_assert_eq!(found, (first == Some(*feature)).then_some(expected));
            }
            let is_listed = both.iter().any(|feature| lead(feature) != 2);
            prop_assert_eq!(x.overlap(&y, sampling, Meeting::Band, 0), (!is_listed).then_some(expected));
            let most = x.most_overlap(&y, sampling, Meeting::Feature(0));
            prop_assert!(most.shared >= expected.shared);
            prop_assert!(is_listed || x.most_overlap(&y, sampling, Meeting::Band).shared >= expected.shared);
            prop_assert_eq!(SampleOverlap { shared: expected.shared, ..most }, expected);
            prop_assert_eq!(Sample::decode(&x.encode()), Some(x));
        }

        #[test]
        fn broken_bytes_are_refused(bytes: Vec<u8>) {
            let _ = (Sample::decode(&bytes), decode_features(&bytes));
        }
    }
}
