//! What `copies` is asked to do.

use crate::{Error, ScanOptions};
use lookalike_core::feature_hash::FeatureHasher;
pub use lookalike_core::recipe::Reading;
use lookalike_corpus::Input;
use std::path::PathBuf;

/// How many may share a passage before it is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MaxShare {
    /// More than 1,000 submissions.
    #[default]
    Auto,
    /// However many.
    Off,
    /// More submissions than this.
    Submissions(u32),
    /// More than this share of all submissions.
    Share(f64),
}

/// How submissions are made of files, and what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Cohort {
    /// A folder (or archive) directly below an input is one submission.
    pub per_folder: bool,
    /// A regular expression: its first group in a submission's name is the owner.
    pub owner: Option<String>,
    /// `info.csv` as Dolos reads it; otherwise one in an input is used.
    pub info: Option<PathBuf>,
}

/// Everything that decides what `copies` does.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "switches that do not depend on each other")]
pub struct CopiesOptions {
    /// What is read, memory, threads, spill folder, key, stats. Its recipe and policy are of other lenses and not used.
    pub scan: ScanOptions,
    /// What files are read as.
    pub reading: Reading,
    /// Noise threshold; none for the family's own.
    pub k: Option<u32>,
    /// Guarantee; none for the family's own.
    pub t: Option<u32>,
    /// Names of identifiers count.
    pub identifiers: bool,
    /// Values of literals count.
    pub literals: bool,
    /// Comments count.
    pub comments: bool,
    /// How submissions are made of files.
    pub cohort: Cohort,
    /// What more submissions share is ignored.
    pub max_share: MaxShare,
    /// Least similarity of a pair; none for the default.
    pub min: Option<f64>,
    /// Pairs that are listed at most.
    pub limit: Option<usize>,
    /// The threshold of clusters; none to estimate it.
    pub threshold: Option<f64>,
    /// Tell what winnowing selected.
    pub winnowing: bool,
}

/// Where documents come from.
#[derive(Debug, Default)]
pub struct CopiesInputs {
    /// The cohort.
    pub submissions: Vec<Input>,
    /// Earlier years: compared with the cohort, not among themselves.
    pub archive: Vec<Input>,
    /// Code that was given to all.
    pub base: Vec<Input>,
}

impl CopiesOptions {
    /// What the steps share. The recipe is of another lens, but must know the key.
    pub(crate) fn session(&self) -> ScanOptions {
        let mut options = self.scan.clone();
        options.recipe.key = (!options.key.is_empty()).then(|| FeatureHasher::key_name(&options.key));
        options
    }

    /// Shares are from 0 to 1.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let max_share = match self.max_share {
            MaxShare::Share(share) => Some(share),
            _ => None,
        };
        for (name, share) in [("--min", self.min), ("--threshold", self.threshold), ("--max-share", max_share)] {
            if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                return Err(Error::Options(format!("{name}: expected a share from 0 to 1, found {share}")));
            }
        }
        Ok(())
    }
}
