//! Copied passages of prose, though words were replaced, moved, left out, or translated there and back.
//!
//! A seed is a pair of words that stand near each other in both documents, in whatever order, and is rare in both. Each seed is a
//! point of a plane whose axes are the two documents; a passage is a cluster of points:
//!
//! ```text
//! tokens ──► seed_index ──► matches ───────► cluster ──────► ranges
//!            seeds,         shared seeds,    clusters        whole sentences,
//!            grams          equal runs       of points,      one passage
//!                           as points        ends trimmed    for each copy
//! ```
//!
//! The work is that of finding the seeds of each document, and of sorting what two may share.

mod cluster;
mod key_list;
mod matches;
mod ranges;
mod rules;
mod seed_index;
#[cfg(test)]
mod tests;
mod token;

pub use rules::Rules;
pub use seed_index::SeedIndex;
pub use token::{FLAG_BITS, FUNCTION_WORD, SENTENCE_END, for_each_gram};

pub use super::Passage;

use matches::{Point, Run};
use std::ops::Range;

impl Passage {
    fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, equal: self.equal }
    }
}

/// The copied passages of two documents, in the order of the first. Exchanging the documents exchanges the sides and nothing else.
///
/// What one document has once and the other twice is two passages; no two passages have words in common on both sides. Every
/// run of `rules.run` equal words is inside a passage, on both sides, if one of its grams is not too common: see [`Rules::often`].
pub fn passages(a: &SeedIndex, a_tokens: &[u32], b: &SeedIndex, b_tokens: &[u32], rules: &Rules) -> Vec<Passage> {
    // sums and bounds may depend on which document is the first: it is always the same one
    let exchanged = (b_tokens.len(), b_tokens) < (a_tokens.len(), a_tokens);
    if !exchanged {
        return find(a, a_tokens, b, b_tokens, rules);
    }
    let mut passages: Vec<_> = find(b, b_tokens, a, a_tokens, rules).into_iter().map(Passage::swapped).collect();
    passages.sort_by_key(|p| (p.a.start, p.b.start));
    passages
}

/// Sums in single precision may be a little above the true ones.
const ROUNDING: f64 = 0.999;

fn find(a: &SeedIndex, a_tokens: &[u32], b: &SeedIndex, b_tokens: &[u32], rules: &Rules) -> Vec<Passage> {
    let runs = matches::equal_runs(a, a_tokens, b, b_tokens, rules);
    let mut points = matches::of_seeds(a, b, rules);
    if runs.is_empty() && weighs_too_little(&points, rules) {
        return Vec::new();
    }
    matches::of_runs(a, b, &runs, &mut points);
    from_points(points, &runs, a, a_tokens, b, b_tokens, rules)
}

/// What all points together do not weigh, no passage does. Most documents share no more by chance.
fn weighs_too_little(points: &[Point], rules: &Rules) -> bool {
    let total: f64 = points.iter().map(|point| f64::from(point.weight)).sum();
    total < f64::from(rules.weight) * ROUNDING
}

fn from_points(
    mut points: Vec<Point>,
    runs: &[Run],
    a: &SeedIndex,
    a_tokens: &[u32],
    b: &SeedIndex,
    b_tokens: &[u32],
    rules: &Rules,
) -> Vec<Passage> {
    let clusters = cluster::link(&mut points, a, b, rules);
    let mut passages = Vec::new();
    for mut cluster in cluster::join(clusters, a, b, rules) {
        let densities = cluster::trim(&mut cluster, rules);
        let thin = densities.iter().any(|density| *density < rules.density);
        let short = (0..2).any(|side| cluster.bounds.words(side) < rules.words);
        if thin || short || cluster.weight < rules.weight {
            continue;
        }
        let tokens = |side: &SeedIndex, words: &Range<u32>| {
            side.content_words[words.start as usize]..side.content_words[words.end as usize - 1] + 1
        };
        let [in_a, in_b] = &cluster.bounds.0;
        let (mut in_a, mut in_b) = (tokens(a, in_a), tokens(b, in_b));
        ranges::grow(&mut in_a, a_tokens, &mut in_b, b_tokens);
        if densities.iter().any(|density| *density < rules.solid) {
            (in_a, in_b) = (ranges::snap(&in_a, a_tokens, rules.snap), ranges::snap(&in_b, b_tokens, rules.snap));
        }
        passages.push(Passage { a: in_a, b: in_b, equal: 0 });
    }
    ranges::add_runs(&mut passages, runs);
    ranges::unite(&mut passages);
    let part = |range: &Range<u32>| range.start as usize..range.end as usize;
    for passage in &mut passages {
        passage.equal = ranges::equal_tokens(&a_tokens[part(&passage.a)], &b_tokens[part(&passage.b)]);
    }
    // documents of few different words share pairs of them everywhere; copies that are long have some words in place
    passages.retain(|passage| {
        let shorter = passage.a.len().min(passage.b.len());
        shorter < rules.long || f64::from(passage.equal) >= rules.same * shorter as f64
    });
    passages
}
