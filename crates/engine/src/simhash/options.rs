//! What is asked of the simhash lens.

use super::table;
use crate::{Error, FeatureHasher, ScanOptions};
use lookalike_core::simhash::{Idf, SimhashRecipe};
use std::path::Path;
use std::sync::Arc;

/// Features that a table of document frequencies lists at most, unless told otherwise: some 40 MB when it is loaded.
pub const TABLE_LIMIT: usize = 1_000_000;

/// Everything that decides what fingerprints are.
#[derive(Clone, Default)]
pub struct Options {
    /// Which documents, which machine. Recipe, key and policy are of the shingles lens and not looked at.
    pub scan: ScanOptions,
    /// How documents become fingerprints. Its `key` and `idf` are names; [`Options::with_key`] and [`Options::with_idf`] set them.
    pub recipe: SimhashRecipe,
    /// The secret behind the fingerprints; empty for none.
    pub key: String,
    /// Weights of features, if the recipe names a table.
    pub idf: Option<Arc<Idf>>,
}

impl Options {
    /// The same with a secret.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        self.recipe.key = (!key.is_empty()).then(|| FeatureHasher::key_name(key));
        key.clone_into(&mut self.key);
        self
    }

    /// The same with the table of this file, which must be of the same features.
    pub fn with_idf(mut self, path: &Path) -> Result<Self, Error> {
        let (recipe, idf) = table::read_idf(path)?;
        let expected = self.recipe.features();
        if recipe != expected {
            return Err(Error::Options(format!(
                "{}: expected document frequencies of the features {expected}, found {recipe}; use the same --ngrams, --stop-words, \
                 --format and --key, or make the table again with lookalike simhash idf",
                path.display()
            )));
        }
        self.recipe.idf = Some(idf.name().to_owned());
        self.idf = Some(Arc::new(idf));
        Ok(self)
    }
}
