//! Fingerprints in memory: tables of all but the latest, which are looked through one by one.

use crate::error::Error;
use crate::huge_pages::HugePages;
use crate::options::check_distance;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::Tables;
use lookalike_core::hamming::plan::{PlanRequest, candidates};
use std::ops::ControlFlow;

/// So many may be looked through one by one, and one of so many of those in tables.
const MIN_LATEST: usize = 1024;
const LATEST_SHARE: u64 = 256;

/// Fingerprints and whose they are, to be asked for what is near.
///
/// ```
/// use lookalike_hamming::MemoryIndex;
/// use std::ops::ControlFlow;
///
/// let index = MemoryIndex::new(vec![(0b1011, 7), (u64::MAX, 8)], 3)?;
/// let mut found = Vec::new();
/// index.near(0b0001, 3, |id, distance| {
///     found.push((id, distance));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [(7, 2)]);
/// # Ok::<(), lookalike_hamming::Error>(())
/// ```
#[derive(Debug)]
pub struct MemoryIndex<F> {
    tables: Tables<F, HugePages>,
    latest: Vec<(F, u64)>,
    k: u32,
}

impl<F: FingerprintBits> MemoryIndex<F> {
    /// Of all these, for distances up to `k`.
    pub fn new(entries: Vec<(F, u64)>, k: u32) -> Result<Self, Error> {
        Self::try_new(entries, k, || Ok(()))
    }

    /// The same; it is asked now and then whether to go on.
    pub fn try_new<E: From<Error>>(
        entries: Vec<(F, u64)>,
        k: u32,
        check: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        check_distance(k)?;
        Ok(Self { tables: tables(entries, k, check)?, latest: Vec::new(), k })
    }

    /// Adds some.
    pub fn insert(&mut self, entries: impl IntoIterator<Item = (F, u64)>) -> Result<(), Error> {
        self.latest.extend(entries);
        if self.latest.len() > MIN_LATEST.max((self.tables.len() / LATEST_SHARE) as usize) {
            let mut all: Vec<(F, u64)> =
                self.tables.entries().map(|entry| entry.unwrap_or_else(|e| match e {})).collect();
            all.append(&mut self.latest);
            self.tables = tables(all, self.k, || Ok::<_, Error>(()))?;
        }
        Ok(())
    }

    /// Calls `each` with id and distance of everything within `k` of the query, in no order. A `k` above that of the index is taken as that.
    pub fn near(&self, query: F, k: u32, mut each: impl FnMut(u64, u32) -> ControlFlow<()>) {
        self.near_each(&[query], k, |_, id, distance| each(id, distance));
    }

    /// The same for many queries, which is faster than one after the other: `each` is told the place of the query, too.
    pub fn near_each(&self, queries: &[F], k: u32, mut each: impl FnMut(usize, u64, u32) -> ControlFlow<()>) {
        let k = k.min(self.k);
        let mut flow = ControlFlow::Continue(());
        let Ok(()) = self.tables.near_each(queries, k, |query, hit| {
            for row in hit.rows {
                let Ok(id) = self.tables.id(row);
                flow = each(query, id, hit.distance);
                if flow.is_break() {
                    break;
                }
            }
            flow
        });
        for (query, asked) in queries.iter().enumerate() {
            for (fingerprint, id) in &self.latest {
                if flow.is_break() {
                    return;
                }
                let distance = fingerprint.distance(*asked);
                if distance <= k {
                    flow = each(query, *id, distance);
                }
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.tables.len() + self.latest.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn tables<F: FingerprintBits, E: From<Error>>(
    entries: Vec<(F, u64)>,
    k: u32,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Tables<F, HugePages>, E> {
    let fingerprints = (entries.len() as u64).max(1);
    // the fastest, at up to sixteen times the room of the fingerprints alone
    let memory = fingerprints.saturating_mul(u64::from(F::WIDTH) * 2);
    let request = PlanRequest { width: F::WIDTH, fingerprints, k, id_bits: 32, memory };
    Tables::try_build(candidates(&request)[0].design, entries, |bytes| {
        check()?;
        Ok(HugePages::of(&bytes)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_what_a_look_at_all_finds() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 29)
        };
        let mut all: Vec<(u64, u64)> = (0..3000).map(|id| (random(), id)).collect();
        for id in 3000..6000u64 {
            let (near, _) = all[(random() % 3000) as usize];
            all.push((near ^ (1 << (random() % 64)) ^ (1 << (random() % 64)), id));
        }
        let (first, rest) = all.split_at(2000);
        let mut index = MemoryIndex::new(first.to_vec(), 3).unwrap();
        for some in rest.chunks(700) {
            index.insert(some.iter().copied()).unwrap();
        }
        assert_eq!(index.len(), 6000);
        let queries: Vec<u64> = all.iter().map(|(query, _)| *query).step_by(97).collect();
        for k in 0..=3 {
            let mut together = vec![Vec::new(); queries.len()];
            index.near_each(&queries, k, |query, id, distance| {
                together[query].push((id, distance));
                ControlFlow::Continue(())
            });
            for (query, mut together) in queries.iter().zip(together) {
                let mut found = Vec::new();
                index.near(*query, k, |id, distance| {
                    found.push((id, distance));
                    ControlFlow::Continue(())
                });
                found.sort_unstable();
                together.sort_unstable();
                let naive = all.iter().map(|(f, id)| (*id, (f ^ query).count_ones()));
                let naive: Vec<(u64, u32)> = naive.filter(|(_, distance)| *distance <= k).collect();
                assert_eq!(found, naive);
                assert_eq!(together, naive);
            }
        }
        let mut calls = 0;
        index.near_each(&queries, 3, |_, _, _| {
            calls += 1;
            if calls < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(calls, 5);
        assert!(MemoryIndex::<u64>::new(Vec::new(), 99).is_err());
        assert!(MemoryIndex::<u64>::new(Vec::new(), 3).unwrap().is_empty());
    }
}
