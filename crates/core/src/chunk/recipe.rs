//! The recipe of the chunks lens: one line that names how chunks were made. It prints and parses back to itself.
//!
//! `bytes|chunks:mean=1000|hash=xxh3-128|v=1`, and with a secret key `bytes|chunks:mean=1000|hash=blake3-128|key=1a2b3c4d|v=1`.

use super::Parameters;
use crate::fingerprint::Fingerprinter;
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
    pub fn new(mean: u32, key: &str) -> Result<Self, String> {
        let key = (!key.is_empty()).then(|| Fingerprinter::key_name(key));
        Ok(Self { parameters: Parameters::for_mean(mean)?, key })
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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("recipe {text:?}: expected for example bytes|chunks:mean=1000|hash=xxh3-128|v={VERSION}");
        let (mean, rest) =
            text.strip_prefix("bytes|chunks:mean=").and_then(|rest| rest.split_once('|')).ok_or_else(wrong)?;
        let parameters = Parameters::for_mean(mean.parse().map_err(|_| wrong())?)
            .map_err(|problem| format!("recipe {text:?}: {problem}"))?;
        let rest = rest.strip_suffix(&format!("|v={VERSION}")).ok_or_else(wrong)?;
        let key = match rest.strip_prefix("hash=blake3-128|key=") {
            None if rest == "hash=xxh3-128" => None,
            Some(key) if key.len() == 8 && key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) => {
                Some(key.to_owned())
            }
            _ => return Err(wrong()),
        };
        let recipe = Self { parameters, key };
        if recipe.to_string() == text { Ok(recipe) } else { Err(wrong()) }
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
            format!("bytes|chunks:mean=64|hash=blake3-128|key={}|v=1", Fingerprinter::key_name("a key"))
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
            let message = text.parse::<ChunkRecipe>().unwrap_err();
            assert!(message.contains(&format!("{text:?}")) && message.contains("expected"), "{message}");
        }
        let message = "bytes|chunks:mean=63|hash=xxh3-128|v=1".parse::<ChunkRecipe>().unwrap_err();
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
        fn every_recipe_parses(mean in super::super::SMALLEST_MEAN..=super::super::LARGEST_MEAN, key in "\\PC{0,8}") {
            let recipe = ChunkRecipe::new(mean, &key).unwrap();
            prop_assert_eq!(recipe.to_string().parse(), Ok(recipe));
        }
    }
}
