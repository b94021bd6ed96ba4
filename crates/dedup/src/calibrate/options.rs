//! What is asked of a calibration.

use super::judgement_file::Judgements;
use crate::DedupOptions;
use lookalike_engine::{ScanOptions, ShinglesOptions};

/// Least resemblance that is looked at, unless told otherwise.
const DEFAULT_EXPLORED: f64 = 0.3;
/// Pairs that are drawn from each stratum.
const DEFAULT_PER_STRATUM: usize = 100;
/// Precision that a suggested threshold has.
const DEFAULT_PRECISION: f64 = 0.95;
/// The lowest threshold of the table is 0.5, the highest 0.95.
pub(super) const THRESHOLDS: std::ops::RangeInclusive<u32> = 10..=19;
/// Strata and thresholds are so many to 1.
pub(super) const STEPS: u32 = 20;

/// Everything that decides what a calibration says.
#[derive(Clone)]
#[non_exhaustive]
pub struct CalibrateOptions {
    /// How documents are compared. Its threshold is not used.
    pub shingles: ShinglesOptions,
    /// What is read, who stays, and what the run may use.
    pub scan: ScanOptions,
    /// Least resemblance of the pairs that are looked at.
    pub explore: f64,
    /// Pairs that are drawn from each stratum, at most.
    pub per_stratum: usize,
    /// The precision that the suggested threshold has, with 97.5% confidence.
    pub precision: f64,
    /// What people said of pairs; without it, pairs are judged by how they align.
    pub judgements: Option<Judgements>,
}

impl Default for CalibrateOptions {
    /// As documents are compared by [`DedupOptions::default`].
    fn default() -> Self {
        let DedupOptions { shingles, scan, .. } = DedupOptions::default();
        let (explore, per_stratum) = (DEFAULT_EXPLORED, DEFAULT_PER_STRATUM);
        Self { shingles, scan, explore, per_stratum, precision: DEFAULT_PRECISION, judgements: None }
    }
}
