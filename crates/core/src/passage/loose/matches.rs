//! What two documents share: seeds and equal runs, as points of a plane with one axis for the content words of each document.

use super::Rules;
use super::seed_index::{SeedIndex, seed_place};
use super::token::equal;
use std::ops::Range;

/// Content words that a point of an equal run stands for.
const RUN_STEP: u32 = 8;

/// A seed that both documents have, or a piece of an equal run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// First content word and how far the last is, in each document.
    pub(super) at: [u32; 2],
    pub(super) far: [u8; 2],
    /// Whether the words between first and last count as well.
    pub(super) solid: bool,
    pub(super) weight: f32,
}

impl Point {
    pub(super) fn range(&self, side: usize) -> Range<u32> {
        self.at[side]..self.at[side] + u32::from(self.far[side]) + 1
    }
}

/// Points of seeds that are rare enough in both.
pub(super) fn of_seeds(a: &SeedIndex, b: &SeedIndex, rules: &Rules) -> Vec<Point> {
    let mut points = Vec::new();
    a.seeds.for_each_shared(&b.seeds, |of_a, of_b| {
        let many = of_a.len() * of_b.len();
        if many <= rules.often {
            let weight = 1.0 / (many * many) as f32;
            for ((x, far_x), (y, far_y)) in product(of_a, of_b).map(|(x, y)| (seed_place(x), seed_place(y))) {
                points.push(Point { at: [x, y], far: [far_x as u8, far_y as u8], solid: false, weight });
            }
        }
    });
    points
}

/// All pairs of the two lists.
pub(super) fn product<'k>(a: &'k [u64], b: &'k [u64]) -> impl Iterator<Item = (u64, u64)> + 'k {
    a.iter().flat_map(move |x| b.iter().map(move |y| (*x, *y)))
}

/// Points of the content words of equal runs.
pub(super) fn of_runs(a: &SeedIndex, b: &SeedIndex, runs: &[Run], points: &mut Vec<Point>) {
    for run in runs {
        let content_words = |side: &SeedIndex, from: u32| {
            let place = |at: u32| side.content_words.partition_point(|place| *place < at) as u32;
            place(from)..place(from + run.length)
        };
        let (in_a, in_b) = (content_words(a, run.a), content_words(b, run.b));
        let many = (in_a.end - in_a.start).min(in_b.end - in_b.start);
        for from in (0..many).step_by(RUN_STEP as usize) {
            let words = RUN_STEP.min(many - from);
            let far = [words as u8 - 1; 2];
            points.push(Point { at: [in_a.start + from, in_b.start + from], far, solid: true, weight: words as f32 });
        }
    }
}

/// Tokens that may be compared for each token of the documents: a bound for text made of nothing but repetitions.
const MAX_COMPARED_PER_TOKEN: usize = 16;

/// A maximal equal run, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) length: u32,
}

/// The maximal runs of at least `rules.run` tokens through the grams that both documents have. Of grams that are common in both,
/// each occurrence is held against one of the other document.
pub(super) fn equal_runs(a: &SeedIndex, a_tokens: &[u32], b: &SeedIndex, b_tokens: &[u32], rules: &Rules) -> Vec<Run> {
    let mut starts: Vec<(i64, u32)> = Vec::new();
    let mut start = |x: u64, y: u64| starts.push((i64::from(x as u32) - i64::from(y as u32), x as u32));
    a.grams.for_each_shared(&b.grams, |of_a, of_b| {
        if of_a.len() * of_b.len() <= rules.often {
            product(of_a, of_b).for_each(|(x, y)| start(x, y));
        } else {
            for i in 0..of_a.len().max(of_b.len()) {
                start(of_a[i % of_a.len()], of_b[i % of_b.len()]);
            }
        }
    });
    starts.sort_unstable();
    let mut left = MAX_COMPARED_PER_TOKEN * (a_tokens.len() + b_tokens.len());
    let mut runs = Vec::new();
    // where the last run ended, and on which diagonal
    let mut last = (i64::MIN, 0);
    for (diagonal, x) in starts {
        let y = (i64::from(x) - diagonal) as usize;
        let x = x as usize;
        if last.0 == diagonal && x < last.1 {
            continue;
        }
        let least = if last.0 == diagonal { last.1 } else { 0 };
        let same = |(a, b): &(&u32, &u32)| equal(**a, **b);
        let before = a_tokens[least..x].iter().rev().zip(b_tokens[..y].iter().rev());
        let back = before.take(left).take_while(same).count();
        let after = a_tokens[x..].iter().zip(&b_tokens[y..]);
        let ahead = after.take(left).take_while(same).count();
        left = left.saturating_sub(back + ahead);
        last = (diagonal, x + ahead);
        if back + ahead >= rules.run {
            runs.push(Run { a: (x - back) as u32, b: (y - back) as u32, length: (back + ahead) as u32 });
        }
    }
    runs
}
