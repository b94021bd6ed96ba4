//! The lens of an index, by its recipe.

use crate::lens::chunks::chunks_lens::ChunksLens;
use crate::lens::index_lens::IndexLens;
use crate::lens::passages::passages_lens::PassagesLens;
use crate::lens::shingles::shingles_lens::ShinglesLens;
use crate::lens::simhash::simhash_lens::SimhashLens;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::Recipe;
use lookalike_core::simhash::Idf;
use lookalike_engine::{Error, OptionName};
use std::sync::Arc;

/// One of the lenses that an index can have.
pub(crate) enum AnyLens {
    Shingles(ShinglesLens),
    Simhash(SimhashLens),
    Passages(PassagesLens),
    Chunks(ChunksLens),
}

impl AnyLens {
    /// The lens of a recipe. Without the key (empty) it does whatever needs no reading of documents; another key is refused. `idf` is what
    /// features weigh, if the recipe names a table.
    pub(crate) fn new(recipe: &Recipe, key: &str, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        if !key.is_empty() && !recipe.fits_key(key) {
            return Err(Error::WrongKey { recipe: recipe.to_string() });
        }
        let key = recipe.fits_key(key).then_some(key);
        match recipe {
            Recipe::Shingles(recipe) => ShinglesLens::new(recipe, key).map(Self::Shingles),
            Recipe::Simhash(recipe) => SimhashLens::new(recipe, key, idf).map(Self::Simhash),
            Recipe::Passages(recipe) => PassagesLens::new(recipe, key).map(Self::Passages),
            Recipe::Chunks(recipe) => Ok(Self::Chunks(ChunksLens::new(recipe, key))),
        }
    }

    pub(crate) fn get(&self) -> &dyn IndexLens {
        match self {
            Self::Shingles(lens) => lens,
            Self::Simhash(lens) => lens,
            Self::Passages(lens) => lens,
            Self::Chunks(lens) => lens,
        }
    }

    pub(crate) fn get_mut(&mut self) -> &mut dyn IndexLens {
        match self {
            Self::Shingles(lens) => lens,
            Self::Simhash(lens) => lens,
            Self::Passages(lens) => lens,
            Self::Chunks(lens) => lens,
        }
    }

    /// The shingles lens: the only one whose clusters are kept.
    pub(crate) fn shingles(&self) -> Result<&ShinglesLens, Error> {
        let lens = match self {
            Self::Shingles(lens) => return Ok(lens),
            Self::Simhash(_) => Lens::Simhash,
            Self::Passages(_) => Lens::Passages,
            Self::Chunks(_) => Lens::Chunks,
        };
        Err(Error::NotOfLens { what: OptionName::Clusters, lens })
    }
}
