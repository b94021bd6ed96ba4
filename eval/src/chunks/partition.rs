//! Metadata of millions of files, generated and streamed into the engine's partitioner: memory, time and whether it is right.
//!
//! The generator and the truth are the engine's example `partition`, a program of its own.

use crate::bars::{Bar, Unit};
use crate::measure::{Job, Usage, run};
use crate::numbers::{number, thousands};
use crate::table::table;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Chunks of a file.
const CHUNKS: u64 = 100;
/// What is spilled for each: a part of the hash and the file, with something to spare.
const SPILLED: u64 = 10;
/// Mebibytes that the partitioner is told to keep to; the files themselves take some bytes each beside.
const MEMORY: &str = "768";

/// A run with so many files.
#[derive(Serialize)]
pub(super) struct Partitioned {
    usage: Usage,
    #[serde(flatten)]
    told: Told,
}

/// What the program tells.
#[derive(Serialize, Deserialize)]
struct Told {
    files: u64,
    chunks: u64,
    distinct: u64,
    components: u64,
    expected: u64,
    wrong: u64,
    stream_seconds: f64,
    /// Without the check of what was found.
    wall_seconds: f64,
    cpu_seconds: f64,
    peak_bytes: Option<u64>,
}

/// Runs the program once for each number of files, which spills into a folder.
pub(super) fn measure(
    program: &str,
    files: &[u64],
    tmp: &Path,
    limit: Duration,
) -> Result<(Vec<Partitioned>, Vec<Job>)> {
    let most = files.iter().max().copied().unwrap_or(0);
    let (needed, free) = (most * CHUNKS * SPILLED, free(tmp)?);
    ensure!(
        free > needed,
        "{} files spill {} GB to {}, where {} GB are free: name another folder with --tmp, or fewer files with --files",
        thousands(most),
        needed / 1_000_000_000 + 1,
        tmp.display(),
        free / 1_000_000_000,
    );
    let (mut found, mut jobs) = (Vec::new(), Vec::new());
    for files in files {
        super::note(&format!("partition: {} files", thousands(*files)));
        let result = tmp.join("partition.json");
        let [folder, out] = [tmp, &*result].map(|path| path.to_string_lossy().into_owned());
        let job = Job::new(
            program,
            &[&files.to_string(), "--chunks", &CHUNKS.to_string(), "--memory", MEMORY, "--tmp", &folder, "--out", &out],
        );
        let usage = run(&job, limit)?;
        let told = serde_json::from_slice(&fs::read(&result)?).context("the example partition told something else")?;
        fs::remove_file(result)?;
        found.push(Partitioned { usage, told });
        jobs.push(job);
    }
    Ok((found, jobs))
}

/// Bytes that are free where a folder is.
fn free(folder: &Path) -> Result<u64> {
    let told = crate::facts::all_output("df", &["--output=avail", "-B1", &folder.to_string_lossy()]);
    let free = told.as_deref().and_then(|told| told.lines().last()?.trim().parse().ok());
    free.with_context(|| format!("df does not tell what is free in {}", folder.display()))
}

impl Partitioned {
    /// Microseconds of CPU for each file.
    fn each(&self) -> f64 {
        self.told.cpu_seconds * 1e6 / self.told.files.max(1) as f64
    }
}

pub(super) fn bars(runs: &[Partitioned]) -> Vec<Bar> {
    let Some(last) = runs.iter().max_by_key(|run| run.told.files) else { return Vec::new() };
    let files = thousands(last.told.files);
    let each = |pick: fn(f64, f64) -> f64| runs.iter().map(Partitioned::each).reduce(pick).unwrap_or(0.0);
    let off = |run: &Partitioned| run.told.wrong + run.told.components.abs_diff(run.told.expected);
    let memory = format!("peak memory of partitioning the metadata of {files} files");
    let mut bars = vec![
        Bar::at_most(1024.0, Unit::Mebibytes, memory, (last.usage.peak >> 20) as f64),
        Bar::at_most(
            0.0,
            Unit::Count,
            "files in a wrong component, of all sizes",
            runs.iter().map(off).sum::<u64>() as f64,
        ),
    ];
    if runs.len() > 1 {
        let what = "CPU time of a file, the most beside the least of all sizes";
        bars.push(Bar::at_most(1.2, Unit::Times, what, each(f64::max) / each(f64::min)));
    }
    bars
}

pub(super) fn section(runs: &[Partitioned]) -> Vec<String> {
    if runs.is_empty() {
        return Vec::new();
    }
    let about = format!(
        "## Millions of files\n\nHashes of {CHUNKS} chunks for each file, generated and streamed into the partitioner, which is told to keep to {MEMORY} MiB. All files share a header, a third of them are in families of 2 to 33, in half of the families \
         only by a chain; one in a hundred is of a crowd that shares one chunk. Every file is held against the truth, after the clock has stopped. The numbers include the generator."
    );
    let row = |run: &Partitioned| {
        vec![
            thousands(run.told.files),
            thousands(run.told.distinct),
            thousands(run.told.components),
            run.told.wrong.to_string(),
            number(run.told.wall_seconds),
            number(run.told.cpu_seconds),
            number(run.each()),
            (run.usage.peak >> 20).to_string(),
        ]
    };
    let head = ["files", "different chunks", "components", "wrong", "wall s", "CPU s", "CPU µs a file", "peak MiB"];
    vec![about, table(&head, &runs.iter().map(row).collect::<Vec<_>>())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partitioned(files: u64, cpu: f64, wrong: u64) -> Partitioned {
        let told = serde_json::json!({"files": files, "chunks": files * 100, "distinct": files * 90, "common": 1, "components": 7, "expected": 7, "wrong": wrong,
            "stream_seconds": 0.5, "wall_seconds": cpu, "cpu_seconds": cpu, "peak_bytes": null});
        Partitioned {
            usage: Usage { cpu: cpu + 1.0, wall: cpu, peak: files * 1000 },
            told: serde_json::from_value(told).unwrap(),
        }
    }

    #[test]
    fn bars_are_of_the_largest_and_of_all() {
        let met = |runs: &[Partitioned]| bars(runs).iter().map(Bar::is_met).collect::<Vec<_>>();
        assert_eq!(met(&[partitioned(1_000, 1.0, 0), partitioned(10_000, 12.0, 0)]), [true, true, true]);
        assert_eq!(met(&[partitioned(1_000, 1.0, 0), partitioned(10_000, 14.0, 0)]), [true, true, false]);
        assert_eq!(met(&[partitioned(1_000, 1.0, 3), partitioned(10_000, 10.0, 0)]), [true, false, true]);
        assert_eq!(met(&[partitioned(2_000_000, 1.0, 0)]), [false, true]);
    }

    #[test]
    fn too_little_room_is_told_before_anything_runs() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free(folder.path()).unwrap() > 0);
        let limit = Duration::from_secs(1);
        let refused = measure("no-such-program-here", &[u64::MAX / 10_000], folder.path(), limit).err().unwrap();
        assert!(format!("{refused:#}").contains("--files"), "{refused:#}");
    }
}
