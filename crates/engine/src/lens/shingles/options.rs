//! What is asked of the shingles lens.

use crate::Error;
use crate::error::OptionName;
use crate::report::policy::Policy;
use crate::report::shingles::Candidates;
use lookalike_core::recipe::ShingleRecipe;

/// Features in more documents than this are frequent, unless told otherwise.
pub const DEFAULT_MAX_DF: u32 = 1000;
/// Features in a larger share of all documents than this are, too, where a person asks: half of a site has its menu.
pub const DEFAULT_MAX_SHARE: f64 = 0.5;
/// Of so few documents nothing is frequent by its share.
const MIN_FREQUENT: u32 = 20;

/// Everything that decides what the shingles lens finds.
#[derive(Clone, Debug)]
pub struct ShinglesOptions {
    /// How documents become sketches.
    pub recipe: ShingleRecipe,
    /// Which pairs become links.
    pub policy: Policy,
    /// A document of fewer words has too little text: it is listed, and only its bytes are compared. None is the words of a shingle.
    pub min_words: Option<u32>,
    /// How candidates are found.
    pub candidates: Candidates,
    /// A feature in more documents than this is frequent, and ignored.
    pub max_df: u32,
    /// So is one in a larger share of all documents than this, identical ones counted once. No share makes a feature of 20 documents frequent.
    pub max_share: Option<f64>,
    /// Frequent features count like any other; they are only not used to find candidates.
    pub include_boilerplate: bool,
    /// Report estimates instead of verified numbers.
    pub estimate: bool,
    /// Verify every candidate, not only those that decide a cluster: for [`crate::Scan::pairs`] and [`crate::Scan::save`].
    pub all_pairs: bool,
    /// Also look for pairs of less resemblance than a link has, down to this: for [`crate::Scan::compared`]. What is reported does not
    /// change. Without effect beside `include_boilerplate` and super shingles, whose pairs cannot be listed below the threshold.
    pub explore: Option<f64>,
}

impl Default for ShinglesOptions {
    fn default() -> Self {
        Self::new(ShingleRecipe::words(10))
    }
}

impl From<ShingleRecipe> for ShinglesOptions {
    fn from(recipe: ShingleRecipe) -> Self {
        Self::new(recipe)
    }
}

impl ShinglesOptions {
    /// The defaults with this recipe.
    pub fn new(recipe: ShingleRecipe) -> Self {
        Self {
            recipe,
            policy: Policy::default(),
            min_words: None,
            candidates: Candidates::default(),
            max_df: DEFAULT_MAX_DF,
            max_share: None,
            include_boilerplate: false,
            estimate: false,
            all_pairs: false,
            explore: None,
        }
    }

    pub fn check(&self) -> Result<(), Error> {
        self.policy.check()?;
        if self.policy.contained.is_some() {
            if self.candidates == Candidates::Super {
                return Err(Error::Conflict(OptionName::Contained, OptionName::SuperShingles));
            }
            if !self.recipe.sampling.estimates_containment() {
                return Err(Error::Conflict(OptionName::Contained, OptionName::MinSketch));
            }
        }
        self.max_share.map_or(Ok(()), |share| OptionName::MaxDf.check_share(share))?;
        self.explore.map_or(Ok(()), |share| OptionName::Explore.check_share(share))
    }

    /// In how many of so many documents a feature may be and not be frequent.
    pub fn max_documents(&self, of: usize) -> u32 {
        let by_share = self.max_share.map_or(u32::MAX, |share| (share * of as f64) as u32);
        self.max_df.min(by_share.max(MIN_FREQUENT))
    }

    /// The least resemblance of which every pair is looked for.
    pub fn explored(&self) -> f64 {
        let threshold = self.policy.threshold;
        let can = self.all_pairs && !self.include_boilerplate && self.candidates == Candidates::Shingles;
        self.explore.filter(|_| can).map_or(threshold, |least| least.min(threshold))
    }
}
