//! `lookalike index build`: a new index.

use super::changed::ChangeFlags;
use crate::flags::{CommonFlag, InputFlags, LensFlags, LinkFlags, MachineFlags};
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::{Policy, ScanOptions, index};
use std::path::PathBuf;

/// Make a new index of documents
///
/// Reads what lookalike scan reads and writes a new folder. It appears whole: what stops before the end leaves no index.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike index build pages.index site/
  lookalike index build pages.index crawl.jsonl.zst --id url --sweep 2026-05-01
  zcat crawl.gz | lookalike index build pages.index - --id url -w 5

Lens and policy are fixed when an index is built. Queries may ask for another threshold.")]
pub(crate) struct Build {
    /// The new folder
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    input: InputFlags,
    /// The date on which the documents were seen, such as 2026-05-01; for lookalike lost and changes
    #[arg(long, value_name = "DATE", help_heading = "Input")]
    sweep: Option<String>,
    #[command(flatten)]
    policy: LinkFlags,
    #[command(flatten)]
    lens: LensFlags,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    common: CommonFlag,
    #[command(flatten)]
    output: ChangeFlags,
}

impl Build {
    pub(crate) fn run(&self) -> Result<u8> {
        let options = self.machine.limit(ScanOptions {
            corpus: self.input.options_without(&self.index),
            recipe: self.lens.recipe(self.input.brings_features()),
            key: self.lens.key().to_owned(),
            policy: self.policy.policy(Policy::default())?,
            common: self.common.common(),
            ..ScanOptions::default()
        });
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let changed = index::build(&self.index, self.input.inputs(), self.sweep.as_deref(), &options, &bars, &cancel)?;
        self.output.tell_read("built", &self.index, &changed)
    }
}
