//! `lookalike index merge`: as few segments as there can be.

use super::changed::ChangeFlags;
use crate::flags::MachineFlags;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::{ScanOptions, index};
use std::path::PathBuf;

/// Merge all segments of an index, and let go of what was removed
///
/// Every change writes a new segment, and small ones are merged now and then by themselves. One segment answers fastest and takes
/// the least room; answers stay the same.
#[derive(Args)]
pub(crate) struct Merge {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    output: ChangeFlags,
}

impl Merge {
    pub(crate) fn run(&self) -> Result<u8> {
        let options = self.machine.limit(ScanOptions::default());
        let changed = index::merge(&self.index, &options, &Bars::new(self.output.quiet), &cancel_on_signal())?;
        self.output.tell("merged", &self.index, &changed)
    }
}
