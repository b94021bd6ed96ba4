//! `lookalike simhash near`: pairs and clusters of one file.

use super::files::{DistanceFlag, FingerprintFileFlags, options};
use crate::flags::{LinkageFlags, MachineFlags};
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::{Policy, hamming};
use lookalike_report::{write_near, write_near_json, write_near_pairs};
use std::path::PathBuf;

/// Find all fingerprints of a file that are near each other, and their clusters
///
/// Clusters are stars: the first of each in the file represents it, and every member is within the distance of it. Fingerprints that are the
/// same are together. --linkage single makes connected components.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash near docs.tsv
  lookalike simhash near crawl.u64 --pairs pairs.tsv --json -o clusters.json")]
pub(crate) struct NearVerb {
    /// The fingerprints; - is standard input
    #[arg(value_name = "FINGERPRINTS")]
    fingerprints: PathBuf,
    #[command(flatten)]
    distance: DistanceFlag,
    /// List so many members of each cluster; all are counted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    #[command(flatten)]
    linkage: LinkageFlags,
    #[command(flatten)]
    files: FingerprintFileFlags,
    #[command(flatten)]
    machine: MachineFlags,
    /// Also write all pairs of different fingerprints, a line each, to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pairs: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// One JSON object, with all clusters
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// No progress bars, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl NearVerb {
    pub(crate) fn run(&self) -> Result<u8> {
        let files = [self.output.as_deref(), self.pairs.as_deref()];
        files.iter().flatten().try_for_each(|path| output::check_target(path, false))?;
        output::check_different(&files)?;
        let file = self.files.file(&self.fingerprints);
        let options = options(self.distance.k, self.limit, &self.machine);
        let linkage = self.linkage.policy(Policy::default()).linkage;
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        let near = if self.files.wide() {
            hamming::all_pairs::<u128>(&file, linkage, &options, &bars, &cancel)
        } else {
            hamming::all_pairs::<u64>(&file, linkage, &options, &bars, &cancel)
        }?;
        if let Some(path) = &self.pairs {
            output::to(Some(path), false, |out| write_near_pairs(out, &near))?;
        }
        output::to(self.output.as_deref(), !self.json && self.output.is_none(), |out| {
            if self.json { write_near_json(out, &near, self.limit) } else { write_near(out, &near, self.limit) }
        })?;
        Ok(crate::SUCCESS)
    }
}
