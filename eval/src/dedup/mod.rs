//! What `dedup` promises, held against what it does: the cost of a clean corpus beside peers that write one, chains, and runs that are killed.
//!
//! Everything runs the `lookalike` command as a user would.

mod chains;
mod kept;
mod kills;
mod peers;

use crate::common::{Common, Findings};
use anyhow::Result;
use std::io::{Write, stderr};

#[derive(clap::Args)]
pub(crate) struct Dedup {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// CPU time, memory, recall and precision on a real corpus, beside peers that write a corpus too
    Peers(peers::Peers),
    /// Documents that drift from one to the next: nothing goes that is unlike what stays in its place
    Chains(Common),
    /// Millions of documents, killed at random moments and resumed
    Kills(kills::Kills),
}

impl Dedup {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Peers(peers) => {
                peers.common.tell("dedup", "peers", |cache, lookalike| peers.measure(cache, lookalike))
            }
            Part::Chains(common) => common.tell("dedup", "chains", chains::measure),
            Part::Kills(kills) => {
                kills.common.tell("dedup", "kills", |cache, lookalike| kills.measure(cache, lookalike))
            }
        }
    }
}

/// Tells how far the run is; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "dedup: {text}");
}
