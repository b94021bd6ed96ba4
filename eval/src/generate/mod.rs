//! Generated documents: a corpus of any size that reads like a language, with copies whose likeness is known exactly.
//!
//! A document follows from the seed and its index alone. So a copy can be made without memory of its source, blocks can be made
//! on any thread, and the same flags give the same bytes everywhere.

mod corpus;
mod edits;
mod random;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod truth;
mod vocabulary;

pub(crate) use corpus::Corpus;
pub(crate) use edits::KINDS;
pub(crate) use random::Random;
pub(crate) use stream::{Failure, write};
pub(crate) use text::{compose, render};
pub(crate) use truth::{Truth, about};
pub(crate) use vocabulary::Vocabulary;

use anyhow::{Context, Result};
use lookalike_core::feature_hash::MAX_WINDOW;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Gen {
    /// How many documents
    #[arg(long, value_name = "N")]
    docs: u64,
    /// The same seed gives the same documents
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Mean number of words of a document that is no copy
    #[arg(long, value_name = "M", default_value_t = 160, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    words: u32,
    /// Share of the documents that are made of earlier ones
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    copies: f64,
    /// Write for every copy its source, what was done, and the exact resemblance and containments (TSV)
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Words in a shingle, for --truth
    #[arg(short, long, value_name = "W", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=MAX_WINDOW as i64))]
    window: u8,
    /// Threads; 0 is one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("expected a share such as 0.3, found {text:?}"))?;
    // sources are sought among originals, which must not be rare
    if (0.0..=0.95).contains(&share) { Ok(share) } else { Err(format!("expected 0 to 0.95, found {share}")) }
}

impl Gen {
    pub(crate) fn run(self) -> Result<()> {
        let name = self.truth.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let mut file = match &self.truth {
            Some(path) => Some(BufWriter::new(File::create(path).with_context(|| format!("cannot write {name}"))?)),
            None => None,
        };
        let corpus = Corpus::new(self.seed, self.words, self.copies);
        let truth = file.as_mut().map(|file| (file as &mut (dyn Write + Send), usize::from(self.window)));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        match pool.install(|| write(&corpus, self.docs, &mut io::stdout(), truth)) {
            // the reader has seen enough
            Err(Failure::Documents(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(Failure::Documents(error)) => Err(error).context("cannot write the documents"),
            Err(Failure::Truth(error)) => Err(error).with_context(|| format!("cannot write {name}")),
            Ok(()) => Ok(()),
        }
    }
}
