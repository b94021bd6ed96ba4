//! The recipe of the chunks lens: one line that names how chunks were made. It prints and parses back to itself.
//!
//! `bytes|chunks:mean=1000|hash=xxh3-128|v=1`, and with a secret key `bytes|chunks:mean=1000|hash=blake3-128|key=1a2b3c4d|v=1`.

use super::Parameters;
use crate::error::{Error, RecipeError, RecipeText};
use crate::feature_hash::{FeatureHasher, check_key_name};
use crate::lens::Lens;
use std::{fmt, str::FromStr};

/// Version of everything that decides a cut or a hash.
const VERSION: u32 = 1;

/// How a file becomes chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkRecipe {
    /// Mean and what follows from it.
    pub parameters: Parameters,
    /// Name of the secret key, never the key.
    pub key: Option<String>,
}

impl ChunkRecipe {
    /// Chunks of this mean length; the empty key is the public default.
    pub fn new(mean: u32, key: &str) -> Result<Self, Error> {
        Ok(Self { parameters: Parameters::for_mean(mean)?, key: FeatureHasher::name_of(key) })
    }
}

impl fmt::Display for ChunkRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes|chunks:mean={}", self.parameters.mean)?;
        match &self.key {
            None => write!(f, "|hash=xxh3-128")?,
            Some(key) => write!(f, "|hash=blake3-128|key={key}")?,
        }
        write!(f, "|v={VERSION}")
    }
}

impl FromStr for ChunkRecipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let wrong = RecipeText::new(text, Lens::Chunks, "bytes|chunks:mean=1000|hash=xxh3-128|v=1")?;
        let parts: Vec<&str> = text.split('|').collect();
        let ["bytes", lens, rest @ ..] = parts.as_slice() else { return Err(wrong.unknown(parts[0])) };
        let mean = lens.strip_prefix("chunks:mean=").and_then(|mean| mean.parse().ok());
        let mean = mean.ok_or_else(|| wrong.unknown(lens))?;
        let mut recipe = Self::new(mean, "").map_err(|problem| wrong.value(problem))?;
        for part in rest {
            match part.split_once('=') {
                Some(("hash", "xxh3-128" | "blake3-128")) => {}
                Some(("key", name)) => {
                    recipe.key = Some(check_key_name(name).map_err(|problem| wrong.value(problem))?);
                }
                Some(("v", version)) if version == VERSION.to_string() => {}
                Some(("v", _)) => return Err(wrong.version(VERSION)),
                _ => return Err(wrong.unknown(part)),
            }
        }
        // with a key another hash is made, and the text says so
        wrong.canonical(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prints_and_parses_back() {
        let public = ChunkRecipe::new(1000, "").unwrap();
        assert_eq!(public.to_string(), "bytes|chunks:mean=1000|hash=xxh3-128|v=1");
        let keyed = ChunkRecipe::new(64, "a key").unwrap();
        assert_eq!(
            keyed.to_string(),
            format!("bytes|chunks:mean=64|hash=blake3-128|key={}|v=1", FeatureHasher::key_name("a key"))
        );
        assert_ne!(keyed, ChunkRecipe::new(64, "another").unwrap());
        for recipe in [public, keyed] {
            assert_eq!(recipe.to_string().parse(), Ok(recipe));
        }
    }

    #[test]
    fn refuses_others() {
        for text in [
            "",
            "bytes",
            "html|words|shingles:w=10|sample=nested:100",
            "bytes|chunks:mean=1000|hash=xxh3-128|v=2",
            "bytes|chunks:mean=1000|hash=xxh3-128|v=01",
            "bytes|chunks:mean=1000|hash=xxh3-128",
            "bytes|chunks:mean=1000|hash=md5|v=1",
            "bytes|chunks:mean=01000|hash=xxh3-128|v=1",
            "bytes|chunks:mean=+1000|hash=xxh3-128|v=1",
            "bytes|chunks:mean=1e3|hash=xxh3-128|v=1",
            "bytes|chunks:mean=1000|hash=xxh3-128|key=1a2b3c4d|v=1",
            "bytes|chunks:mean=1000|hash=blake3-128|v=1",
            "bytes|chunks:mean=1000|hash=blake3-128|key=1a2b3c4|v=1",
            "bytes|chunks:mean=1000|hash=blake3-128|key=1A2B3C4D|v=1",
            " bytes|chunks:mean=1000|hash=xxh3-128|v=1",
            "bytes|chunks:mean=1000|hash=xxh3-128|v=1\n",
        ] {
            let message = text.parse::<ChunkRecipe>().unwrap_err().to_string();
            assert!(message.contains(&format!("{text:?}")), "{message}");
        }
        let message = "bytes|chunks:mean=63|hash=xxh3-128|v=1".parse::<ChunkRecipe>().unwrap_err().to_string();
        assert!(message.contains("mean=63") && message.contains("from 64 to"), "{message}");
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = text.parse::<ChunkRecipe>();
        }

        #[test]
        fn what_parses_prints_the_same(text in "bytes\\|chunks:mean=[0-9]{1,8}\\|hash=(xxh3-128|blake3-128)(\\|key=[0-9a-fA-F]{7,9})?\\|v=[0-9]{1,2}") {
            if let Ok(recipe) = text.parse::<ChunkRecipe>() {
                prop_assert_eq!(recipe.to_string(), text);
            }
        }

        #[test]
        fn every_recipe_parses(mean in super::super::MIN_MEAN..=super::super::MAX_MEAN, key in "\\PC{0,8}") {
            let recipe = ChunkRecipe::new(mean, &key).unwrap();
            prop_assert_eq!(recipe.to_string().parse(), Ok(recipe));
        }
    }
}
