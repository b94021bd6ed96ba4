//! What is asked of the simhash lens.

use crate::Error;
use crate::error::OptionName;
use crate::lens::simhash::table;
use crate::report::policy::Policy;
use lookalike_core::cluster::Linkage;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::simhash::{Idf, SimhashRecipe};
use lookalike_hamming::check_distance;
use std::path::Path;
use std::sync::Arc;

/// Features that a table of document frequencies lists at most, unless told otherwise: some 40 MB when it is loaded.
pub const TABLE_LIMIT: usize = 1_000_000;
const DEFAULT_DISTANCE: u32 = 3;
/// The words of a shingle: with fewer there is nothing that could confirm a pair.
const DEFAULT_MIN_WORDS: u32 = 10;

/// Everything that decides what the simhash lens finds.
#[derive(Clone, Debug)]
pub struct SimhashOptions {
    /// How documents become fingerprints. Its `idf` is a name; [`SimhashOptions::with_idf`] sets it.
    pub recipe: SimhashRecipe,
    /// Weights of features, if the recipe names a table.
    pub idf: Option<Arc<Idf>>,
    /// The greatest distance of a link.
    pub distance: u32,
    /// How links make clusters.
    pub linkage: Linkage,
    /// The least length of the shorter of two documents as a share of the longer, in words.
    pub length_ratio: Option<f64>,
    /// Documents of fewer words have too little text: they are listed, and only their bytes are compared.
    pub min_words: u32,
    /// Features that more different documents than this have do not count.
    pub max_df: Option<u64>,
    /// Compare every pair by its shingles, and keep those that resemble.
    pub verify: Option<Verification>,
}

/// How near fingerprints are verified.
#[derive(Clone, Debug)]
pub struct Verification {
    /// How documents become shingles.
    pub recipe: ShingleRecipe,
    /// Which pairs hold; its linkage is not used.
    pub policy: Policy,
}

impl Default for SimhashOptions {
    fn default() -> Self {
        Self::new(SimhashRecipe::default())
    }
}

impl From<SimhashRecipe> for SimhashOptions {
    fn from(recipe: SimhashRecipe) -> Self {
        Self::new(recipe)
    }
}

impl SimhashOptions {
    /// The defaults with this recipe.
    pub fn new(recipe: SimhashRecipe) -> Self {
        Self {
            recipe,
            idf: None,
            distance: DEFAULT_DISTANCE,
            linkage: Linkage::default(),
            length_ratio: None,
            min_words: DEFAULT_MIN_WORDS,
            max_df: None,
            verify: None,
        }
    }

    /// The same with the table of this file, which must be of the same features.
    pub fn with_idf(mut self, path: &Path, key: &str) -> Result<Self, Error> {
        let (found, idf) = table::read_idf(path)?;
        let expected = keyed(self.recipe.clone(), key).features();
        if found != expected {
            let (expected, found) = (expected.to_string(), found.to_string());
            return Err(Error::WrongRecipe { path: path.to_owned(), expected, found });
        }
        self.recipe.idf = Some(idf.name().to_owned());
        self.idf = Some(Arc::new(idf));
        Ok(self)
    }

    pub fn check(&self) -> Result<(), Error> {
        check_distance(self.distance)?;
        if let Some(verify) = &self.verify {
            verify.policy.check()?;
        }
        self.length_ratio.map_or(Ok(()), |share| OptionName::LengthRatio.check_share(share))
    }

    /// Which pairs become links, where they are verified.
    pub fn policy(&self) -> Policy {
        let policy = self.verify.as_ref().map_or_else(Policy::default, |verify| verify.policy);
        Policy { linkage: self.linkage, ..policy }
    }
}

/// The recipe with the name of the key.
pub fn keyed(recipe: SimhashRecipe, key: &str) -> SimhashRecipe {
    SimhashRecipe { key: (!key.is_empty()).then(|| FeatureHasher::key_name(key)), ..recipe }
}
