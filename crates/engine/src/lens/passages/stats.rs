//! What winnowing selected, beside what the paper expects: its figures 3 and 4.

use crate::Error;
use crate::lens::passages::family::Method;
use crate::lens::passages::reading::Library;
use crate::report::passages::{RankRow, WinnowStats, ZeroMod};
use lookalike_core::passage::Family;
use lookalike_core::winnow::{KgramFingerprint, Select, select};
use std::collections::BTreeMap;

/// Rows of the table of ranks at most.
const ROWS: usize = 400;

/// Counts of one family.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    hashes: u64,
    fingerprints: u64,
    longest_gap: u64,
    zero_mod: ZeroMod,
}

/// Counts of all families.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally([Counts; 3]);

/// The p that selects as many of random hashes as winnowing does: (w + 1) / 2.
fn p(method: &Method) -> u64 {
    (method.winnowing.w() as u64).div_ceil(2).max(1)
}

impl Tally {
    /// Counts what was selected of one document.
    pub fn of(method: &Method, tokens: &[u32], found: &[KgramFingerprint], hashes: u64) -> Self {
        let mut grams = Vec::with_capacity(hashes as usize);
        method.grams(tokens, &mut grams);
        let all: Vec<u64> = grams.iter().map(|gram| gram.hash).collect();
        let mut zeros = Vec::new();
        select(&all, 1, Select::ZeroMod(p(method)), |at| zeros.push(at));
        let at = |fingerprint: &KgramFingerprint| grams.partition_point(|gram| gram.position < fingerprint.position);
        let chosen: Vec<usize> = found.iter().map(at).collect();
        let mut tally = Self::default();
        tally.0[method.family as usize] = Counts {
            hashes,
            fingerprints: found.len() as u64,
            longest_gap: longest_gap(&chosen, grams.len()),
            zero_mod: ZeroMod {
                p: p(method),
                fingerprints: zeros.len() as u64,
                longest_gap: longest_gap(&zeros, grams.len()),
            },
        };
        tally
    }

    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.hashes += theirs.hashes;
            mine.fingerprints += theirs.fingerprints;
            mine.longest_gap = mine.longest_gap.max(theirs.longest_gap);
            mine.zero_mod.fingerprints += theirs.zero_mod.fingerprints;
            mine.zero_mod.longest_gap = mine.zero_mod.longest_gap.max(theirs.zero_mod.longest_gap);
        }
    }
}

/// Hashes in a row of which none was selected, at most.
fn longest_gap(selected: &[usize], hashes: usize) -> u64 {
    let mut longest = 0;
    let mut next = 0;
    for at in selected.iter().copied().chain([hashes]) {
        longest = longest.max(at - next);
        next = at + 1;
    }
    longest as u64
}

/// The statistics of every family that occurs. Needs a library that keeps repeated fingerprints.
pub fn statistics(library: &Library, methods: &[Method; 3]) -> Result<Vec<WinnowStats>, Error> {
    // by family: how many fingerprints occur how often
    let mut occurring: [BTreeMap<u64, u64>; 3] = Default::default();
    let mut last: Option<(u64, Family, u64)> = None;
    let mut close = |group: Option<(u64, Family, u64)>| {
        if let Some((_, family, count)) = group {
            *occurring[family as usize].entry(count).or_default() += 1;
        }
    };
    for posting in library.postings.iter() {
        let posting = posting?;
        match &mut last {
            Some((hash, _, count)) if *hash == posting.hash => *count += 1,
            _ => close(last.replace((posting.hash, library.known[posting.document as usize].family, 1))),
        }
    }
    close(last);
    let used = methods.iter().zip(&library.tally.0).zip(&occurring).filter(|((_, counts), _)| counts.hashes > 0);
    Ok(used.map(|((method, counts), occurring)| of_family(method, counts, occurring)).collect())
}

fn of_family(method: &Method, counts: &Counts, occurring: &BTreeMap<u64, u64>) -> WinnowStats {
    let distinct: u64 = occurring.values().sum();
    let share = |n: u64| if distinct == 0 { 0.0 } else { n as f64 / distinct as f64 };
    let times = |n: u64| occurring.get(&n).copied().unwrap_or_default();
    let few = times(1) + times(2) + times(3);
    let ranks = ranks(occurring);
    WinnowStats {
        family: method.family.name(),
        w: method.winnowing.w() as u32,
        hashes: counts.hashes,
        fingerprints: counts.fingerprints,
        density: counts.fingerprints as f64 / counts.hashes as f64,
        expected: method.winnowing.density(),
        longest_gap: counts.longest_gap,
        zero_mod: ZeroMod { p: p(method), ..counts.zero_mod },
        occurring: [share(times(1)), share(times(2)), share(times(3)), share(distinct - few)],
        slope: slope(&ranks),
        ranks: thinned(ranks),
    }
}

/// Both ends of each plateau: fingerprints that occur equally often share a frequency over many ranks.
fn ranks(occurring: &BTreeMap<u64, u64>) -> Vec<RankRow> {
    let mut rows = Vec::new();
    let mut before = 0;
    for (frequency, count) in occurring.iter().rev() {
        rows.push(RankRow { rank: before + 1, frequency: *frequency });
        rows.push(RankRow { rank: before + count, frequency: *frequency });
        before += count;
    }
    rows
}

/// The line through the ends of all plateaus, by least squares on a log-log plot.
fn slope(rows: &[RankRow]) -> f64 {
    let points = || rows.iter().map(|row| ((row.rank as f64).ln(), (row.frequency as f64).ln()));
    let n = rows.len() as f64;
    let (x, y) = points().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / n, sy + y / n));
    let (xy, xx) = points().fold((0.0, 0.0), |(xy, xx), (px, py)| (xy + (px - x) * (py - y), xx + (px - x).powi(2)));
    if xx > 0.0 { xy / xx } else { 0.0 }
}

/// Enough rows to draw the curve: those far from each other in rank.
fn thinned(rows: Vec<RankRow>) -> Vec<RankRow> {
    if rows.len() <= ROWS {
        return rows;
    }
    let last = rows.len() - 1;
    let step = (rows[last].rank as f64).ln() / (ROWS as f64 - 2.0);
    let mut next = 0.0;
    let kept = rows.into_iter().enumerate().filter(|(at, row)| {
        let here = (row.rank as f64).ln() >= next || *at == last;
        if here {
            next = (row.rank as f64).ln() + step;
        }
        here
    });
    kept.map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_reach_from_end_to_end() {
        assert_eq!(longest_gap(&[3, 5], 10), 4);
        assert_eq!(longest_gap(&[], 8), 8);
        assert_eq!(longest_gap(&[0, 1, 2], 3), 0);
        assert_eq!(longest_gap(&[], 0), 0);
    }

    #[test]
    fn plateaus_have_two_ends_and_a_slope() {
        // frequency 8 once, 4 twice, 1 for sixteen: ranks 1, 2–3, 4–19
        let occurring = BTreeMap::from([(1, 16), (4, 2), (8, 1)]);
        let rows = ranks(&occurring);
        let plain: Vec<(u64, u64)> = rows.iter().map(|row| (row.rank, row.frequency)).collect();
        assert_eq!(plain, [(1, 8), (1, 8), (2, 4), (3, 4), (4, 1), (19, 1)]);
        assert!(slope(&rows) < -0.5);
        let line: Vec<RankRow> = (0..10).map(|i| RankRow { rank: 1 << i, frequency: 1 << (20 - i) }).collect();
        assert!((slope(&line) + 1.0).abs() < 1e-9);
    }

    #[test]
    fn long_tables_are_thinned() {
        let rows: Vec<RankRow> = (1..100_000).map(|rank| RankRow { rank, frequency: 100_000 - rank }).collect();
        let kept = thinned(rows.clone());
        assert!(kept.len() <= ROWS && kept.len() > ROWS / 4, "{}", kept.len());
        assert_eq!((kept.first(), kept.last()), (rows.first(), rows.last()));
    }
}
