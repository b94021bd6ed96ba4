//! The lenses, as the command speaks of them: each of the four, or all of them together.

use std::fmt;
use std::str::FromStr;

/// What `--lens` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lens {
    Shingles,
    Chunks,
    Simhash,
    Passages,
    /// All of them.
    All,
}

impl Lens {
    /// Everything that can be named.
    pub(crate) const ALL: [Self; 5] = [Self::Shingles, Self::Chunks, Self::Simhash, Self::Passages, Self::All];

    pub(crate) fn name(self) -> &'static str {
        self.one().map_or("all", lookalike::Lens::name)
    }

    /// The one lens; none if it is all of them.
    pub(crate) fn one(self) -> Option<lookalike::Lens> {
        match self {
            Self::Shingles => Some(lookalike::Lens::Shingles),
            Self::Chunks => Some(lookalike::Lens::Chunks),
            Self::Simhash => Some(lookalike::Lens::Simhash),
            Self::Passages => Some(lookalike::Lens::Passages),
            Self::All => None,
        }
    }
}

impl From<lookalike::Lens> for Lens {
    fn from(lens: lookalike::Lens) -> Self {
        match lens {
            lookalike::Lens::Shingles => Self::Shingles,
            lookalike::Lens::Chunks => Self::Chunks,
            lookalike::Lens::Simhash => Self::Simhash,
            lookalike::Lens::Passages => Self::Passages,
        }
    }
}

impl fmt::Display for Lens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Lens {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|lens| lens.name() == text).ok_or(())
    }
}

/// What a lens compares, in a line.
pub(crate) fn help(lens: Lens) -> &'static str {
    match lens {
        Lens::Shingles => "By the words that they share: resemblance and containment of text",
        Lens::Chunks => "By the bytes that they share: any file, text or not",
        Lens::Simhash => "By one fingerprint each: documents whose fingerprints differ in few bits",
        Lens::Passages => "By the passages that they share, with their places",
        Lens::All => "By all of them: pairs of any lens, and what the two are to each other",
    }
}

/// The verb that a lens is made for.
pub(crate) fn verb(lens: Lens) -> &'static str {
    match lens {
        Lens::Shingles | Lens::Simhash | Lens::All => "scan",
        Lens::Chunks => "files",
        Lens::Passages => "copies",
    }
}
