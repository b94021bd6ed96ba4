//! What a feature weighs by how often the document has it.

use super::occurrences::Occurrences;
use crate::error::Error;
use std::{fmt, str::FromStr};

/// How occurrences become weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// Every occurrence counts.
    Tf,
    /// 1, and 1 more with every doubling: 1, 2, 2, 3, 3, 3, 3, 4 …
    #[default]
    Log,
    /// A feature counts once.
    Binary,
}

/// All of them, by name.
const NAMES: [(&str, Weight); 3] = [("tf", Weight::Tf), ("log", Weight::Log), ("binary", Weight::Binary)];

impl Weight {
    /// Leaves those features of a document that vote: a feature weighs as much as it has occurrences that vote.
    #[inline]
    pub(super) fn retain_votes(self, features: &mut Vec<u64>, so_far: &mut Occurrences) {
        match self {
            Self::Tf => {}
            Self::Log => so_far.retain(features, u32::is_power_of_two),
            Self::Binary => so_far.retain(features, |occurrence| occurrence == 1),
        }
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = NAMES.iter().find(|(_, weight)| weight == self).expect("all are named");
        f.write_str(name)
    }
}

impl FromStr for Weight {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, weight)| *weight).ok_or_else(|| Error::Weight { found: text.to_owned() })
    }
}
