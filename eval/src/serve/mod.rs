//! What `serve` promises, held against what it does: requests a second, latency, and that nothing is lost under load and kills.

mod connection;
mod served;
mod soak;
mod speed;

use crate::bars::Bar;
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::common::Common;
use crate::facts;
use crate::page::{Page, folder};
use anyhow::Result;
use serde_json::Value;
use std::io::{Write, stderr};

#[derive(clap::Args)]
pub(crate) struct Serve {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Requests a second and their latency, by wrk
    Speed {
        /// Fingerprints of the store that is asked
        #[arg(long, value_name = "N", default_value_t = 10_000_000)]
        n: u64,
        /// Seconds of each load
        #[arg(long, value_name = "S", default_value_t = 30)]
        seconds: u64,
        /// Connections
        #[arg(long, value_name = "N", default_value_t = 64)]
        connections: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Full load for long, and a kill: memory, errors, lost inserts
    Soak {
        /// Seconds under load
        #[arg(long, value_name = "S", default_value_t = 600)]
        seconds: u64,
        #[command(flatten)]
        common: Common,
    },
}

/// What a part found out.
struct Findings {
    bars: Vec<Bar>,
    sections: Vec<String>,
    numbers: Value,
}

impl Serve {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Speed { n, seconds, connections, common } => {
                let (n, seconds) = if common.quick { (n / 100, 2) } else { (n, seconds) };
                tell("speed", &common, |cache, lookalike| speed::measure(cache, lookalike, n, seconds, connections))
            }
            Part::Soak { seconds, common } => {
                let seconds = if common.quick { 4 } else { seconds };
                tell("soak", &common, |cache, lookalike| soak::measure(cache, lookalike, seconds))
            }
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
    let page = Page { verb: "serve", name, facts, bars, sections, numbers, commands: lookalike.lines };
    page.tell(folder(common.out.clone(), common.quick).as_deref(), common.json)
}

/// Tells how far the run is; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "serve: {text}");
}
