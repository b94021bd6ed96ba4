//! Which pairs are worth comparing in full, and which are links.

use crate::report::policy::Policy;
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::{SampleOverlap, Sampling};

/// Decides on pairs by what their samples, and then their whole sets, have in common.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    pub policy: Policy,
    pub sampling: Sampling,
    /// Estimates are final: no second look.
    pub estimate: bool,
}

/// How many standard deviations below the threshold an estimate may be and still get a second look: of the pairs at the very
/// threshold about one in a thousand is missed, above it almost none. Samples that share nothing at all are never looked
/// at, which matters for thresholds near 0 and for a short document inside a very long one.
const DEVIATIONS: f64 = 3.0;

impl Filter {
    /// Whether the pair could be a link.
    pub fn candidate(&self, o: SampleOverlap) -> bool {
        let near = |hits: u32, of: u32, least: f64| {
            let (hits, of) = (f64::from(hits), f64::from(of));
            // hits / of >= least - slack, with no division and no root
            let short = least * of - hits;
            of > 0.0
                && (short <= 0.0
                    || !(o.is_exhaustive || self.estimate)
                        && short * short <= DEVIATIONS * DEVIATIONS * least * (1.0 - least) * of)
        };
        o.shared > 0
            && (near(o.shared, o.a + o.b - o.shared, self.policy.threshold)
                || (self.sampling.estimates_containment() || o.is_exhaustive)
                    && self.policy.contained.is_some_and(|c| near(o.shared, o.a, c) || near(o.shared, o.b, c)))
    }

    /// How many features a sample of so many must share to be of any candidate; none if no number is needed.
    pub fn least_common(&self, sample: u32, whole: bool) -> Option<u32> {
        // a short document inside this one may share a single feature
        self.policy.contained.is_none().then(|| self.least_resembling(sample, whole))
    }

    /// The same for candidates that resemble.
    pub fn least_resembling(&self, sample: u32, whole: bool) -> u32 {
        let (threshold, all) = (self.policy.threshold, f64::from(sample));
        // the union is no smaller than the sample; from here on more features in it need more in common
        let slack = if whole || self.estimate { 0.0 } else { DEVIATIONS };
        let turn = slack * slack / 4.0 * (1.0 - threshold) / threshold;
        let least = threshold * all - slack * (threshold * (1.0 - threshold) * all).sqrt();
        if all <= turn { 1 } else { (least - 1e-6).ceil().max(1.0) as u32 }
    }

    /// Whether the samples alone say that it is a link.
    pub fn likely(&self, o: SampleOverlap) -> bool {
        Filter { estimate: true, ..*self }.candidate(o)
    }

    /// The probability that a pair of just the least resemblance gets a second look, where its samples are as unlucky in size as they can be.
    pub fn found_at_threshold(&self) -> f64 {
        let unions = match self.sampling {
            Sampling::Nested(most) => most / 2..=most,
            Sampling::Min(most) => most..=most,
            Sampling::Mod(_) => return 1.0,
        };
        unions.map(|union| self.found_with(union)).fold(1.0, f64::min)
    }

    /// The same for samples of which so many features are in either.
    fn found_with(&self, union: u32) -> f64 {
        let share = self.policy.threshold;
        if share >= 1.0 {
            return 1.0;
        }
        let is_found =
            |shared: u32| self.candidate(SampleOverlap { a: union, b: shared, shared, is_exhaustive: false });
        // the terms of the binomial distribution, one from the other
        let mut term = (1.0 - share).powf(f64::from(union));
        let mut found = 0.0;
        for shared in 0..=union {
            found += if is_found(shared) { term } else { 0.0 };
            term *= f64::from(union - shared) / f64::from(shared + 1) * share / (1.0 - share);
        }
        found.min(1.0)
    }

    /// Whether `b` may stand under `a`: it resembles `a`, or is inside it.
    pub fn accepts(&self, o: Overlap) -> bool {
        o.resemblance() >= self.policy.threshold || self.contains(o)
    }

    /// Whether `b` is inside `a`.
    pub fn contains(&self, o: Overlap) -> bool {
        self.policy.contained.is_some_and(|c| o.b_in_a() >= c)
    }

    /// Whether the pair is a link, whichever of the two is inside the other.
    pub fn links(&self, o: Overlap) -> bool {
        self.accepts(o) || self.contains(o.swapped())
    }
}

/// How many features two samples of given sizes must share to be a candidate: what [`Filter::candidate`] says, as a table. Very many pairs
/// are asked about, and nearly all share too little.
#[derive(Debug)]
pub struct LeastShared {
    filter: Filter,
    /// Whether the sizes are of samples, of whole sets, or of a part of a sample; then the two sizes.
    table: Vec<u8>,
    /// By the size of a sample, and of a whole set: [`Filter::least_common`].
    common: [Vec<Option<u32>>; 2],
}

/// Sizes that the table has; larger samples are computed.
const SIZES: usize = 256;
/// No number is enough.
const NEVER: u8 = u8::MAX;

impl LeastShared {
    pub fn new(filter: Filter) -> Self {
        let by_part = Filter { estimate: false, ..filter };
        let mut table = plane(filter, false);
        table.extend(plane(filter, true));
        if filter.estimate {
            table.extend(plane(by_part, false));
        } else {
            table.extend_from_within(..SIZES * SIZES);
        }
        let common =
            [false, true].map(|whole| (0..SIZES as u32).map(|size| filter.least_common(size, whole)).collect());
        Self { filter, table, common }
    }

    /// What [`Filter::least_common`] says.
    #[inline]
    pub fn least_common(&self, sample: u32, whole: bool) -> Option<u32> {
        let known = self.common[usize::from(whole)].get(sample as usize);
        known.copied().unwrap_or_else(|| self.filter.least_common(sample, whole))
    }

    /// Whether the pair could be a link.
    #[inline]
    pub fn candidate(&self, o: SampleOverlap) -> bool {
        self.least(usize::from(o.is_exhaustive), o).unwrap_or_else(|| self.filter.candidate(o))
    }

    /// The same by a part of the samples: whatever is done with the pair later, it may err.
    #[inline]
    pub fn candidate_by_part(&self, o: SampleOverlap) -> bool {
        self.least(2, o).unwrap_or_else(|| Filter { estimate: false, ..self.filter }.candidate(o))
    }

    /// How many features two samples of these sizes must share at least, whatever they do; more than there are if none are enough.
    #[inline]
    pub fn needed(&self, o: SampleOverlap) -> u32 {
        let (a, b) = (o.a as usize, o.b as usize);
        if a >= SIZES || b >= SIZES {
            return 0;
        }
        let least = self.table[(usize::from(o.is_exhaustive) * SIZES + a) * SIZES + b];
        if least == NEVER { u32::MAX } else { u32::from(least) }
    }

    #[inline]
    fn least(&self, plane: usize, o: SampleOverlap) -> Option<bool> {
        let (a, b) = (o.a as usize, o.b as usize);
        let known = a < SIZES && b < SIZES;
        known.then(|| {
            let least = self.table[(plane * SIZES + a) * SIZES + b];
            least != NEVER && o.shared >= u32::from(least)
        })
    }
}

/// By two sizes, how many features must be shared at least. Neither of the two is the first.
fn plane(filter: Filter, is_exhaustive: bool) -> Vec<u8> {
    let mut plane = vec![NEVER; SIZES * SIZES];
    for a in 0..SIZES {
        for b in a..SIZES {
            let (a_size, b_size) = (a as u32, b as u32);
            let (mut few, mut enough) = (0, a_size + 1);
            // who shares more is a candidate all the more
            while few < enough {
                let shared = u32::midpoint(few, enough);
                if filter.candidate(SampleOverlap { a: a_size, b: b_size, shared, is_exhaustive }) {
                    enough = shared;
                } else {
                    few = shared + 1;
                }
            }
            let least = if enough > a_size { NEVER } else { enough as u8 };
            (plane[a * SIZES + b], plane[b * SIZES + a]) = (least, least);
        }
    }
    plane
}

/// A sample's counts, read as if they were whole sets: the estimates are the ratios.
pub fn as_overlap(o: SampleOverlap) -> Overlap {
    Overlap { a: o.a, b: o.b, shared: o.shared }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nearly_all_at_the_threshold_are_found() {
        for threshold in [0.3, 0.5, 0.7, 0.8, 0.9, 0.95] {
            let policy = Policy { threshold, contained: None, ..Policy::default() };
            let filter = Filter { policy, sampling: Sampling::default(), estimate: false };
            assert!(filter.found_at_threshold() > 0.99, "{threshold}: {}", filter.found_at_threshold());
            let about_half = Filter { estimate: true, ..filter }.found_at_threshold();
            assert!((0.3..0.8).contains(&about_half), "{threshold}: {about_half}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_table_says_what_the_filter_says(
            threshold in 0.05f64..=1.0,
            contained in prop::option::of(0.05f64..=1.0),
            estimate: bool,
            pairs in prop::collection::vec((0u32..300, 0u32..300, 0u32..300, any::<bool>()), 200),
        ) {
            let policy = Policy { threshold, contained, ..Policy::default() };
            let filter = Filter { policy, sampling: Sampling::default(), estimate };
            let (table, by_part) = (LeastShared::new(filter), Filter { estimate: false, ..filter });
            for (a, b, shared, is_exhaustive) in pairs {
                let o = SampleOverlap { a, b, shared: shared.min(a).min(b), is_exhaustive };
                prop_assert_eq!(table.candidate(o), filter.candidate(o), "{:?}", o);
                prop_assert!(!filter.candidate(o) || o.shared >= table.needed(o), "{:?}", o);
                prop_assert_eq!(table.least_common(a, is_exhaustive), filter.least_common(a, is_exhaustive));
                let part = SampleOverlap { is_exhaustive: false, ..o };
                prop_assert_eq!(table.candidate_by_part(part), by_part.candidate(part), "{:?}", part);
            }
        }
    }
}
