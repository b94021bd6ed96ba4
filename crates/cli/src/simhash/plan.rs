//! `lookalike simhash plan`: which design, before anything is built.

use super::files::DistanceFlag;
use crate::{output, sizes};
use anyhow::Result;
use clap::Args;
use lookalike::default_memory;
use lookalike::hamming::plan::{Wanted, candidates};
use lookalike_report::{DesignPlan, write_answer};

/// Tell what tables for so many fingerprints would take, and what a question would cost
///
/// A design says into how many blocks the bits are split and which of them lead in which table: 1of2 has two tables, each led by one of two
/// blocks, which are looked at within a small radius. The designs of the paper (Manku et al. 2007, example 3.1) are among them.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash plan --n 8e9 --k 3
  lookalike simhash plan --n 100e6 --memory 2G --json")]
pub(crate) struct Plan {
    /// How many fingerprints, such as 100000000 or 8e9
    #[arg(long, value_name = "N", value_parser = number)]
    n: u64,
    #[command(flatten)]
    distance: DistanceFlag,
    /// Bits of a fingerprint
    #[arg(long, value_name = "64|128", default_value_t = 64, value_parser = super::flags::bits)]
    bits: u32,
    /// Bits of an id
    #[arg(long, value_name = "BITS", default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=64))]
    id_bits: u32,
    /// Memory that the tables may take [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = sizes::parse)]
    memory: Option<u64>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn number(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a number such as 100000000 or 8e9, found {text:?}");
    let number: f64 = text.replace('_', "").parse().map_err(|_| wrong())?;
    if (1.0..=1e15).contains(&number) { Ok(number as u64) } else { Err(wrong()) }
}

impl Plan {
    pub(crate) fn run(&self) -> Result<u8> {
        let memory = self.memory.unwrap_or_else(default_memory);
        let wanted =
            Wanted { width: self.bits, fingerprints: self.n, k: self.distance.k, id_bits: self.id_bits, memory };
        let candidates = candidates(&wanted);
        let plan = DesignPlan { wanted: &wanted, candidates: &candidates };
        output::to(None, !self.json, |out| write_answer(out, &plan, self.json))?;
        if !candidates.iter().any(|candidate| candidate.fits) {
            output::message(
                "note: no design fits in that memory; from memory-mapped files on a fast disk the smallest still answers",
            );
        }
        Ok(crate::SUCCESS)
    }
}
