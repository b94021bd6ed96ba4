//! Recent changes in memory: inserts and deletes that are in no level on disk yet.
//!
//! With a table for each of k + 1 blocks, some block of a fingerprint within k of the query has no error: one chain in each table is
//! all that is looked at. A fingerprint is in the chains once, whatever the number of its ids.

use super::level::{Level, LevelWriter};
use super::record::{Record, log_files};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::{Design, Order};
use lookalike_store::{Error as StoreError, Replay};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// The end of a chain.
const NONE: u32 = u32::MAX;
/// Bits of a lead that choose a chain, at most.
const MAX_CHAIN_BITS: u32 = 20;

/// A fingerprint and what changed about it.
#[derive(Clone, Debug)]
pub(super) struct Slot<F> {
    pub(super) fingerprint: F,
    /// The number of the last operation on it.
    pub(super) sequence: u64,
    /// Ids that came (1) and went (-1), in order. One that came and went is not here.
    pub(super) ids: Vec<(u64, i8)>,
}

/// The chains of one table.
#[derive(Debug)]
struct ChainTable<F> {
    order: Order,
    lead: F,
    bits: u32,
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl<F: FingerprintBits> ChainTable<F> {
    fn chain(&self, fingerprint: F) -> usize {
        if self.bits == 0 { 0 } else { (self.order.permute(fingerprint) >> (F::WIDTH - self.bits)).low() as usize }
    }
}

/// Changes in memory.
#[derive(Debug)]
pub(super) struct Memtable<F> {
    tables: Vec<ChainTable<F>>,
    places: FxHashMap<F, u32>,
    slots: Vec<Slot<F>>,
    operations: usize,
    last: u64,
    balance: i64,
}

impl<F: FingerprintBits> Memtable<F> {
    /// An empty memtable for distances up to `k` and about this many operations. The last operation before it has the number `last`.
    pub(super) fn new(k: u32, operations: usize, last: u64) -> Self {
        let most = usize::BITS - operations.leading_zeros();
        let design = Design::Choose { blocks: k + 1, lead: 1 };
        let tables = design.orders(F::WIDTH).into_iter().map(|order| {
            let bits = order.lead.min(most).min(MAX_CHAIN_BITS);
            ChainTable { lead: order.lead_mask(), order, bits, heads: vec![NONE; 1 << bits], next: Vec::new() }
        });
        let tables = tables.collect();
        Self { tables, places: FxHashMap::default(), slots: Vec::new(), operations: 0, last, balance: 0 }
    }

    /// Operations so far.
    pub(super) fn operations(&self) -> usize {
        self.operations
    }

    /// The number of the last operation.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Inserts minus deletes.
    pub(super) fn balance(&self) -> i64 {
        self.balance
    }

    /// Whether an id of a fingerprint came (1), went (-1), or neither; and the number of the last operation on the fingerprint.
    pub(super) fn change(&self, fingerprint: F, id: u64) -> (i64, u64) {
        let Some(place) = self.places.get(&fingerprint) else { return (0, 0) };
        let slot = &self.slots[*place as usize];
        let at = slot.ids.binary_search_by_key(&id, |entry| entry.0);
        (at.map_or(0, |at| i64::from(slot.ids[at].1)), slot.sequence)
    }

    /// An id comes (1) or goes (-1). False, and nothing is changed, if it came or went already.
    pub(super) fn apply(&mut self, fingerprint: F, id: u64, change: i8, sequence: u64) -> bool {
        let place = match self.places.get(&fingerprint) {
            Some(place) => *place,
            None => self.add(fingerprint),
        };
        let slot = &mut self.slots[place as usize];
        match slot.ids.binary_search_by_key(&id, |entry| entry.0) {
            Ok(at) if slot.ids[at].1 == change => return false,
            Ok(at) => drop(slot.ids.remove(at)),
            Err(at) => slot.ids.insert(at, (id, change)),
        }
        slot.sequence = sequence;
        self.operations += 1;
        self.last = sequence;
        self.balance += i64::from(change);
        true
    }

    fn add(&mut self, fingerprint: F) -> u32 {
        let place = self.slots.len() as u32;
        for table in &mut self.tables {
            let chain = table.chain(fingerprint);
            table.next.push(std::mem::replace(&mut table.heads[chain], place));
        }
        self.slots.push(Slot { fingerprint, sequence: 0, ids: Vec::new() });
        self.places.insert(fingerprint, place);
        place
    }

    /// Calls `each` with every fingerprint within `k` of the query, once. With k errors, one of the first k + 1 blocks has none.
    pub(super) fn near(&self, query: F, k: u32, mut each: impl FnMut(&Slot<F>, u32)) {
        for (at, table) in self.tables.iter().enumerate().take(k as usize + 1) {
            let mut place = table.heads[table.chain(query)];
            while place != NONE {
                let slot = &self.slots[place as usize];
                let apart = slot.fingerprint ^ query;
                let agrees = |table: &ChainTable<F>| apart & table.lead == F::ZERO;
                if apart.ones() <= k && agrees(table) && !self.tables[..at].iter().any(agrees) {
                    each(slot, apart.ones());
                }
                place = table.next[place as usize];
            }
        }
    }

    /// Writes all changes as a level; none if nothing is left to write.
    pub(super) fn write(&self, writer: &LevelWriter<'_>) -> Result<Option<Level<F>>, StoreError> {
        let slots = self.sorted();
        let changes = slots
            .iter()
            .flat_map(|slot| slot.ids.iter().map(|(id, change)| Ok((slot.fingerprint, *id, i64::from(*change)))));
        writer.write(changes, slots.iter().map(|slot| slot.ids.len() as u64).sum())
    }

    /// Those that changed, sorted by fingerprint; ids are sorted in each.
    pub(super) fn sorted(&self) -> Vec<&Slot<F>> {
        let mut slots: Vec<&Slot<F>> = self.slots.iter().filter(|slot| !slot.ids.is_empty()).collect();
        slots.sort_unstable_by_key(|slot| slot.fingerprint);
        slots
    }
}

/// The operations in the log that are in no level yet, in memtables of at most `most` operations; and what was read, with its damage.
///
/// Operations depend on each other. Behind one that is missing, an operation that has no effect is left out: an insert of what is there, and
/// a delete of what is not there.
pub(super) fn replay_memtables<F: FingerprintBits>(
    path: &Path,
    levels: &[Arc<Level<F>>],
    k: u32,
    done: u64,
    most: usize,
) -> Result<(Vec<Memtable<F>>, Replay), StoreError> {
    let mut memtables = vec![Memtable::new(k, most, done)];
    let (mut next, mut failed) = (done + 1, None);
    let replayed = replay::<F>(path, done, |sequence, record| {
        let change = record.operation.change();
        if sequence == next {
            next += 1;
        } else {
            match entries(levels, &memtables, record.fingerprint, record.id) {
                Ok(there) if (there == 1) == (change == 1) => return Ok(()),
                Ok(_) => {}
                Err(error) => failed = Some(error),
            }
        }
        let full = memtables.last().is_none_or(|memtable| memtable.operations() >= most);
        if full {
            memtables.push(Memtable::new(k, most, sequence - 1));
        }
        let memtable = memtables.last_mut().expect("one at least");
        let applied = memtable.apply(record.fingerprint, record.id, change, sequence);
        if applied { Ok(()) } else { Err(format!("operation {sequence} repeats an earlier one: {record:?}")) }
    })?;
    failed.map_or(Ok((memtables, replayed)), Err)
}

/// How often an entry is there: once or not at all.
fn entries<F: FingerprintBits>(
    levels: &[Arc<Level<F>>],
    memtables: &[Memtable<F>],
    fingerprint: F,
    id: u64,
) -> Result<i64, StoreError> {
    let mut sum = memtables.iter().map(|memtable| memtable.change(fingerprint, id).0).sum();
    for level in levels {
        sum += level.change(fingerprint, id)?;
    }
    Ok(sum)
}

/// Gives every operation after `done` to `each`, in order. What is damaged is skipped and reported.
pub(super) fn replay<F: FingerprintBits>(
    path: &Path,
    done: u64,
    mut each: impl FnMut(u64, Record<F>) -> Result<(), String>,
) -> Result<Replay, StoreError> {
    log_files::<F>(path).replay(Some(done), |record| {
        let operation = Record::decode(record.body).ok_or("expected an operation, found something else")?;
        each(record.sequence, operation)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<F: FingerprintBits>(fingerprints: &[(F, u64)], k: u32) {
        let mut memtable = Memtable::new(k, 100, 0);
        for (at, (fingerprint, id)) in fingerprints.iter().enumerate() {
            let new = fingerprints[..at].iter().all(|other| other != &(*fingerprint, *id));
            assert_eq!(memtable.apply(*fingerprint, *id, 1, at as u64 + 1), new);
            assert_eq!(memtable.change(*fingerprint, *id).0, 1);
        }
        for (query, _) in fingerprints {
            for distance in 0..=k {
                let mut found = Vec::new();
                memtable.near(*query, distance, |slot, d| {
                    found.extend(slot.ids.iter().map(|(id, _)| (slot.fingerprint, *id, d)));
                });
                found.sort_unstable();
                let near = fingerprints.iter().filter(|(fingerprint, _)| fingerprint.distance(*query) <= distance);
                let mut expected: Vec<_> =
                    near.map(|(fingerprint, id)| (*fingerprint, *id, fingerprint.distance(*query))).collect();
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(found, expected);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn chains_are_as_looking_at_all(flips in prop::collection::vec((0u32..64, 0u32..64, 0u32..3, 0u64..3), 0..40), k in 0u32..=7) {
            let fingerprints: Vec<(u64, u64)> =
                flips.iter().map(|(a, b, base, id)| (u64::from(*base) << 40 ^ 1 << a ^ 1 << b, *id)).collect();
            check(&fingerprints, k);
            let wide: Vec<(u128, u64)> = fingerprints.iter().map(|(p, id)| (u128::from(*p) << 64 | u128::from(*p), *id)).collect();
            check(&wide, k);
        }
    }

    #[test]
    fn what_came_and_went_is_nothing() {
        let mut memtable = Memtable::new(3, 10, 7);
        assert!(memtable.apply(5u64, 1, 1, 8) && memtable.apply(5, 1, -1, 9) && memtable.apply(6, 2, -1, 10));
        assert_eq!((memtable.balance(), memtable.operations(), memtable.last()), (-1, 3, 10));
        assert_eq!((memtable.change(5, 1), memtable.change(6, 2), memtable.change(7, 2)), ((0, 9), (-1, 10), (0, 0)));
        assert_eq!(memtable.sorted().len(), 1);
    }
}
