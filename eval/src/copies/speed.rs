//! `eval copies speed`: CPU time and memory beside Dolos and copydetect on Python files, and beside `wc -w` on prose.

use super::note;
use super::{peers, python};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::facts;
use crate::generate::Corpus;
use crate::measure::Job;
use crate::numbers::thousands;
use crate::page::{Page, folder};
use crate::speed::section::{Row, Section};
use crate::speed::{table, tools};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Speed {
    /// How often each contender runs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Numbers of Python files, with commas between. Dolos and copydetect run on the first only, unless --all is given
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [500, 2_000, 20_000])]
    files: Vec<usize>,
    /// Dolos and copydetect on all numbers of files
    #[arg(long)]
    all: bool,
    /// Megabytes of prose on either side; 0 for none
    #[arg(long, value_name = "MB", default_value_t = 100)]
    prose: u64,
    /// A little of everything, one round: shows that all works, and is no result
    #[arg(long)]
    quick: bool,
    /// The program to measure [default: the one of this checkout, built first]
    #[arg(long, value_name = "FILE")]
    lookalike: Option<PathBuf>,
    /// Seconds after which a contender is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 1800)]
    limit: u64,
    /// Folder for files and peers [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results; none with --quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

const OURS: &str = "lookalike copies";
const WC: &str = "wc -w";
const MB: f64 = 1e6;

impl Speed {
    pub(crate) fn run(mut self) -> Result<()> {
        let cache = Cache::open(self.cache.take())?;
        if self.quick {
            (self.rounds, self.files, self.prose) = (1, vec![60, 120], 2);
        }
        let lookalike = tools::lookalike(self.lookalike.take())?;
        let mut sections = Vec::new();
        for (at, &count) in self.files.iter().enumerate() {
            sections.push(code(&cache, count, &lookalike, at == 0 || self.all)?);
        }
        if self.prose > 0 {
            sections.push(prose(&cache, self.prose * 1_000_000, &lookalike)?);
        }
        for section in &mut sections {
            section.measure(self.rounds.into(), Duration::from_secs(self.limit), &mut |text| note(text));
        }
        let mut facts = facts::facts();
        facts.extend(facts::output(&lookalike, &["--version"]).map(|version| ("measured".to_owned(), version)));
        facts.extend(facts::output("node", &["--version"]).map(|version| ("node".to_owned(), version)));
        facts.push(("rounds".to_owned(), self.rounds.to_string()));
        let page = Page {
            verb: "copies",
            name: "speed",
            facts,
            bars: sections.iter().flat_map(bars).collect(),
            sections: sections.iter().map(table::section).collect(),
            numbers: sections.iter().map(numbers).collect(),
            commands: sections.iter().flat_map(|section| &section.rows).map(|row| line(&row.job)).collect(),
        };
        page.tell(folder(self.out, self.quick).as_deref(), self.json)
    }
}

/// Python files; with peers if told.
fn code(cache: &Cache, count: usize, lookalike: &str, with_peers: bool) -> Result<Section> {
    let folder = python::made(cache, count)?;
    let (files, bytes) = python::warm(&folder)?;
    let folder = folder.to_string_lossy();
    let mut rows = vec![
        Row::new(OURS, Job::new(lookalike, &["copies", "-q", "--json", "-o", "/dev/null", &folder])),
        Row::new(
            "lookalike copies -j 1",
            Job::new(lookalike, &["copies", "-q", "-j", "1", "--json", "-o", "/dev/null", &folder]),
        ),
    ];
    if with_peers {
        rows.extend([peers::dolos(cache, &folder), peers::copydetect(cache, &folder)]);
    }
    Ok(Section {
        title: format!("{} Python files", thousands(count as u64)),
        note: "Of the library and the packages of this machine's Python, all pairs compared. The ratio is CPU time in units of the first row."
            .to_owned(),
        documents: Some(files),
        bytes: Some(bytes),
        base: OURS.to_owned(),
        rows,
    })
}

/// As much prose on either side, one tenth of the documents made of earlier ones.
fn prose(cache: &Cache, bytes: u64, lookalike: &str) -> Result<Section> {
    let [new, old] = prose_files(cache, bytes)?.map(|path| path.to_string_lossy().into_owned());
    let (mut documents, mut size) = (0, 0);
    for file in [&new, &old] {
        let (lines, bytes) = tools::warm(Path::new(file))?;
        (documents, size) = (documents + lines, size + bytes);
    }
    let ours = |flags: &[&str]| {
        let told = ["copies", "-q", "--lang", "text", "--json", "-o", "/dev/null", "--archive", &old, &new];
        Job::new(lookalike, &[&told[..], flags].concat())
    };
    let rows = vec![
        Row::new(WC, Job::new("wc", &["-w", &new, &old]).with_env("LC_ALL", "C.UTF-8")),
        Row::new(OURS, ours(&[])),
        Row::new("lookalike copies -j 1", ours(&["-j", "1"])),
    ];
    Ok(Section {
        title: "Prose against an archive".to_owned(),
        note: "Generated prose, one half of it with `--archive`. The ratio is CPU time in units of `wc -w` on both."
            .to_owned(),
        documents: Some(documents),
        bytes: Some(size),
        base: WC.to_owned(),
        rows,
    })
}

fn prose_files(cache: &Cache, bytes: u64) -> Result<[PathBuf; 2]> {
    let files = ["archive", "new"].map(|side| cache.path(&format!("prose-{bytes}-{side}.jsonl")));
    let corpus = Corpus::new(7, 800, 0.1);
    let (mut index, mut line) = (0, Vec::new());
    if files.iter().any(|file| !file.exists()) {
        for file in &files {
            note(&format!("making {}", file.display()));
            let partial = file.with_extension("partial");
            let mut out = BufWriter::new(File::create(&partial).with_context(|| partial.display().to_string())?);
            let mut written = 0;
            while written < bytes {
                line.clear();
                corpus.line(index, &mut line);
                out.write_all(&line)?;
                (index, written) = (index + 1, written + line.len() as u64);
            }
            out.flush()?;
            fs::rename(&partial, file)?;
        }
    }
    let [old, new] = files;
    Ok([new, old])
}

fn bars(section: &Section) -> Vec<Bar> {
    let row = |name: &str| section.rows.iter().find(|row| row.name == name);
    let Some(ours) = row(OURS) else { return Vec::new() };
    let mut bars = Vec::new();
    let what = |what: &str| format!("{}: {what}", section.title);
    for (name, least) in [(peers::DOLOS_NAME, 20.0), (peers::COPYDETECT_NAME, 20.0)] {
        let ratio = row(name).and_then(|row| section.ratio(row));
        bars.extend(
            ratio.map(|ratio| Bar::at_least(least, Unit::Times, what(&format!("CPU time of {name}")), ratio.median)),
        );
    }
    let peak = ours.peak().map(|peak| peak as f64);
    let dolos = row(peers::DOLOS_NAME).and_then(Row::peak).map(|peak| peak as f64);
    bars.extend(
        peak.zip(dolos)
            .map(|(peak, dolos)| Bar::at_most(0.25, Unit::Times, what("memory in units of Dolos's"), peak / dolos)),
    );
    // what was promised for so many files
    let room = match section.documents {
        Some(2_000) => Some(500.0 * MB),
        Some(20_000) => Some(2.0 * 1024.0 * 1024.0 * 1024.0),
        _ => None,
    };
    let mebibytes = |bytes: f64| bytes / 1024.0 / 1024.0;
    bars.extend(
        peak.zip(room)
            .map(|(peak, room)| Bar::at_most(mebibytes(room), Unit::Mebibytes, what("peak memory"), mebibytes(peak))),
    );
    if section.base == WC {
        let ratio = section.ratio(ours);
        bars.extend(
            ratio.map(|ratio| Bar::at_most(6.0, Unit::Times, what("CPU time in units of wc -w"), ratio.median)),
        );
    }
    bars
}

fn numbers(section: &Section) -> Value {
    let row = |row: &Row| {
        json!({
            "name": row.name,
            "cpu_seconds": row.cpu(),
            "wall_seconds": row.wall(),
            "peak_bytes": row.peak(),
            "ratio": section.ratio(row),
            "rounds": row.usages,
            "failed": row.failed,
        })
    };
    let rows: Vec<Value> = section.rows.iter().map(row).collect();
    json!({ "title": section.title, "documents": section.documents, "bytes": section.bytes, "ratio_to": section.base, "contenders": rows })
}

/// The command without folders: they differ from machine to machine.
fn line(job: &Job) -> String {
    let short = |word: &String| match Path::new(word).file_name() {
        Some(name) if Path::new(word).is_absolute() && word != "/dev/null" => name.to_string_lossy().into_owned(),
        _ => word.clone(),
    };
    std::iter::once(&job.program).chain(&job.arguments).map(short).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Usage;

    #[test]
    fn bars_are_those_of_the_numbers() {
        let row = |name: &str, cpu: f64, peak: u64| {
            let mut row = Row::new(name, Job::new("x", &[]));
            row.usages.push(Usage { cpu, wall: cpu, peak });
            row
        };
        let rows = vec![
            row(OURS, 1.0, 100 << 20),
            row(peers::DOLOS_NAME, 30.0, 300 << 20),
            row(peers::COPYDETECT_NAME, 15.0, 100 << 20),
        ];
        let mut section = Section {
            title: "files".to_owned(),
            note: String::new(),
            documents: Some(2_000),
            bytes: None,
            base: OURS.to_owned(),
            rows,
        };
        let met = |section: &Section| bars(section).iter().map(Bar::is_met).collect::<Vec<_>>();
        assert_eq!(met(&section), [true, false, false, true]);
        section.rows = vec![row(WC, 1.0, 1), row(OURS, 11.0, 1)];
        (section.base, section.documents) = (WC.to_owned(), None);
        assert_eq!(met(&section), [false]);
    }
}
