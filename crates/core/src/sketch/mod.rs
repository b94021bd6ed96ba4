//! Sketches: the few features of a document that suffice to estimate resemblance and containment.
//!
//! `MIN_s` keeps the s smallest features, `MOD_m` those that are 0 mod m, and the nested `V_i` those that are 0 mod 2^i
//! with i chosen by the document's size, so that a sketch has 50 to 100 features whatever the size. Features
//! are already a random permutation of the shingles, so "smallest" and "0 mod m" are random choices.

mod banding;
mod bands;
mod distinct;
mod estimate;
mod sampler;
mod super_shingle;
#[cfg(test)]
mod tests;

pub use banding::Banding;
pub use bands::Bands;
pub use estimate::{Estimate, PairEstimate, SampleOverlap};
pub use sampler::Sampler;
pub use super_shingle::{super_shingles, window_for};

use crate::error::Error;
use std::{fmt, str::FromStr};

/// Which features a sketch keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// `MIN_s`: fixed size, resemblance only.
    Min(u32),
    /// `MOD_m`: grows with the document; resemblance and containment.
    Mod(u32),
    /// Nested `V_i`: at most about this many features whatever the size; resemblance and containment.
    Nested(u32),
}

impl Sampling {
    /// Whether the sample can tell how much of one document is in another.
    pub fn estimates_containment(self) -> bool {
        !matches!(self, Self::Min(_))
    }
}

impl Default for Sampling {
    fn default() -> Self {
        Self::Nested(100)
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Min(s) => write!(f, "min:{s}"),
            Self::Mod(m) => write!(f, "mod:{m}"),
            Self::Nested(size) => write!(f, "nested:{size}"),
        }
    }
}

impl FromStr for Sampling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Sampling { found: text.to_owned() };
        let (kind, number) = text.split_once(':').ok_or_else(wrong)?;
        let number: u32 = number.parse().map_err(|_| wrong())?;
        match (kind, number) {
            ("min", 1..=10_000) => Ok(Self::Min(number)),
            ("mod", 1..) => Ok(Self::Mod(number)),
            ("nested", 8..=10_000) => Ok(Self::Nested(number)),
            _ => Err(wrong()),
        }
    }
}

/// What is kept of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// The i of `V_i`; of `MIN_s` 1 if there are features beyond the s smallest; 0 for `MOD_m`.
    pub level: u8,
    /// The features kept, sorted, no repeats.
    pub features: Vec<u64>,
}

impl Sketch {
    /// Whether the sketch is the whole feature set.
    pub fn is_whole(&self, sampling: Sampling) -> bool {
        match sampling {
            Sampling::Nested(_) | Sampling::Min(_) => self.level == 0,
            Sampling::Mod(m) => m == 1,
        }
    }
}

/// How many of a sketch's features are 0 mod `2^level`.
pub fn survivors(features: &[u64], level: u8) -> u32 {
    features.iter().filter(|f| f.trailing_zeros() >= u32::from(level)).count() as u32
}
