//! Inputs that made the work grow with the square, each of any size and the same every time.

use crate::generate::Random;
use anyhow::Result;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// An input by its size, what is run on it, and where the report counts the work.
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// The first of three sizes; the others are twice and four times as large.
    pub(super) size: usize,
    /// What its size counts.
    pub(super) unit: &'static str,
    pub(super) arguments: &'static [&'static str],
    pub(super) write: fn(&Path, usize) -> Result<()>,
    pub(super) work: Work,
    /// How many times the CPU time the last doubling may take.
    pub(super) most_times: f64,
}

/// Where the work is counted in the JSON that is written.
pub(super) enum Work {
    /// A number of the whole.
    At(&'static str),
    /// A count of a phase.
    Phase(&'static str, &'static str),
}

impl Work {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::At(pointer) => pointer.rsplit('/').next().unwrap_or(pointer),
            Self::Phase(_, count) => count,
        }
    }

    pub(super) fn of(&self, report: &serde_json::Value) -> Option<u64> {
        match self {
            Self::At(pointer) => report.pointer(pointer)?.as_u64(),
            Self::Phase(phase, count) => {
                report["phases"].as_array()?.iter().find(|found| found["name"] == *phase)?[count].as_u64()
            }
        }
    }
}

/// Linear would be 2; sorting and caches take their part.
const LINEAR: f64 = 3.0;
/// Where all pairs are counted, for their number is told.
const SQUARE: f64 = 4.5;

const TOKENS: Work = Work::Phase("compare", "tokens");
const FOLLOWED: Work = Work::Phase("pairs", "followed");

pub(super) const SHAPES: [Shape; 9] = [
    Shape {
        name: "fingerprints within three bits of one",
        size: 5_000,
        unit: "fingerprints",
        arguments: &["simhash", "near", "--distance", "7", "--limit", "3", "--json"],
        write: ball,
        work: Work::At("/compared"),
        most_times: SQUARE,
    },
    Shape {
        name: "one page with another last word, verified",
        size: 5_000,
        unit: "documents",
        arguments: &["scan", "--lens", "simhash", "--verify", "--json"],
        write: crowd,
        work: Work::At("/simhash/verified/compared"),
        most_times: LINEAR,
    },
    Shape {
        name: "documents of 15 of 2,000 blocks",
        size: 25_000,
        unit: "documents",
        arguments: &["scan", "--json"],
        write: blocks,
        work: FOLLOWED,
        most_times: LINEAR,
    },
    Shape {
        name: "a chain of documents, one word replaced in each",
        size: 10_000,
        unit: "documents",
        arguments: &["scan", "-w", "1", "--json"],
        write: chain,
        work: FOLLOWED,
        most_times: LINEAR,
    },
    Shape {
        name: "files of one repeated byte",
        size: 4_000,
        unit: "files",
        arguments: &["scan", "--lens", "chunks", "--json"],
        write: repeated_byte,
        work: Work::Phase("chunk", "chunks"),
        most_times: LINEAR,
    },
    Shape {
        name: "identical submissions",
        size: 5_000,
        unit: "submissions",
        arguments: &["copies", "--json"],
        write: identical,
        work: TOKENS,
        most_times: LINEAR,
    },
    Shape {
        name: "submissions of 15 of 200 blocks",
        size: 250,
        unit: "submissions",
        arguments: &["copies", "--json"],
        write: submissions_of_blocks,
        work: TOKENS,
        most_times: LINEAR,
    },
    Shape {
        name: "code with a period",
        size: 100,
        unit: "submissions",
        arguments: &["copies", "--json"],
        write: periodic,
        work: TOKENS,
        most_times: LINEAR,
    },
    Shape {
        name: "a megabyte of zeros each, as bytes",
        size: 10,
        unit: "files",
        arguments: &["copies", "--lang", "bytes", "--json"],
        write: zeros,
        work: TOKENS,
        most_times: LINEAR,
    },
];

const SEED: u64 = 18;

fn word(random: &mut Random, of: u32) -> String {
    format!("w{}", random.below(of))
}

fn words(random: &mut Random, many: usize, of: u32) -> String {
    (0..many).map(|_| word(random, of)).collect::<Vec<_>>().join(" ")
}

/// Documents as lines of JSON; their texts have no character that would have to be escaped.
fn lines(path: &Path, texts: impl Iterator<Item = String>) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for (at, text) in texts.enumerate() {
        writeln!(out, "{{\"id\":\"d{at}\",\"text\":\"{text}\"}}")?;
    }
    Ok(out.flush()?)
}

fn files(folder: &Path, ending: &str, contents: impl Iterator<Item = Vec<u8>>) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (at, content) in contents.enumerate() {
        fs::write(folder.join(format!("s{at:06}.{ending}")), content)?;
    }
    Ok(())
}

/// Different fingerprints, each three bits away from one.
fn ball(path: &Path, size: usize) -> Result<()> {
    let flips = (0..64u64).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| 1u64 << a | 1 << b | 1 << c)));
    let mut out = BufWriter::new(File::create(path)?);
    for flips in flips.take(size) {
        out.write_all(&(flips ^ 0x0123_4567_89ab_cdef).to_le_bytes())?;
    }
    Ok(out.flush()?)
}

fn crowd(path: &Path, size: usize) -> Result<()> {
    let page = words(&mut Random::at(SEED, 0, 0), 200, 5_000);
    lines(path, (0..size).map(|at| format!("{page} last{at}")))
}

fn blocks(path: &Path, size: usize) -> Result<()> {
    let block = |at: u32| words(&mut Random::at(SEED, 1, u64::from(at)), 30, 5_000);
    let blocks: Vec<String> = (0..2_000).map(block).collect();
    let mut random = Random::at(SEED, 2, 0);
    lines(
        path,
        (0..size).map(|_| (0..15).map(|_| blocks[random.below(2_000) as usize].as_str()).collect::<Vec<_>>().join(" ")),
    )
}

fn chain(path: &Path, size: usize) -> Result<()> {
    let mut random = Random::at(SEED, 3, 0);
    let mut text: Vec<String> = (0..100).map(|_| word(&mut random, 5_000)).collect();
    lines(
        path,
        (0..size).map(|_| {
            text[random.below(100) as usize] = word(&mut random, 5_000);
            text.join(" ")
        }),
    )
}

fn repeated_byte(folder: &Path, size: usize) -> Result<()> {
    files(folder, "dat", (0..size).map(|at| vec![b'a'; 20_000 + at]))
}

/// Statements of a program in Python.
fn statements(random: &mut Random, many: usize) -> String {
    let mut text = String::new();
    for _ in 0..many {
        let [a, b, c] = [(); 3].map(|()| word(random, 500));
        let n = random.below(100);
        let statement = match random.below(6) {
            0 => format!("{a} = {b} + {c} * {n}\n"),
            1 => format!("for {a} in range({n}):\n    {b}({a}, {c})\n"),
            2 => format!("if {a} > {b}:\n    {c} = [{a}, {b}]\n"),
            3 => format!("def {a}({b}, {c}):\n    return {b} - {c}\n"),
            4 => format!("while {a} < {n}:\n    {a} += 1\n    print({b})\n"),
            _ => format!("{a} = {{'{b}': {c}, '{a}': {n}}}\n"),
        };
        text.push_str(&statement);
    }
    text
}

fn identical(folder: &Path, size: usize) -> Result<()> {
    let text = statements(&mut Random::at(SEED, 4, 0), 20);
    files(folder, "py", (0..size).map(|_| text.clone().into_bytes()))
}

fn submissions_of_blocks(folder: &Path, size: usize) -> Result<()> {
    let blocks: Vec<String> = (0..200).map(|at| statements(&mut Random::at(SEED, 5, at), 12)).collect();
    let mut random = Random::at(SEED, 6, 0);
    files(
        folder,
        "py",
        (0..size)
            .map(|_| (0..15).map(|_| blocks[random.below(200) as usize].as_str()).collect::<String>().into_bytes()),
    )
}

fn periodic(folder: &Path, size: usize) -> Result<()> {
    let period: Vec<String> = (0..3).map(|at| statements(&mut Random::at(SEED, 7, at), 2)).collect();
    files(
        folder,
        "py",
        (0..size).map(|at| (0..500 + at).map(|line| period[(at + line) % 3].as_str()).collect::<String>().into_bytes()),
    )
}

fn zeros(folder: &Path, size: usize) -> Result<()> {
    files(folder, "bin", (0..size).map(|at| vec![0; 1_000_000 + 10 * at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shapes_are_the_same_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let read = |path: &Path| {
            let mut all: Vec<_> = match fs::read_dir(path) {
                Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
                Err(_) => vec![path.to_owned()],
            };
            all.sort();
            all.iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>()
        };
        for (at, shape) in SHAPES.iter().enumerate() {
            let [one, again] = ["one", "again"].map(|name| folder.path().join(format!("{name}{at}")));
            (shape.write)(&one, 3).unwrap();
            (shape.write)(&again, 3).unwrap();
            assert!(read(&one) == read(&again) && !read(&one)[0].is_empty(), "{}", shape.name);
        }
    }

    #[test]
    fn work_is_found_where_it_is_counted() {
        let report = json!({ "phases": [{ "name": "pairs", "followed": 7 }], "compared": 5 });
        assert_eq!((FOLLOWED.of(&report), FOLLOWED.name()), (Some(7), "followed"));
        assert_eq!((Work::At("/compared").of(&report), TOKENS.of(&report)), (Some(5), None));
    }
}
