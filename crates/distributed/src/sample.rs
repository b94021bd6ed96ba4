//! What one document brings to a pair: how many features of its sketch count at each level, and those of them that any other document has
//! too. Two documents share no others.

use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch, survivors};
use lookalike_engine::lens::shingles::boilerplate_bands::Kind;
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

/// Of one document, as numbers: the level, how many counts, features and frequent ones there are; the counts; the features, sorted; two
/// bits for what leads from each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample<'a> {
    pub(crate) level: u8,
    /// How many features count at the own level, the next, and so on until there are none.
    counts: &'a [u64],
    /// Sorted.
    shared: &'a [u64],
    leads: &'a [u64],
    /// How many of them are frequent.
    frequent: u32,
}

/// What leads from so many features are told by a number.
const LEADS_OF_A_NUMBER: usize = 32;

/// Where two documents meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// In the list of a feature.
    Feature(u64),
    /// In a band.
    Band,
}

impl<'a> Sample<'a> {
    /// Of a sketch, and those of its features that others have; sorted.
    pub(crate) fn encode(sketch: &Sketch, shared: &[(u64, Lead)]) -> Vec<u64> {
        let counts = (sketch.level..=u8::MAX).map(|level| survivors(&sketch.features, level));
        let counts: Vec<u64> = counts.take_while(|count| *count > 0).map(u64::from).collect();
        let frequent = shared.iter().filter(|(_, lead)| *lead == Lead::Frequent).count() as u64;
        let mut numbers = vec![u64::from(sketch.level), counts.len() as u64, shared.len() as u64, frequent];
        numbers.extend(counts);
        numbers.extend(shared.iter().map(|(feature, _)| feature));
        let leads = shared.chunks(LEADS_OF_A_NUMBER);
        numbers.extend(leads.map(|some| some.iter().rev().fold(0, |bits, (_, lead)| bits << 2 | *lead as u64)));
        numbers
    }

    /// None if these are no such numbers.
    pub(crate) fn decode(numbers: &'a [u64]) -> Option<Self> {
        let ([level, levels, features, frequent], rest) = numbers.split_first_chunk()?;
        let (counts, rest) = rest.split_at_checked(usize::try_from(*levels).ok()?)?;
        let (shared, leads) = rest.split_at_checked(usize::try_from(*features).ok()?)?;
        let (level, frequent) = (u8::try_from(*level).ok()?, u32::try_from(*frequent).ok()?);
        let is_whole = leads.len() == shared.len().div_ceil(LEADS_OF_A_NUMBER) && frequent as usize <= shared.len();
        is_whole.then_some(Self { level, counts, shared, leads, frequent })
    }

    /// Whether the features are in their order: looked at once, when they come.
    pub(crate) fn is_sorted(&self) -> bool {
        self.shared.is_sorted()
    }

    fn lead(&self, at: usize) -> Lead {
        match self.leads[at / LEADS_OF_A_NUMBER] >> (2 * (at % LEADS_OF_A_NUMBER)) & 3 {
            0 => Lead::Listed,
            1 => Lead::Key,
            _ => Lead::Frequent,
        }
    }

    fn survivors(&self, level: u8) -> u32 {
        self.counts.get(usize::from(level - self.level)).map_or(0, |count| *count as u32)
    }

    /// The kind of the document among those of a band.
    pub(crate) fn kind(&self) -> Kind {
        Kind::of(self.survivors(self.level), self.frequent)
    }

    /// The most that two documents can have in common that meet here.
    pub(crate) fn most_overlap(&self, other: &Sample<'_>, sampling: Sampling, meeting: Meeting) -> SampleOverlap {
        let level = self.level.max(other.level);
        let (a, b) = (self.survivors(level), other.survivors(level));
        let leading = |sample: &Sample<'_>| match meeting {
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
        other: &Sample<'_>,
        sampling: Sampling,
        meeting: Meeting,
        needed: u32,
    ) -> Option<SampleOverlap> {
        let (mut i, mut j, mut shared, mut has_met) = (0, 0, 0, meeting == Meeting::Band);
        // features of either that the other may lack
        let spare = |all: usize| all.checked_sub(needed as usize);
        let (spare_here, spare_there) = (spare(self.shared.len())?, spare(other.shared.len())?);
        while let (Some(x), Some(y)) = (self.shared.get(i), other.shared.get(j)) {
            if i - shared as usize > spare_here || j - shared as usize > spare_there {
                return None;
            }
            let order = x.cmp(y);
            if order == Ordering::Equal {
                shared += 1;
                let lead = self.lead(i);
                if meeting == Meeting::Band && lead != Lead::Frequent {
                    return None;
                }
                if !has_met && lead == Lead::Key && other.lead(j) == Lead::Key {
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
}

/// Features, or other such numbers, as bytes.
pub(crate) fn encode_features(features: &[u64]) -> Vec<u8> {
    features.iter().flat_map(|feature| feature.to_le_bytes()).collect()
}

/// The numbers of such bytes; none if they are none.
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
                Sample::encode(sketch, &shared.map(|feature| (feature, lead(feature))).collect::<Vec<_>>())
            };
            let (x, y) = (sample(&a), sample(&b));
            let (x, y) = (Sample::decode(&x).unwrap(), Sample::decode(&y).unwrap());
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
        }

        #[test]
        fn broken_numbers_are_refused(numbers in prop::collection::vec(0u64..9, 0..12), bytes: Vec<u8>) {
            let _ = decode_features(&bytes);
            if let Some(sample) = Sample::decode(&numbers) {
                // whatever it says, it can be compared
                let _ = sample.overlap(&sample, Sampling::Nested(100), Meeting::Band, 0);
                let _ = sample.kind();
            }
        }
    }
}
