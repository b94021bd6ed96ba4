//! What it costs: CPU time, wall time and peak memory of lookalike, of peers and of yardsticks, in one run on one machine.

pub(crate) mod corpora;
mod debian;
mod html;
pub(crate) mod join;
mod keep;
mod mutate;
mod parts;
pub(crate) mod peers;
mod plot;
mod result;
mod scale;
pub(crate) mod score;
pub(crate) mod section;
pub(crate) mod table;
pub(crate) mod task;
pub(crate) mod tools;
pub(crate) mod truth;
mod versions;
mod yardstick;

use crate::cache::Cache;
use anyhow::Result;
use clap::ValueEnum;
use result::Outcome;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Speed {
    /// How often each contender runs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Only these parts, with commas between
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    /// A small corpus, one round: shows that everything works, and is no result
    #[arg(long)]
    quick: bool,
    /// Slow peers on the large corpus too
    #[arg(long)]
    all: bool,
    /// Documents to generate for the scale part, with commas between
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1_000_000, 10_000_000])]
    docs: Vec<u64>,
    /// The program to measure [default: the one of this checkout, built first]
    #[arg(long, value_name = "FILE")]
    lookalike: Option<PathBuf>,
    /// Seconds after which a contender is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    limit: u64,
    /// Folder for corpora, truth, tools and peers [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the result [default: eval/results; none with --quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// What this program has to do when it calls itself
    #[arg(long, hide = true, num_args = 1..)]
    task: Vec<String>,
}

/// What a run can consist of.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    /// Build the corpora and do no more
    Corpora,
    /// Their exact pairs
    Truth,
    /// Counting words, hashing, sorting
    Yardstick,
    /// Other finders of near-duplicates
    Peers,
    /// A folder of HTML pages
    Html,
    /// Millions of generated documents
    Scale,
}

impl Speed {
    pub(crate) fn run(mut self) -> Result<()> {
        let cache = Cache::open(self.cache.take())?;
        if !self.task.is_empty() {
            return task::perform(&cache, &self.task, &mut io::stdout());
        }
        if self.quick {
            self.rounds = 1;
            self.docs = vec![10_000, 100_000];
        }
        let corpora: &[&str] = if self.quick { &["text5k"] } else { &["text50k", "text250k"] };
        // asked for by name, a corpus that cannot be made is an error; else the parts that need it are left out
        let named = |part| self.only.contains(&part);
        if named(Part::Corpora) || named(Part::Truth) {
            corpora.iter().try_for_each(|name| task::corpus(&cache, name))?;
        }
        if named(Part::Truth) {
            corpora.iter().try_for_each(|name| task::truth(&cache, name))?;
        }
        if !self.wants(&[Part::Yardstick, Part::Peers, Part::Html, Part::Scale]) {
            return Ok(());
        }
        let lookalike = tools::lookalike(self.lookalike.take())?;
        let (sections, left_out) = self.sections(&cache, corpora, &lookalike);
        let outcome = Outcome {
            facts: crate::facts::facts().into_iter().chain(versions::all(&cache, &lookalike)).collect(),
            rounds: self.rounds.into(),
            sections,
            left_out,
            names: keep::names(&cache, &lookalike)?,
        };
        let folder = match self.out.take() {
            None if self.quick => None,
            None => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("results")),
            told => told,
        };
        if let Some(folder) = folder {
            // the result of some parts must not replace that of all
            let parts = self.only.iter().filter_map(ValueEnum::to_possible_value);
            let name = parts.fold("speed".to_owned(), |name, part| format!("{name}-{}", part.get_name()));
            keep::write(&outcome, &folder, &name)?;
        }
        let text = if self.json { format!("{:#}\n", outcome.json()) } else { outcome.markdown() };
        Ok(io::stdout().write_all(text.as_bytes())?)
    }

    fn wants(&self, parts: &[Part]) -> bool {
        self.only.is_empty() || parts.iter().any(|part| self.only.contains(part))
    }
}

/// Tells how far the run is.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
