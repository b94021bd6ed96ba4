//! `lookalike sketch`: an exchange file, for comparing with owners who do not share their files.

use crate::chunk_flags::MeanFlag;
use crate::flags::{DocumentFlags, FormatFlag, KeyFlag, MachineFlags, ShingleFlags};
use crate::lens::{ExchangeLens, LensName};
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use lookalike::ScanOptions;
use lookalike::chunks::{self, Options};
use lookalike::exchange::{self, Names};
use lookalike_report::{ExchangeFile, write_answer};
use std::path::PathBuf;

/// Write what is needed to compare these files with those of others, without their content
///
/// An exchange file (.lka) holds names and lengths of files and the hashes of their chunks (or with --lens shingles the sketches of their
/// text). lookalike scan joins any number of them, and folders. Both sides must use the same flags of the lens and the same --key.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike sketch docs/ -o ours.lka
  lookalike scan ours.lka theirs.lka                           what do we share?
  LOOKALIKE_KEY=secret lookalike sketch docs/ -o ours.lka --names hash

Without --key, whoever has a file or guesses a text can test whether it is in the exchange file. With
--key, only those who have the key can. Lengths of files and chunks, and which chunks repeat, are
visible in any case. What is found in sketches of the shingles lens are estimates: scan such files
with --estimate. Their key keeps no secret from somebody skilled who knows some of the texts.")]
#[command(mut_arg("key", |flag| flag.help("Secret that all owners agree on: chunk hashes (and names, with --names hash) mean nothing without it; also LOOKALIKE_KEY")))]
pub(crate) struct Sketch {
    #[command(flatten)]
    input: DocumentFlags,
    /// How the documents will be compared
    #[arg(long, value_enum, default_value_t = ExchangeLens::Chunks, help_heading = "Lens")]
    lens: ExchangeLens,
    #[command(flatten)]
    shingles: ShingleFlags,
    /// Format of all documents [default: auto]
    #[arg(long, value_enum, help_heading = "Lens")]
    format: Option<FormatFlag>,
    #[command(flatten)]
    mean: MeanFlag,
    #[command(flatten)]
    key: KeyFlag,
    /// What files are called in the exchange file
    #[arg(long, value_enum, default_value_t = NamesFlag::Plain, help_heading = "Output")]
    names: NamesFlag,
    #[command(flatten)]
    machine: MachineFlags,
    /// The exchange file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// No progress bars, no summary, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum NamesFlag {
    /// By their paths
    Plain,
    /// By a hash of each part of the path: folders can still be told apart
    Hash,
}

impl Sketch {
    pub(crate) fn run(&self) -> Result<u8> {
        let key = &self.key.key;
        let scan = ScanOptions { corpus: self.input.options_without(&self.output), ..ScanOptions::default() };
        let scan = self.machine.limit(scan);
        let names = match self.names {
            NamesFlag::Plain => Names::Plain,
            NamesFlag::Hash => Names::Hashed,
        };
        output::check_target(&self.output, false)?;
        let exchange = self.input.exchange_file()?;
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        let (inputs, out) = (self.input.inputs(), &self.output);
        let sketched = match self.lens {
            ExchangeLens::Chunks => {
                let format = [("--format", self.format.is_some())];
                LensName::Shingles.refuse(&[&self.shingles.given()[..], &format].concat())?;
                let options = Options { scan, mean: self.mean.mean(), key: key.clone(), ..Options::default() };
                chunks::sketch(inputs, &options, names, out, &bars, &cancel)?
            }
            ExchangeLens::Shingles => {
                LensName::Chunks.refuse(&self.mean.given())?;
                if let Some(path) = exchange {
                    let path = path.display();
                    bail!("{path} is an exchange file already; only those of the chunks lens can be put into another");
                }
                let recipe = self.shingles.recipe(false, self.format, key);
                let options = ScanOptions { recipe, key: key.clone(), ..scan };
                exchange::sketch(inputs, &options, names, out, &bars, &cancel)?
            }
        };
        if self.json || !self.quiet {
            let file = self.output.display().to_string();
            let answer = ExchangeFile { file: &file, names, sketched: &sketched };
            output::to(None, !self.json, |out| write_answer(out, &answer, self.json))?;
        }
        if sketched.documents == 0 && !self.quiet {
            output::message("no documents were found; check the paths, and --hidden, --no-ignore, --include");
        }
        if names == Names::Hashed && key.is_empty() && !self.quiet {
            output::message("note: names are hashed without a key: whoever guesses one can test it; use --key");
        }
        let damaged = output::is_damaged(&sketched.skipped, "the rest was taken");
        Ok(if damaged { crate::WRONG } else { crate::SUCCESS })
    }
}
