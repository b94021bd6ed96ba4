//! `lookalike index build`: a new index.

use super::changed::ChangeFlags;
use crate::copies::{ReadingFlags, corpus};
use crate::flags::{CommonFlag, InputFlags, LensFlags, LinkFlags, MachineFlags};
use crate::lens::{KeptLens, refuse_other};
use crate::progress::{Bars, cancel_on_signal};
use crate::simhash::KeptFlags;
use anyhow::Result;
use clap::Args;
use lookalike::copies::CopiesOptions;
use lookalike::index::{Changed, Lens};
use lookalike::simhash::SimhashRecipe;
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
  lookalike index build library.index books/ --lens passages         where do passages come from?
  lookalike index build seen.index crawl.jsonl.zst --lens simhash    was this page seen?

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
    /// What is kept: sketches of shingles, tokens for finding passages, or one fingerprint for each document
    #[arg(long = "lens", value_enum, default_value = "shingles", help_heading = "Lens")]
    kept: KeptLens,
    #[command(flatten)]
    lens: LensFlags,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    fingerprints: KeptFlags,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    common: CommonFlag,
    #[command(flatten)]
    output: ChangeFlags,
}

impl Build {
    pub(crate) fn run(&self) -> Result<u8> {
        let changed = match self.kept {
            KeptLens::Shingles => self.shingles()?,
            KeptLens::Passages => self.passages()?,
            KeptLens::Simhash => self.simhash()?,
        };
        self.output.tell_read("built", &self.index, &changed)
    }

    fn passages(&self) -> Result<Changed> {
        refuse_other(Lens::Passages, Lens::Simhash, &self.fingerprints.given())?;
        refuse_other(Lens::Passages, Lens::Shingles, &self.lens.given())?;
        refuse_other(Lens::Passages, Lens::Shingles, &self.of_shingles())?;
        let scan = self.machine.limit(ScanOptions {
            corpus: corpus(self.input.options_without(&self.index)),
            key: self.lens.key().to_owned(),
            ..ScanOptions::default()
        });
        let options = self.reading.options(CopiesOptions { scan, ..CopiesOptions::default() })?;
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let (inputs, sweep) = (self.input.inputs(), self.sweep.as_deref());
        Ok(index::build_passages(&self.index, inputs, sweep, &options, &bars, &cancel)?)
    }

    fn simhash(&self) -> Result<Changed> {
        refuse_other(Lens::Simhash, Lens::Passages, &self.reading.given())?;
        refuse_other(Lens::Simhash, Lens::Shingles, &self.lens.given_of_shingles())?;
        refuse_other(Lens::Simhash, Lens::Shingles, &self.of_shingles())?;
        let mut corpus = self.input.options_without(&self.index);
        if let Some(table) = self.fingerprints.table() {
            corpus.exclude.extend(self.input.options_without(table).exclude);
        }
        let scan = self.machine.limit(ScanOptions { corpus, ..ScanOptions::default() });
        let options = self.fingerprints.options_like(&SimhashRecipe::default(), &self.lens, scan)?;
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let (inputs, sweep) = (self.input.inputs(), self.sweep.as_deref());
        Ok(index::build_simhash(&self.index, inputs, sweep, &options, &bars, &cancel)?)
    }

    /// Which flags were given that only an index of shingles knows, those of the lens aside.
    fn of_shingles(&self) -> Vec<(&'static str, bool)> {
        let features = [("--features", self.input.brings_features())];
        [&self.policy.given()[..], &self.common.given(), &features].concat()
    }

    fn shingles(&self) -> Result<Changed> {
        refuse_other(Lens::Shingles, Lens::Passages, &self.reading.given())?;
        refuse_other(Lens::Shingles, Lens::Simhash, &self.fingerprints.given())?;
        let options = self.machine.limit(ScanOptions {
            corpus: self.input.options_without(&self.index),
            recipe: self.lens.recipe(self.input.brings_features()),
            key: self.lens.key().to_owned(),
            policy: self.policy.policy(Policy::default())?,
            common: self.common.common(),
            ..ScanOptions::default()
        });
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let (inputs, sweep) = (self.input.inputs(), self.sweep.as_deref());
        Ok(index::build(&self.index, inputs, sweep, &options, &bars, &cancel)?)
    }
}
