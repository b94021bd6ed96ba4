//! Two versions of one sequence that differ in one place: what is before and behind it needs no table.

use super::runs::{EqualRun, GramHashes, GramTable};
use super::{Passage, Tiler};
use std::ops::Range;

/// Of either sequence, the part that may be between the two ends: with more, a run elsewhere may be longer than both.
const MAX_BETWEEN: usize = 64;

impl Tiler {
    /// What two sequences share, in the order of the first, if they are the same but for at most one part in 64 somewhere; else nothing is
    /// said. As [`Tiler::passages`], except where a sequence repeats itself so evenly that it is as much like itself a few tokens later.
    pub fn passages_by_ends(&mut self, a: &[u32], b: &[u32]) -> Option<Vec<Passage>> {
        let shorter = a.len().min(b.len());
        let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        // where they overlap, the longer one is taken first
        let (before, behind) = if before >= behind {
            (before, behind.min(shorter - before))
        } else {
            (before.min(shorter - behind), behind)
        };
        if a.len().max(b.len()) - before - behind > shorter / MAX_BETWEEN {
            return None;
        }
        // too few equal tokens beside the difference belong to what is between
        let is_short = |run: usize| run < self.k;
        let last = a[..before].iter().rev().take_while(|token| **token != 0).count();
        let first = a[a.len() - behind..].iter().take_while(|token| **token != 0).count();
        let before = before - if is_short(last) { last } else { 0 };
        let behind = behind - if is_short(first) { first } else { 0 };
        let mut found = Vec::new();
        self.add_equal(a, 0..before, 0, &mut found);
        let (between_a, between_b) = (&a[before..a.len() - behind], &b[before..b.len() - behind]);
        if between_a.len().min(between_b.len()) >= self.k {
            let [of_a, of_b] = [between_a, between_b].map(|between| GramHashes::of(between, self.k));
            let passages = self.passages(&GramTable::new(between_a, &of_a), between_b, &of_b);
            let moved = |range: Range<u32>| range.start + before as u32..range.end + before as u32;
            found.extend(passages.into_iter().map(|Passage { a, b, equal }| Passage {
                a: moved(a),
                b: moved(b),
                equal,
            }));
        }
        self.add_equal(a, a.len() - behind..a.len(), b.len() - behind, &mut found);
        Some(found)
    }

    /// The runs of a stretch of one sequence that stands in the other too, from `b` on.
    fn add_equal(&self, tokens: &[u32], stretch: Range<usize>, b: usize, found: &mut Vec<Passage>) {
        let mut at = stretch.start;
        for run in tokens[stretch.clone()].split(|token| *token == 0) {
            if run.len() >= self.k {
                let run = EqualRun { length: run.len() as u32, a: at as u32, b: (b + at - stretch.start) as u32 };
                found.push(run.passage());
            }
            at += run.len() + 1;
        }
    }
}
