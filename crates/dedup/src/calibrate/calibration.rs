//! What a calibration says, for people and for programs.

use super::judgement::{Judge, Judgement};
use super::measure::Measure;
use lookalike_core::sketch::Estimate;
use serde::Serialize;

/// What each threshold and recipe would do to a corpus, judged on a sample of its pairs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Calibration {
    /// How documents were compared.
    pub recipe: String,
    /// Documents that were read.
    pub documents: u64,
    /// Documents with the same bytes, words or shingles as another: duplicates at any threshold. Their pairs are not drawn.
    pub identical: u64,
    /// The least resemblance of the pairs that were looked at.
    pub explored: f64,
    /// Pairs of different documents of at least that resemblance. Of documents that are the same, one is counted.
    pub pairs: u64,
    /// The probability that a pair of just the least resemblance is among them.
    pub found_at_explored: f64,
    /// Who judged the sample: precision and recall are by this judge.
    pub judged_by: Judge,
    /// What was judged.
    pub judgements: JudgementCounts,
    /// The strata of the sample, by the resemblance of the recipe.
    pub strata: Vec<Stratum>,
    /// What thresholds would do, the measure of the recipe first.
    pub measures: Vec<MeasureEstimates>,
    /// The precision that was asked for.
    pub precision: f64,
    /// Which threshold to take.
    pub suggestion: Suggestion,
    /// The sample. Whoever judges the first of them has judged some of each stratum.
    pub sample: Vec<SampledPair>,
}

/// Judgements of the sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JudgementCounts {
    /// Pairs of the sample that are the same.
    pub same: u64,
    /// Pairs that are different.
    pub different: u64,
    /// Pairs that were looked at and could not be told. They do not count.
    pub unsure: u64,
    /// Pairs that nobody judged.
    pub unjudged: u64,
    /// Judgements of pairs that are not in the sample: their documents have changed or gone, or others were drawn.
    pub of_other_pairs: u64,
    /// Of those that people judged the same or different, how many the alignment of words judges so, too.
    pub agree_with_alignment: u64,
}

/// A range of resemblance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stratum {
    /// Its least resemblance.
    pub from: f64,
    /// Resemblance below this; 1 is in the last.
    pub to: f64,
    /// Its pairs.
    pub pairs: u64,
    /// Those that were drawn.
    pub sampled: u64,
    /// Of those, the same.
    pub same: u64,
    /// Of those, different.
    pub different: u64,
    /// The share of its pairs that are the same; none if no pair was judged.
    pub share: Option<Estimate>,
}

/// What thresholds of one measure would do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureEstimates {
    /// The measure.
    #[serde(flatten)]
    pub measure: Measure,
    /// Every pair at or above its thresholds was looked at. Otherwise there may be others, less alike by the measure of the recipe:
    /// precision is that of the pairs that were looked at, which flatters.
    pub is_complete: bool,
    /// By threshold, lowest first.
    pub thresholds: Vec<ThresholdEstimate>,
    /// The lowest threshold of the precision that was asked for.
    pub suggested: Option<f64>,
}

/// What a threshold would do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ThresholdEstimate {
    /// Pairs of at least this are links.
    pub threshold: f64,
    /// How many pairs that is: counted for the measure of the recipe, estimated for others.
    pub pairs: u64,
    /// The share of those that are the same; none if there is none.
    pub precision: Option<Estimate>,
    /// The share of all pairs that are the same, as far as they were looked at, that are among them; none if none is the same.
    pub recall: Option<Estimate>,
    /// Documents that would be removed, identical ones included: counted, for the measure of the recipe only.
    pub removed: Option<u64>,
}

/// Which threshold to take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Suggestion {
    /// The lowest whose precision is as asked, by the lower end of its interval.
    Threshold {
        /// It.
        threshold: f64,
    },
    /// Some threshold may have that precision, but too few pairs were judged to tell.
    TooFewPairs {
        /// The one that may be nearest: its interval has the highest lower end.
        nearest: f64,
    },
    /// No threshold has it.
    NotReached {
        /// The one whose precision is the highest.
        best: f64,
    },
    /// There is no pair that was judged.
    NoPairs,
}

impl Suggestion {
    /// The threshold, if there is one.
    pub fn threshold(self) -> Option<f64> {
        match self {
            Self::Threshold { threshold } => Some(threshold),
            _ => None,
        }
    }
}

/// A pair of the sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledPair {
    /// The document with the lesser content id.
    pub a: PairDocument,
    /// The other.
    pub b: PairDocument,
    /// Its stratum, from 0.
    pub stratum: usize,
    /// By measure, in the order of [`Calibration::measures`]: how alike the two are. None where they could not be compared again.
    pub scores: Vec<Option<f64>>,
    /// The share of the words of the longer document that stand in the other in the same order; none where that is not known.
    pub aligned: Option<f64>,
    /// What the judge says; none if it said nothing.
    pub judgement: Option<Judgement>,
}

/// A document of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PairDocument {
    /// Its number.
    #[serde(skip)]
    pub document: u32,
    /// Its id.
    pub id: String,
    /// Its content id: another content is another document.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
}

impl SampledPair {
    /// Whether the two are the same, if that was told.
    pub(super) fn is_same(&self) -> Option<bool> {
        match self.judgement? {
            Judgement::Same => Some(true),
            Judgement::Different => Some(false),
            Judgement::Unsure => None,
        }
    }
}
