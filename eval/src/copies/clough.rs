//! Clough and Stevenson's short answers: cut, lightly or heavily revised, or written without the source.

use super::set::{Document, documents, rows};
use super::spearman::spearman;
use crate::bars::{Bar, Unit};
use crate::table::table;
use anyhow::{Context, Result};
use lookalike_core::passage::loose::{Rules, passages};
use lookalike_core::text::canonical;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::Path;

/// Classes from the least copied to the most.
const CLASSES: [&str; 4] = ["non", "heavy", "light", "cut"];
/// Words of the shingles of the floor.
const SHINGLE: usize = 3;

#[derive(Serialize)]
pub(super) struct Clough {
    /// Rank correlation with the classes: of the share of the answer that passages hold unchanged …
    pub(super) passages: f64,
    /// … and of the share of its shingles that the source has too.
    pub(super) containment: f64,
    /// Mean share by class.
    pub(super) means: [f64; 4],
}

pub(super) fn measure(folder: &Path, rules: &Rules) -> Result<Clough> {
    let documents = documents(folder, rules)?;
    let find = |id: &str| documents.get(id).with_context(|| format!("{id:?} is not among the documents"));
    let (mut classes, mut scores, mut floor) = (Vec::new(), Vec::new(), Vec::new());
    for [source, answer, _, class] in rows(&folder.join("labels.tsv"))? {
        let (source, answer) = (find(&source)?, find(&answer)?);
        let class = CLASSES.iter().position(|name| *name == class).with_context(|| format!("class {class:?}"))?;
        classes.push(class as f64);
        scores.push(copied(source, answer, rules));
        floor.push(contained(&answer.text, &source.text));
    }
    let mean = |class: usize| {
        let of_class = classes.iter().zip(&scores).filter(|(c, _)| **c as usize == class).map(|(_, score)| *score);
        of_class.clone().sum::<f64>() / of_class.count().max(1) as f64
    };
    let means = [0, 1, 2, 3].map(mean);
    Ok(Clough { passages: spearman(&scores, &classes), containment: spearman(&floor, &classes), means })
}

/// The share of the answer that stands in passages as it stands in the source.
fn copied(source: &Document, answer: &Document, rules: &Rules) -> f64 {
    let found = passages(&source.seeds, &source.tokens, &answer.seeds, &answer.tokens, rules);
    let equal: u32 = found.iter().map(|passage| passage.equal).sum();
    f64::from(equal) / answer.tokens.len().max(1) as f64
}

/// The share of the shingles of one text that another has.
fn contained(text: &str, other: &str) -> f64 {
    let (text, other) = (canonical(text), canonical(other));
    let words = |text: &'_ str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let (text, other) = (words(&text), words(&other));
    let [mine, theirs] = [&text, &other].map(|words| words.windows(SHINGLE).collect::<FxHashSet<_>>());
    crate::numbers::share(mine.intersection(&theirs).count(), mine.len())
}

impl Clough {
    pub(super) fn bars(&self) -> Vec<Bar> {
        let what =
            "Clough and Stevenson: rank correlation with the four classes, beside that of word 3-gram containment";
        vec![Bar::at_least(self.containment, Unit::Share, what, self.passages)]
    }

    pub(super) fn section(&self) -> Vec<String> {
        let about = format!(
            "## Clough and Stevenson's answers\n\nSpearman's rank correlation with the four classes: {:.3} by passages, {:.3} by \
             containment of word 3-grams. The score is the share of the answer's words that stand in passages with the same \
             neighbours as in the source.",
            self.passages, self.containment
        );
        let row = |(class, mean): (&&str, &f64)| vec![(*class).to_owned(), format!("{mean:.3}")];
        vec![about, table(&["class", "mean score"], &CLASSES.iter().zip(&self.means).map(row).collect::<Vec<_>>())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containment_counts_distinct_shingles() {
        assert_eq!(contained("A b c d.", "x a B c").to_string(), "0.5");
        assert_eq!(contained("a b", "a b").to_string(), "0");
    }

    #[test]
    fn an_answer_that_is_cut_out_is_copied_whole() {
        let rules = Rules::default();
        let words = |from: u32, many: u32| (from..from + many).map(|n| format!("{n}w")).collect::<Vec<_>>().join(" ");
        let source = Document::new(words(10_000, 300), &rules);
        let cut = Document::new(words(10_100, 50), &rules);
        assert_eq!(copied(&source, &cut, &rules).to_string(), "1");
        assert_eq!(copied(&source, &Document::new(words(20_000, 50), &rules), &rules).to_string(), "0");
    }
}
