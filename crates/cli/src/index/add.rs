//! `lookalike index add`: more documents for an index.

use super::changed::ChangeFlags;
use crate::copies::corpus;
use crate::flags::{InputFlags, LensFlags, MachineFlags};
use crate::lens::refuse_for_passages;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::{Result, bail};
use clap::Args;
use lookalike::{Recipe, ScanOptions, index};
use std::path::PathBuf;

/// Add documents to an index
///
/// A name that is there already, in the same sweep, gets the new document. What did not change costs only the reading. Readers see
/// the index as it was until all is done; then they see all of it.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike index add pages.index site/                  what is new or has changed
  lookalike index add pages.index crawl.jsonl.zst --id url --sweep 2026-05-08

Lens and policy are those of the index. Lens flags need not be given; if they are, they must be the same.")]
#[command(mut_arg("words", |flag| flag.help("Words in a shingle [default: as in the index]")))]
#[command(mut_arg("sketch", |flag| flag.help("What the sketch keeps [default: as in the index]")))]
#[command(mut_arg("format", |flag| flag.help("Format of all documents [default: as in the index]")))]
#[command(mut_arg("key", |flag| flag.help("Secret that the index was made with, if it was made with one; also LOOKALIKE_KEY")))]
pub(crate) struct Add {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    input: InputFlags,
    /// The date on which the documents were seen, such as 2026-05-01; for lookalike lost and changes
    #[arg(long, value_name = "DATE", help_heading = "Input")]
    sweep: Option<String>,
    #[command(flatten)]
    lens: LensFlags,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    output: ChangeFlags,
}

impl Add {
    pub(crate) fn run(&self) -> Result<u8> {
        let own = ScanOptions {
            corpus: self.input.options_without(&self.index),
            key: self.lens.key().to_owned(),
            ..ScanOptions::default()
        };
        let options = self.machine.limit(if index::has_passages(&self.index)? {
            refuse_for_passages(&self.lens.given())?;
            refuse_for_passages(&[("--features", self.input.brings_features())])?;
            ScanOptions { corpus: corpus(own.corpus), ..own }
        } else {
            ScanOptions { recipe: self.recipe()?, ..own }
        });
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let changed = index::add(&self.index, self.input.inputs(), self.sweep.as_deref(), &options, &bars, &cancel)?;
        let code = self.output.tell_read("added to", &self.index, &changed)?;
        if changed.observed > 0 && !self.output.quiet {
            self.warn()?;
        }
        Ok(code)
    }

    /// What the last sweep did not see counts as gone: tells when that may not be meant.
    fn warn(&self) -> Result<()> {
        let index = index::Index::open_names(&self.index)?;
        let dated: Vec<_> = index.sweeps().iter().filter(|sweep| sweep.date.is_some()).collect();
        if self.sweep.is_none() && !dated.is_empty() {
            output::message(
                "warning: added without a date to an index that has dates: it counts as older than all; use --sweep",
            );
        }
        if let [.., before, last] = dated[..]
            && last.date == self.sweep
            && last.observations * 2 < before.observations
        {
            output::message(&format!(
                "note: this sweep has seen {} names, the one before {}; what the last sweep has not seen counts as gone; \
                 add the rest with the same --sweep",
                last.observations, before.observations
            ));
        }
        Ok(())
    }

    /// The recipe of the index, and what flags say otherwise: the engine then tells what differs.
    fn recipe(&self) -> Result<Recipe> {
        let index = index::Index::open(&self.index, self.lens.key())?;
        let own = index.recipe().clone();
        match (own.is_features(), self.input.brings_features()) {
            (true, false) => bail!(
                "{} has features that were brought along, not words; say with --features FIELD where they are",
                self.index.display()
            ),
            (false, true) => Ok(self.lens.recipe_like(Recipe { sampling: own.sampling, ..Recipe::features() })),
            _ => Ok(self.lens.recipe_like(own)),
        }
    }
}
