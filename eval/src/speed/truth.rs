//! What is true of a corpus: its pairs with resemblance from a threshold on in word 5-grams, by the exact join.

use super::corpora::{for_each_document, whole};
use super::join::{Sets, join};
use anyhow::{Context, Result};
use lookalike_core::{feature_hash::FeatureHasher, shingle};
use std::fs;
use std::path::Path;

/// Words in a shingle: the habit of the peers.
pub(super) const WORDS: usize = 5;
/// Least resemblance of two near-duplicates, where the peers are compared.
pub(super) const THRESHOLD: f64 = 0.7;

/// Writes the pairs as two line numbers (from 0) and a tab between, sorted.
pub(super) fn write(corpus: &Path, pairs: &Path, threshold: f64) -> Result<()> {
    let fp = FeatureHasher::default();
    let mut sets = Sets::default();
    for_each_document(corpus, |_, text| {
        sets.push(&shingle::set_of_text(text, WORDS, &fp));
        Ok(())
    })?;
    let mut found = Vec::new();
    join(&sets, threshold, |a, b| found.push((a, b)));
    found.sort_unstable();
    whole(pairs, |out| found.iter().try_for_each(|(a, b)| Ok(writeln!(out, "{a}\t{b}")?)))
}

/// How many pairs there are, and for each of `documents` lines whether it has a partner.
pub(super) fn read(pairs: &Path, documents: usize) -> Result<(usize, Vec<bool>)> {
    let text = fs::read_to_string(pairs).with_context(|| format!("cannot read {}", pairs.display()))?;
    let mut count = 0;
    let mut partnered = vec![false; documents];
    for line in text.lines() {
        let (a, b) = line.split_once('\t').context("a line of the truth is not a pair")?;
        for document in [a, b] {
            let document: usize = document.parse()?;
            *partnered.get_mut(document).context("the truth is of another corpus")? = true;
        }
        count += 1;
    }
    Ok((count, partnered))
}
