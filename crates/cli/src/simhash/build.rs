//! `lookalike simhash build`: a store of all fingerprints of a file.

use super::files::{DistanceFlag, FingerprintFileFlags};
use crate::flags::MachineFlags;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::hamming::Design;
use lookalike::hamming::store::{BuildOptions, OnlineStore};
use lookalike::{Resources, ScanOptions};
use lookalike_report::write_answer;
use std::path::PathBuf;

/// Make a store of all fingerprints of a file, to be asked with lookup and online
///
/// Fingerprints are sorted outside of memory and written as tables that are used where they lie, every byte under a checksum. Ids are those
/// of the file, or the numbers of its rows; names are not kept.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash build seen.u64 -o seen
  lookalike simhash build seen.parquet --field simhash -o seen --memory 8G")]
pub(crate) struct Build {
    /// The fingerprints; - is standard input
    #[arg(value_name = "FINGERPRINTS")]
    fingerprints: PathBuf,
    /// The new folder
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    distance: DistanceFlag,
    /// Design of the tables, as lookalike simhash plan names them [default: the fastest that fits in the memory]
    #[arg(long, value_name = "DESIGN")]
    design: Option<Design>,
    #[command(flatten)]
    files: FingerprintFileFlags,
    #[command(flatten)]
    machine: MachineFlags,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// No progress bars, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Build {
    pub(crate) fn run(&self) -> Result<u8> {
        let file = self.files.file(&self.fingerprints);
        let ScanOptions { memory, threads, tmp, .. } = self.machine.limit(ScanOptions::default());
        let options = BuildOptions {
            distance: self.distance.k,
            design: self.design,
            resources: Resources { memory, threads, tmp },
        };
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        let built = if self.files.wide() {
            OnlineStore::<u128>::build(&self.output, &file, &options, &bars, &cancel)
        } else {
            OnlineStore::<u64>::build(&self.output, &file, &options, &bars, &cancel)
        }?;
        if self.json || !self.quiet {
            output::to(None, !self.json, |out| write_answer(out, &built, self.json))?;
        }
        Ok(crate::SUCCESS)
    }
}
