//! `lookalike simhash`: one fingerprint for each document, and who is near; one file for each verb below it.

mod batch;
mod build;
mod files;
mod fingerprint;
pub(crate) mod flags;
mod idf;
mod kept;
mod lookup;
mod near;
mod online;
mod plan;
mod told;

pub(crate) use kept::KeptFlags;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Make one fingerprint for each document, near to those of documents that look alike, and find who is near among billions
///
/// A fingerprint has 64 bits, whatever the document's length. Documents whose fingerprints differ in few bits (3 of 64) are near-copies. It
/// takes less room than any sketch, and tells less: neither which passages are equal nor whether one document is inside another.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash fingerprint docs/                    a line for each document: fingerprint, id
  lookalike simhash idf docs/ -o docs.lki                what is rare weighs more …
  lookalike simhash fingerprint docs/ --idf docs.lki     … in these fingerprints
  lookalike simhash near docs.tsv                        which of them are near each other?
  lookalike simhash batch seen.u64 new.u64               which of the new ones were seen before?
  lookalike simhash build seen.u64 -o seen               … and the same, one at a time, …
  lookalike simhash lookup seen 0123456789abcdef         … in microseconds
  lookalike simhash online seen                          … while more come and go
  lookalike simhash plan --n 8e9                         what would eight billion take?

Fingerprints can be compared if their recipes are equal; the recipe is in what --json prints.")]
pub(crate) struct Simhash {
    #[command(subcommand)]
    verb: SimhashVerb,
}

#[derive(Subcommand)]
enum SimhashVerb {
    Fingerprint(Box<fingerprint::FingerprintVerb>),
    Idf(Box<idf::Idf>),
    Near(near::NearVerb),
    Batch(batch::BatchVerb),
    Build(build::Build),
    Lookup(lookup::Lookup),
    Online(online::OnlineVerb),
    Plan(plan::Plan),
}

impl Simhash {
    pub(crate) fn run(&self) -> Result<u8> {
        match &self.verb {
            SimhashVerb::Fingerprint(verb) => verb.run(),
            SimhashVerb::Idf(verb) => verb.run(),
            SimhashVerb::Near(verb) => verb.run(),
            SimhashVerb::Batch(verb) => verb.run(),
            SimhashVerb::Build(verb) => verb.run(),
            SimhashVerb::Lookup(verb) => verb.run(),
            SimhashVerb::Online(verb) => verb.run(),
            SimhashVerb::Plan(verb) => verb.run(),
        }
    }
}
