//! `lookalike index add`: more documents for an index.

use super::changed::ChangeFlags;
use crate::copies::corpus;
use crate::flags::{InputFlags, LensFlags, MachineFlags};
use crate::lens::refuse_other;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::simhash::KeptFlags;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::index::{Changed, Lens, SimhashIndex};
use lookalike::{ScanOptions, ShingleRecipe, index};
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
#[command(mut_arg("ngrams", |flag| flag.help("Words of a feature [default: as in the index]")))]
#[command(mut_arg("weight", |flag| flag.help("What a feature weighs [default: as in the index]")))]
#[command(mut_arg("bits", |flag| flag.help("Bits of a fingerprint [default: as in the index]")))]
#[command(mut_arg("idf", |flag| flag.help("The document frequencies that the index was made with, if it was made with any")))]
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
    fingerprints: KeptFlags,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    output: ChangeFlags,
}

impl Add {
    pub(crate) fn run(&self) -> Result<u8> {
        let changed = self.add()?;
        let code = self.output.tell_read("added to", &self.index, &changed)?;
        if changed.observed > 0 && !self.output.quiet {
            self.warn()?;
        }
        Ok(code)
    }

    fn add(&self) -> Result<Changed> {
        let own = ScanOptions {
            corpus: self.input.options_without(&self.index),
            key: self.lens.key().to_owned(),
            ..ScanOptions::default()
        };
        let features = [("--features", self.input.brings_features())];
        let options = self.machine.limit(match index::lens(&self.index)? {
            Lens::Shingles => {
                refuse_other(Lens::Shingles, Lens::Simhash, &self.fingerprints.given())?;
                ScanOptions { recipe: self.recipe()?, ..own }
            }
            Lens::Passages => {
                refuse_other(Lens::Passages, Lens::Simhash, &self.fingerprints.given())?;
                refuse_other(Lens::Passages, Lens::Shingles, &self.lens.given())?;
                refuse_other(Lens::Passages, Lens::Shingles, &features)?;
                ScanOptions { corpus: corpus(own.corpus), ..own }
            }
            Lens::Simhash => {
                refuse_other(Lens::Simhash, Lens::Shingles, &self.lens.given_of_shingles())?;
                refuse_other(Lens::Simhash, Lens::Shingles, &features)?;
                return self.simhash(own);
            }
        });
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        Ok(index::add(&self.index, self.input.inputs(), self.sweep.as_deref(), &options, &bars, &cancel)?)
    }

    /// With the recipe of the index, and what flags say otherwise: the engine then tells what differs.
    fn simhash(&self, mut scan: ScanOptions) -> Result<Changed> {
        if let Some(table) = self.fingerprints.table() {
            scan.corpus.exclude.extend(self.input.options_without(table).exclude);
        }
        let base = SimhashIndex::recipe_of(&self.index)?;
        let options = self.fingerprints.options_like(&base, &self.lens, self.machine.limit(scan))?;
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let (inputs, sweep) = (self.input.inputs(), self.sweep.as_deref());
        Ok(index::add_simhash(&self.index, inputs, sweep, &options, &bars, &cancel)?)
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
    fn recipe(&self) -> Result<ShingleRecipe> {
        let index = index::Index::open(&self.index, self.lens.key())?;
        let own = index.recipe().clone();
        match (own.is_features(), self.input.brings_features()) {
            (true, false) => bail!(
                "{} has features that were brought along, not words; say with --features FIELD where they are",
                self.index.display()
            ),
            (false, true) => {
                Ok(self.lens.recipe_like(ShingleRecipe { sampling: own.sampling, ..ShingleRecipe::features() }))
            }
            _ => Ok(self.lens.recipe_like(own)),
        }
    }
}
