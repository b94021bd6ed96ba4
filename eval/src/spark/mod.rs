//! `eval spark`: what `lookalike.spark` promises. The removals of the command on every engine, what they cost there, what is left of a run
//! whose workers are killed, and near fingerprints beside `simhash batch`.

mod bench;
mod dedup;
mod hamming;
mod kills;

use crate::bars::Bar;
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::common::Common;
use crate::facts;
use crate::page::{Page, folder};
use anyhow::Result;
use bench::Bench;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::io::{Write, stderr};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Spark {
    /// Only these parts [default: all]
    #[arg(value_name = "PART")]
    parts: Vec<Part>,
    /// The wheel, built with `maturin build --profile dist`
    #[arg(long, value_name = "FILE")]
    wheel: PathBuf,
    /// Engines to run on, with commas between; fingerprints do not pass through connect
    #[arg(long, value_name = "ENGINE", value_delimiter = ',', default_values = ["sail", "connect", "standalone"])]
    engines: Vec<Engine>,
    /// Partitions of a shuffle
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    partitions: u16,
    /// How often documents are deduplicated on each engine, in turn with the command
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    #[command(flatten)]
    common: Common,
}

/// What a run can consist of.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    /// The removals of every engine beside those of the command
    Parity,
    /// CPU time beside the command's, the share of the kernel, bytes that are shuffled
    Cost,
    /// A worker killed in each stage of a run
    Kills,
    /// Near fingerprints beside `simhash batch`
    Hamming,
}

/// Where it runs.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Engine {
    /// Sail, in one process
    Sail,
    /// Spark in one process
    Local,
    /// A server of Spark Connect
    Connect,
    /// A standalone master and two workers on loopback
    Standalone,
}

impl Engine {
    /// As on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Sail => "sail",
            Self::Local => "local",
            Self::Connect => "connect",
            Self::Standalone => "standalone",
        }
    }

    /// As in the results.
    fn title(self) -> &'static str {
        match self {
            Self::Sail => "Sail",
            Self::Local => "Spark local",
            Self::Connect => "Spark Connect",
            Self::Standalone => "Spark standalone",
        }
    }
}

/// What a part found out.
struct Findings {
    bars: Vec<Bar>,
    section: String,
    numbers: Value,
}

impl Spark {
    pub(crate) fn run(self) -> Result<()> {
        let cache = Cache::open(self.common.cache.clone())?;
        let mut lookalike = Lookalike::find(self.common.lookalike.clone())?;
        let mut bench = Bench::open(&cache, &self.wheel, self.partitions)?;
        let (mut bars, mut sections, mut numbers) = (Vec::new(), Vec::new(), json!({}));
        let mut keep = |name: &str, found: Findings| {
            bars.extend(found.bars);
            sections.push(found.section);
            numbers[name] = found.numbers;
        };
        if self.wants(Part::Parity) || self.wants(Part::Cost) {
            keep("dedup", self.dedup(&mut bench, &mut lookalike)?);
        }
        if self.wants(Part::Kills) {
            keep("kills", self.kills(&mut bench)?);
        }
        if self.wants(Part::Hamming) {
            keep("hamming", self.hamming(&mut bench, &mut lookalike)?);
        }
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        facts.push(("engines".to_owned(), bench.versions.join(", ")));
        let commands = lookalike.lines;
        let page = Page { verb: "spark", name: self.name(), facts, bars, sections, numbers, commands };
        page.tell(folder(self.common.out, self.common.quick).as_deref(), self.common.json)
    }

    fn wants(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    /// The result of one part does not replace that of all.
    fn name(&self) -> &'static str {
        match self.parts[..] {
            [Part::Parity] => "parity",
            [Part::Cost] => "cost",
            [Part::Kills] => "kills",
            [Part::Hamming] => "hamming",
            _ => "",
        }
    }
}

/// Tells how far the run is; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "spark: {text}");
}
