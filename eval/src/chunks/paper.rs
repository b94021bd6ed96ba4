//! The run of the paper: a tree of HTML pages chunked and compared, beside a finder of identical files on the same tree.

use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::measure::{Job, Usage, run};
use crate::numbers::{Spread, number, thousands};
use crate::speed::tools;
use crate::table::table;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the paper tells: bytes, documents, seconds of the analysis; and seconds of chunking by mean.
const PAPER_BYTES: f64 = 327e6;
const PAPER_DOCUMENTS: u64 = 52_125;
const PAPER_ANALYSIS: f64 = 14.0;
const PAPER_CHUNKING: [(u32, f64); 2] = [(100, 39.0 * 60.0), (5000, 25.0 * 60.0)];

/// What was measured.
#[derive(Serialize)]
pub(super) struct Paper {
    fclones: Vec<Usage>,
    scans: Vec<Scanned>,
}

/// A scan with one mean, in all rounds.
#[derive(Serialize)]
struct Scanned {
    mean: u32,
    usages: Vec<Usage>,
    told: Told,
}

/// What is looked at of a report.
#[derive(Serialize, Deserialize)]
struct Told {
    documents: u64,
    bytes: u64,
    summary: Summary,
    chunks: Chunks,
    phases: Vec<Phase>,
}

#[derive(Serialize, Deserialize)]
struct Summary {
    clusters: u64,
    clustered: u64,
}

#[derive(Serialize, Deserialize)]
struct Chunks {
    #[serde(rename = "chunks")]
    all: u64,
    distinct: u64,
    mean: f64,
}

#[derive(Serialize, Deserialize)]
struct Phase {
    name: String,
    seconds: Option<f64>,
    cpu_seconds: Option<f64>,
}

/// Runs all in turn. A first round, which fills the system's cache, is thrown away.
pub(super) fn measure(
    trees: &[PathBuf],
    cache: &Cache,
    lookalike: &str,
    rounds: usize,
    limit: Duration,
) -> Result<(Paper, Vec<Job>)> {
    let trees: Vec<String> = trees.iter().map(|tree| tree.to_string_lossy().into_owned()).collect();
    let job = |program: &str, arguments: &[&str]| {
        let mut job = Job::new(program, arguments);
        job.arguments.extend(trees.iter().cloned());
        job
    };
    let fclones = job(&tools::fclones(cache)?, &["group"]);
    let report = |mean: u32| cache.path(&format!("paper-{mean}.json"));
    let scan = |mean: u32| {
        let file = report(mean).to_string_lossy().into_owned();
        job(
            lookalike,
            &["scan", "--lens", "chunks", "--avg-chunk", &mean.to_string(), "--json", "--stats", "-q", "-o", &file],
        )
    };
    let jobs: Vec<Job> = std::iter::once(fclones).chain(PAPER_CHUNKING.map(|(mean, _)| scan(mean))).collect();
    let mut usages = vec![Vec::new(); jobs.len()];
    for round in 0..=rounds {
        super::note(&format!("paper: round {round} of {rounds}"));
        for (job, usages) in jobs.iter().zip(&mut usages) {
            let usage = run(job, limit)?;
            if round > 0 {
                usages.push(usage);
            }
        }
    }
    let mut usages = usages.into_iter();
    let fclones = usages.next().unwrap_or_default();
    let scanned =
        |((mean, _), usages): ((u32, f64), Vec<Usage>)| Ok(Scanned { mean, usages, told: told(&report(mean))? });
    let scans = PAPER_CHUNKING.into_iter().zip(usages).map(scanned).collect::<Result<_>>()?;
    PAPER_CHUNKING.iter().try_for_each(|(mean, _)| fs::remove_file(report(*mean)))?;
    Ok((Paper { fclones, scans }, jobs))
}

fn told(report: &Path) -> Result<Told> {
    let file = File::open(report).with_context(|| format!("cannot read {}", report.display()))?;
    serde_json::from_reader(BufReader::new(file))
        .with_context(|| format!("{} is no report of chunks", report.display()))
}

impl Paper {
    /// CPU time in times of fclones, within each round.
    fn ratio(&self, scanned: &Scanned) -> Option<Spread> {
        Spread::of(scanned.usages.iter().zip(&self.fclones).map(|(ours, theirs)| ours.cpu / theirs.cpu))
    }

    pub(super) fn bars(&self) -> Vec<Bar> {
        let bar = |scanned: &Scanned| {
            let what = format!("CPU time of the paper's run at mean {}, of `fclones group`", scanned.mean);
            Some(Bar::at_most(3.0, Unit::Times, what, self.ratio(scanned)?.median))
        };
        self.scans.iter().filter_map(bar).collect()
    }

    pub(super) fn section(&self) -> Vec<String> {
        let row = |name: String, usages: &[Usage], ratio: Option<Spread>, told: Option<&Told>| {
            let of = |of: fn(&Usage) -> f64| Spread::of(usages.iter().map(of)).map_or_else(String::new, Spread::text);
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
            vec![
                name,
                of(|usage| usage.cpu),
                or_dash(ratio.map(Spread::text)),
                of(|usage| usage.wall),
                (usages.iter().map(|usage| usage.peak).max().unwrap_or(0) >> 20).to_string(),
                or_dash(told.map(|told| thousands(told.chunks.all))),
                or_dash(told.map(|told| format!("{:.1}", told.chunks.mean))),
                or_dash(told.map(|told| thousands(told.summary.clusters))),
            ]
        };
        let mut rows = vec![row("fclones group".to_owned(), &self.fclones, None, None)];
        rows.extend(self.scans.iter().map(|scanned| {
            row(
                format!("lookalike scan --avg-chunk {}", scanned.mean),
                &scanned.usages,
                self.ratio(scanned),
                Some(&scanned.told),
            )
        }));
        let head = ["", "CPU s", "ratio", "wall s", "peak MiB", "chunks", "mean", "clusters"];
        let mut parts = vec![self.about(), table(&head, &rows)];
        parts.push(self.scans.iter().map(speed_up).collect::<Vec<_>>().join("\n"));
        parts
    }

    fn about(&self) -> String {
        let size = self.scans.first().map(|scanned| {
            format!("{} files, {} MB. ", thousands(scanned.told.documents), thousands(scanned.told.bytes / 1_000_000))
        });
        format!(
            "## The paper's run\n\n{}Everything from opening the files to the report, beside `fclones group`, which finds identical files only. The files are in the system's cache. Rounds, all in turn: {}. Ratios are of CPU time.",
            size.unwrap_or_default(),
            self.fclones.len(),
        )
    }
}

/// What the paper took, what it takes here, and the same for as many bytes.
fn speed_up(scanned: &Scanned) -> String {
    let chunking = PAPER_CHUNKING.iter().find(|(mean, _)| *mean == scanned.mean).map_or(0.0, |(_, seconds)| *seconds);
    let paper = chunking + PAPER_ANALYSIS;
    let median = |of: fn(&Usage) -> f64| Spread::of(scanned.usages.iter().map(of)).map_or(0.0, |spread| spread.median);
    let (wall, cpu) = (median(|usage| usage.wall), median(|usage| usage.cpu));
    let larger = scanned.told.bytes as f64 / PAPER_BYTES;
    let phases = scanned
        .told
        .phases
        .iter()
        .filter_map(|phase| Some(format!("{} {:.2}", phase.name, phase.cpu_seconds.or(phase.seconds)?)));
    format!(
        "- Mean {}: the paper took {:.0} minutes to chunk and {PAPER_ANALYSIS} seconds to analyse ({} documents, {:.0} MB, one 3 GHz processor). Here all of it takes {} s, {} s of CPU: {} times faster, {} times by CPU; \
         by the megabyte {} and {} times. CPU seconds by phase: {}.",
        scanned.mean,
        chunking / 60.0,
        thousands(PAPER_DOCUMENTS),
        PAPER_BYTES / 1e6,
        number(wall),
        number(cpu),
        number(paper / wall),
        number(paper / cpu),
        number(paper / wall * larger),
        number(paper / cpu * larger),
        phases.collect::<Vec<_>>().join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper() -> Paper {
        let report = r#"{"schema": 1, "documents": 10, "bytes": 654000000, "summary": {"clusters": 2, "clustered": 5, "near": 1}, "clusters": [],
            "chunks": {"chunks": 900, "distinct": 800, "mean": 101.5, "common": []}, "phases": [{"name": "chunk", "files": 10, "seconds": 1.5, "cpu_seconds": 2.5}]}"#;
        let usage = |cpu: f64| Usage { cpu, wall: cpu / 2.0, peak: 1 << 20 };
        let scanned = Scanned {
            mean: 100,
            usages: vec![usage(4.0), usage(9.0), usage(5.0)],
            told: serde_json::from_str(report).unwrap(),
        };
        Paper { fclones: vec![usage(2.0), usage(3.0), usage(2.0)], scans: vec![scanned] }
    }

    #[test]
    fn ratios_are_made_within_a_round() {
        let paper = paper();
        assert_eq!(paper.ratio(&paper.scans[0]), Some(Spread { median: 2.5, min: 2.0, max: 3.0 }));
        assert!(paper.bars()[0].is_met());
    }

    #[test]
    fn the_speed_up_is_told_for_the_run_and_by_the_megabyte() {
        // 39 minutes and 14 seconds beside 2.5 s of wall time and 5 s of CPU, for twice the bytes
        let text = speed_up(&paper().scans[0]);
        assert!(text.contains("942 times faster, 471 times by CPU; by the megabyte 1,883 and 942 times"), "{text}");
        assert!(text.contains("chunk 2.50"), "{text}");
    }
}
