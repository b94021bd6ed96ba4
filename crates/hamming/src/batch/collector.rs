//! Pairs on their way to the list: all of them, or the nearest of each query.

use crate::error::Error;
use bytemuck::{Pod, Zeroable};
use lookalike_store::{ExternalSort, Records, TempSpace};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// A query and a fingerprint that is near it. By query, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Pair {
    /// The id of the query.
    pub query: u64,
    /// In how many bits the two differ.
    pub distance: u64,
    /// The id of the fingerprint.
    pub fingerprint: u64,
}

/// Of each query the distance and the id of what is nearest, the farthest of them on top.
type NearestByQuery = FxHashMap<u64, BinaryHeap<(u64, u64)>>;

/// So many locks: threads seldom wait for each other.
const SHARDS: usize = 64;
/// Pairs that a thread keeps to itself.
const MAX_LOCAL_PAIRS: usize = 1 << 14;

/// What was found so far.
pub(super) struct PairCollector {
    queries_held: bool,
    limit: Option<u64>,
    count: AtomicU64,
    all: Mutex<ExternalSort<Pair>>,
    /// With a limit, by the place of the query where queries are held, or else by its id.
    best: Vec<Mutex<NearestByQuery>>,
}

/// Those in memory with the same fingerprint: its place, and their ids in order.
pub(super) struct HeldGroup<'a, F> {
    pub(super) place: usize,
    pub(super) entries: &'a [(F, u64)],
}

impl PairCollector {
    pub(super) fn new(space: &Arc<TempSpace>, memory: u64, queries_held: bool, limit: Option<u64>) -> Self {
        let all = Mutex::new(ExternalSort::new(space, "the pairs", (memory / 8) as usize));
        let best = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { queries_held, limit, count: AtomicU64::new(0), all, best }
    }

    /// Ids that passed by, in order and with the same fingerprint, and those in memory that it is near. `own` is what the thread keeps to
    /// itself, until it is [appended](Self::append).
    pub(super) fn add<F>(
        &self,
        passing: &[u64],
        same: &HeldGroup<'_, F>,
        distance: u32,
        own: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.count.fetch_add(passing.len() as u64 * same.entries.len() as u64, Relaxed);
        let distance = u64::from(distance);
        let held = || same.entries.iter().map(|(_, id)| *id);
        let Some(limit) = self.limit else {
            for passing in passing {
                for held in held() {
                    let (query, fingerprint) = if self.queries_held { (held, *passing) } else { (*passing, held) };
                    own.push(Pair { query, distance, fingerprint });
                    if own.len() >= MAX_LOCAL_PAIRS {
                        self.append(own)?;
                    }
                }
            }
            return Ok(());
        };
        // ids of the same fingerprint come in order: those beyond the limit would all be farther
        if self.queries_held {
            self.nearest(same.place as u64, distance, passing.iter().copied(), limit);
        } else {
            for query in passing {
                self.nearest(*query, distance, held(), limit);
            }
        }
        Ok(())
    }

    /// Ids at one distance from a query, in order.
    fn nearest(&self, query: u64, distance: u64, ids: impl Iterator<Item = u64>, limit: u64) {
        let shard = (query.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        let mut best = self.best[shard].lock().expect("no panic with the lock");
        let heap = best.entry(query).or_default();
        for id in ids.take(limit as usize) {
            let key = (distance, id);
            if (heap.len() as u64) < limit {
                heap.push(key);
                continue;
            }
            match heap.peek_mut() {
                Some(mut worst) if key < *worst => *worst = key,
                _ => break,
            }
        }
    }

    /// Takes the pairs that a thread kept to itself.
    pub(super) fn append(&self, own: &mut Vec<Pair>) -> Result<(), Error> {
        if !own.is_empty() {
            let mut all = self.all.lock().expect("no panic with the lock");
            own.drain(..).try_for_each(|pair| all.push(pair))?;
        }
        Ok(())
    }

    /// A partition is done: where queries are held, whose the places are is known only now.
    pub(super) fn end_partition<'p, F: 'p>(&self, same: impl Fn(usize) -> &'p [(F, u64)]) -> Result<(), Error> {
        if self.queries_held {
            self.list_nearest(|place, all| same(place as usize).iter().try_for_each(|(_, query)| all(*query)))?;
        }
        Ok(())
    }

    /// Lists the nearest; `queries` calls for every query of a key.
    fn list_nearest(
        &self,
        queries: impl Fn(u64, &mut dyn FnMut(u64) -> Result<(), Error>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut all = self.all.lock().expect("no panic with the lock");
        for shard in &self.best {
            let best = std::mem::take(&mut *shard.lock().expect("no panic with the lock"));
            #[expect(clippy::iter_over_hash_type, reason = "sorted afterwards")]
            for (key, heap) in best {
                queries(key, &mut |query| {
                    heap.iter()
                        .try_for_each(|&(distance, fingerprint)| Ok(all.push(Pair { query, distance, fingerprint })?))
                })?;
            }
        }
        Ok(())
    }

    /// The pairs that are listed, in order, and how many there are.
    pub(super) fn finish(self) -> Result<(Records<Pair>, u64), Error> {
        self.list_nearest(|query, all| all(query))?;
        Ok((self.all.into_inner().expect("no panic with the lock").finish()?, self.count.into_inner()))
    }
}
