//! Labelled sets of prose as they lie on disk, and their documents made ready for the matcher.

use anyhow::{Context, Result};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::passage::loose::{Rules, SeedIndex};
use lookalike_core::passage::prose::tokens;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

/// A document.
pub(super) struct Document {
    pub(super) text: String,
    pub(super) tokens: Vec<u32>,
    /// Where the tokens stand, in characters: labels are in characters.
    spans: Vec<Range<usize>>,
    pub(super) seeds: SeedIndex,
}

impl Document {
    pub(super) fn new(text: String, rules: &Rules) -> Self {
        let (mut ids, mut spans) = (Vec::new(), Vec::new());
        // a place in the text in bytes, and how many characters stand before it
        let (mut byte, mut character) = (0, 0);
        for (id, span) in tokens(&text, &FeatureHasher::default()) {
            character += text[byte..span.start].chars().count();
            byte = span.start;
            spans.push(character..character + text[span].chars().count());
            ids.push(id);
        }
        let seeds = SeedIndex::new(&ids, rules);
        Self { text, tokens: ids, spans, seeds }
    }

    /// Characters of a range of tokens.
    pub(super) fn characters(&self, tokens: &Range<u32>) -> Range<usize> {
        self.spans[tokens.start as usize].start..self.spans[tokens.end as usize - 1].end
    }
}

/// The documents of `docs.jsonl` by id.
pub(super) fn documents(folder: &Path, rules: &Rules) -> Result<FxHashMap<String, Document>> {
    #[derive(Deserialize)]
    struct Row {
        id: String,
        text: String,
    }
    let path = folder.join("docs.jsonl");
    let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut documents = FxHashMap::default();
    for line in BufReader::new(file).lines() {
        let row: Row = serde_json::from_str(&line?).with_context(|| path.display().to_string())?;
        documents.insert(row.id, Document::new(row.text, rules));
    }
    Ok(documents)
}

/// The rows of a file of tab-separated values, without the line of names.
pub(super) fn rows<const N: usize>(path: &Path) -> Result<Vec<[String; N]>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let row = |line: &str| {
        let cells: Vec<String> = line.split('\t').take(N).map(str::to_owned).collect();
        cells.try_into().ok().with_context(|| format!("{}: fewer than {N} columns: {line}", path.display()))
    };
    text.lines().skip(1).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_characters() {
        let document = Document::new("Größe – zählt häufig".into(), &Rules::default());
        assert_eq!(document.characters(&(1..3)), 8..20);
        assert_eq!(document.characters(&(0..1)), 0..5);
    }

    #[test]
    fn rows_have_their_columns_or_say_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.tsv");
        fs::write(&file, "a\tb\n1\t2\tmore\n").expect("a file");
        assert_eq!(rows::<2>(&file).expect("two columns"), [["1", "2"]]);
        assert!(format!("{:#}", rows::<4>(&file).expect_err("three columns")).contains("fewer than 4"));
    }
}
