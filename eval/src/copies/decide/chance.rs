//! Stated and observed: how many pairs are expected by chance from a similarity on, and how many people did not call copies.

use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::copies::code::Set;
use crate::copies::labelled::measure;
use crate::generate::Random;
use crate::table::table;
use anyhow::Result;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Cohorts of so many submissions are drawn from a set, besides the whole.
const SIZES: [usize; 3] = [20, 50, 100];
/// How often each is drawn: the numbers are summed.
const DRAWS: u64 = 10;
/// What is stated where it is held against what is observed.
const STATED: [f64; 3] = [30.0, 10.0, 3.0];
const SEED: u64 = 11;

/// Summed over the draws of one size.
#[derive(Default, Serialize)]
pub(super) struct Row {
    set: &'static str,
    submissions: usize,
    draws: u64,
    stated: f64,
    observed: u64,
}

impl Row {
    fn factor(&self) -> f64 {
        let observed = self.observed.max(1) as f64;
        (self.stated / observed).max(observed / self.stated)
    }
}

/// Cohorts of several sizes of a set of which every pair is labelled.
pub(super) fn stated(set: &Set, folder: &Path, lookalike: &mut Lookalike) -> Result<Vec<Row>> {
    let text = fs::read_to_string(folder.join("docs.jsonl"))?;
    let labels = fs::read_to_string(folder.join("labels.tsv"))?;
    let mut documents: Vec<(String, &str)> = Vec::new();
    for line in text.lines() {
        let id = serde_json::from_str::<serde_json::Value>(line)?["id"].as_str().unwrap_or_default().to_owned();
        documents.push((id, line));
    }
    let mut rows: Vec<Row> = Vec::new();
    let whole = documents.len();
    for submissions in SIZES.into_iter().filter(|size| *size < whole).chain([whole]) {
        let draws = if submissions == whole { 1 } else { DRAWS };
        let mut of_size: Vec<Row> =
            STATED.iter().map(|_| Row { set: set.name, submissions, draws: 0, ..Row::default() }).collect();
        for draw in 0..draws {
            let mut random = Random::at(SEED, draw, submissions as u64);
            crate::copies::scores::shuffle_first(&mut documents, submissions, &mut random);
            let chosen = &documents[..submissions];
            let has = |id: &str| chosen.iter().any(|(known, _)| known == id);
            let part = tempfile::tempdir()?;
            fs::write(
                part.path().join("docs.jsonl"),
                chosen.iter().map(|(_, line)| *line).collect::<Vec<_>>().join("\n"),
            )?;
            let is_inside = |line: &&str| line.split('\t').take(2).all(has);
            let lines = labels.lines().take(1).chain(labels.lines().skip(1).filter(is_inside));
            fs::write(part.path().join("labels.tsv"), lines.collect::<Vec<_>>().join("\n"))?;
            let answer = measure(part.path(), set.lang, true, lookalike)?;
            for (row, wanted) in of_size.iter_mut().zip(STATED) {
                // the similarity from which on about so many are expected
                let at = answer.table.iter().find(|one| one.expected.is_some_and(|expected| expected <= wanted));
                let Some((threshold, expected)) = at.and_then(|one| Some((one.threshold, one.expected?))) else {
                    continue;
                };
                row.draws += 1;
                row.stated += expected;
                row.observed += answer.pairs.iter().filter(|pair| !pair.copy && pair.score >= threshold).count() as u64;
            }
        }
        rows.extend(of_size.into_iter().filter(|row| row.draws > 0));
    }
    Ok(rows)
}

pub(super) fn bar(rows: &[Row], within: f64) -> Option<Bar> {
    let most = rows
        .iter()
        .map(Row::factor)
        .fold(None, |most: Option<f64>, factor| Some(most.map_or(factor, |m| m.max(factor))))?;
    Some(Bar::at_most(within, Unit::Times, "false pairs: stated beside observed, the worst factor", most))
}

pub(super) fn section(rows: &[Row]) -> Vec<String> {
    let row = |row: &Row| {
        let counts = [row.submissions.to_string(), row.draws.to_string()];
        let numbers = [format!("{:.1}", row.stated), row.observed.to_string(), format!("{:.1}", row.factor())];
        [vec![row.set.to_owned()], counts.to_vec(), numbers.to_vec()].concat()
    };
    let head = ["set", "submissions", "cohorts", "stated", "observed", "factor"];
    vec![ABOUT.to_owned(), table(&head, &rows.iter().map(row).collect::<Vec<_>>())]
}

const ABOUT: &str = "## Expected by chance

Sets of which every pair is labelled, and cohorts that were drawn from them: at the similarities from which on about 30, 10 and 3 pairs are stated to
be expected by chance, how many pairs at or above them are no copies by their labels. Sums over all cohorts of a size. What is labelled no copy
may be one that nobody saw.";
