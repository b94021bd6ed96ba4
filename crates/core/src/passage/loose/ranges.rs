//! From clusters to passages: where one begins and ends, which are one, and how much of each is equal word by word.

use super::matches::Run;
use super::token::{ends_sentence, equal, word};
use crate::cluster::UnionFind;
use crate::passage::Passage;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Grows two ranges over the equal words around them.
pub(super) fn grow(a: &mut Range<u32>, a_tokens: &[u32], b: &mut Range<u32>, b_tokens: &[u32]) {
    let same = |(x, y): &(&u32, &u32)| equal(**x, **y);
    let before = a_tokens[..a.start as usize].iter().rev().zip(b_tokens[..b.start as usize].iter().rev());
    let before = before.take_while(same).count() as u32;
    let after = a_tokens[a.end as usize..].iter().zip(&b_tokens[b.end as usize..]).take_while(same).count() as u32;
    *a = a.start - before..a.end + after;
    *b = b.start - before..b.end + after;
}

/// Grows a range to the ends of its sentences, if they are near.
pub(super) fn snap(range: &Range<u32>, tokens: &[u32], most: u32) -> Range<u32> {
    let (start, end, most) = (range.start as usize, range.end as usize, most as usize);
    let goes_on = |id: &&u32| word(**id) != 0 && !ends_sentence(**id);
    let before = tokens[..start].iter().rev().take(most + 1).take_while(goes_on).count();
    let after = if ends_sentence(tokens[end - 1]) {
        0
    } else {
        let after = tokens[end..].iter().take(most + 1).take_while(goes_on).count();
        // the word that ends the sentence is of it
        after + usize::from(tokens.get(end + after).is_some_and(|id| word(*id) != 0))
    };
    let start = if before <= most { start - before } else { start };
    let end = if after <= most { end + after } else { end };
    start as u32..end as u32
}

/// Passages that one is held against: the last ones that begin before it.
const MAX_NEIGHBOURS: usize = 64;
/// A union may meet another; after a few rounds none does.
const MAX_ROUNDS: usize = 16;

/// Makes one of passages that have words in common on both sides.
pub(super) fn unite(passages: &mut Vec<Passage>) {
    for _ in 0..MAX_ROUNDS {
        passages.sort_by_key(|p| (p.a.start, p.b.start));
        let mut sets = UnionFind::new(passages.len());
        let mut open: Vec<usize> = Vec::new();
        for (i, passage) in passages.iter().enumerate() {
            open.retain(|j| passages[*j].a.end > passage.a.start);
            open.drain(..open.len().saturating_sub(MAX_NEIGHBOURS));
            for j in open.iter().filter(|j| overlap(&passages[**j].b, &passage.b)) {
                sets.union(i as u32, *j as u32);
            }
            open.push(i);
        }
        let roots: Vec<usize> = (0..passages.len()).map(|i| sets.find(i as u32) as usize).collect();
        for i in (0..passages.len()).filter(|i| roots[*i] != *i) {
            let passage = passages[i].clone();
            let root = &mut passages[roots[i]];
            root.a = root.a.start.min(passage.a.start)..root.a.end.max(passage.a.end);
            root.b = root.b.start.min(passage.b.start)..root.b.end.max(passage.b.end);
        }
        let before = passages.len();
        let mut at = 0..before;
        passages.retain(|_| at.next().is_some_and(|i| roots[i] == i));
        if passages.len() == before {
            break;
        }
    }
}

fn overlap(x: &Range<u32>, y: &Range<u32>) -> bool {
    x.start < y.end && y.start < x.end
}

/// Appends the runs that no passage holds, on one side or the other.
pub(super) fn add_runs(passages: &mut Vec<Passage>, runs: &[Run]) {
    let (in_a, in_b) = (Ranges::new(passages.iter().map(|p| &p.a)), Ranges::new(passages.iter().map(|p| &p.b)));
    for run in runs {
        let (a, b) = (run.a..run.a + run.length, run.b..run.b + run.length);
        if !in_a.hold(&a) || !in_b.hold(&b) {
            passages.push(Passage { a, b, equal: 0 });
        }
    }
}

/// Ranges by their starts, with the greatest end so far: one look tells whether any holds another range.
struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    fn new<'r>(ranges: impl Iterator<Item = &'r Range<u32>>) -> Self {
        let mut ranges: Vec<(u32, u32)> = ranges.map(|r| (r.start, r.end)).collect();
        ranges.sort_unstable();
        let mut end = 0;
        for range in &mut ranges {
            end = end.max(range.1);
            range.1 = end;
        }
        Self(ranges)
    }

    fn hold(&self, range: &Range<u32>) -> bool {
        let upto = self.0.partition_point(|(start, _)| *start <= range.start);
        upto > 0 && self.0[upto - 1].1 >= range.end
    }
}

/// Words that stand together.
const TRIGRAM: usize = 3;

/// How many tokens of two stretches stand in both with the same neighbours; the smaller count of the two sides.
pub(super) fn equal_tokens(a: &[u32], b: &[u32]) -> u32 {
    if a.iter().map(|id| word(*id)).eq(b.iter().map(|id| word(*id))) {
        return a.len() as u32;
    }
    tokens_in_trigrams(a, &trigrams(b)).min(tokens_in_trigrams(b, &trigrams(a)))
}

fn trigram(words: &[u32]) -> u64 {
    words.iter().fold(0, |h, id| (h ^ u64::from(word(*id))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

fn trigrams(tokens: &[u32]) -> FxHashSet<u64> {
    tokens.windows(TRIGRAM).map(trigram).collect()
}

fn tokens_in_trigrams(tokens: &[u32], trigrams: &FxHashSet<u64>) -> u32 {
    let (mut count, mut counted) = (0, 0);
    for (at, words) in tokens.windows(TRIGRAM).enumerate() {
        if trigrams.contains(&trigram(words)) {
            count += at + TRIGRAM - counted.max(at);
            counted = at + TRIGRAM;
        }
    }
    count as u32
}
