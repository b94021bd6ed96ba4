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

/// A sample's counts, read as if they were whole sets: the estimates are the ratios.
pub fn as_overlap(o: SampleOverlap) -> Overlap {
    Overlap { a: o.a, b: o.b, shared: o.shared }
}
