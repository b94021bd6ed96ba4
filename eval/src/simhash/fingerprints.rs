//! `eval simhash fingerprints`: documents a second beside simhash of the Python package index, and beside the sketches that a scan makes of the same documents.

use super::note;
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::generate::Corpus;
use crate::measure::{Job, Usage, run};
use crate::numbers::thousands;
use crate::page::{Page, folder};
use crate::speed::tools;
use crate::table::table;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Fingerprints {
    /// How often each contender runs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Generated documents
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    docs: u64,
    /// Documents for the Python package simhash, and for lookalike beside it
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    peer_docs: u64,
    /// The program to measure [default: the one of this checkout, built first]
    #[arg(long, value_name = "FILE")]
    lookalike: Option<PathBuf>,
    /// Folder for corpora and peers [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Mean words of a generated document.
const WORDS: u32 = 300;
const LIMIT: Duration = Duration::from_mins(30);
const PEER: &str = "PyPI simhash 2.1.2";

/// A contender on a corpus.
#[derive(Serialize)]
struct Contender {
    name: String,
    documents: u64,
    /// Seconds and CPU seconds of each round.
    rounds: Vec<(f64, f64)>,
    failed: Option<String>,
}

impl Contender {
    fn new(name: &str, documents: u64) -> Self {
        Self { name: name.to_owned(), documents, rounds: Vec::new(), failed: None }
    }

    fn take(&mut self, used: Result<(f64, f64)>) {
        match used {
            Ok(used) => self.rounds.push(used),
            Err(error) => self.failed = Some(format!("{error:#}")),
        }
    }

    /// Documents a second of the best round: whatever else the machine does only takes away.
    fn speed(&self, seconds: fn(&(f64, f64)) -> f64) -> Option<f64> {
        self.rounds.iter().map(|round| self.documents as f64 / seconds(round)).max_by(f64::total_cmp)
    }

    fn row(&self) -> Vec<String> {
        let text = |speed: Option<f64>| speed.map_or_else(|| "–".to_owned(), |speed| thousands(speed as u64));
        let failed = self.failed.as_deref().unwrap_or_default();
        let name = if failed.is_empty() { self.name.clone() } else { format!("{} ({failed})", self.name) };
        vec![name, thousands(self.documents), text(self.speed(wall)), text(self.speed(cpu))]
    }
}

fn wall(round: &(f64, f64)) -> f64 {
    round.0
}

fn cpu(round: &(f64, f64)) -> f64 {
    round.1
}

impl Fingerprints {
    pub(crate) fn run(mut self) -> Result<()> {
        let cache = Cache::open(self.cache.take())?;
        let program = tools::lookalike(self.lookalike.take())?;
        let mut lookalike = Lookalike::find(Some(program.into()))?;
        let [large, small] = [self.docs, self.peer_docs].map(|docs| corpus(&cache, docs));
        let (large, small) = (large?, small?);
        let (documents, bytes) = tools::warm(&large)?;
        tools::warm(&small)?;
        let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/requirements-simhash.txt");
        let python = tools::python(&cache, "venv-simhash", &requirements);
        let mut contenders = Vec::new();
        for round in 1..=self.rounds {
            note(&format!("round {round} of {}", self.rounds));
            let one = [
                Self::round(&mut lookalike, &large, documents)?,
                Self::round(&mut lookalike, &small, self.peer_docs)?.into_iter().take(1).collect(),
                self.peers(&python, &cache, &small),
            ]
            .concat();
            if contenders.is_empty() {
                contenders = one.iter().map(|(name, docs, _)| Contender::new(name, *docs)).collect();
            }
            for (contender, (_, _, used)) in contenders.iter_mut().zip(one) {
                contender.take(used.map_err(|error| anyhow::anyhow!(error)));
            }
        }
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        facts.push(("rounds".to_owned(), self.rounds.to_string()));
        let rows: Vec<Vec<String>> = contenders.iter().map(Contender::row).collect();
        let section = format!(
            "Generated documents of {WORDS} words in the mean ({} bytes in {} of them), one JSON line each; the best of all rounds. The \
             sketches of a scan are its first phase, as `--stats` tells; all else is the whole command.\n\n{}",
            thousands(bytes),
            thousands(documents),
            table(&["", "documents", "documents a second", "documents a CPU second"], &rows)
        );
        let page = Page {
            verb: "simhash",
            name: "fingerprints",
            facts,
            bars: bars(&contenders),
            sections: vec![section],
            numbers: json!(contenders),
            commands: lookalike.lines,
        };
        page.tell(folder(self.out, false).as_deref(), self.json)
    }

    /// One round of ours on a corpus.
    fn round(lookalike: &mut Lookalike, corpus: &Path, documents: u64) -> Result<Vec<Used>> {
        let input = corpus.to_string_lossy();
        let mut all = Vec::new();
        for (name, flags) in OURS {
            let used =
                lookalike.measured(&[&["simhash", "fingerprint", "-q", "-o", "/dev/null", &input], flags].concat())?;
            all.push((name.to_owned(), documents, Ok(seconds(used))));
        }
        for (name, flags) in SKETCHES {
            let told = ["scan", "-q", "--estimate", "--stats", "--json", &input];
            let report: Value = serde_json::from_slice(&lookalike.told(&[&told[..], flags].concat())?)?;
            let phases = report["phases"].as_array().context("no phases in the report")?;
            let phase = phases.iter().find(|phase| phase["name"] == "sketch").context("no phase called sketch")?;
            let number = |name: &str| phase[name].as_f64().with_context(|| format!("no {name} of the phase"));
            all.push((name.to_owned(), documents, Ok((number("seconds")?, number("cpu_seconds")?))));
        }
        Ok(all)
    }

    fn peers(&self, python: &Result<String>, cache: &Cache, corpus: &Path) -> Vec<Used> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/run_simhash.py");
        let [script, corpus] = [&script, corpus].map(|path| path.to_string_lossy().into_owned());
        let one = |features: &str| {
            let used = match python {
                Ok(python) => {
                    let job = Job::new(python, &[&script, &corpus, &cache.text("simhash-peer.tsv"), features]);
                    run(&job.with_env("PYTHONDONTWRITEBYTECODE", "1"), LIMIT).map(seconds)
                }
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            };
            let name = if features == "text" { PEER.to_owned() } else { format!("{PEER}, features of ours") };
            (name, self.peer_docs, used.map_err(|error| format!("{error:#}")))
        };
        vec![one("text"), one("words")]
    }
}

/// A contender's name, its documents, and what it took or why it did not run.
type Used = (String, u64, Result<(f64, f64), String>);

const ONE: &str = "lookalike simhash fingerprint -j 1";
const SKETCH_ONE: &str = "sketches of lookalike scan --estimate -j 1";
const OURS: [(&str, &[&str]); 4] = [
    (ONE, &["-j", "1"]),
    ("lookalike simhash fingerprint", &[]),
    ("lookalike simhash fingerprint --bits 128 -j 1", &["--bits", "128", "-j", "1"]),
    ("lookalike simhash fingerprint --weight log -j 1", &["--weight", "log", "-j", "1"]),
];
const SKETCHES: [(&str, &[&str]); 2] = [(SKETCH_ONE, &["-j", "1"]), ("sketches of lookalike scan --estimate", &[])];

fn seconds(used: Usage) -> (f64, f64) {
    (used.wall, used.cpu)
}

/// So many generated documents in a file of the cache.
fn corpus(cache: &Cache, documents: u64) -> Result<PathBuf> {
    let path = cache.path(&format!("simhash-{documents}.jsonl"));
    if !path.exists() {
        note(&format!("generating {documents} documents"));
        let beside = path.with_extension("new");
        let mut out = BufWriter::new(File::create(&beside)?);
        let (corpus, mut line) = (Corpus::new(8, WORDS, 0.1), Vec::new());
        for index in 0..documents {
            line.clear();
            corpus.line(index, &mut line);
            out.write_all(&line)?;
        }
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(beside, &path)?;
    }
    Ok(path)
}

fn bars(contenders: &[Contender]) -> Vec<Bar> {
    let largest = |name: &str, seconds| {
        let speeds = contenders.iter().filter(|one| one.name == name).map(|one| (one.documents, one.speed(seconds)));
        speeds.max_by_key(|(documents, _)| *documents).and_then(|(_, speed)| speed)
    };
    // beside the peer on the same few documents, starting included
    let beside = contenders.iter().filter(|one| one.name == ONE).min_by_key(|one| one.documents);
    let peer = beside.and_then(|one| one.speed(wall)).zip(largest(PEER, wall));
    let sketch = largest(ONE, cpu).zip(largest(SKETCH_ONE, cpu));
    let times = |limit, what: &str, pair: Option<(f64, f64)>| {
        pair.map(|(ours, theirs)| Bar::at_least(limit, Unit::Times, what, ours / theirs))
    };
    let bars = [
        times(50.0, "documents a second beside PyPI simhash, both on one thread", peer),
        times(0.5, "documents a CPU second beside sketches of scan --estimate", sketch),
    ];
    bars.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_those_of_the_numbers() {
        let contender = |name: &str, documents, round| Contender {
            rounds: vec![(round, round), (2.0 * round, 2.0 * round)],
            ..Contender::new(name, documents)
        };
        let contenders = [
            contender(ONE, 1_000, 2.0),
            contender(SKETCH_ONE, 1_000, 1.5),
            contender(ONE, 100, 1.0),
            contender(PEER, 100, 40.0),
        ];
        let measured: Vec<f64> = bars(&contenders).iter().map(|bar| bar.measured).collect();
        assert_eq!(measured.iter().map(|m| (m * 100.0).round()).collect::<Vec<_>>(), [4000.0, 75.0]);
        assert!(bars(&contenders[..1]).is_empty());
    }
}
