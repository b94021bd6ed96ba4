//! The four ways of looking at documents.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What a document is taken apart into, and so what makes two documents alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lens {
    /// A sample of its w-word shingles (Broder et al. 1997): resemblance and containment.
    Shingles,
    /// Its content-defined chunks (Forman et al. 2005): bytes in both.
    Chunks,
    /// One fingerprint (Manku et al. 2007): Hamming distance.
    Simhash,
    /// Its winnowed k-gram fingerprints (Schleimer et al. 2003): copied passages.
    Passages,
}

impl Lens {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Shingles, Self::Chunks, Self::Simhash, Self::Passages];

    /// Its name: one lowercase word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shingles => "shingles",
            Self::Chunks => "chunks",
            Self::Simhash => "simhash",
            Self::Passages => "passages",
        }
    }

    /// The lens that a recipe is of, by the part that names it. The rest may be wrong.
    pub(crate) fn of_recipe(text: &str) -> Option<Self> {
        text.split('|').skip(1).take(2).find_map(|part| match part.split_once(':') {
            Some((name, _)) => name.parse().ok(),
            None => (part == "set").then_some(Self::Shingles),
        })
    }
}

impl fmt::Display for Lens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not a lens's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected shingles, chunks, simhash or passages, found {found:?}")]
pub struct UnknownLens {
    /// The name.
    pub found: String,
}

impl FromStr for Lens {
    type Err = UnknownLens;

    fn from_str(text: &str) -> Result<Self, UnknownLens> {
        let found = || UnknownLens { found: text.to_owned() };
        Self::ALL.into_iter().find(|lens| lens.name() == text).ok_or_else(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses_back() {
        for lens in Lens::ALL {
            assert_eq!(lens.to_string().parse(), Ok(lens));
        }
        let problem = "Shingles".parse::<Lens>().unwrap_err();
        assert_eq!(problem.to_string(), "expected shingles, chunks, simhash or passages, found \"Shingles\"");
    }
}
