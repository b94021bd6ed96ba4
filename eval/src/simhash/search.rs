//! `eval simhash search`: among many fingerprints, how fast, in how much room, and is all found?

use super::faiss::{self, Faiss};
use super::note;
use super::random::{Spread, fingerprint, query, write};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::numbers::thousands;
use crate::page::{Page, folder};
use crate::speed::tools;
use crate::table::table;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Search {
    /// Fingerprints
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    n: u64,
    /// Questions, one after the other
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    questions: u64,
    /// Queries of the batch
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    batch: u64,
    /// Rounds of the batch: the fastest counts, for it waits for memory that other guests of the machine use too
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Memory for building and for the batch
    #[arg(long, value_name = "SIZE", default_value = "12G")]
    memory: String,
    /// Questions to FAISS on the same fingerprints; 0 to leave it out (it takes 55 bytes a fingerprint)
    #[arg(long, value_name = "N", default_value_t = 2000)]
    peer_questions: u64,
    /// Leave out the dense fingerprints
    #[arg(long)]
    even: bool,
    /// The program to measure [default: the one of this checkout, built first]
    #[arg(long, value_name = "FILE")]
    lookalike: Option<PathBuf>,
    /// Folder for fingerprints and tables [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// What was measured of one file.
#[derive(Serialize)]
struct Measured {
    spread: &'static str,
    fingerprints: u64,
    build_seconds: f64,
    build_cpu: f64,
    build_peak: u64,
    bytes_each: f64,
    table_bytes_each: f64,
    p50_us: f64,
    p99_us: f64,
    max_us: f64,
    questions_cpu_second: f64,
    recall: f64,
    /// Of the fastest round, and of the slowest.
    batch_seconds: f64,
    batch_slowest: f64,
    batch_cpu: f64,
    batch_peak: u64,
    batch_recall: f64,
    scanned_second: f64,
    /// The peer, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    faiss: Option<Faiss>,
}

impl Search {
    pub(crate) fn run(mut self) -> Result<()> {
        let cache = Cache::open(self.cache.take())?;
        let program = tools::lookalike(self.lookalike.take())?;
        let mut lookalike = Lookalike::find(Some(program.into()))?;
        let mut all = vec![self.measure(&mut lookalike, &cache, Spread::Even)?];
        all[0].faiss = self.faiss(&cache)?;
        if !self.even {
            all.push(self.measure(&mut lookalike, &cache, Spread::Dense)?);
        }
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let page = Page {
            verb: "simhash",
            name: if self.n >= 1_000_000_000 { "search-billion" } else { "search" },
            facts,
            bars: self.bars(&all),
            sections: vec![section(&all)],
            numbers: json!(all),
            commands: lookalike.lines,
        };
        page.tell(folder(self.out, false).as_deref(), self.json)
    }

    fn measure(&self, lookalike: &mut Lookalike, cache: &Cache, spread: Spread) -> Result<Measured> {
        let (name, n) = (spread.name(), self.n);
        note(&format!("{} fingerprints, {name}", thousands(n)));
        let file = |what: &str, count: u64| self.file(cache, spread, what, count);
        let (fingerprints, queries, batch) =
            (file("fingerprints", n), file("queries", self.questions), file("queries", self.batch));
        write(&fingerprints, (0..n).map(|row| fingerprint(spread, row, n)))?;
        for (path, count) in [(&queries, self.questions), (&batch, self.batch)] {
            write(path, (0..count).map(|number| query(spread, number, n).0))?;
        }
        let store = cache.text(&format!("store-{name}-{n}"));
        let _ = std::fs::remove_dir_all(&store);
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let (fingerprints, queries, batch) = (path(&fingerprints), path(&queries), path(&batch));
        let (built, used) = lookalike.told_and_measured(&[
            "simhash",
            "build",
            &fingerprints,
            "-o",
            &store,
            "--design",
            "1of2",
            "--memory",
            &self.memory,
            "-q",
            "--json",
        ])?;
        let built: Value = serde_json::from_slice(&built)?;
        let each =
            |name: &str| Ok::<_, anyhow::Error>(built[name].as_f64().with_context(|| format!("no {name}"))? / n as f64);
        note("questions");
        // once to have it in memory, once to measure
        let ask = ["simhash", "lookup", &store, "--queries", &queries, "--times", "--limit", "10"];
        lookalike.told(&ask)?;
        let told: Value = serde_json::from_slice(&lookalike.told(&ask)?)?;
        let micros =
            |name: &str| Ok::<_, anyhow::Error>(told[name].as_f64().with_context(|| format!("no {name}"))? * 1000.0);
        let answers = lookalike.told(&["simhash", "lookup", &store, "--queries", &queries, "--limit", "10"])?;
        let recall = self.recall(&answers, 0, self.questions, spread)?;
        let total = told["total_ms"].as_f64().context("no total_ms")? / 1000.0;
        note("batch");
        let out = cache.text("pairs.tsv");
        // in dense neighbourhoods there are too many pairs to list
        let limit: &[&str] = if spread == Spread::Even { &[] } else { &["--limit", "10"] };
        let pass =
            ["simhash", "batch", &fingerprints, &batch, "--distance", "3", "--memory", &self.memory, "-q", "-o", &out];
        let mut passes = Vec::new();
        for _ in 0..self.rounds.max(1) {
            passes.push(lookalike.measured(&[&pass, limit].concat())?);
        }
        passes.sort_by(|a, b| a.wall.total_cmp(&b.wall));
        let (passed, slowest) = (&passes[0], &passes[passes.len() - 1]);
        let pairs = std::fs::read(&out)?;
        let batch_recall = if spread == Spread::Even { self.recall(&pairs, 1, self.batch, spread)? } else { f64::NAN };
        Ok(Measured {
            spread: name,
            fingerprints: n,
            build_seconds: used.wall,
            build_cpu: used.cpu,
            build_peak: used.peak,
            bytes_each: each("bytes")?,
            table_bytes_each: each("table_bytes")?,
            p50_us: micros("p50_ms")?,
            p99_us: micros("p99_ms")?,
            max_us: micros("max_ms")?,
            questions_cpu_second: self.questions as f64 / total,
            recall,
            batch_seconds: passed.wall,
            batch_slowest: slowest.wall,
            batch_cpu: passed.cpu,
            batch_peak: passed.peak,
            batch_recall,
            scanned_second: n as f64 / passed.wall,
            faiss: None,
        })
    }

    fn file(&self, cache: &Cache, spread: Spread, what: &str, count: u64) -> PathBuf {
        cache.path(&format!("{what}-{}-{}-{count}.u64", spread.name(), self.n))
    }

    /// The peer on the fingerprints and the first of the questions that are in the cache already.
    fn faiss(&self, cache: &Cache) -> Result<Option<Faiss>> {
        let questions = self.peer_questions.min(self.questions);
        if questions == 0 {
            return Ok(None);
        }
        note("FAISS");
        let [fingerprints, queries] = [("fingerprints", self.n), ("queries", self.questions)]
            .map(|(what, count)| self.file(cache, Spread::Even, what, count).to_string_lossy().into_owned());
        let (mut faiss, answers) = faiss::measure(cache, &fingerprints, &queries, questions)?;
        faiss.recall = self.recall(&answers, 0, questions, Spread::Even)?;
        Ok(Some(faiss))
    }

    /// The share of queries whose planted row is among the answers, lines of query, row and distance; in dense neighbourhoods, of those
    /// that have an answer at least as near.
    fn recall(&self, answers: &[u8], heading: usize, questions: u64, spread: Spread) -> Result<f64> {
        let mut found = vec![false; questions as usize];
        let text = std::str::from_utf8(answers)?;
        for line in text.lines().skip(heading) {
            let mut numbers = line.split('\t').map(str::parse::<u64>);
            let (Some(Ok(number)), Some(Ok(row)), Some(Ok(distance))) =
                (numbers.next(), numbers.next(), numbers.next())
            else {
                anyhow::bail!("not an answer: {line}");
            };
            let (asked, planted) = query(spread, number, self.n);
            let apart = (asked ^ fingerprint(spread, planted, self.n)).count_ones();
            if planted == row || spread == Spread::Dense && distance <= u64::from(apart) {
                found[number as usize] = true;
            }
        }
        Ok(found.iter().filter(|found| **found).count() as f64 / questions as f64)
    }

    fn bars(&self, all: &[Measured]) -> Vec<Bar> {
        let even = &all[0];
        let large = self.n >= 1_000_000_000;
        let mut bars = vec![
            Bar::at_least(1.0, Unit::Share, "recall, one at a time", even.recall),
            Bar::at_least(1.0, Unit::Share, "recall of the batch", even.batch_recall),
        ];
        if large {
            bars.push(Bar::at_most(
                20.0 * 1024.0,
                Unit::Mebibytes,
                "memory to build",
                even.build_peak as f64 / 1_048_576.0,
            ));
            bars.push(Bar::at_most(0.050, Unit::Milliseconds, "half of the questions within", even.p50_us / 1000.0));
            bars.push(Bar::at_least(
                80e6,
                Unit::Count,
                "fingerprints scanned a second by the batch",
                even.scanned_second,
            ));
        } else {
            bars.push(Bar::at_most(16.0, Unit::Bytes, "bytes a fingerprint, with ids", even.bytes_each));
            bars.push(Bar::at_most(0.020, Unit::Milliseconds, "half of the questions within", even.p50_us / 1000.0));
            bars.push(Bar::at_most(0.100, Unit::Milliseconds, "99 of 100 questions within", even.p99_us / 1000.0));
        }
        if let Some(faiss) = &even.faiss {
            let what = "questions a second on one thread beside FAISS MultiHash";
            bars.push(Bar::at_least(100.0, Unit::Times, what, even.questions_cpu_second / faiss.questions_cpu_second));
        }
        if let Some(dense) = all.get(1) {
            bars.push(Bar::at_least(1.0, Unit::Share, "recall among dense fingerprints", dense.recall));
            let what = "no collapse: questions a second among dense fingerprints beside even ones";
            bars.push(Bar::at_least(0.1, Unit::Times, what, dense.questions_cpu_second / even.questions_cpu_second));
        }
        bars
    }
}

fn section(all: &[Measured]) -> String {
    let row = |name: &str, cell: &dyn Fn(&Measured) -> String| -> Vec<String> {
        std::iter::once(name.to_owned()).chain(all.iter().map(cell)).collect()
    };
    let rows = [
        row("build: s, CPU s, MiB at most", &|m| {
            format!("{:.0}, {:.0}, {}", m.build_seconds, m.build_cpu, m.build_peak >> 20)
        }),
        row("bytes a fingerprint, with ids and checksums", &|m| format!("{:.2}", m.bytes_each)),
        row("… the tables alone", &|m| format!("{:.2}", m.table_bytes_each)),
        row("a question: p50, p99, longest (µs)", &|m| format!("{:.1}, {:.1}, {:.0}", m.p50_us, m.p99_us, m.max_us)),
        row("questions a second on one thread", &|m| thousands(m.questions_cpu_second as u64)),
        row("batch: s (slowest round), CPU s, MiB at most", &|m| {
            format!("{:.1} ({:.1}), {:.1}, {}", m.batch_seconds, m.batch_slowest, m.batch_cpu, m.batch_peak >> 20)
        }),
        row("fingerprints scanned a second", &|m| thousands(m.scanned_second as u64)),
    ];
    let heading: Vec<&str> = std::iter::once("").chain(all.iter().map(|m| m.spread)).collect();
    let peer = all[0].faiss.as_ref().map_or_else(String::new, |faiss| {
        format!(
            "\n\nFAISS IndexBinaryMultiHash, 4 × 16 bits, one thread, the same even fingerprints: built in {:.0} CPU seconds, at most {:.0} bytes of memory a \
             fingerprint, {:.0} questions a CPU second, recall {:.4}.",
            faiss.build_cpu, faiss.bytes_each, faiss.questions_cpu_second, faiss.recall
        )
    });
    format!(
        "{} random fingerprints of 64 bits with planted neighbours, distance 3, design 1of2. Dense: one in twenty within three bits of one of four, one \
         value up to ten million times.\n\n{}{peer}",
        thousands(all[0].fingerprints),
        table(&heading, &rows)
    )
}
