//! `lookalike simhash idf`: how many documents have each feature, in a file.

use super::flags::FeatureFlags;
use super::told;
use crate::flags::{DocumentFlags, MachineFlags};
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::ScanOptions;
use lookalike::simhash::{TABLE_LIMIT, count};
use lookalike_report::write_versioned_json;
use std::path::PathBuf;

/// Count how many documents have each feature, so that rare ones can weigh more
///
/// A feature that df of D documents have weighs 1 + 2·log2(D/df), rounded down. The table lists the features that most documents have;
/// those of one document, and the rarest beyond --limit, are not listed and weigh the most. Its name is part of the recipe of fingerprints
/// that are made with it.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash idf docs/ -o docs.lki
  lookalike simhash fingerprint docs/ --idf docs.lki

The table fits fingerprints with the same --ngrams, --stop-words, --format and --key.")]
pub(crate) struct Idf {
    #[command(flatten)]
    input: DocumentFlags,
    #[command(flatten)]
    features: FeatureFlags,
    /// Features that the table lists at most
    #[arg(long, value_name = "N", default_value_t = TABLE_LIMIT as u32, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Lens")]
    limit: u32,
    #[command(flatten)]
    machine: MachineFlags,
    /// The table
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// No progress bars, no summary, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Idf {
    pub(crate) fn run(&self) -> Result<u8> {
        let corpus = self.input.options_without(&self.output);
        let scan = self.machine.limit(ScanOptions { corpus, ..ScanOptions::default() });
        let options = self.features.options(scan);
        output::check_target(&self.output, false)?;
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        let (inputs, limit) = (self.input.inputs(), self.limit as usize);
        let counted = count(inputs, &options, limit, &self.output, &bars, &cancel)?;
        if self.json {
            output::to(None, false, |out| write_versioned_json(out, &counted))?;
        } else if !self.quiet {
            output::to(None, true, |out| {
                writeln!(
                    out,
                    "{}  idf={}  {} of {} features of {} documents  {}",
                    self.output.display(),
                    counted.idf,
                    counted.features,
                    counted.found,
                    counted.read.documents,
                    counted.read.recipe
                )
            })?;
        }
        Ok(told::tell(&counted.read, self.quiet))
    }
}
