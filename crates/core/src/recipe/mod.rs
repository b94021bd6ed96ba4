//! Recipes: one line that names how features were made. It prints and parses back to itself.
//!
//! | lens | for example |
//! |---|---|
//! | shingles | `auto\|words\|shingles:w=10\|sample=nested:100\|v=3` |
//! | chunks | `bytes\|chunks:mean=1000\|hash=xxh3-128\|v=1` |
//! | simhash | `auto\|words\|simhash:f=64:n=2-3\|weight=log\|v=2` |
//! | passages | `auto\|tokens\|passages:code=9/11,prose=3/5\|v=3` |
//!
//! A secret key is named (`|key=1a2b3c4d` before the version), never shown. Two things with different recipes must not be compared.

mod passages;
mod shingles;
#[cfg(test)]
mod tests;
mod text;

pub use crate::chunk::ChunkRecipe;
pub use crate::error::RecipeError;
pub use crate::simhash::SimhashRecipe;
pub use passages::{CodeTokens, MAX_GUARANTEE, PASSAGES_VERSION, PassageRecipe, Reading};
pub use shingles::ShingleRecipe;
pub use text::TextRecipe;

use crate::feature_hash::FeatureHasher;
use crate::lens::Lens;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};

/// How a document becomes what a lens compares.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// A sample of shingles.
    Shingles(ShingleRecipe),
    /// Content-defined chunks.
    Chunks(ChunkRecipe),
    /// A fingerprint.
    Simhash(SimhashRecipe),
    /// K-gram fingerprints.
    Passages(PassageRecipe),
}

impl Recipe {
    /// Its lens.
    pub fn lens(&self) -> Lens {
        match self {
            Self::Shingles(_) => Lens::Shingles,
            Self::Chunks(_) => Lens::Chunks,
            Self::Simhash(_) => Lens::Simhash,
            Self::Passages(_) => Lens::Passages,
        }
    }

    /// Name of the secret key, never the key.
    pub fn key_name(&self) -> Option<&str> {
        match self {
            Self::Shingles(recipe) => recipe.key.as_deref(),
            Self::Chunks(recipe) => recipe.key.as_deref(),
            Self::Simhash(recipe) => recipe.key.as_deref(),
            Self::Passages(recipe) => recipe.key_name(),
        }
    }

    /// Whether the key is the one that it names; the empty key is the public default.
    pub fn fits_key(&self, key: &str) -> bool {
        FeatureHasher::with_named_key(key, self.key_name()).is_some()
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shingles(recipe) => recipe.fmt(f),
            Self::Chunks(recipe) => recipe.fmt(f),
            Self::Simhash(recipe) => recipe.fmt(f),
            Self::Passages(recipe) => recipe.fmt(f),
        }
    }
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        match Lens::of_recipe(text) {
            None => {
                let example = ShingleRecipe::default().to_string();
                Err(RecipeError::NoLens { text: text.to_owned(), example })
            }
            Some(Lens::Shingles) => text.parse().map(Self::Shingles),
            Some(Lens::Chunks) => text.parse().map(Self::Chunks),
            Some(Lens::Simhash) => text.parse().map(Self::Simhash),
            Some(Lens::Passages) => text.parse().map(Self::Passages),
        }
    }
}

impl Serialize for Recipe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Recipe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl From<ShingleRecipe> for Recipe {
    fn from(recipe: ShingleRecipe) -> Self {
        Self::Shingles(recipe)
    }
}

impl From<ChunkRecipe> for Recipe {
    fn from(recipe: ChunkRecipe) -> Self {
        Self::Chunks(recipe)
    }
}

impl From<SimhashRecipe> for Recipe {
    fn from(recipe: SimhashRecipe) -> Self {
        Self::Simhash(recipe)
    }
}

impl From<PassageRecipe> for Recipe {
    fn from(recipe: PassageRecipe) -> Self {
        Self::Passages(recipe)
    }
}
