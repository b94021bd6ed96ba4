//! `eval copies prose`: the loose matcher on labelled prose, by way of the library.

use super::{clough, pan};
use crate::bars::{Bar, bars};
use crate::cache::Cache;
use crate::facts;
use crate::quality::unpacked;
use crate::table::table;
use anyhow::{Context, Result};
use lookalike_core::passage::loose::Rules;
use serde::Serialize;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Prose {
    /// Folder with labelled sets, as NAME.tar.zst [default: ../shared/data beside the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder to unpack them into [default: lookalike-eval in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Everything that was measured, and with what.
#[derive(Serialize)]
struct Results {
    date: String,
    facts: Vec<(String, String)>,
    bars: Vec<Bar>,
    pan: Option<pan::Pan>,
    clough: Option<clough::Clough>,
    /// Sets that are not at hand.
    absent: Vec<&'static str>,
}

impl Prose {
    pub(crate) fn run(self) -> Result<()> {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let data = self.data.unwrap_or_else(|| project.join("../shared/data"));
        let cache = Cache::open(self.cache)?.path("");
        let rules = Rules::default();
        let mut absent = Vec::new();
        let mut folder = |name: &'static str| -> Result<Option<PathBuf>> {
            let _ = writeln!(stderr().lock(), "copies: {name}");
            let folder = unpacked(name, &data, &cache)?;
            absent.extend(folder.is_none().then_some(name));
            Ok(folder)
        };
        let pan = folder("pan13-align-train")?.map(|folder| pan::measure(&folder, &rules)).transpose()?;
        let clough = folder("clough09")?.map(|folder| clough::measure(&folder, &rules)).transpose()?;
        let of_pan = pan.iter().flat_map(pan::Pan::bars);
        let bars = of_pan.chain(clough.iter().flat_map(clough::Clough::bars)).collect();
        let results = Results { date: facts::today(), facts: facts::facts(), bars, pan, clough, absent };
        results.keep(&self.out.unwrap_or_else(|| project.join("eval/results")))?;
        let text = if self.json { serde_json::to_string_pretty(&results)? + "\n" } else { results.page() };
        stdout().lock().write_all(text.as_bytes()).context("cannot write to stdout")
    }
}

impl Results {
    fn page(&self) -> String {
        let facts: Vec<Vec<String>> =
            self.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect();
        let made = "Copied passages of prose, held against labels. Made by `cargo run --profile dist -p lookalike-eval -- copies prose`.";
        let mut parts =
            vec![format!("# Copies in prose, {}", self.date), made.to_owned(), table(&["with", ""], &facts)];
        parts.push(bars(&self.bars));
        parts.extend(self.pan.iter().flat_map(pan::Pan::section));
        parts.extend(self.clough.iter().flat_map(clough::Clough::section));
        if !self.absent.is_empty() {
            parts.push(format!("Not at hand and left out: {}.", self.absent.join(", ")));
        }
        parts.iter().map(|part| part.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// Writes the page and the numbers.
    fn keep(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let write = |form: &str, text: String| {
            let path = folder.join(format!("{}-copies-prose.{form}", self.date));
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        write("md", self.page())?;
        write("json", serde_json::to_string_pretty(self)? + "\n")
    }
}
