//! What winnowing selected, beside what the paper expects: its figures 3 and 4.

use crate::Error;
use crate::lens::passages::family::Method;
use crate::lens::passages::reading::Library;
use crate::lens::passages::tally::{WinnowCounts, p};
use crate::report::passages::{RankRow, WinnowStats, ZeroMod};
use lookalike_core::passage::Family;
use std::collections::BTreeMap;

/// Rows of the table of ranks at most.
const MAX_ROWS: usize = 400;

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
            _ => close(last.replace((posting.hash, library.documents[posting.document as usize].family, 1))),
        }
    }
    close(last);
    let used = methods.iter().zip(&library.tally.0).zip(&occurring).filter(|((_, counts), _)| counts.hashes > 0);
    Ok(used.map(|((method, counts), occurring)| of_family(method, counts, occurring)).collect())
}

fn of_family(method: &Method, counts: &WinnowCounts, occurring: &BTreeMap<u64, u64>) -> WinnowStats {
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
    if rows.len() <= MAX_ROWS {
        return rows;
    }
    let last = rows.len() - 1;
    let step = (rows[last].rank as f64).ln() / (MAX_ROWS as f64 - 2.0);
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
        assert!(kept.len() <= MAX_ROWS && kept.len() > MAX_ROWS / 4, "{}", kept.len());
        assert_eq!((kept.first(), kept.last()), (rows.first(), rows.last()));
    }
}
