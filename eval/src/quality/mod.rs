//! What is found, held against labels.
//!
//! [`generated`] knows every pair of documents that were made for it. [`labelled`] takes sets that people labelled, where they
//! are at hand. Both run the `lookalike` command as a user would and read what it writes.

mod clustering;
mod command;
mod estimates;
mod exact;
mod generated;
mod kinds;
mod labelled;
mod labels;
mod metrics;
mod page;
mod partition;
mod plot;
mod recipe;
mod sets;
mod table;
mod tally;

pub(crate) use labels::{Ids, Label, clusters, connected, pairs};
pub(crate) use metrics::{Point, Scores};
pub(crate) use plot::{Panel, plot};
pub(crate) use sets::{Labels, SETS, Set, unpacked};

use crate::cache::Cache;
use crate::facts;
use anyhow::{Context, Result};
use serde::Serialize;
use std::env;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Quality {
    /// Folder with labelled sets, as NAME.tar.zst [default: ../shared/data beside the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder to unpack them into [default: lookalike-eval in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    lookalike: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only these labelled sets (may be repeated)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Generated documents
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    docs: u32,
    /// Seed of the generated documents
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Mean number of words of a generated document
    #[arg(long, value_name = "M", default_value_t = 300)]
    words: u32,
    /// Day in the name of the results [default: today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    /// Write JSON to stdout instead of tables
    #[arg(long)]
    json: bool,
}

/// Everything that was measured, and with what.
#[derive(Serialize)]
struct Results {
    date: String,
    facts: Vec<(String, String)>,
    commands: Vec<String>,
    generated: generated::Generated,
    labelled: Vec<labelled::Measured>,
    /// Sets that are not at hand.
    absent: Vec<&'static str>,
}

impl Quality {
    pub(crate) fn run(self) -> Result<()> {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut lookalike = command::Lookalike::find(self.lookalike)?;
        let data = self.data.unwrap_or_else(|| project.join("../shared/data"));
        let cache = Cache::open(self.cache)?.path("");
        let out = self.out.unwrap_or_else(|| project.join("eval/results"));
        let date = self.date.unwrap_or_else(facts::today);

        note("generated documents");
        let asked = generated::Asked { documents: self.docs, seed: self.seed, words: self.words, copies: 0.3 };
        let generated = generated::measure(asked, &mut lookalike)?;
        let (mut labelled, mut absent) = (Vec::new(), Vec::new());
        for set in &SETS {
            if !self.only.is_empty() && !self.only.iter().any(|name| name == set.name) {
                continue;
            }
            note(set.name);
            let measured = labelled::measure(set, &data, &cache, &mut lookalike)?;
            if measured.is_empty() {
                note(&format!("{}: not in {}; left out", set.name, data.display()));
                absent.push(set.name);
            }
            labelled.extend(measured);
        }
        let mut facts = facts::facts();
        facts.push(("measured".into(), lookalike.version()?));
        let results = Results { date, facts, commands: lookalike.lines, generated, labelled, absent };
        results.keep(&out)?;
        let text = if self.json { serde_json::to_string_pretty(&results)? + "\n" } else { page::page(&results) };
        stdout().lock().write_all(text.as_bytes()).context("cannot write to stdout")
    }
}

impl Results {
    /// Writes the page, the numbers and the plot.
    fn keep(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let write = |extension: &str, text: String| {
            let path = folder.join(format!("{}-quality.{extension}", self.date));
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        write("md", page::page(self))?;
        write("json", serde_json::to_string_pretty(self)? + "\n")?;
        write("svg", plot(&page::panels(self)))
    }
}

/// Tells what is being done; nobody is told twice, and a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "quality: {text}");
}
