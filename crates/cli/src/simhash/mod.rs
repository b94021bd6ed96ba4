//! `lookalike simhash`: one fingerprint for each document; one file for each verb below it.

mod flags;
mod idf;
mod kept;
mod online;
mod print;
mod told;

pub(crate) use kept::KeptFlags;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Make one fingerprint for each document, near to those of documents that look alike
///
/// A fingerprint has 64 bits, whatever the document's length. Documents whose fingerprints differ in few bits (3 of 64) are near-copies. It
/// takes less room than any sketch, and tells less: neither which passages are equal nor whether one document is inside another.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash print docs/                      a line for each document: fingerprint, id
  lookalike simhash idf docs/ -o docs.lki            what is rare weighs more …
  lookalike simhash print docs/ --idf docs.lki       … in these fingerprints

Fingerprints can be compared if their recipes are equal; the recipe is in what --json prints.")]
pub(crate) struct Simhash {
    #[command(subcommand)]
    verb: SimhashVerb,
}

#[derive(Subcommand)]
enum SimhashVerb {
    Print(Box<print::Print>),
    Idf(Box<idf::Idf>),
    Online(online::OnlineVerb),
}

impl Simhash {
    pub(crate) fn run(&self) -> Result<u8> {
        match &self.verb {
            SimhashVerb::Print(verb) => verb.run(),
            SimhashVerb::Idf(verb) => verb.run(),
            SimhashVerb::Online(verb) => verb.run(),
        }
    }
}
