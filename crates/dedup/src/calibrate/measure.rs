//! How alike two documents are, by several recipes.

use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle::set_of_words;
use serde::Serialize;
use std::fmt;

/// Words of a shingle that are tried beside those of the recipe.
const TRIED_WORDS: [usize; 5] = [1, 3, 5, 8, 13];

/// What is told of two sets of shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MeasureKind {
    /// What both have, of what either has.
    Resemblance,
    /// What both have, of what the smaller has.
    Containment,
}

/// A number from 0 to 1 that two documents have, and that a threshold may be set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Measure {
    /// What is told.
    pub kind: MeasureKind,
    /// Words of a shingle.
    pub w: usize,
}

impl Measure {
    /// All that are tried where documents are compared by shingles of `w` words; the resemblance by those is the first.
    pub(super) fn all(w: usize) -> Vec<Self> {
        let resemblance = |w: usize| Self { kind: MeasureKind::Resemblance, w };
        let others = TRIED_WORDS.into_iter().filter(|tried| *tried != w).map(resemblance);
        let containment = Self { kind: MeasureKind::Containment, w };
        std::iter::once(resemblance(w)).chain(others).chain([containment]).collect()
    }

    /// Of two sets.
    pub(super) fn of(self, overlap: Overlap) -> f64 {
        match self.kind {
            MeasureKind::Resemblance => overlap.resemblance(),
            MeasureKind::Containment => overlap.a_in_b().max(overlap.b_in_a()),
        }
    }

    /// Of the words of two documents.
    pub(super) fn of_words(self, a: &[u64], b: &[u64], hasher: &FeatureHasher) -> f64 {
        let set = |words: &[u64]| set_of_words(words.iter().copied(), self.w, hasher);
        self.of(Overlap::of(&set(a), &set(b)))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            MeasureKind::Resemblance => write!(f, "w={}", self.w),
            MeasureKind::Containment => write!(f, "w={} containment", self.w),
        }
    }
}
