//! What `dedup` promises, held against what it does: the cost of a clean corpus beside peers that write one, chains, and runs that are killed.
//!
//! Everything runs the `lookalike` command as a user would.

mod chains;
mod kept;
mod kills;
mod peers;

use crate::cache::Cache;
use crate::command::Lookalike;
use crate::common::Common;
use crate::page::{Page, folder};
use crate::{bars::Bar, facts};
use anyhow::Result;
use serde_json::Value;
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

/// What a part found out.
struct Findings {
    bars: Vec<Bar>,
    sections: Vec<String>,
    numbers: Value,
}

impl Dedup {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Peers(peers) => tell("peers", &peers.common, |cache, lookalike| peers.measure(cache, lookalike)),
            Part::Chains(common) => tell("chains", &common, chains::measure),
            Part::Kills(kills) => tell("kills", &kills.common, |cache, lookalike| kills.measure(cache, lookalike)),
        }
    }
}

/// Runs a part and writes its page.
fn tell(
    name: &'static str,
    common: &Common,
    part: impl FnOnce(&Cache, &mut Lookalike) -> Result<Findings>,
) -> Result<()> {
    let cache = Cache::open(common.cache.clone())?;
    let mut lookalike = Lookalike::find(common.lookalike.clone())?;
    let mut facts = facts::facts();
    facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
    let Findings { bars, sections, numbers } = part(&cache, &mut lookalike)?;
    let page = Page { verb: "dedup", name, facts, bars, sections, numbers, commands: lookalike.lines };
    page.tell(folder(common.out.clone(), common.quick).as_deref(), common.json)
}

/// Tells how far the run is; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "dedup: {text}");
}
