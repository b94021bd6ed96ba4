//! Partitions the metadata of very many files: chunk hashes are generated and streamed into the engine's partitioner, and what it finds is
//! held against what is true of them. `eval chunks` measures it.
//!
//! ```text
//! cargo run --profile dist -p lookalike-engine --example partition -- FILES [--chunks N] [--memory MIB] [--tmp DIR] [--out FILE]
//! ```
//!
//! The result is one JSON object: sizes, components found and expected, documents in the wrong component, seconds, peak memory.

mod metadata;

use lookalike_engine::lens::chunks::partition::Partitioner;
use lookalike_engine::run::processor_time::ProcessorTime;
use metadata::Metadata;
use serde_json::json;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

/// A chunk in more than this share of all files connects nobody.
const COMMON_SHARE: f64 = 0.5;
const SEED: u64 = 1;

/// The command line.
struct Options {
    files: u32,
    chunks: u32,
    memory: u64,
    tmp: Option<PathBuf>,
    out: Option<PathBuf>,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let usage = "expected FILES [--chunks N] [--memory MIB] [--tmp DIR] [--out FILE]";
        let files = words.next().and_then(|word| word.parse().ok()).ok_or(usage)?;
        let mut asked = Self { files, chunks: 100, memory: 768, tmp: None, out: None };
        while let Some(word) = words.next() {
            let value = words.next().ok_or(usage)?;
            match &*word {
                "--chunks" => asked.chunks = value.parse()?,
                "--memory" => asked.memory = value.parse()?,
                "--tmp" => asked.tmp = Some(value.into()),
                "--out" => asked.out = Some(value.into()),
                _ => return Err(usage.into()),
            }
        }
        Ok(asked)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked = Options::parse(std::env::args().skip(1))?;
    let metadata = Metadata::new(asked.files, asked.chunks, SEED)?;
    let (begin, cpu) = (Instant::now(), ProcessorTime::now());
    let mut partitioner = Partitioner::new(asked.tmp.as_deref(), asked.memory << 20)?;
    for file in 0..asked.files {
        metadata.chunks(file, |hash| partitioner.push(file, hash))?;
    }
    let streamed = begin.elapsed();
    let found = partitioner.finish(asked.files as usize, asked.files.into(), COMMON_SHARE)?;
    let (wall, cpu) = (begin.elapsed(), cpu.elapsed());
    // before the check, which is not a part of the work
    let peak = peak();
    let checked = metadata.check(|file| found.first[file as usize]);
    let result = json!({
        "files": asked.files,
        "chunks": u64::from(asked.files) * u64::from(asked.chunks),
        "distinct": found.distinct,
        "common": found.frequent.len(),
        "components": checked.found,
        "expected": metadata.components(),
        "wrong": checked.wrong,
        "stream_seconds": streamed.as_secs_f64(),
        "wall_seconds": wall.as_secs_f64(),
        "cpu_seconds": cpu.as_secs_f64(),
        "peak_bytes": peak,
    });
    match asked.out {
        Some(file) => std::fs::write(file, format!("{result}\n"))?,
        None => writeln!(stdout(), "{result:#}")?,
    }
    Ok(())
}

/// The most memory that this process has had, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}
