//! The passages lens: who copied what from whom (Schleimer, Wilkerson, Aiken 2003).

mod found;
mod options;

pub use found::{
    COPIES_SCHEMA, Calibration, CalibrationRow, CommonPassage, Copies, CopyCluster, FamilyRecipe, Ignored, Pair,
    RankRow, Rules, Shared, SourceFile, Stretch, Submission, WinnowStats, ZeroMod,
};
pub use options::{Cohort, CopiesInputs, CopiesOptions, MaxShare, Reading};

use crate::{Cancel, Error, Progress};

/// A file of a submission as it is shown.
#[derive(Clone, Debug)]
pub struct ShownFile {
    /// Its text; stretches of passages point into it.
    pub text: String,
}

/// A finished run: the report, and the way back to the texts.
pub struct CopiesRun {
    /// What was found.
    pub report: Copies,
}

impl CopiesRun {
    /// The files of a submission as they are shown; none where one has changed since.
    pub fn files(&self, _submission: usize) -> Result<Vec<Option<ShownFile>>, Error> {
        Ok(Vec::new())
    }

    /// Calls `each` with every pair of at least `rules.min`, in no particular order but always the same: indices, similarity, both shares.
    pub fn each_pair(&self, _each: &mut dyn FnMut(PairNumbers) -> Result<(), Error>) -> Result<(), Error> {
        Ok(())
    }
}

/// A pair in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairNumbers {
    /// Index of the first submission.
    pub a: u32,
    /// Index of the second.
    pub b: u32,
    /// Similarity.
    pub similarity: f32,
    /// Share of the first's tokens.
    pub share_a: f32,
    /// Share of the second's.
    pub share_b: f32,
    /// Tokens in passages.
    pub overlap: u32,
    /// Tokens of the longest passage.
    pub longest: u32,
}

/// Finds what submissions share.
pub fn copies(
    _inputs: CopiesInputs,
    _options: &CopiesOptions,
    _progress: &dyn Progress,
    _cancel: &Cancel,
) -> Result<CopiesRun, Error> {
    Err(Error::Options("not yet".into()))
}
