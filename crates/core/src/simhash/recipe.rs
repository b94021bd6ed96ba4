//! The recipe of the simhash lens: one line that names how fingerprints were made. It prints and parses back to itself.
//!
//! `auto|words|simhash:f=64:n=2-3|weight=log|v=2`, and with everything
//! `auto|words|simhash:f=128:n=1-3|weight=log|idf=1a2b3c4d|stop=de,en|key=5e6f7a8b|v=2`.

use super::{Languages, Ngrams, Weight};
use crate::error::{Error, RecipeError, RecipeText};
use crate::feature_hash::{FeatureHasher, check_key_name};
use crate::lens::Lens;
use crate::recipe::TextRecipe;
use std::{fmt, str::FromStr};

/// Version of everything that decides a fingerprint: word rules, hashes, weights, stop words, ties.
const VERSION: u32 = 2;

/// How a document becomes a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimhashRecipe {
    /// How bytes become text: `auto`, `html`, `markdown` or `text`.
    pub text: TextRecipe,
    /// Bits of a fingerprint: 64 or 128.
    pub bits: u32,
    /// Words of a feature.
    pub ngrams: Ngrams,
    /// What a feature weighs by its occurrences.
    pub weight: Weight,
    /// Name of the table of document frequencies.
    pub idf: Option<String>,
    /// Languages whose stop words are left out.
    pub stop: Languages,
    /// Name of the secret key, never the key.
    pub key: Option<String>,
}

impl Default for SimhashRecipe {
    fn default() -> Self {
        Self {
            text: TextRecipe::default(),
            bits: 64,
            ngrams: Ngrams::default(),
            weight: Weight::default(),
            idf: None,
            stop: Languages::default(),
            key: None,
        }
    }
}

impl SimhashRecipe {
    /// The hashes of words of this recipe, if the key is the one it was made with.
    pub fn feature_hasher(&self, key: &str) -> Option<FeatureHasher> {
        FeatureHasher::with_named_key(key, self.key.as_deref())
    }

    /// The part that decides which features a document has, whatever they weigh: a table of document frequencies fits all recipes
    /// that have it in common. It has the weight that tables were always written with.
    #[must_use]
    pub fn features(&self) -> Self {
        Self { bits: 64, weight: Weight::Tf, idf: None, ..self.clone() }
    }
}

impl fmt::Display for SimhashRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, bits, ngrams, weight, .. } = self;
        write!(f, "{text}|words|simhash:f={bits}:n={ngrams}|weight={weight}")?;
        if let Some(idf) = &self.idf {
            write!(f, "|idf={idf}")?;
        }
        if !self.stop.is_empty() {
            write!(f, "|stop={}", self.stop)?;
        }
        if let Some(key) = &self.key {
            write!(f, "|key={key}")?;
        }
        write!(f, "|v={VERSION}")
    }
}

impl FromStr for SimhashRecipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let example = Self::default().to_string();
        let wrong = RecipeText::new(text, Lens::Simhash, &example)?;
        let parts: Vec<&str> = text.split('|').collect();
        let [read, "words", lens, rest @ ..] = parts.as_slice() else {
            return Err(wrong.unknown(parts[0]));
        };
        let numbers = lens.strip_prefix("simhash:f=").and_then(|rest| rest.split_once(":n="));
        let (bits, ngrams) = numbers.ok_or_else(|| wrong.unknown(lens))?;
        let bits = match bits {
            "64" => 64,
            "128" => 128,
            _ => return Err(wrong.value(Error::FingerprintBits { found: bits.to_owned() })),
        };
        let ngrams = ngrams.parse().map_err(|problem| wrong.value(problem))?;
        let read = read.parse().map_err(|part: String| wrong.unknown(&part))?;
        let mut recipe = Self { text: read, bits, ngrams, ..Self::default() };
        for part in rest {
            let name = |name| check_key_name(name).map(Some);
            let taken = match part.split_once('=') {
                Some(("weight", weight)) => weight.parse().map(|weight| recipe.weight = weight),
                Some(("idf", idf)) => name(idf).map(|name| recipe.idf = name),
                Some(("stop", languages)) => languages.parse().map(|languages| recipe.stop = languages),
                Some(("key", key)) => name(key).map(|name| recipe.key = name),
                Some(("v", version)) if version == VERSION.to_string() => Ok(()),
                Some(("v", _)) => return Err(wrong.version(VERSION)),
                _ => return Err(wrong.unknown(part)),
            };
            taken.map_err(|problem| wrong.value(problem))?;
        }
        wrong.canonical(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_as_documented() {
        assert_eq!(SimhashRecipe::default().to_string(), "auto|words|simhash:f=64:n=2-3|weight=log|v=2");
        let full = "auto|words|simhash:f=128:n=3|weight=log|idf=1a2b3c4d|stop=de,en|key=5e6f7a8b|v=2";
        let recipe: SimhashRecipe = full.parse().unwrap();
        assert_eq!(recipe.to_string(), full);
        assert_eq!(recipe.features().to_string(), "auto|words|simhash:f=64:n=3|weight=tf|stop=de,en|key=5e6f7a8b|v=2");
        for wrong in [
            "",
            "auto|words",
            "auto|words|shingles:w=10|sample=nested:100|v=3",
            "doc|words|simhash:f=64:n=1-3|weight=tf|v=2",
            "auto|words|simhash:f=32:n=1-3|weight=tf|v=2",
            "auto|words|simhash:f=64:n=0|weight=tf|v=2",
            "auto|words|simhash:f=64:n=3-1|weight=tf|v=2",
            "auto|words|simhash:f=64:n=3-3|weight=tf|v=2",
            "auto|words|simhash:f=64:n=1-33|weight=tf|v=2",
            "auto|words|simhash:f=64:n=1-3|v=2",
            "auto|words|simhash:f=64:n=1-3|weight=tf",
            "auto|words|simhash:f=64:n=1-3|weight=tf|v=3",
            "auto|words|simhash:f=64:n=1-3|weight=tf|weight=tf|v=2",
            "auto|words|simhash:f=64:n=1-3|weight=tf|stop=en,de|v=2",
            "auto|words|simhash:f=64:n=1-3|weight=tf|stop=|v=2",
            "auto|words|simhash:f=64:n=1-3|weight=tf|idf=xyz|v=2",
            "auto|words|simhash:f=64:n=1-3|weight=tf|key=1A2B3C4D|v=2",
        ] {
            assert!(wrong.parse::<SimhashRecipe>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_key_is_named_not_shown() {
        let recipe = SimhashRecipe { key: Some(FeatureHasher::key_name("hunter2")), ..SimhashRecipe::default() };
        assert!(!recipe.to_string().contains("hunter2"));
        assert!(recipe.feature_hasher("hunter2").is_some());
        assert!(recipe.feature_hasher("other").is_none() && recipe.feature_hasher("").is_none());
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,60}") {
            let _ = text.parse::<SimhashRecipe>();
        }

        #[test]
        fn what_parses_prints_the_same(
            text in "(auto|html|text)\\|words\\|simhash:f=(64|128):n=[1-9](-[1-9])?\\|weight=(tf|log|binary)(\\|idf=[0-9a-f]{8})?(\\|stop=(en|de|de,en))?(\\|key=[0-9a-f]{8})?\\|v=2"
        ) {
            if let Ok(recipe) = text.parse::<SimhashRecipe>() {
                prop_assert_eq!(recipe.to_string(), text);
            }
        }
    }
}
