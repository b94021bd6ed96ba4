//! How right a written corpus is, told by the ids that stayed.
//!
//! A document is *partnered* if another one resembles it by the threshold or more. Recall is the share of the partnered documents that were
//! settled: they went, or all their partners did. Precision is the share of the documents that went that are partnered. What went although
//! none of its partners stayed is *lost*: its text is nowhere in the corpus any more.

use crate::numbers::share;
use crate::speed::corpora::for_each_document;
use anyhow::{Context, Result};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::fs;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Kept {
    pub(super) recall: f64,
    pub(super) precision: f64,
    pub(super) removed: usize,
    pub(super) lost: usize,
}

/// The documents of a corpus by line, and the pairs of lines that resemble each other.
pub(super) struct Truth {
    ids: Vec<String>,
    pairs: Vec<(usize, usize)>,
}

impl Truth {
    pub(super) fn read(corpus: &Path, pairs: &Path) -> Result<Self> {
        let mut ids = Vec::new();
        for_each_document(corpus, |id, _| {
            ids.push(id.to_owned());
            Ok(())
        })?;
        let text = fs::read_to_string(pairs).with_context(|| format!("cannot read {}", pairs.display()))?;
        let pair = |line: &str| {
            let (a, b) = line.split_once('\t').context("a line of the truth is not a pair")?;
            anyhow::Ok((a.parse()?, b.parse()?))
        };
        Ok(Self { ids, pairs: text.lines().map(pair).collect::<Result<_>>()? })
    }

    /// The score of a corpus with these ids, one a line.
    pub(super) fn score(&self, kept: &Path) -> Result<Kept> {
        let text = fs::read_to_string(kept).with_context(|| format!("cannot read {}", kept.display()))?;
        let kept: FxHashSet<&str> = text.lines().collect();
        Ok(self.score_of(&self.ids.iter().map(|id| kept.contains(id.as_str())).collect::<Vec<_>>()))
    }

    fn score_of(&self, stays: &[bool]) -> Kept {
        let mut partnered = vec![false; stays.len()];
        let mut has_kept_partner = vec![false; stays.len()];
        for &(a, b) in &self.pairs {
            for (one, other) in [(a, b), (b, a)] {
                partnered[one] = true;
                has_kept_partner[one] |= stays[other];
            }
        }
        let (mut all, mut settled, mut removed, mut right, mut lost) = (0, 0, 0, 0, 0);
        for at in 0..stays.len() {
            all += usize::from(partnered[at]);
            settled += usize::from(partnered[at] && !(stays[at] && has_kept_partner[at]));
            removed += usize::from(!stays[at]);
            right += usize::from(!stays[at] && partnered[at]);
            lost += usize::from(!stays[at] && !has_kept_partner[at]);
        }
        Kept { recall: share(settled, all), precision: share(right, removed), removed, lost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of three, a pair, and one without a partner.
    #[test]
    fn what_stays_is_held_against_pairs() {
        let truth = Truth { ids: vec![String::new(); 6], pairs: vec![(0, 1), (1, 2), (3, 4)] };
        // the ends of the chain stay, they are no partners of each other
        let right = truth.score_of(&[true, false, true, true, false, true]);
        assert_eq!(right, Kept { recall: 1.0, precision: 1.0, removed: 2, lost: 0 });
        // transitive: the end of the chain goes with the start, which is unlike it
        let chained = truth.score_of(&[true, false, false, true, false, true]);
        assert_eq!(chained, Kept { recall: 1.0, precision: 1.0, removed: 3, lost: 1 });
        // a pair missed, and one removed that is like nothing
        let wrong = truth.score_of(&[true, false, true, true, true, false]);
        assert_eq!(wrong, Kept { recall: 0.6, precision: 0.5, removed: 2, lost: 1 });
    }
}
