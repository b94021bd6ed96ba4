//! What is asked of the passages lens.

use crate::Error;
use crate::error::OptionName;
use crate::report::pair_decisions::PairDecision;
use lookalike_core::recipe::PassageRecipe;
use std::path::PathBuf;

/// How many may share a passage before it is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MaxDf {
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
pub struct CohortOptions {
    /// A folder (or archive) directly below an input is one submission.
    pub per_folder: bool,
    /// A regular expression: its first group in a submission's name is the owner.
    pub owner: Option<String>,
    /// `info.csv` as Dolos reads it; otherwise one in an input is used.
    pub info: Option<PathBuf>,
}

/// Everything that decides what the passages lens finds.
#[derive(Clone, Debug, Default)]
pub struct PassagesOptions {
    /// How documents become k-gram fingerprints.
    pub recipe: PassageRecipe,
    /// How submissions are made of files.
    pub cohort: CohortOptions,
    /// Earlier years: compared with the cohort, not among themselves.
    pub archive: Vec<PathBuf>,
    /// Code that was given to all.
    pub base: Vec<PathBuf>,
    /// What more submissions share is ignored.
    pub max_df: MaxDf,
    /// Least similarity of a pair; none for the default.
    pub min_similarity: Option<f64>,
    /// Pairs that are listed at most.
    pub limit: Option<usize>,
    /// The threshold of clusters; none to estimate it.
    pub threshold: Option<f64>,
    /// What people decided about pairs before.
    pub decisions: Vec<PairDecision>,
    /// Tell what winnowing selected.
    pub winnowing: bool,
}

impl From<PassageRecipe> for PassagesOptions {
    fn from(recipe: PassageRecipe) -> Self {
        Self { recipe, ..Self::default() }
    }
}

impl PassagesOptions {
    /// Shares are from 0 to 1.
    pub fn check(&self) -> Result<(), Error> {
        let max_df = match self.max_df {
            MaxDf::Share(share) => Some(share),
            _ => None,
        };
        let shares = [
            (OptionName::MinSimilarity, self.min_similarity),
            (OptionName::Threshold, self.threshold),
            (OptionName::MaxDf, max_df),
        ];
        for (option, share) in shares {
            if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                return option.refuse("a share from 0 to 1", share);
            }
        }
        Ok(())
    }
}
