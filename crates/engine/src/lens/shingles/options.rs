//! What is asked of the shingles lens.

use crate::Error;
use crate::error::OptionName;
use crate::report::policy::Policy;
use crate::report::shingles::Candidates;
use lookalike_core::recipe::ShingleRecipe;

/// Features in more documents than this are frequent, unless told otherwise.
pub const DEFAULT_MAX_DF: u32 = 1000;

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
        self.explore.map_or(Ok(()), |share| OptionName::Explore.check_share(share))
    }

    /// The least resemblance of which every pair is looked for.
    pub fn explored(&self) -> f64 {
        let threshold = self.policy.threshold;
        let can = self.all_pairs && !self.include_boilerplate && self.candidates == Candidates::Shingles;
        self.explore.filter(|_| can).map_or(threshold, |least| least.min(threshold))
    }
}
