//! Links: a document under its representative, and the evidence for it.

use crate::report::cluster::Intervals;
use crate::run::filter::as_overlap;
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::{Estimate, SampleOverlap, Sampling};

/// What is known of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evidence {
    /// Counted on the whole sets.
    Exact(Overlap),
    /// Estimated from the samples.
    Estimate(SampleOverlap),
    /// Joined by a chain, never compared.
    Unknown,
}

impl Evidence {
    /// The 95% intervals, where the numbers are estimates. `a` is the representative, or the first of a pair.
    pub fn intervals(self, sampling: Sampling) -> Option<Intervals> {
        let Self::Estimate(sample) = self else { return None };
        let estimate = sample.estimate(sampling);
        let range = |e: Estimate| [e.low, e.high];
        Some(Intervals {
            resemblance: range(estimate.resemblance),
            containment: estimate.b_in_a.map(range),
            contained_by: estimate.a_in_b.map(range),
        })
    }

    /// The same seen from the other document.
    pub fn swapped(self) -> Self {
        match self {
            Self::Exact(overlap) => Self::Exact(overlap.swapped()),
            Self::Estimate(sample) => Self::Estimate(sample.swapped()),
            Self::Unknown => Self::Unknown,
        }
    }

    pub fn overlap(self) -> Option<Overlap> {
        match self {
            Self::Exact(overlap) => Some(overlap),
            Self::Estimate(sample) => Some(as_overlap(sample)),
            Self::Unknown => None,
        }
    }
}

/// A document under its representative; the evidence sees the representative as `a`.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub representative: u32,
    pub member: u32,
    pub evidence: Evidence,
}
