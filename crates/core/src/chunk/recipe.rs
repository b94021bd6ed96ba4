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
        let parameters = Parameters::for_mean(mean.parse().map_err(|_| wrong())?)?;
        let rest = rest.strip_suffix(&format!("|v={VERSION}")).ok_or_else(wrong)?;
        let key = match rest.strip_prefix("hash=blake3-128|key=") {
            None if rest == "hash=xxh3-128" => None,
            Some(key) if key.len() == 8 && key.bytes().all(|b| b.is_ascii_hexdigit()) => Some(key.to_owned()),
            _ => return Err(wrong()),
        };
        let recipe = Self { parameters, key };
        if recipe.to_string() == text { Ok(recipe) } else { Err(wrong()) }
    }
}
