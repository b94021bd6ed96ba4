//! Runs of equal tokens: every token of either side is in one passage at most, long passages come first, their order does not matter.
//!
//! All k-grams of one sequence stand in a table; each k-gram of the other that is there is the beginning of a run, which is followed to
//! its end. Of the runs, the longest is taken, then the longest of what is left: greedy string tiling. Sequences that repeat themselves
//! have very many runs; of those the long ones are found, and of the short ones some.

mod ends;
mod runs;
#[cfg(test)]
mod tests;
mod tiles;

pub use runs::{GramHashes, GramTable};

use super::Passage;
use runs::EqualRun;
use tiles::Tiles;

/// Finds passages; keeps its buffers.
#[derive(Clone, Debug)]
pub struct Tiler {
    k: usize,
    runs: Vec<EqualRun>,
    tiles: Tiles,
}

impl Tiler {
    /// Passages have at least `k` tokens.
    pub fn new(k: usize) -> Self {
        Self { k, runs: Vec::new(), tiles: Tiles::default() }
    }

    /// What two sequences share, in the order of the first; `grams` are those of the second.
    pub fn passages(&mut self, a: &GramTable<'_>, b: &[u32], grams: &GramHashes) -> Vec<Passage> {
        self.runs.clear();
        a.runs(b, grams, &mut self.runs);
        let mut tiles = self.tiles.tile(&mut self.runs, (a.tokens().len(), b.len()), self.k as u32);
        tiles.sort_unstable_by_key(|run| (run.a, run.b));
        tiles.iter().map(EqualRun::passage).collect()
    }
}

/// Joins passages that follow one another in both sequences with at most `gap` tokens between them on either side. Expects them in the
/// order of the first sequence, and does not join what another passage stands between.
pub fn join(passages: Vec<Passage>, gap: u32) -> Vec<Passage> {
    let mut joined: Vec<Passage> = Vec::with_capacity(passages.len());
    for passage in passages {
        match joined.last_mut() {
            Some(last)
                if passage.b.start >= last.b.end
                    && passage.a.start - last.a.end <= gap
                    && passage.b.start - last.b.end <= gap =>
            {
                last.a.end = passage.a.end;
                last.b.end = passage.b.end;
                last.equal += passage.equal;
            }
            _ => joined.push(passage),
        }
    }
    joined
}
