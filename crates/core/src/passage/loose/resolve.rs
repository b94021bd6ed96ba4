//! What is told in the end: runs that no passage holds are passages, and passages that tell the same are one.

use super::Passage;
use super::runs::Run;
use crate::cluster::UnionFind;
use std::ops::Range;

/// Passages that one is held against: the last ones that begin before it.
const MOST_NEIGHBOURS: usize = 64;
/// A union may meet another; after a few rounds none does.
const MOST_ROUNDS: usize = 16;

/// Makes one of passages that have words in common on both sides.
pub(super) fn unite(passages: &mut Vec<Passage>) {
    for _ in 0..MOST_ROUNDS {
        passages.sort_by_key(|p| (p.a.start, p.b.start));
        let mut sets = UnionFind::new(passages.len());
        let mut open: Vec<usize> = Vec::new();
        for (i, passage) in passages.iter().enumerate() {
            open.retain(|j| passages[*j].a.end > passage.a.start);
            open.drain(..open.len().saturating_sub(MOST_NEIGHBOURS));
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
