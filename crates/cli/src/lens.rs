//! Lenses on the command line: which one is meant, and which flags are whose.

use anyhow::{Result, bail};
use clap::ValueEnum;
use lookalike::index::Lens;

/// How documents are compared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LensName {
    /// By the words that they share: resemblance and containment of text
    Shingles,
    /// By the bytes that they share: any file, text or not
    Chunks,
    /// By one fingerprint each: documents whose fingerprints differ in few bits
    Simhash,
}

/// What an exchange file holds.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExchangeLens {
    /// By the words that they share: resemblance and containment of text
    Shingles,
    /// By the bytes that they share: any file, text or not
    Chunks,
}

/// How two documents are compared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareLens {
    /// By the words that they share: resemblance and containment of text
    Shingles,
    /// By one fingerprint each: in how many bits they differ
    Simhash,
}

/// What an index keeps.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeptLens {
    /// Sketches of documents, not their texts: what resembles, holds or is inside another
    Shingles,
    /// Tokens of documents with their places: where passages come from
    Passages,
    /// One fingerprint for each document: which documents are near-copies, in the least room and time
    Simhash,
}

/// Fails if a flag was given that only indexes of another lens know.
pub(crate) fn refuse_other(this: Lens, other: Lens, given: &[(&str, bool)]) -> Result<()> {
    let Some(flag) = first(given) else { return Ok(()) };
    let (this, kept, name) = (this.kept(), other.kept(), other.name());
    bail!("{flag} is for an index of {kept}, and this is one of {this}; leave it out, or build one with --lens {name}")
}

impl LensName {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Shingles => "shingles",
            Self::Chunks => "chunks",
            Self::Simhash => "simhash",
        }
    }

    /// Fails if any flag of this lens was given, since another one is in use.
    pub(crate) fn refuse(self, given: &[(&str, bool)]) -> Result<()> {
        let Some(flag) = first(given) else { return Ok(()) };
        let name = self.name();
        bail!("{flag} is a flag of the {name} lens, which is not in use; leave it out, or scan with --lens {name}")
    }
}

/// The first flag that was given.
fn first<'a>(given: &[(&'a str, bool)]) -> Option<&'a str> {
    given.iter().find(|(_, given)| *given).map(|(flag, _)| *flag)
}
