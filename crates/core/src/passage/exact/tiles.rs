//! Tiles: of many runs that overlap, those that are taken.

use super::runs::EqualRun;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which tokens are taken, on both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiles {
    taken_a: Vec<bool>,
    taken_b: Vec<bool>,
}

impl Tiles {
    /// Takes the longest run, then the longest of what is left of the others, as long as any has `k` tokens. Of equally long ones the
    /// one that is first in the first sequence, then in the second.
    pub(super) fn tile(&mut self, runs: &mut Vec<EqualRun>, (a, b): (usize, usize), k: u32) -> Vec<EqualRun> {
        for (taken, length) in [(&mut self.taken_a, a), (&mut self.taken_b, b)] {
            taken.clear();
            taken.resize(length, false);
        }
        let order = |run: &EqualRun| (run.length, Reverse((run.a, run.b)));
        runs.sort_unstable_by_key(order);
        // what others leave of a run waits apart: sorting the many is faster than keeping them in a heap
        let mut rests: BinaryHeap<_> = BinaryHeap::new();
        let mut tiles = Vec::new();
        loop {
            let from_rests = match (runs.last().map(order), rests.peek()) {
                (None, None) => return tiles,
                (whole, rest) => rest.copied() > whole,
            };
            let rest = if from_rests { rests.pop() } else { None };
            let whole = rest.map(|(length, Reverse((a, b)))| EqualRun { length, a, b });
            let Some(run) = whole.or_else(|| runs.pop()) else { return tiles };
            if self.is_free(run) {
                self.take(run);
                tiles.push(run);
            } else {
                self.for_each_free(run, |rest| {
                    if rest.length >= k {
                        rests.push(order(&rest));
                    }
                });
            }
        }
    }

    fn sides(&mut self, run: EqualRun) -> (&mut [bool], &mut [bool]) {
        let (a, b, length) = (run.a as usize, run.b as usize, run.length as usize);
        (&mut self.taken_a[a..a + length], &mut self.taken_b[b..b + length])
    }

    fn is_free(&mut self, run: EqualRun) -> bool {
        let (a, b) = self.sides(run);
        !a.contains(&true) && !b.contains(&true)
    }

    fn take(&mut self, run: EqualRun) {
        let (a, b) = self.sides(run);
        a.fill(true);
        b.fill(true);
    }

    /// The longest stretches of a run that are free on both sides.
    fn for_each_free(&mut self, run: EqualRun, mut each: impl FnMut(EqualRun)) {
        let (a, b) = self.sides(run);
        let mut start = None;
        for at in 0..=a.len() {
            let free = at < a.len() && !a[at] && !b[at];
            match (start, free) {
                (None, true) => start = Some(at),
                (Some(from), false) => {
                    each(EqualRun { length: (at - from) as u32, a: run.a + from as u32, b: run.b + from as u32 });
                    start = None;
                }
                _ => {}
            }
        }
    }
}
