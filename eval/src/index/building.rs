//! What an index costs: time to build beside a scan of the same file, room on disk, memory, time to open.

use super::corpus::Asked;
use super::{Part, note};
use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::measure::Usage;
use crate::numbers::{median, sorted, thousands};
use crate::table::table;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A kilobyte of the bar.
const KILOBYTE: f64 = 1024.0;
/// How often the index is opened to see how long that takes.
const OPENED: usize = 9;

/// What `lookalike index info --json` says; what is not needed is left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Info {
    pub(super) documents: u64,
    pub(super) observations: u64,
    pub(super) clusters: u64,
    pub(super) clustered: u64,
    pub(super) index_bytes: u64,
    segments: Vec<serde_json::Value>,
}

impl Info {
    pub(super) fn read(index: &Path, lookalike: &mut Lookalike) -> Result<Self> {
        let told = lookalike.told(&["index", "info", &index.to_string_lossy(), "--json"])?;
        serde_json::from_slice(&told).context("lookalike index info --json")
    }

    pub(super) fn segments(&self) -> usize {
        self.segments.len()
    }

    /// What must be the same however the documents came in.
    pub(super) fn counts(&self) -> [(&'static str, u64); 4] {
        [
            ("documents", self.documents),
            ("observations", self.observations),
            ("clusters", self.clusters),
            ("clustered", self.clustered),
        ]
    }
}

/// One round: a scan, then a build.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Round {
    pub(super) scan: Usage,
    pub(super) build: Usage,
}

/// What was measured.
#[derive(Serialize)]
pub(super) struct Built {
    pub(super) corpus_bytes: u64,
    pub(super) rounds: Vec<Round>,
    pub(super) info: Info,
    /// Bytes of all files of the index.
    pub(super) disk_bytes: u64,
    /// Milliseconds to open it, sorted.
    pub(super) opened_ms: Vec<f64>,
    pub(super) memory: String,
}

/// Builds the index after a scan of the same file, in as many rounds as asked. The index of the last round stays.
pub(super) fn measure(
    corpus: &Path,
    index: &Path,
    rounds: u8,
    memory: &str,
    lookalike: &mut Lookalike,
) -> Result<Built> {
    // once from the disk, so that all rounds read from memory
    let corpus_bytes = io::copy(&mut File::open(corpus)?, &mut io::sink())?;
    let [documents, place] = [corpus, index].map(Path::to_string_lossy);
    let mut measured = Vec::new();
    for round in 1..=rounds {
        note(Part::Build, &format!("round {round} of {rounds}: scan --estimate"));
        let scan = lookalike.measured(&["scan", "--estimate", "-q", &documents, "--memory", memory])?;
        if index.exists() {
            fs::remove_dir_all(index)?;
        }
        note(Part::Build, &format!("round {round} of {rounds}: index build"));
        let build = lookalike.measured(&["index", "build", &place, &documents, "-q", "--memory", memory])?;
        measured.push(Round { scan, build });
    }
    Ok(Built {
        corpus_bytes,
        rounds: measured,
        info: Info::read(index, lookalike)?,
        disk_bytes: bytes_of(index)?,
        opened_ms: Vec::new(),
        memory: memory.to_owned(),
    })
}

impl Built {
    /// Opens the index a few times for a single question, and keeps how long that took.
    pub(super) fn open(&mut self, index: &Path, question: &Path, lookalike: &mut Lookalike) -> Result<()> {
        let mut times = Vec::new();
        for _ in 0..OPENED {
            let (stats, _) = super::asking::ask(index, question, &["--limit", "1"], None, lookalike)?;
            times.push(stats.open_ms);
        }
        self.opened_ms = sorted(times);
        Ok(())
    }

    fn ratio(&self, of: fn(&Usage) -> f64) -> f64 {
        median(self.rounds.iter().map(|round| of(&round.build) / of(&round.scan)))
    }

    pub(super) fn bars(&self) -> Vec<Bar> {
        let peak = self.rounds.iter().map(|round| round.build.peak).max().unwrap_or(0);
        let mut bars = vec![
            Bar::at_most(1.5, Unit::Times, "build, wall time of `scan --estimate`", self.ratio(|usage| usage.wall)),
            Bar::at_most(1.5, Unit::Times, "build, CPU time of `scan --estimate`", self.ratio(|usage| usage.cpu)),
            Bar::at_most(KILOBYTE, Unit::Bytes, "on disk, for each document", self.bytes_each()),
        ];
        if let Some(limit) = mebibytes(&self.memory) {
            let what = format!("peak memory of the build with `--memory {}`", self.memory);
            bars.push(Bar::at_most(limit, Unit::Mebibytes, what, peak as f64 / f64::from(1 << 20)));
        }
        if !self.opened_ms.is_empty() {
            bars.push(Bar::at_most(10.0, Unit::Milliseconds, "opening", median(self.opened_ms.iter().copied())));
        }
        bars
    }

    /// Bytes on disk for each document with content of its own: fewer than there are URLs, so this is the larger number.
    fn bytes_each(&self) -> f64 {
        self.disk_bytes as f64 / self.info.documents.max(1) as f64
    }

    pub(super) fn section(&self, asked: &Asked) -> Vec<String> {
        let Info { documents, observations, clusters, clustered, index_bytes, .. } = &self.info;
        let about = format!(
            "## Building\n\n{} generated documents, {:.1} KB each in the mean, {:.0} % of them made of others, under URLs of about fifty characters. In each round a \
             scan of the file, then a build, with the file in the system's cache; ratios are made within a round{}.",
            thousands(asked.documents),
            self.corpus_bytes as f64 / asked.documents.max(1) as f64 / 1000.0,
            asked.copies * 100.0,
            if self.rounds.len() > 1 { ", and the median is taken" } else { "" },
        );
        let row = |round: usize, name: &str, usage: &Usage| {
            let [cpu, wall] = [usage.cpu, usage.wall].map(|seconds| format!("{seconds:.2}"));
            let each = format!("{:.1}", usage.cpu * 1e6 / asked.documents.max(1) as f64);
            let peak = format!("{:.0}", usage.peak as f64 / f64::from(1 << 20));
            vec![name.to_owned(), round.to_string(), cpu, each, wall, peak]
        };
        let both = |(at, round): (usize, &Round)| {
            [row(at + 1, "scan --estimate", &round.scan), row(at + 1, "index build", &round.build)]
        };
        let rows: Vec<Vec<String>> = self.rounds.iter().enumerate().flat_map(both).collect();
        let head = ["", "round", "CPU s", "CPU µs a document", "wall s", "peak MiB"];
        let counts = format!(
            "The index has {} documents of different content under {} URLs and {} clusters with {} documents (segments: {}); {} bytes on disk (it says {}): {:.0} bytes for each \
             document, {:.0} for each URL. A kilobyte of the bar is 1,024 bytes.",
            thousands(*documents),
            thousands(*observations),
            thousands(*clusters),
            thousands(*clustered),
            self.info.segments(),
            thousands(self.disk_bytes),
            thousands(*index_bytes),
            self.bytes_each(),
            self.disk_bytes as f64 / (*observations).max(1) as f64,
        );
        let opened = match (self.opened_ms.first(), self.opened_ms.last()) {
            (Some(least), Some(most)) => format!(
                "Opened {} times, by its own clock: {:.2} ms in the median, {least:.2} at least, {most:.2} at most.",
                self.opened_ms.len(),
                median(self.opened_ms.iter().copied()),
            ),
            _ => String::new(),
        };
        vec![about, table(&head, &rows), counts, opened]
    }
}

/// Bytes of all files in a folder and below.
pub(super) fn bytes_of(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { bytes_of(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}

/// A size such as 2G or 512M.
fn mebibytes(size: &str) -> Option<f64> {
    let number = |suffix: char| size.strip_suffix(suffix).and_then(|number| number.parse::<f64>().ok());
    number('G').map(|gigabytes| gigabytes * 1024.0).or_else(|| number('M'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(mebibytes("2G").map(|size| size.to_string()), Some("2048".to_owned()));
        assert_eq!(mebibytes("512M").map(|size| size.to_string()), Some("512".to_owned()));
        assert_eq!(mebibytes("many"), None);
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(folder.path().join("a"), "123").unwrap();
        fs::write(folder.path().join("below/b"), "4567").unwrap();
        assert_eq!(bytes_of(folder.path()).unwrap(), 7);
    }

    #[test]
    fn ratios_are_made_within_a_round() {
        let usage = |cpu: f64, wall: f64| Usage { cpu, wall, peak: 300 << 20 };
        let round = |scan: f64, build: f64| Round { scan: usage(scan, scan), build: usage(build, build * 2.0) };
        let told = r#"{"documents": 100, "observations": 120, "clusters": 3, "clustered": 7, "index_bytes": 51200, "segments": [{}]}"#;
        let built = Built {
            corpus_bytes: 500_000,
            rounds: vec![round(10.0, 12.0), round(20.0, 20.0), round(10.0, 14.0)],
            info: serde_json::from_str(told).unwrap(),
            disk_bytes: 51_200,
            opened_ms: vec![1.0, 2.0, 30.0],
            memory: "2G".to_owned(),
        };
        let bars = built.bars();
        let measured: Vec<String> = bars.iter().map(|bar| format!("{:.2}", bar.measured)).collect();
        assert_eq!(measured, ["2.40", "1.20", "512.00", "300.00", "2.00"]);
        assert_eq!(bars.iter().filter(|bar| bar.is_met()).count(), 4);
    }
}
