//! Lenses on the command line: which one is meant, and which flags are whose.

use anyhow::{Result, bail};
use clap::ValueEnum;

/// How documents are compared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LensName {
    /// By the words that they share: resemblance and containment of text
    Shingles,
    /// By the bytes that they share: any file, text or not
    Chunks,
}

impl LensName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Shingles => "shingles",
            Self::Chunks => "chunks",
        }
    }

    /// Fails if any flag of this lens was given, since another one is in use.
    pub(crate) fn refuse(self, given: &[(&str, bool)]) -> Result<()> {
        let Some((flag, _)) = given.iter().find(|(_, given)| *given) else { return Ok(()) };
        let name = self.name();
        bail!("{flag} is a flag of the {name} lens, which is not in use; leave it out, or scan with --lens {name}")
    }
}
