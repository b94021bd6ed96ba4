//! Documents that drift: each is made of the one before by other words for a twentieth of it, a hundred steps. Neighbours resemble each other
//! by 0.9, the ends not at all. Who follows the chain removes all but one of them.

use super::{Findings, note};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::generate::Random;
use crate::table::table;
use anyhow::{Context, Result};
use lookalike_core::sets::Overlap;
use lookalike_core::{feature_hash::FeatureHasher, shingle};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

const STEPS: usize = 100;
const CHAINS: usize = 50;
const WORDS: usize = 400;
const CHANGED: usize = WORDS / 20;
/// Words in a shingle, and the threshold: the defaults of `dedup`.
const SHINGLE: usize = 5;
const THRESHOLD: f64 = 0.8;

/// What a run removed, and how like it was to what stays in its place.
struct Removed {
    count: usize,
    below: usize,
    least: f64,
}

pub(super) fn measure(_: &Cache, lookalike: &mut Lookalike) -> Result<Findings> {
    let scratch = tempfile::tempdir()?;
    let corpus = scratch.path().join("chains.jsonl");
    let texts = write(&corpus)?;
    let mut removed = Vec::new();
    for (name, flags) in [("dedup", &[][..]), ("dedup --linkage single", &["--linkage", "single"])] {
        note(name);
        let out = scratch.path().join(name.replace(' ', "_"));
        let [from, to] = [&corpus, &out].map(|path| path.to_string_lossy().into_owned());
        lookalike.measured(&[&["dedup", &from, "-o", &to, "--annotate", "--quiet"], flags].concat())?;
        removed.push((name, read(&out.join("corpus/chains.jsonl"), &texts)?));
    }
    let ours = &removed[0].1;
    let bars = vec![
        Bar::at_most(0.0, Unit::Count, "removed documents below the threshold to what stays", ours.below as f64),
        Bar::at_least(THRESHOLD, Unit::Share, "least resemblance of a removed document to what stays", ours.least),
    ];
    let rows = removed.iter().map(|(name, removed)| {
        let Removed { count, below, least } = removed;
        vec![(*name).to_owned(), count.to_string(), below.to_string(), format!("{least:.3}")]
    });
    let head = ["", "removed", "of them below 0.8 to what stays", "least resemblance"];
    let section = format!(
        "{} documents in {CHAINS} chains of {STEPS}; `--linkage single` is what follows from union-find, as the peers do it.\n\n{}",
        texts.len(),
        table(&head, &rows.collect::<Vec<_>>())
    );
    let numbers = removed.iter().map(|(name, removed)| {
        json!({ "command": name, "removed": removed.count, "below": removed.below, "least": removed.least })
    });
    Ok(Findings { bars, sections: vec![section], numbers: numbers.collect() })
}

/// Writes the chains, in an order that is not theirs, and gives the texts by id.
fn write(corpus: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::with_capacity(CHAINS * STEPS);
    for chain in 0..CHAINS {
        let mut random = Random::at(42, 1, chain as u64);
        let mut words: Vec<String> = (0..WORDS).map(|_| format!("w{:x}", random.next())).collect();
        for step in 0..STEPS {
            let first = step * CHANGED % WORDS;
            for word in &mut words[first..first + CHANGED] {
                *word = format!("w{:x}", random.next());
            }
            texts.push(words.join(" "));
        }
    }
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|&at| Random::at(42, 2, at as u64).next());
    let mut out = BufWriter::new(File::create(corpus)?);
    for at in order {
        writeln!(out, "{}", json!({ "id": at.to_string(), "text": texts[at] }))?;
    }
    out.flush()?;
    Ok(texts)
}

fn read(annotated: &Path, texts: &[String]) -> Result<Removed> {
    let hasher = FeatureHasher::default();
    let number = |value: &Value| anyhow::Ok(value.as_str().context("no id")?.parse::<usize>()?);
    let mut removed = Removed { count: 0, below: 0, least: 1.0 };
    let file = File::open(annotated).with_context(|| format!("cannot read {}", annotated.display()))?;
    for line in BufReader::new(file).lines() {
        let document: Value = serde_json::from_str(&line?)?;
        let kept = &document["lookalike_duplicate_of"];
        if kept.is_null() {
            continue;
        }
        let [one, other] =
            [number(&document["id"])?, number(kept)?].map(|at| shingle::set_of_text(&texts[at], SHINGLE, &hasher));
        let resemblance = Overlap::of(&one, &other).resemblance();
        removed.count += 1;
        removed.below += usize::from(resemblance < THRESHOLD);
        removed.least = removed.least.min(resemblance);
    }
    Ok(removed)
}
