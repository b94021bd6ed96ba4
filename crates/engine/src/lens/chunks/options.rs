//! What is asked of the chunks lens.

use crate::Error;
use crate::error::OptionName;
use crate::lens::chunks::templates::TemplateList;
use crate::report::policy::Policy;
use lookalike_core::chunk::Parameters;
use lookalike_core::cluster::Linkage;
use std::path::PathBuf;

/// A chunk in more than this share of all documents is frequent, unless told otherwise.
pub const DEFAULT_MAX_DF: f64 = 0.5;
const DEFAULT_MEAN: u32 = 1000;
const DEFAULT_SHARE: f64 = 0.5;
const DEFAULT_PAIR_DF: u32 = 1000;

/// Everything that decides what the chunks lens finds.
#[derive(Clone, Debug)]
pub struct ChunksOptions {
    /// Mean length of a chunk in bytes.
    pub mean: u32,
    /// Least share of the smaller of two documents that a link has.
    pub share: f64,
    /// Least shared bytes of a link.
    pub min_shared: u64,
    /// How links make clusters.
    pub linkage: Linkage,
    /// A chunk in more than this share of all documents is frequent: it does not connect them.
    pub max_df: f64,
    /// Also count the true shared bytes of each member and its representative, by aligning the two.
    pub exact: bool,
    /// Mean length of a second pass over what the first left in doubt.
    pub refine: Option<u32>,
    /// A folder where chunks of files are kept between scans: what has not changed is not read again.
    pub cache: Option<PathBuf>,
    /// Chunks to ignore.
    pub templates: TemplateList,
    /// List every pair that was compared: for [`crate::Scan::pairs`].
    pub all_pairs: bool,
    /// Also list pairs of less share than a link has, down to this: for [`crate::Scan::compared`].
    pub explore: Option<f64>,
    /// Chunks that more documents than this have are not followed for that list.
    pub pair_max_df: u32,
}

impl Default for ChunksOptions {
    fn default() -> Self {
        Self {
            mean: DEFAULT_MEAN,
            share: DEFAULT_SHARE,
            min_shared: 0,
            linkage: Linkage::Star,
            max_df: DEFAULT_MAX_DF,
            exact: false,
            refine: None,
            cache: None,
            templates: TemplateList::default(),
            all_pairs: false,
            explore: None,
            pair_max_df: DEFAULT_PAIR_DF,
        }
    }
}

impl ChunksOptions {
    /// Which pairs become links: a file may be inside another, so the share is of the smaller.
    pub fn policy(&self) -> Policy {
        let (threshold, contained) = (self.share, Some(self.share));
        Policy { threshold, contained, min_shared: self.min_shared, linkage: self.linkage, banding: None }
    }

    /// Fails if the options have no meaning, or the templates are of another recipe.
    pub fn check(&self, recipe: &str) -> Result<(), Error> {
        OptionName::Threshold.check_share(self.share)?;
        OptionName::MaxDf.check_share(self.max_df)?;
        if let Some(finer) = self.refine {
            Parameters::for_mean(finer)?;
            if finer >= self.mean {
                return OptionName::Refine.refuse(&format!("less than the mean chunk length {}", self.mean), finer);
            }
        }
        self.templates.check(recipe)
    }

    /// The least share of which every pair is listed, if any are.
    pub fn explored(&self) -> Option<f64> {
        self.all_pairs.then(|| self.explore.unwrap_or(self.share).min(self.share))
    }
}
