//! The side that is held in memory, in as many partitions as it takes, each ready to be searched.

use crate::error::Error;
use crate::huge_pages::HugePages;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::plan::{PlanRequest, candidates};
use lookalike_core::hamming::{
    Design, Hit, NeighbourTable, ProbeBuffer, Probed, Tables, UnfilledTable, neighbour_table_cost,
};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Nanoseconds for each byte of a neighbour table that is made, as measured.
const FILL_NANOS: f64 = 0.7;
/// Nanoseconds for each fingerprint that is read to pass by.
const READ_NANOS: f64 = 2.0;
/// Nanoseconds for each fingerprint that is deferred, beside the search itself: it is sorted and searched for alone.
const DEFER_NANOS: f64 = 1500.0;
/// Fingerprints of a partition, at most: an entry of a neighbour table has no room for more.
const MAX_PARTITION: u64 = 1 << 23;

/// How the side in memory is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BatchPlan {
    pub(super) design: Design,
    /// Fingerprints of a partition.
    pub(super) partition: u64,
    pub(super) neighbour_table: bool,
}

/// The fastest plan for so many in memory, so many that pass by, and so many bytes.
pub(super) fn plan_batch<F: FingerprintBits>(held: u64, passing: u64, k: u32, memory: u64) -> BatchPlan {
    let mut best: Option<(f64, BatchPlan)> = None;
    let mut offer = |cost: f64, plan: BatchPlan| {
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, plan));
        }
    };
    for blocks in 1..=4 {
        let design = Design::Choose { blocks, lead: 1 };
        for partition in (8..=23).map(|bits| 1u64 << bits) {
            // beside the neighbour table: the fingerprints, whose they are, and what sorts them
            let beside = partition.min(held) * 64;
            if let Some(cost) = neighbour_table_cost::<F>(design, k, partition.min(held))
                && cost.bytes + beside <= memory / 2
            {
                let passes = held.div_ceil(partition).max(1) as f64;
                offer(
                    passes
                        * (passing as f64 * (READ_NANOS + cost.probe_nanos)
                            + (cost.bytes + beside) as f64 * FILL_NANOS),
                    BatchPlan { design, partition, neighbour_table: true },
                );
            }
        }
    }
    let partition = (memory / 2 / 100).clamp(1 << 8, MAX_PARTITION.max(held));
    let request =
        PlanRequest { width: F::WIDTH, fingerprints: held.min(partition).max(1), k, id_bits: 32, memory: memory / 2 };
    for candidate in candidates(&request).iter().filter(|candidate| candidate.fits) {
        let passes = held.div_ceil(partition).max(1) as f64;
        offer(
            passes * passing as f64 * (candidate.micros * 1000.0 + DEFER_NANOS),
            BatchPlan { design: candidate.design, partition, neighbour_table: false },
        );
    }
    best.map_or(
        BatchPlan { design: Design::Choose { blocks: 1, lead: 1 }, partition: 1 << 8, neighbour_table: false },
        |(_, plan)| plan,
    )
}

/// Distinct fingerprints in memory, sorted, and the tables that tell what is near.
pub(super) struct Partition<F: FingerprintBits> {
    fingerprints: Vec<F>,
    k: u32,
    design: Design,
    neighbour_table: Option<NeighbourTable<F, HugePages>>,
    /// Made when first needed: with a neighbour table, only for dense neighbourhoods.
    tables: OnceLock<Tables<F, Vec<u8>>>,
}

/// One in memory that is near a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartitionMatch {
    /// The place of the one in memory.
    pub(super) held: usize,
    pub(super) distance: u32,
}

/// Which tables of a partition may know more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableSelector {
    All,
    One(usize),
}

impl<F: FingerprintBits> Partition<F> {
    /// Fingerprints that are sorted, each once.
    pub(super) fn new(fingerprints: Vec<F>, plan: BatchPlan, k: u32) -> Result<Self, Error> {
        let at_once = |parts: Vec<UnfilledTable<'_, F, HugePages>>| parts.into_par_iter().for_each(UnfilledTable::fill);
        let neighbour_table = if plan.neighbour_table {
            NeighbourTable::new(plan.design, k, fingerprints.clone(), HugePages::new, at_once)?
        } else {
            None
        };
        Ok(Self { fingerprints, k, design: plan.design, neighbour_table, tables: OnceLock::new() })
    }

    /// The fingerprints, in order.
    pub(super) fn fingerprints(&self) -> &[F] {
        &self.fingerprints
    }

    fn tables(&self) -> &Tables<F, Vec<u8>> {
        self.tables.get_or_init(|| Tables::build(self.design, self.fingerprints.iter().copied().zip(0..).collect()))
    }

    /// Calls `each` with the place of a fingerprint among these and what is near it. In a dense neighbourhood, and without a neighbour table, that is
    /// not known at once: then `later` is told which tables to search.
    pub(super) fn search_all(
        &self,
        fingerprints: &[F],
        buffer: &mut ProbeBuffer,
        mut each: impl FnMut(usize, PartitionMatch),
        mut later: impl FnMut(usize, TableSelector),
    ) {
        let Some(neighbour_table) = &self.neighbour_table else {
            return (0..fingerprints.len()).for_each(|at| later(at, TableSelector::All));
        };
        neighbour_table.probe(fingerprints, buffer, |at, probed| match probed {
            Probed::Query(held, distance) => each(at, PartitionMatch { held, distance }),
            Probed::Table(table) => later(at, TableSelector::One(table)),
        });
    }

    /// What is near a fingerprint, as these tables know.
    pub(super) fn search(&self, fingerprint: F, selector: TableSelector, mut each: impl FnMut(PartitionMatch)) {
        let mut each = |hit: Hit<F>| {
            each(PartitionMatch { held: hit.rows.start as usize, distance: hit.distance });
            ControlFlow::Continue(())
        };
        match selector {
            TableSelector::All => self.tables().near_in_memory(fingerprint, self.k, each),
            TableSelector::One(table) => {
                let Ok(()) = self.tables().near_of(table, fingerprint, self.k, &mut each);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_queries_and_many_that_pass_take_a_net() {
        assert!(plan_batch::<u64>(1000, 20_000, 2, 1 << 28).neighbour_table);
    }

    /// A small table whose lines name queries for nearly every fingerprint is no bargain, even if a large one takes as long to make as to
    /// use.
    #[test]
    fn the_table_is_one_that_names_few_queries() {
        let plan = plan_batch::<u64>(1_000_000, 10_000_000, 3, 4 << 30);
        assert_eq!((plan.design.to_string().as_str(), plan.partition), ("1of2", 1 << 20));
    }
}
