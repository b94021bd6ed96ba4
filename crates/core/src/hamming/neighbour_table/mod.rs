//! A hash table of queries and their neighbourhoods: which of many fingerprints are near any of some queries, a few nanoseconds for each.
//!
//! For each table of a design with one block in front, fingerprints are divided by the first bits of the lead, their keys. Filters rule out
//! most of them ([`filter`]). For the others, every query is entered in all lines of the cache whose number, the first bits of the key, is near
//! its own ([`lines`]). So a fingerprint is looked up in one line only. An entry knows the next bits of the query's key and how many of them
//! may differ; few lines name any query after that.

mod blocks;
mod divided;
mod filter;
mod lines;

use super::Design;
use crate::bits::FingerprintBits;
pub use divided::MAX_PROBED;
use divided::{DividedKeys, place_of};
use filter::{Filter, FilterShape};
use lines::{LineShape, Lines};
use std::ops::{Deref, DerefMut};

/// The first bits of a lead, from the highest bit on.
type Key = u32;

/// Entries whose lines are fetched together.
const BATCH: usize = 1024;
/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Where in a fingerprint its key is.
#[derive(Clone, Copy, Debug)]
struct KeyBits {
    /// Bits below it, and how far it is moved up where it is short.
    low: u32,
    up: u32,
}

impl KeyBits {
    #[inline]
    fn key<F: FingerprintBits>(self, fingerprint: F) -> Key {
        ((fingerprint >> self.low).low() as Key) << self.up
    }
}

/// What is known of the queries by one block in front.
#[derive(Debug)]
struct LeadTable<F, W> {
    mask: F,
    radius: u32,
    keys: KeyBits,
    filter: Filter<W>,
    lines: Lines<W>,
}

/// Queries, entered under all leads that are near theirs.
#[derive(Debug)]
pub struct NeighbourTable<F, W> {
    k: u32,
    /// For each table of the design, if it is looked at.
    tables: Vec<Option<LeadTable<F, W>>>,
    queries: Vec<F>,
}

/// What is known by one block in front, all zero, that waits to be filled.
#[derive(Debug)]
pub struct UnfilledTable<'a, F, W> {
    table: &'a mut LeadTable<F, W>,
    queries: &'a [F],
}

impl<F: FingerprintBits, W: Deref<Target = [u8]> + DerefMut> UnfilledTable<'_, F, W> {
    /// Enters all queries.
    pub fn fill(self) {
        let mut keys: Vec<(Key, u32)> = self.queries.iter().map(|query| self.table.keys.key(*query)).zip(1..).collect();
        keys.sort_unstable();
        self.table.filter.fill(&keys);
        self.table.lines.fill(&keys);
    }
}

/// What a neighbour table can be expected to cost, if fingerprints are spread evenly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighbourTableCost {
    /// What it takes.
    pub bytes: u64,
    /// What a fingerprint takes that is held against it, in nanoseconds.
    pub probe_nanos: f64,
}

/// Nanoseconds, as measured: to divide a fingerprint and look at its words, to fetch a line, to compare with a query that it names.
const FILTER_NANOS: f64 = 5.0;
const LINE_NANOS: f64 = 25.0;
const COMPARE_NANOS: f64 = 30.0;

/// What a neighbour table for so many queries costs; nothing if the design has several blocks in front or does not reach `k`, or if there are
/// so many queries that most lines would be full.
pub fn neighbour_table_cost<F: FingerprintBits>(design: Design, k: u32, queries: u64) -> Option<NeighbourTableCost> {
    let (Design::Choose { lead: 1, .. }, Some(radii)) = (design, design.radii(k)) else { return None };
    let mut cost = NeighbourTableCost::default();
    for (order, radius) in design.orders(F::WIDTH).iter().zip(radii) {
        let Some(radius) = radius else { continue };
        let bits = order.lead.min(Key::BITS);
        let (filter, lines) = (FilterShape::new(queries, bits, radius), LineShape::new(queries, bits, radius)?);
        cost.bytes += (filter.bytes() + lines.bytes()) as u64;
        cost.probe_nanos += FILTER_NANOS + filter.passing(queries) * LINE_NANOS + lines.named(queries) * COMPARE_NANOS;
    }
    Some(cost)
}

impl<F: FingerprintBits, W: Deref<Target = [u8]> + DerefMut> NeighbourTable<F, W> {
    /// A table for queries of distance `k`: sorted, each once, fewer than 2^24. `room` gives so many bytes, all zero, and `fill` has every
    /// one of them filled, one after the other or at once.
    /// None if the design has several blocks in front, or one of more than 64 bits, or does not reach so far.
    pub fn new<E>(
        design: Design,
        k: u32,
        queries: Vec<F>,
        mut room: impl FnMut(usize) -> Result<W, E>,
        fill: impl FnOnce(Vec<UnfilledTable<'_, F, W>>),
    ) -> Result<Option<Self>, E> {
        let (Design::Choose { lead: 1, .. }, Some(radii)) = (design, design.radii(k)) else { return Ok(None) };
        let orders = design.orders(F::WIDTH);
        if orders.iter().any(|order| order.lead > 64) {
            return Ok(None);
        }
        let count = queries.len() as u64;
        let mut tables = Vec::new();
        for (order, radius) in orders.iter().zip(radii) {
            let Some(radius) = radius else {
                tables.push(None);
                continue;
            };
            let (mask, bits): (F, _) = (order.lead_mask(), order.lead.min(Key::BITS));
            let filter = FilterShape::new(count, bits, radius);
            let lines = LineShape::new(count, bits, radius).unwrap_or_else(|| LineShape::largest(count, bits, radius));
            tables.push(Some(LeadTable {
                mask,
                radius,
                keys: KeyBits { low: mask.trailing_zeros() + order.lead - bits, up: Key::BITS - bits },
                filter: Filter::new(filter, room(filter.bytes())?),
                lines: Lines::new(lines, room(lines.bytes())?),
            }));
        }
        fill(tables.iter_mut().flatten().map(|table| UnfilledTable { table, queries: &queries }).collect());
        Ok(Some(Self { k, tables, queries }))
    }

    /// Calls `each` with the place of a fingerprint and what is near it, every near query once, in no order. With millions of fingerprints
    /// at once it takes half the time that it takes with thousands. `buffer` is for this call only; give the same one each time.
    pub fn probe(&self, fingerprints: &[F], buffer: &mut ProbeBuffer, mut each: impl FnMut(usize, Probed)) {
        let ProbeBuffer { divided, suspects } = buffer;
        for (number, some) in fingerprints.chunks(MAX_PROBED).enumerate() {
            for (at, table) in self.tables.iter().enumerate() {
                let Some(table) = table else { continue };
                let look = |words, entries: &mut [u64]| {
                    let kept = table.filter.keep(words, entries);
                    for entries in entries[..kept].chunks_mut(BATCH) {
                        let kept = table.lines.keep(entries);
                        suspects.clear();
                        for entry in &entries[..kept] {
                            let place = place_of(*entry);
                            table.lines.named(key_of(*entry), |query| match query {
                                Some(query) => suspects.push(Suspect { place, query }),
                                None => each(number * MAX_PROBED + place, Probed::Table(at)),
                            });
                        }
                        self.compare(at, some, suspects, |place, query, distance| {
                            each(number * MAX_PROBED + place, Probed::Query(query, distance));
                        });
                    }
                };
                let bits = table.keys;
                divided.each_part(some, |fingerprint| bits.key(fingerprint), table.filter.word_bits(), look);
            }
        }
    }

    /// Calls `each` with those suspects that are near, if they are for this table to report.
    fn compare(&self, at: usize, fingerprints: &[F], suspects: &[Suspect], mut each: impl FnMut(usize, usize, u32)) {
        let apart = |suspect: &Suspect| self.queries[suspect.query] ^ fingerprints[suspect.place];
        // fetched together, like lines
        std::hint::black_box(suspects.iter().fold(F::ZERO, |all, suspect| all | apart(suspect)));
        for suspect in suspects {
            let apart = apart(suspect);
            let reached = |table: &LeadTable<F, W>| (apart & table.mask).ones() <= table.radius;
            // as with tables: the first within whose reach it is reports it
            let first = || self.tables[..at].iter().flatten().all(|table| !reached(table));
            if apart.ones() <= self.k && self.tables[at].as_ref().is_some_and(reached) && first() {
                each(suspect.place, suspect.query, apart.ones());
            }
        }
    }
}

/// A fingerprint, by its place, and a query that a line names for it.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    place: usize,
    query: usize,
}

/// Where [`NeighbourTable::probe`] writes while it works.
#[derive(Debug, Default)]
pub struct ProbeBuffer {
    divided: DividedKeys,
    suspects: Vec<Suspect>,
}

/// What is near a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probed {
    /// A query, by its place, and the distance.
    Query(usize, u32),
    /// The line was full: this table of the queries must be asked ([`super::Tables::near_of`]).
    Table(usize),
}

/// The key of an entry: above the place.
#[inline]
fn key_of(entry: u64) -> Key {
    (entry >> 32) as Key
}
