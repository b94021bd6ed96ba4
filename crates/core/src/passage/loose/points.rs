//! Where the two documents have something in common, as points of a plane: one axis for the heavy words of each document.

use super::Rules;
use super::prepared::{Prepared, is_kept, seed_place};
use super::runs::Run;
use std::ops::Range;

/// Heavy words that a point of an equal run stands for.
const RUN_STEP: u32 = 8;

/// A seed that both documents have, or a piece of an equal run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// First heavy word and how far the last is, in each document.
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
pub(super) fn of_seeds(a: &Prepared, b: &Prepared, rules: &Rules) -> Vec<Point> {
    let level = a.level.max(b.level);
    let mut points = Vec::new();
    for_each_common(upto(&a.seeds, level), upto(&b.seeds, level), |of_a, of_b| {
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

/// Seeds that a document of this level keeps.
fn upto(seeds: &[u64], level: u32) -> &[u64] {
    &seeds[..seeds.partition_point(|seed| is_kept((seed >> 32) as u32, level))]
}

/// Calls `each` with the keys of both lists that have the same upper half. Lists are sorted.
pub(super) fn for_each_common(a: &[u64], b: &[u64], mut each: impl FnMut(&[u64], &[u64])) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i] >> 32, b[j] >> 32);
        if x == y {
            let end = |keys: &[u64], from: usize| {
                from + keys[from..].iter().position(|key| key >> 32 != x).unwrap_or(keys.len() - from)
            };
            let (end_a, end_b) = (end(a, i), end(b, j));
            each(&a[i..end_a], &b[j..end_b]);
            (i, j) = (end_a, end_b);
        } else {
            i += usize::from(x < y);
            j += usize::from(y < x);
        }
    }
}

/// All pairs of the two lists.
pub(super) fn product<'k>(a: &'k [u64], b: &'k [u64]) -> impl Iterator<Item = (u64, u64)> + 'k {
    a.iter().flat_map(move |x| b.iter().map(move |y| (*x, *y)))
}

/// Points of the heavy words of equal runs.
pub(super) fn of_runs(a: &Prepared, b: &Prepared, runs: &[Run], points: &mut Vec<Point>) {
    for run in runs {
        let heavy = |side: &Prepared, from: u32| {
            let place = |at: u32| side.heavy.partition_point(|h| *h < at) as u32;
            place(from)..place(from + run.length)
        };
        let (in_a, in_b) = (heavy(a, run.a), heavy(b, run.b));
        let many = (in_a.end - in_a.start).min(in_b.end - in_b.start);
        for from in (0..many).step_by(RUN_STEP as usize) {
            let words = RUN_STEP.min(many - from);
            let far = [words as u8 - 1; 2];
            points.push(Point { at: [in_a.start + from, in_b.start + from], far, solid: true, weight: words as f32 });
        }
    }
}
