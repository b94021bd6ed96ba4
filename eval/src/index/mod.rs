//! What an index promises, held against what it does: time and room to build, time and quality of answers, growing, and finding what was lost.
//!
//! Everything runs the `lookalike` command as a user would.

mod asking;
mod batch;
mod building;
mod corpus;
mod estimates;
mod growing;
pub(crate) mod moved;
mod page;
mod theory;

use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::numbers::{share, thousands};
use anyhow::{Context, Result};
use clap::ValueEnum;
use corpus::Asked;
use serde::Serialize;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Index {
    /// Generated documents of the index
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(100..))]
    docs: u64,
    /// Mean number of words of a generated document that is no copy; 800 make about 5 KB
    #[arg(long, value_name = "M", default_value_t = 800)]
    words: u32,
    /// Seed of the generated documents
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How often the scan and the build run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Questions to the index: a third of the index, a third edited, a third new
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(3..))]
    queries: u32,
    /// Slices in which the index grows
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..))]
    slices: u8,
    /// What scans and builds are told with --memory
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: String,
    /// Only these parts, with commas between
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    /// 20,000 documents and 300 questions: shows that everything works, and is no result
    #[arg(long)]
    quick: bool,
    /// Folder with sets of moved pages, as archives of tar and zstd [default: ../shared/data beside the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder for lists of moved pages that were missed [default: index-misses in the cache]
    #[arg(long, value_name = "DIR")]
    misses: Option<PathBuf>,
    /// The program to measure [default: lookalike beside this program]
    #[arg(long, value_name = "FILE")]
    lookalike: Option<PathBuf>,
    /// Folder for documents, indexes and unpacked sets [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the result [default: eval/results; none with --quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// What this program has to do when it calls itself
    #[arg(long, hide = true)]
    task: Option<String>,
}

/// What a run can consist of.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    /// Time to build beside a scan, room on disk, memory, time to open
    Build,
    /// Time and quality of answers
    Queries,
    /// An index that grows
    Grow,
    /// Lost pages
    Moved,
}

/// Everything that was measured, and with what.
#[derive(Serialize)]
struct Results {
    date: String,
    facts: Vec<(String, String)>,
    bars: Vec<Bar>,
    asked: Asked,
    building: Option<building::Built>,
    asking: Option<asking::AskedResult>,
    growing: Option<growing::Grown>,
    moved: Vec<moved::SetResult>,
    /// Parts that could not run, and why.
    failed: Vec<String>,
    commands: Vec<String>,
}

impl Index {
    pub(crate) fn run(mut self) -> Result<()> {
        if let Some(task) = &self.task {
            return corpus::perform(task, self.out.as_deref());
        }
        if self.quick {
            (self.docs, self.queries, self.rounds) = (20_000, 300, 1);
        }
        let cache = Cache::open(self.cache.take())?;
        let mut lookalike = Lookalike::find(self.lookalike.take())?;
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let mut results = Results {
            date: facts::today(),
            facts,
            bars: Vec::new(),
            asked: Asked { documents: self.docs, words: self.words, copies: 0.3, seed: self.seed },
            building: None,
            asking: None,
            growing: None,
            moved: Vec::new(),
            failed: Vec::new(),
            commands: Vec::new(),
        };
        if self.wants(&[Part::Build, Part::Queries, Part::Grow]) {
            let done = self.generated(&cache, &mut lookalike, &mut results);
            results.failure("generated documents", done);
        }
        if self.wants(&[Part::Moved]) {
            let done = self.moved(&cache, &mut lookalike, &mut results);
            results.failure("moved pages", done);
        }
        results.bars = results.all_bars();
        results.commands = lookalike.lines;
        let folder = match self.out.take() {
            None if self.quick => None,
            None => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("results")),
            told => told,
        };
        if let Some(folder) = folder {
            // the result of some parts must not replace that of all
            let parts = self.only.iter().filter_map(ValueEnum::to_possible_value);
            let name = parts.fold("index".to_owned(), |name, part| format!("{name}-{}", part.get_name()));
            results.keep(&folder, &name)?;
        }
        let text = if self.json { serde_json::to_string_pretty(&results)? + "\n" } else { page::page(&results) };
        stdout().lock().write_all(text.as_bytes()).context("cannot write to stdout")
    }

    fn wants(&self, parts: &[Part]) -> bool {
        self.only.is_empty() || parts.iter().any(|part| self.only.contains(part))
    }

    /// An index of generated documents, built, asked and grown. What is done before something fails stays in the results.
    fn generated(&self, cache: &Cache, lookalike: &mut Lookalike, results: &mut Results) -> Result<()> {
        let asked = results.asked;
        note(Part::Build, &format!("{} documents", thousands(asked.documents)));
        let documents = asked.file(cache)?;
        let scratch = tempfile::tempdir_in(cache.path(""))?;
        let [index, questions, answers, one] =
            ["built.index", "questions.jsonl", "built.answers", "one.jsonl"].map(|name| scratch.path().join(name));
        let built = building::measure(&documents, &index, self.rounds, &self.memory, lookalike)?;
        let built = results.building.insert(built);
        let batch = batch::Batch::write(&asked, self.queries as usize, &questions)?;
        fs::write(&one, fs::read_to_string(&questions)?.lines().next().unwrap_or_default())?;
        built.open(&index, &one, lookalike)?;
        if self.wants(&[Part::Queries, Part::Grow]) {
            results.asking = Some(asking::measure(&index, &batch, &questions, &answers, lookalike)?);
        }
        if self.wants(&[Part::Grow]) {
            let places = growing::Places { scratch: scratch.path(), questions: &questions, answers: &answers };
            results.growing = Some(growing::measure(&asked, self.slices.into(), built, &places, lookalike)?);
        }
        Ok(())
    }

    fn moved(&self, cache: &Cache, lookalike: &mut Lookalike, results: &mut Results) -> Result<()> {
        let data = self.data.clone();
        let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"));
        let misses = self.misses.clone().unwrap_or_else(|| cache.path("index-misses"));
        for name in moved::names(&data)? {
            results.moved.push(moved::measure(&name, &data, cache, &misses, lookalike)?);
        }
        Ok(())
    }
}

impl Results {
    fn failure(&mut self, part: &str, done: Result<()>) {
        if let Err(error) = done {
            self.failed.push(format!("{part}: {error:#}"));
            let _ = writeln!(stderr(), "index: {part}: {error:#}");
        }
    }

    fn all_bars(&self) -> Vec<Bar> {
        let moved = |set: &moved::SetResult| {
            let tally = &set.half_survived;
            let what = format!("{}: new place first, of {} pages of which half survived", set.set, tally.cases);
            Bar::at_least(0.95, Unit::Share, what, share(tally.first, tally.cases))
        };
        let building = self.building.iter().flat_map(building::Built::bars);
        let asking = self.asking.iter().flat_map(asking::AskedResult::bars);
        let growing = self.growing.iter().flat_map(growing::Grown::bars);
        building.chain(asking).chain(growing).chain(self.moved.iter().map(moved)).collect()
    }

    /// Writes the page and the numbers.
    fn keep(&self, folder: &Path, name: &str) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let write = |form: &str, text: String| {
            let file = folder.join(format!("{}-{name}.{form}", self.date));
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
        };
        write("md", page::page(self))?;
        write("json", serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Tells what is being done; a closed terminal is no error.
fn note(part: Part, text: &str) {
    let part = part.to_possible_value();
    let _ = writeln!(stderr().lock(), "index, {}: {text}", part.as_ref().map_or("", |part| part.get_name()));
}
