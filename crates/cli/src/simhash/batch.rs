//! `lookalike simhash batch`: every fingerprint of a file that is near one of another.

use super::files::{DistanceFlag, FingerprintFileFlags, options};
use crate::flags::MachineFlags;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::hamming;
use lookalike_report::{write_batch, write_batch_json};
use std::path::PathBuf;

/// Find every fingerprint of a file that is near one of another file
///
/// The smaller file is held in memory, the other passes by at the speed of the disk. Each pair comes once, by query, the nearest first: id of the
/// query, id of the fingerprint, distance. Where a file has no ids they are the numbers of its rows, from 0.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash batch seen.u64 new.u64 -o pairs.tsv
  lookalike simhash fingerprint new/ | lookalike simhash batch seen.tsv - --limit 1")]
pub(crate) struct BatchVerb {
    /// The fingerprints that are looked through
    #[arg(value_name = "FINGERPRINTS")]
    fingerprints: PathBuf,
    /// The fingerprints that are asked about; - is standard input
    #[arg(value_name = "QUERIES")]
    queries: PathBuf,
    #[command(flatten)]
    distance: DistanceFlag,
    /// List so many for each query, the nearest; all are counted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    #[command(flatten)]
    files: FingerprintFileFlags,
    #[command(flatten)]
    machine: MachineFlags,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// No progress bars, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl BatchVerb {
    pub(crate) fn run(&self) -> Result<u8> {
        if let Some(path) = &self.output {
            output::check_target(path, false)?;
        }
        let (fingerprints, queries) = (self.files.file(&self.fingerprints), self.files.file(&self.queries));
        let options = options(self.distance.k, self.limit, &self.machine);
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        let batch = if self.files.wide() {
            hamming::batch::<u128>(&fingerprints, &queries, &options, &bars, &cancel)
        } else {
            hamming::batch::<u64>(&fingerprints, &queries, &options, &bars, &cancel)
        }?;
        output::to(self.output.as_deref(), false, |out| {
            if self.json { write_batch_json(out, &batch) } else { write_batch(out, &batch) }
        })?;
        if !self.quiet {
            let (fingerprints, queries, pairs) = (batch.fingerprints, batch.queries, batch.pairs);
            output::message(&format!("{fingerprints} fingerprints, {queries} queries, {pairs} pairs"));
        }
        Ok(crate::SUCCESS)
    }
}
