//! A corpus in, the same corpus without its near-duplicates out: lookalike beside peers that write one too, on the same files.

use super::kept::{Kept, Truth};
use super::{Common, Findings, note};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::measure::{Job, run};
use crate::numbers::thousands;
use crate::speed::score::Score;
use crate::speed::section::{Row, Section};
use crate::speed::{peers, table as speed_table, task, tools};
use crate::table::table;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the field means by a near-duplicate, and the default of `dedup`.
const THRESHOLD: f64 = 0.8;
const OURS: &str = "lookalike dedup";
/// Name, package, and whether it is slow: slow ones run once, with Parquet.
const PEERS: [(&str, &str, bool); 3] =
    [("Daft", "daft", false), ("rensa", "rensa", false), ("text-dedup", "text-dedup", true)];

#[derive(clap::Args)]
pub(super) struct Peers {
    /// How often each contender runs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Slow peers too
    #[arg(long)]
    all: bool,
    /// Seconds after which a contender is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    limit: u64,
    #[command(flatten)]
    pub(super) common: Common,
}

impl Peers {
    pub(super) fn measure(&self, cache: &Cache, lookalike: &mut Lookalike) -> Result<Findings> {
        let name = if self.common.quick { "text5k" } else { "text250k" };
        let rounds = if self.common.quick { 1 } else { usize::from(self.rounds) };
        task::corpus(cache, name)?;
        let pairs = task::pairs(cache, name, THRESHOLD)?;
        let jsonl = cache.path(&format!("{name}.jsonl"));
        let python = tools::python(cache, "venv", &peers::folder().join("requirements.txt"))?;
        let convert = peers::folder().join("convert.py").to_string_lossy().into_owned();
        let out = cache.path("dedup-out");
        let mut sections = Vec::new();
        for form in ["parquet", "jsonl.zst"] {
            let corpus = cache.path(&format!("{name}.{form}"));
            if !corpus.exists() {
                note(&format!("making {}", corpus.display()));
                run(&Job::new(&*python, &[&convert, &text(&jsonl), &text(&corpus)]), self.limit())?;
            }
            let contenders = Contenders { cache, python: &python, corpus: &corpus, out: &out, form };
            let mut section = contenders.section(lookalike.program(), name, &jsonl, self.all && form == "parquet")?;
            contenders.measure(&mut section, rounds, self.limit());
            sections.push((form, section));
        }
        // the truth is large, so it is read when nothing is measured any more
        let truth = Truth::read(&jsonl, &pairs)?;
        let mut findings = Findings { bars: Vec::new(), sections: Vec::new(), numbers: json!({}) };
        for (form, mut section) in sections {
            let mut scores = Vec::new();
            for row in section.rows.iter_mut().filter(|row| row.failed.is_none()) {
                let (written, ids) = (written(&out, &row.name, form), out.join("ids"));
                run(&Job::new(&*python, &[&convert, "--ids", &text(&written), &text(&ids)]), self.limit())?;
                let kept = truth.score(&ids)?;
                row.score = Some(Score { recall: kept.recall, precision: kept.precision, linked: kept.removed });
                scores.push((row.name.clone(), kept));
            }
            findings.bars.extend(bars(form, &section, &scores));
            findings.sections.push(format!("{}\n\n{}", speed_table::section(&section), removals(&scores)));
            findings.numbers[form] = numbers(&section, &scores);
        }
        lookalike.remember(&["dedup", &format!("{name}.parquet"), "-o", "OUT"]);
        fs::remove_dir_all(&out).with_context(|| format!("cannot remove {}", out.display()))?;
        Ok(findings)
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.limit)
    }
}

/// Those that run on one file.
struct Contenders<'a> {
    cache: &'a Cache,
    python: &'a str,
    corpus: &'a Path,
    out: &'a Path,
    form: &'a str,
}

impl Contenders<'_> {
    fn section(&self, lookalike: &str, name: &str, jsonl: &Path, slow: bool) -> Result<Section> {
        let (documents, bytes) = tools::warm(jsonl)?;
        let corpus = text(self.corpus);
        let ours = |name: &str, flags: &[&str]| {
            let out = text(&self.out.join(file_name(name, self.form)));
            Row::new(name, Job::new(lookalike, &[&["dedup", "-q", &corpus, "-o", &out], flags].concat()))
        };
        let mut rows = vec![ours(OURS, &[]), ours("lookalike dedup -j 1", &["-j", "1"])];
        for (peer, package, _) in PEERS.into_iter().filter(|(_, _, is_slow)| slow || !is_slow) {
            let (environment, requirements) = peers::environment(package);
            let python = match environment {
                "venv" => self.python.to_owned(),
                other => tools::python(self.cache, other, &peers::folder().join(requirements))?,
            };
            let script = text(&peers::folder().join(format!("run_{}.py", package.replace('-', "_"))));
            let peer = format!("{peer} {}", peers::version(package));
            let out = text(&written(self.out, &peer, self.form));
            let job = Job::new(python, &[&script, &corpus, &out, &THRESHOLD.to_string()]);
            let job = ["PYTHONDONTWRITEBYTECODE", "DO_NOT_TRACK", "HF_HUB_OFFLINE"]
                .iter()
                .fold(job, |job, name| job.with_env(name, "1"));
            rows.push(Row::new(&peer, job));
        }
        Ok(Section {
            title: format!("{name}.{}", self.form),
            note: format!(
                "The size is that of the plain text. From the file to the file without near-duplicates, word 5-grams, resemblance \
                 from {THRESHOLD} on. Recall: of the documents with a partner, those that went or whose partners all did. Precision: of the \
                 documents that went, those with a partner. The ratio is CPU time in units of the first row. Daft and rensa are libraries: a \
                 script finds the groups and writes the rows that stay; text-dedup is a command, and ran once."
            ),
            documents: Some(documents),
            bytes: Some(bytes),
            base: OURS.to_owned(),
            rows,
        })
    }

    /// Rounds as everywhere, but what was written is removed before it is written again.
    fn measure(&self, section: &mut Section, rounds: usize, limit: Duration) {
        for round in 1..=rounds {
            for row in section.rows.iter_mut().filter(|row| row.failed.is_none()) {
                let is_slow = PEERS.iter().any(|(name, _, slow)| *slow && row.name.starts_with(name));
                if is_slow && round > 1 {
                    continue;
                }
                note(&format!("{}, round {round} of {rounds}: {}", section.title, row.name));
                let place = self.out.join(file_name(&row.name, self.form));
                let _ = fs::remove_dir_all(&place).or_else(|_| fs::remove_file(&place));
                let done = fs::create_dir_all(self.out).map_err(Into::into).and_then(|()| run(&row.job, limit));
                match done {
                    Ok(usage) => row.usages.push(usage),
                    Err(error) => row.failed = Some(format!("{error:#}")),
                }
            }
        }
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn file_name(contender: &str, form: &str) -> String {
    format!("{}.{form}", contender.replace(' ', "_"))
}

/// The corpus that a contender wrote: lookalike's is in a folder, beside its evidence.
fn written(out: &Path, contender: &str, form: &str) -> PathBuf {
    let place = out.join(file_name(contender, form));
    let corpus = fs::read_dir(place.join("corpus")).ok().and_then(|mut files| files.next()?.ok());
    corpus.map_or(place, |file| file.path())
}

fn bars(form: &str, section: &Section, scores: &[(String, Kept)]) -> Vec<Bar> {
    let mut bars = Vec::new();
    let cpu = |row: &Row| row.cpu().map(|cpu| cpu.median);
    let ours = section.rows.iter().find(|row| row.name == OURS);
    let theirs = section.rows.iter().filter(|row| !row.name.starts_with("lookalike"));
    let fastest = theirs.filter_map(|row| Some((cpu(row)?, row))).min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, fastest)) = fastest
        && let Some(ratio) = section.ratio(fastest)
    {
        let what = format!("{form}: CPU time of {}, the fastest peer, in units of ours", fastest.name);
        bars.push(Bar::at_least(5.0, Unit::Times, what, ratio.median));
    }
    if let Some(peak) = ours.and_then(Row::peak) {
        bars.push(Bar::at_most(400.0, Unit::Mebibytes, format!("{form}: peak memory"), peak as f64 / 1_048_576.0));
    }
    if let Some((_, kept)) = scores.iter().find(|(name, _)| name == OURS) {
        bars.push(Bar::at_least(0.99, Unit::Share, format!("{form}: recall"), kept.recall));
        bars.push(Bar::at_least(0.99, Unit::Share, format!("{form}: precision"), kept.precision));
        bars.push(Bar::at_most(0.0, Unit::Count, format!("{form}: documents lost"), kept.lost as f64));
    }
    bars
}

/// What went, and what of it is nowhere any more.
fn removals(scores: &[(String, Kept)]) -> String {
    let rows = scores
        .iter()
        .map(|(name, kept)| vec![name.clone(), thousands(kept.removed as u64), thousands(kept.lost as u64)]);
    table(&["", "removed", "of them lost: none that stays resembles it"], &rows.collect::<Vec<_>>())
}

fn numbers(section: &Section, scores: &[(String, Kept)]) -> Value {
    let row = |row: &Row| {
        let kept = scores.iter().find(|(name, _)| *name == row.name).map(|(_, kept)| kept);
        json!({ "contender": row.name, "runs": row.usages, "score": kept, "failed": row.failed })
    };
    section.rows.iter().map(row).collect()
}
