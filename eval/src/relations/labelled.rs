//! Pairs that people labelled: what `compare` calls those of each label. Labels are not relations, so there is no bar.

use super::called;
use crate::command::Lookalike;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Pairs of a label that are taken: the first.
const MAX_PAIRS: usize = 300;
/// Values of the fourth column that say which half a pair is of.
const HALVES: [&str; 3] = ["train", "val", "test"];

/// What pairs were called, and how often, by their label. Empty where `labels.tsv` does not lie beside the documents.
pub(super) fn measure(documents: &Path, lookalike: &Lookalike) -> Result<BTreeMap<String, BTreeMap<String, u64>>> {
    let labels = documents.with_file_name("labels.tsv");
    let Ok(rows) = fs::read_to_string(&labels) else { return Ok(BTreeMap::new()) };
    let mut pairs: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [a, b, label, more @ ..] = cells.as_slice() else { continue };
        let more = more.first().filter(|more| !HALVES.contains(more));
        let name = more.map_or_else(|| (*label).to_owned(), |more| format!("{label} {more}"));
        let of_label = pairs.entry(name).or_default();
        if of_label.len() < MAX_PAIRS {
            of_label.push((a, b));
        }
    }
    let texts = texts(documents)?;
    let find = |id: &str| texts.get(id).with_context(|| format!("{}: {id:?} is no document", labels.display()));
    let calls = |of_label: &[(&str, &str)]| {
        let called =
            of_label.par_iter().map(|(a, b)| called(&(find(a)?.clone(), "txt"), &(find(b)?.clone(), "txt"), lookalike));
        let mut counts = BTreeMap::new();
        for name in called.collect::<Result<Vec<_>>>()? {
            *counts.entry(name).or_default() += 1;
        }
        Ok::<_, anyhow::Error>(counts)
    };
    pairs.iter().map(|(label, of_label)| Ok((label.clone(), calls(of_label)?))).collect()
}

fn texts(documents: &Path) -> Result<HashMap<String, String>> {
    #[derive(Deserialize)]
    struct Row {
        id: String,
        text: String,
    }
    let file = File::open(documents).with_context(|| format!("cannot read {}", documents.display()))?;
    let mut texts = HashMap::new();
    for line in BufReader::new(file).lines() {
        let Row { id, text } = serde_json::from_str(&line?).with_context(|| documents.display().to_string())?;
        texts.insert(id, text);
    }
    Ok(texts)
}
