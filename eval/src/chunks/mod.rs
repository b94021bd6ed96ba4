//! What the chunks lens promises, held against what it does: chunking beside `FastCDC`, the run of the paper beside fclones, millions of files, a clique.

mod clique;
mod fast;
mod page;
mod paper;
mod partition;
mod race;
mod sharing;
mod task;
mod tree;
mod versions;

use crate::bars::Bar;
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::measure::Job;
use crate::speed::tools;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Chunks {
    /// How often each contender runs
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Only these parts, with commas between
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    /// A little of everything, one round: shows that all works, and is no result
    #[arg(long)]
    quick: bool,
    /// Files whose metadata is partitioned, with commas between
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1_500_000, 5_000_000, 15_000_000], value_parser = clap::value_parser!(u64).range(1_000..=u64::from(u32::MAX)))]
    files: Vec<u64>,
    /// Folder with the sets, as archives of tar and zstd [default: ../shared/data beside the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The program to measure [default: the one of this checkout, built first]
    #[arg(long, value_name = "FILE")]
    lookalike: Option<PathBuf>,
    /// The engine's example program `partition` [default: the one of this checkout, built first]
    #[arg(long, value_name = "FILE")]
    partition: Option<PathBuf>,
    /// Seconds after which a contender is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    limit: u64,
    /// Folder for what millions of files spill [default: the cache]
    #[arg(long, value_name = "DIR")]
    tmp: Option<PathBuf>,
    /// Folder for unpacked sets, generated files and tools [default: lookalike-eval in the user's cache folder]
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
    task: Option<task::Task>,
}

/// What a run can consist of.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    /// Speed of chunking beside `FastCDC`
    Speed,
    /// Shared bytes of versions found, beside `FastCDC`
    Sharing,
    /// The run of the paper beside fclones
    Paper,
    /// Metadata of millions of files
    Partition,
    /// Thousands of files with the same template
    Clique,
}

/// How much there is of everything.
#[derive(Clone, Copy)]
struct Scale {
    /// Bytes to chunk for the speed.
    bytes: usize,
    /// Files with the same template, and others.
    clique: u64,
    others: u64,
}

/// Everything that was measured, and with what.
#[derive(Default, Serialize)]
struct Results {
    date: String,
    facts: Vec<(String, String)>,
    bars: Vec<Bar>,
    speed: Vec<race::Race>,
    sharing: Vec<sharing::Sharing>,
    paper: Option<paper::Paper>,
    partition: Vec<partition::Partitioned>,
    clique: Vec<clique::Clique>,
    /// Parts that could not run, and why.
    failed: Vec<String>,
    commands: Vec<String>,
}

impl Chunks {
    pub(crate) fn run(mut self) -> Result<()> {
        let cache = Cache::open(self.cache.take())?;
        if self.quick {
            (self.rounds, self.files) = (1, vec![20_000, 60_000]);
        }
        if let Some(task) = self.task {
            return task::perform(task, &self, &cache);
        }
        let mut results = Results { date: facts::today(), facts: facts::facts(), ..Results::default() };
        results.fact("fastcdc", facts::locked("fastcdc").map(str::to_owned));
        for part in Part::value_variants() {
            if self.only.is_empty() || self.only.contains(part) {
                let done = self.measure(*part, &cache, &mut results);
                results.failure(*part, done);
            }
        }
        results.bars = results.all_bars();
        let folder = match self.out.take() {
            None if self.quick => None,
            None => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("results")),
            told => told,
        };
        if let Some(folder) = folder {
            // the result of some parts must not replace that of all
            let parts = self.only.iter().filter_map(ValueEnum::to_possible_value);
            let name = parts.fold("chunks".to_owned(), |name, part| format!("{name}-{}", part.get_name()));
            results.keep(&folder, &name)?;
        }
        let text = if self.json { serde_json::to_string_pretty(&results)? + "\n" } else { page::page(&results) };
        stdout().lock().write_all(text.as_bytes()).context("cannot write to stdout")
    }

    fn measure(&self, part: Part, cache: &Cache, results: &mut Results) -> Result<()> {
        let (rounds, limit) = (usize::from(self.rounds), Duration::from_secs(self.limit));
        match part {
            Part::Speed => results.speed = task::call(task::Task::Speed, self, cache)?,
            Part::Sharing => results.sharing = task::call(task::Task::Sharing, self, cache)?,
            Part::Paper => {
                let program = self.lookalike(results)?;
                let trees = self.trees(cache)?;
                let (paper, jobs) = paper::measure(&trees, cache, &program, rounds, limit)?;
                results.paper = Some(paper);
                results
                    .fact("fclones", jobs.first().and_then(|fclones| facts::output(&fclones.program, &["--version"])));
                results.remember(&jobs);
            }
            Part::Partition => {
                let program = tools::example(self.partition.as_deref(), "partition")?;
                let tmp = self.tmp.clone().unwrap_or_else(|| cache.path(""));
                let (runs, jobs) = partition::measure(&program, &self.files, &tmp, limit)?;
                results.partition = runs;
                results.remember(&jobs);
            }
            Part::Clique => {
                let mut lookalike = Lookalike::find(Some(self.lookalike(results)?.into()))?;
                results.clique = clique::measure(cache, self.scale(), &mut lookalike)?;
                results.commands.extend(lookalike.lines);
            }
        }
        Ok(())
    }

    /// The program to measure, if it has this lens.
    fn lookalike(&self, results: &mut Results) -> Result<String> {
        let program = tools::lookalike(self.lookalike.clone())?;
        let help = facts::all_output(&program, &["scan", "--help"]).unwrap_or_default();
        for flag in ["--lens", "--avg-chunk"] {
            if !help.contains(flag) {
                bail!("{program} has no {flag}: name one that has the chunks lens with --lookalike");
            }
        }
        results.fact("measured", facts::output(&program, &["--version"]));
        Ok(program)
    }

    fn data(&self) -> PathBuf {
        self.data.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"))
    }

    /// The folders of HTML pages: the whole set, or two packages of it.
    fn trees(&self, cache: &Cache) -> Result<Vec<PathBuf>> {
        let whole = tree::unpacked(&self.data(), cache)?;
        if self.quick { tree::packages(&whole, Some("git-doc")) } else { Ok(vec![whole]) }
    }

    fn scale(&self) -> Scale {
        if self.quick {
            return Scale { bytes: 8 << 20, clique: 400, others: 2_000 };
        }
        Scale { bytes: 300 << 20, clique: 10_000, others: 50_000 }
    }
}

impl Results {
    fn failure(&mut self, part: Part, done: Result<()>) {
        if let Err(error) = done {
            let part = part.to_possible_value();
            let name = part.as_ref().map_or("", |part| part.get_name());
            self.failed.push(format!("{name}: {error:#}"));
            note(&format!("{name}: {error:#}"));
        }
    }

    /// Adds a fact, once.
    fn fact(&mut self, name: &str, value: Option<String>) {
        let fact = value.map(|value| (name.to_owned(), value)).filter(|fact| !self.facts.contains(fact));
        self.facts.extend(fact);
    }

    /// Keeps command lines, without folders: they differ from machine to machine.
    fn remember(&mut self, jobs: &[Job]) {
        let short = |word: &String| match Path::new(word).file_name() {
            Some(name) if Path::new(word).is_absolute() => name.to_string_lossy().into_owned(),
            _ => word.clone(),
        };
        let line =
            |job: &Job| std::iter::once(&job.program).chain(&job.arguments).map(short).collect::<Vec<_>>().join(" ");
        self.commands.extend(jobs.iter().map(line));
    }

    fn all_bars(&self) -> Vec<Bar> {
        let mut bars: Vec<Bar> = self.speed.iter().flat_map(race::Race::bars).collect();
        bars.extend(sharing::bars(&self.sharing));
        bars.extend(self.paper.iter().flat_map(paper::Paper::bars));
        bars.extend(partition::bars(&self.partition));
        bars.extend(self.clique.iter().flat_map(clique::Clique::bars));
        bars
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
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "chunks, {text}");
}
