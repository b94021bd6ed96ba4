//! Every fingerprint of one file that is near one of another (the paper's §3.3): the smaller side in memory, the other passes by.

mod collector;
mod deferred;
mod held;
mod partition;

pub use collector::Pair;
pub use held::HeldFingerprints;

use crate::error::Error;
use crate::file::{FingerprintFile, FingerprintReader, IdKind, IdNames, Names, RecordBatch, SharedReader};
use crate::options::{SearchOptions, check_distance};
use collector::{HeldGroup, PairCollector};
use deferred::DeferredQueries;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::{MAX_PROBED, ProbeBuffer};
use lookalike_store::{Cancel, Progress, Records, TempSpace, Unit};
use partition::{BatchPlan, Partition, PartitionMatch, plan_batch};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a batch found.
#[derive(Debug)]
pub struct BatchResult {
    /// Fingerprints that were looked through.
    pub fingerprints: u64,
    /// Queries.
    pub queries: u64,
    /// Pairs there are; those that are listed may be fewer, with a limit.
    pub pairs: u64,
    /// Whether the queries were the side that was held in memory.
    pub queries_held: bool,
    /// How often the other passed by.
    pub passes: u64,
    /// The design of the side in memory.
    pub design: String,
    pairs_listed: Records<Pair>,
    /// What queries are called.
    pub query_names: IdNames,
    /// What fingerprints are called.
    pub fingerprint_names: IdNames,
}

impl BatchResult {
    /// The pairs that are listed, by query, the nearest first.
    pub fn pairs(&self) -> impl Iterator<Item = Result<Pair, Error>> + '_ {
        self.pairs_listed.iter().map(|pair| Ok(pair?))
    }

    /// How many pairs are listed.
    pub fn listed(&self) -> u64 {
        self.pairs_listed.len()
    }
}

/// Finds all pairs of a query and a fingerprint that differ in few bits.
pub fn batch<F: FingerprintBits>(
    fingerprints: &FingerprintFile,
    queries: &FingerprintFile,
    options: &SearchOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<BatchResult, Error> {
    check_distance(options.distance)?;
    if fingerprints.is_stream() && queries.is_stream() {
        return Err(Error::TwoStreams);
    }
    options.resources.pool()?.install(|| {
        let (of_fingerprints, of_queries) = (fingerprints.open::<F>()?, queries.open::<F>()?);
        // a stream is read once only: the other side passes by, perhaps several times
        let queries_held = match (of_fingerprints.len(), of_queries.len()) {
            _ if queries.is_stream() => true,
            _ if fingerprints.is_stream() => false,
            (Some(fingerprints), Some(queries)) => queries <= fingerprints,
            _ => true,
        };
        let space = Arc::new(options.resources.temp_space()?);
        let run = BatchRun { options, progress, cancel, queries_held, space };
        if queries_held {
            run.run(queries, of_queries, fingerprints, of_fingerprints)
        } else {
            run.run(fingerprints, of_fingerprints, queries, of_queries)
        }
    })
}

/// Turns of a thread, at least, and fingerprints that it takes for one at least, if that many are allowed.
const MIN_TURNS: u64 = 4;
const MIN_AT_ONCE: usize = 1 << 21;

struct BatchRun<'a> {
    options: &'a SearchOptions,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
    queries_held: bool,
    space: Arc<TempSpace>,
}

/// The side in memory while it is read: fingerprints and whose they are.
struct HeldSide<F: FingerprintBits> {
    file: FingerprintReader<F>,
    rest: Vec<(F, u64)>,
    read: u64,
}

impl<F: FingerprintBits> HeldSide<F> {
    /// Up to so many more, sorted; none at the end.
    fn next(&mut self, most: u64) -> Result<Vec<(F, u64)>, Error> {
        let mut some = RecordBatch::default();
        while (self.rest.len() as u64) < most {
            let read = some.next(&mut self.file)?;
            if read == 0 {
                break;
            }
            self.read += read as u64;
            self.rest.extend(some.entries());
        }
        let later = self.rest.split_off(self.rest.len().min(most as usize));
        let mut partition = std::mem::replace(&mut self.rest, later);
        partition.sort_unstable();
        Ok(partition)
    }
}

impl BatchRun<'_> {
    fn run<F: FingerprintBits>(
        &self,
        held_file: &FingerprintFile,
        held: FingerprintReader<F>,
        passing_file: &FingerprintFile,
        passing: FingerprintReader<F>,
    ) -> Result<BatchResult, Error> {
        let (held_ids, passing_ids) = (held.ids(), passing.ids());
        // what is not known is taken for much: a neighbour table that is larger than need be costs little
        let expected = passing.len().unwrap_or(1 << 26);
        let memory = self.options.resources.memory;
        let plan = plan_batch::<F>(held.len().unwrap_or(1 << 20), expected, self.options.distance, memory);
        let mut held = HeldSide { file: held, rest: Vec::new(), read: 0 };
        let found = PairCollector::new(&self.space, memory, self.queries_held, self.options.limit);
        let (mut passed, mut passes, mut first) = (0, 0, Some(passing));
        let mut passing_names = None;
        self.progress.begin("batch", Unit::Bytes, None);
        loop {
            let partition = held.next(plan.partition)?;
            if partition.is_empty() && passes > 0 {
                break;
            }
            let passing = match first.take() {
                Some(passing) => passing,
                None if passing_file.is_stream() => {
                    return Err(Error::StreamOnce);
                }
                None => passing_file.open()?,
            };
            let (count, names) = self.pass(&partition, plan, passing, &found)?;
            passed = count;
            passing_names = names.or(passing_names);
            passes += 1;
        }
        self.progress.end();
        let (held_read, held_names) = (held.read, held.file.into_names());
        let (pairs_listed, pairs) = found.finish()?;
        let (query_side, fingerprint_side) =
            ((held_file, held_ids, held_names), (passing_file, passing_ids, passing_names));
        let (query_side, fingerprint_side) =
            if self.queries_held { (query_side, fingerprint_side) } else { (fingerprint_side, query_side) };
        let ids_of = |pick: fn(&Pair) -> u64, ids: IdKind| -> Result<Vec<u64>, Error> {
            if ids == IdKind::Names {
                pairs_listed.iter().map(|pair| Ok(pick(&pair?))).collect()
            } else {
                Ok(Vec::new())
            }
        };
        let names = |(file, ids, read): (&FingerprintFile, IdKind, Option<Names>), pick| -> Result<IdNames, Error> {
            Ok(file.id_names::<F>(ids, read, ids_of(pick, ids)?)?)
        };
        let query_names = names(query_side, |pair| pair.query)?;
        let fingerprint_names = names(fingerprint_side, |pair| pair.fingerprint)?;
        let (queries, fingerprints) = if self.queries_held { (held_read, passed) } else { (passed, held_read) };
        let design = plan.design.to_string();
        let queries_held = self.queries_held;
        Ok(BatchResult {
            fingerprints,
            queries,
            pairs,
            queries_held,
            passes,
            design,
            pairs_listed,
            query_names,
            fingerprint_names,
        })
    }

    /// All that passes by is compared with a partition. How many those are, and their names if they had to be kept.
    fn pass<F: FingerprintBits>(
        &self,
        entries: &[(F, u64)],
        plan: BatchPlan,
        passing: FingerprintReader<F>,
        found: &PairCollector,
    ) -> Result<(u64, Option<Names>), Error> {
        let (mut fingerprints, mut starts) = (Vec::new(), Vec::new());
        for (at, (fingerprint, _)) in entries.iter().enumerate() {
            if fingerprints.last() != Some(fingerprint) {
                fingerprints.push(*fingerprint);
                starts.push(at);
            }
        }
        starts.push(entries.len());
        let same = |place: usize| HeldGroup { place, entries: &entries[starts[place]..starts[place + 1]] };
        let partition = Partition::new(fingerprints, plan, self.options.distance)?;
        let deferred = DeferredQueries::new(&self.space, self.options.resources.memory);
        let threads = rayon::current_num_threads();
        // with its id and what dividing it takes
        let bytes = (size_of::<F>() + 24) * threads;
        let at_once = MAX_PROBED.min(self.options.resources.memory as usize / 8 / bytes);
        // of what is not very much, every thread has several turns, so none waits long for the last
        let turns = passing.len().unwrap_or(u64::MAX).div_ceil(threads as u64 * MIN_TURNS) as usize;
        let at_once = at_once.min(turns.max(MIN_AT_ONCE));
        let (shared, passed) = (SharedReader::new(passing), AtomicU64::new(0));
        let work = || -> Result<(), Error> {
            let (mut some, mut pairs, mut dense) = (RecordBatch::default(), Vec::new(), Vec::new());
            let mut buffer = ProbeBuffer::default();
            while shared.next(&mut some, at_once)? > 0 {
                self.cancel.check()?;
                let mut added = Ok(());
                let near = |at: usize, near: PartitionMatch| {
                    if added.is_ok() {
                        added = found.add(&[some.id(at)], &same(near.held), near.distance, &mut pairs);
                    }
                };
                partition.search_all(&some.fingerprints, &mut buffer, near, |at, selector| {
                    dense.push(DeferredQueries::entry(some.fingerprints[at], selector, some.id(at)));
                });
                added?;
                found.append(&mut pairs)?;
                deferred.append(&mut dense)?;
                passed.fetch_add(some.fingerprints.len() as u64, Relaxed);
                self.progress.advance((some.fingerprints.len() * size_of::<F>()) as u64);
            }
            Ok(())
        };
        (0..threads).into_par_iter().with_max_len(1).try_for_each(|_| work())?;
        deferred.each(|fingerprint: F, selector, ids| {
            self.cancel.check()?;
            let (mut pairs, mut added) = (Vec::new(), Ok(()));
            partition.search(fingerprint, selector, |near| {
                if added.is_ok() {
                    added = found.add(ids, &same(near.held), near.distance, &mut pairs);
                }
            });
            added?;
            found.append(&mut pairs)
        })?;
        found.end_partition(|place| same(place).entries)?;
        Ok((passed.into_inner(), shared.into_inner().into_names()))
    }
}
