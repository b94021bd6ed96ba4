//! A hash table of queries and their neighbourhoods: which of many fingerprints are near any of some queries, a few nanoseconds for each.
//!
//! For each table of a design with one block in front, every query is entered in all lines of the cache whose number, the first bits of
//! the lead, is near its own. So a fingerprint is looked up in one line only. An entry knows the next bits of the query's lead and how many
//! of them may differ; few lines name any query after that.

use super::{Design, ball};
use crate::bits::FingerprintBits;
use std::ops::{Deref, DerefMut};
use wide::i32x4;

/// Fingerprints whose lines are fetched together.
const BATCH: usize = 1024;
/// Bits of the coarse look that are looked at together, as a power of two: half a megabyte, which stays close to the processor. So
/// fingerprints are divided first, where there are enough of them for each part of it.
const COARSE_PART_BITS: u32 = if cfg!(test) { 6 } else { 22 };
/// Fingerprints for each part, at least: as many as it has lines of the cache.
const MIN_FOR_PART: usize = if cfg!(test) { 4 } else { 1 << 13 };
/// Divided fingerprints that are written together: a line of the cache.
const STAGED: usize = LINE / 8;
/// Bytes of a line, and entries in it.
const LINE: usize = 64;
const SLOTS: usize = LINE / 4;
/// Entries of a line on average, at most: more than it has room for are then one in a hundred thousand.
const MAX_LOAD: f64 = 5.0;
/// Bits of a line's number, at most: what does not fit then is asked of the tables.
const MAX_LINE_BITS: u32 = 30;

/// The lines of one table.
#[derive(Debug)]
struct Entries<F, W> {
    /// The lead of a fingerprint: so many bits, above so many others.
    lead: u32,
    low: u32,
    mask: F,
    radius: u32,
    /// Bits of the lead that choose a line, and those after them that an entry knows: its highest bits.
    line_bits: u32,
    tag_bits: u32,
    /// Bits of an entry that say how many of the others may differ: its lowest. The query is between the two.
    left_bits: u32,
    lines: W,
    /// Bits of the lead that `coarse` knows, and whether any query is that near: small, so that the machine keeps it close at hand.
    coarse_bits: u32,
    coarse: W,
}

/// Queries, entered under all leads that are near theirs.
#[derive(Debug)]
pub struct NeighbourTable<F, W> {
    k: u32,
    /// For each table of the design, if it is looked at.
    tables: Vec<Option<Entries<F, W>>>,
    queries: Vec<F>,
}

/// The lines of one table, all zero, that wait to be filled.
#[derive(Debug)]
pub struct UnfilledTable<'a, F, W> {
    entries: &'a mut Entries<F, W>,
    queries: &'a [F],
}

impl<F: FingerprintBits, W: Deref<Target = [u8]> + DerefMut> UnfilledTable<'_, F, W> {
    /// Enters all queries.
    pub fn fill(self) {
        self.entries.fill(self.queries);
    }
}

/// How many more bits than for a line the coarse look has: a tenth of what is near nothing passes it.
const COARSE_EXTRA_BITS: u32 = 5;

/// What a neighbour table can be expected to cost, if fingerprints are spread evenly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighbourTableCost {
    /// What it takes.
    pub bytes: u64,
    /// What a fingerprint takes that is held against it, in nanoseconds.
    pub probe_nanos: f64,
}

/// Nanoseconds, as measured: to divide a fingerprint and look at a bit, to fetch a line, to compare with a query that it names.
const COARSE_NANOS: f64 = 5.0;
const LINE_NANOS: f64 = 25.0;
const COMPARE_NANOS: f64 = 30.0;

/// What a neighbour table for so many queries costs; nothing if the design has several blocks in front or does not reach `k`, or if there are
/// so many queries that most lines would be full.
pub fn neighbour_table_cost<F: FingerprintBits>(design: Design, k: u32, queries: u64) -> Option<NeighbourTableCost> {
    let (Design::Choose { lead: 1, .. }, Some(radii)) = (design, design.radii(k)) else { return None };
    let mut cost = NeighbourTableCost::default();
    for (order, radius) in design.orders(F::WIDTH).iter().zip(radii) {
        let Some(radius) = radius else { continue };
        let line_bits = line_bits(queries, order.lead, radius)?;
        let coarse_bits = (line_bits + COARSE_EXTRA_BITS).min(order.lead);
        cost.bytes += ((LINE as u64) << line_bits) + (1 << coarse_bits.saturating_sub(3));
        // queries that are as near by so many bits of the lead
        let near = |bits: u32| queries as f64 * ball(bits.into(), radius.into()) / 2f64.powi(bits.cast_signed());
        let tag_bits = tag_bits(order.lead, line_bits, queries, radius);
        cost.probe_nanos +=
            COARSE_NANOS + near(coarse_bits).min(1.0) * LINE_NANOS + near(line_bits + tag_bits) * COMPARE_NANOS;
    }
    Some(cost)
}

/// Bits of the lead after those that choose a line that an entry has room for.
fn tag_bits(lead: u32, line_bits: u32, queries: u64, radius: u32) -> u32 {
    (lead - line_bits).min(32 - super::width_of(queries + 1) - super::width_of(radius.into()))
}

/// Bits that choose a line; none if there are not enough of them.
fn line_bits(queries: u64, lead: u32, radius: u32) -> Option<u32> {
    let load = |bits: u32| queries as f64 * ball(bits.into(), radius.into()) / (1u64 << bits) as f64;
    (0..=lead.min(MAX_LINE_BITS)).find(|bits| load(*bits) <= MAX_LOAD)
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
        let mut tables = Vec::new();
        for (order, radius) in orders.iter().zip(radii) {
            let Some(radius) = radius else {
                tables.push(None);
                continue;
            };
            let line_bits =
                line_bits(queries.len() as u64, order.lead, radius).unwrap_or(order.lead.min(MAX_LINE_BITS));
            let mask: F = order.lead_mask();
            let coarse_bits = (line_bits + COARSE_EXTRA_BITS).min(order.lead);
            tables.push(Some(Entries {
                lead: order.lead,
                low: mask.trailing_zeros(),
                mask,
                radius,
                line_bits,
                tag_bits: tag_bits(order.lead, line_bits, queries.len() as u64, radius),
                left_bits: super::width_of(radius.into()),
                lines: room(LINE << line_bits)?,
                coarse_bits,
                coarse: room(1 << coarse_bits.saturating_sub(3))?,
            }));
        }
        fill(tables.iter_mut().flatten().map(|entries| UnfilledTable { entries, queries: &queries }).collect());
        Ok(Some(Self { k, tables, queries }))
    }

    /// Calls `each` with the place of a fingerprint and what is near it, every near query once, in no order. With millions of fingerprints
    /// at once it takes half the time that it takes with thousands. `buffer` is for this call only; give the same one each time.
    pub fn probe(&self, fingerprints: &[F], buffer: &mut ProbeBuffer, mut each: impl FnMut(usize, Probed)) {
        for (number, some) in fingerprints.chunks(MAX_PROBED).enumerate() {
            for (at, table) in self.tables.iter().enumerate() {
                let Some(table) = table else { continue };
                table.look_coarsely(some, buffer);
                match table.radius {
                    0 => table.look_at_lines::<0>(some, &mut buffer.places),
                    1 => table.look_at_lines::<1>(some, &mut buffer.places),
                    2 => table.look_at_lines::<2>(some, &mut buffer.places),
                    _ => table.look_at_lines::<{ super::MAX_DISTANCE }>(some, &mut buffer.places),
                }
                for place in &buffer.places {
                    let place = *place as usize;
                    let fingerprint = some[place];
                    table.named(fingerprint, |query| {
                        let Some(query) = query else { return each(number * MAX_PROBED + place, Probed::Table(at)) };
                        let apart = self.queries[query] ^ fingerprint;
                        let reached = |table: &Entries<F, W>| (apart & table.mask).ones() <= table.radius;
                        // as with tables: the first within whose reach it is reports it
                        let first = || !self.tables[..at].iter().flatten().any(reached);
                        if apart.ones() <= self.k && reached(table) && first() {
                            each(number * MAX_PROBED + place, Probed::Query(query, apart.ones()));
                        }
                    });
                }
            }
        }
    }
}

/// Fingerprints that are divided at once, at most.
pub const MAX_PROBED: usize = if cfg!(test) { 300 } else { 1 << 21 };

/// Where [`NeighbourTable::probe`] writes while it works.
#[derive(Debug, Default)]
pub struct ProbeBuffer {
    /// Fingerprints, divided by the part of the coarse look: the bit in it, above the place.
    divided: Vec<u64>,
    /// The newest of each part. They are close together, and go where the part's others are a line of the cache at a time: every part has
    /// pages of its own there, more than the machine knows the addresses of.
    staged: Vec<[u64; STAGED]>,
    /// How many each part has.
    held: Vec<usize>,
    /// Places of fingerprints that may be near a query.
    places: Vec<u32>,
}

/// What is near a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probed {
    /// A query, by its place, and the distance.
    Query(usize, u32),
    /// The line was full: this table of the queries must be asked ([`super::Tables::near_of`]).
    Table(usize),
}

/// A line that had no room for all: it names no query, and everything may be near it.
const FULL: [u8; LINE] = [0xff; LINE];

impl<F: FingerprintBits, W: Deref<Target = [u8]>> Entries<F, W> {
    /// Where a lead is entered: the line, and the tag of the entry in its place above the query.
    #[inline]
    fn place(&self, lead: u64) -> (usize, u32) {
        let rest = self.lead - self.line_bits;
        let line = if self.line_bits == 0 { 0 } else { lead >> rest };
        // the highest bits below those of the line
        let tag = if self.tag_bits == 0 { 0 } else { (lead << (64 - rest)) >> (64 - self.tag_bits) };
        (line as usize * LINE, if self.tag_bits == 0 { 0 } else { (tag as u32) << (32 - self.tag_bits) })
    }

    #[inline]
    fn lead_of(&self, fingerprint: F) -> u64 {
        (fingerprint >> self.low).low() & (u64::MAX >> (64 - self.lead))
    }

    #[inline]
    fn line(&self, at: usize) -> &[u8; LINE] {
        self.lines[at..at + LINE].try_into().expect("as long as a line")
    }

    /// Bits of an entry that are its tag.
    #[inline]
    fn tags(&self) -> u32 {
        if self.tag_bits == 0 { 0 } else { u32::MAX << (32 - self.tag_bits) }
    }

    /// Bits of an entry that say how many others may differ.
    #[inline]
    fn lefts(&self) -> u32 {
        (1 << self.left_bits) - 1
    }

    /// Whether an entry's tag differs in no more bits than it may.
    #[inline]
    fn fits(&self, entry: u32, tag: u32) -> bool {
        let (mut differ, left) = ((entry ^ tag) & self.tags(), entry & self.lefts());
        // the lowest bit is cleared as often as one may be
        for spent in 0..self.radius.min(self.tag_bits) {
            differ &= differ.wrapping_sub(u32::from(left > spent) << (32 - self.tag_bits));
        }
        differ == 0
    }

    /// The bit of the coarse look that knows of a fingerprint.
    #[inline]
    fn coarse_bit(&self, fingerprint: F) -> u64 {
        // a lead of no bits has one bit for all
        let mask = if self.coarse_bits == 0 { 0 } else { u64::MAX >> (64 - self.coarse_bits) };
        (fingerprint >> (self.low + (self.lead - self.coarse_bits))).low() & mask
    }

    /// Places of the fingerprints that the coarse look does not rule out.
    fn look_coarsely(&self, fingerprints: &[F], buffer: &mut ProbeBuffer) {
        let ProbeBuffer { divided, staged, held, places } = buffer;
        places.resize(fingerprints.len(), 0);
        let parts = 1usize << self.coarse_bits.saturating_sub(COARSE_PART_BITS);
        let mut count = 0;
        if parts == 1 || fingerprints.len() < parts * MIN_FOR_PART {
            for (place, fingerprint) in fingerprints.iter().enumerate() {
                let bit = self.coarse_bit(*fingerprint);
                places[count] = place as u32;
                count += usize::from(self.coarse[(bit / 8) as usize] >> (bit % 8) & 1);
            }
            return places.truncate(count);
        }
        // twice what a part has on average; one that is full before is looked at at once
        let room = (2 * fingerprints.len() / parts).next_multiple_of(STAGED);
        divided.resize(parts * room, 0);
        staged.resize(parts, [0; STAGED]);
        held.clear();
        held.resize(parts, 0);
        let part_bytes = 1 << (COARSE_PART_BITS - 3);
        let mut look = |part: usize, entries: &[u64]| {
            let bits = &self.coarse[part * part_bytes..][..part_bytes];
            // fetched in its order, ahead of being looked at here and there
            std::hint::black_box(bits.iter().step_by(LINE).fold(0, |all, byte| all | byte));
            for entry in entries {
                let bit = entry >> 32;
                places[count] = *entry as u32;
                count += usize::from(bits[(bit / 8) as usize] >> (bit % 8) & 1);
            }
        };
        for (place, fingerprint) in fingerprints.iter().enumerate() {
            let bit = self.coarse_bit(*fingerprint);
            let part = (bit >> COARSE_PART_BITS) as usize;
            let (staged, held) = (&mut staged[part], &mut held[part]);
            staged[*held % STAGED] = (bit % (1 << COARSE_PART_BITS)) << 32 | place as u64;
            *held += 1;
            if (*held).is_multiple_of(STAGED) {
                let start = part * room;
                divided[start + *held - STAGED..start + *held].copy_from_slice(staged);
                if *held == room {
                    look(part, &divided[start..start + room]);
                    *held = 0;
                }
            }
        }
        for (part, (staged, held)) in staged.iter().zip(held).enumerate() {
            let rest = *held % STAGED;
            divided[part * room + *held - rest..part * room + *held].copy_from_slice(&staged[..rest]);
            look(part, &divided[part * room..part * room + *held]);
        }
        places.truncate(count);
    }

    /// Of these places, those of fingerprints that have a line that may name a query near them.
    fn look_at_lines<const R: u32>(&self, fingerprints: &[F], chosen: &mut Vec<u32>) {
        let (tags, lefts) = (i32x4::splat(self.tags().cast_signed()), i32x4::splat(self.lefts().cast_signed()));
        let one = i32x4::splat(if self.tag_bits == 0 { 0 } else { 1 << (32 - self.tag_bits) });
        let mut count = 0;
        for first in (0..chosen.len()).step_by(BATCH) {
            let end = chosen.len().min(first + BATCH);
            // as little as can be beside what is fetched: the machine waits for many answers at once
            let mut places = [(0, 0); BATCH];
            let mut touched = 0;
            for (place, at) in places.iter_mut().zip(&chosen[first..end]) {
                *place = self.place(self.lead_of(fingerprints[*at as usize]));
                touched |= self.lines[place.0];
            }
            std::hint::black_box(touched);
            for (place, (at, tag)) in (first..end).zip(&places) {
                let (line, tag) = (self.line(*at), i32x4::splat(tag.cast_signed()));
                let mut any = i32x4::ZERO;
                for four in 0..SLOTS / 4 {
                    let entries = i32x4::new(std::array::from_fn(|slot| entry(line, four * 4 + slot).cast_signed()));
                    let mut differ = (entries ^ tag) & tags;
                    for spent in 0..R {
                        let may = (entries & lefts).simd_gt(i32x4::splat(spent.cast_signed()));
                        differ &= differ - (may & one);
                    }
                    any |= differ.simd_eq(i32x4::ZERO);
                }
                chosen[count] = chosen[place];
                count += usize::from(any.any() | (entry(line, 0) == u32::MAX));
            }
        }
        chosen.truncate(count);
    }

    /// The queries that the line of a fingerprint names; none if it was full.
    fn named(&self, fingerprint: F, mut each: impl FnMut(Option<usize>)) {
        let (at, tag) = self.place(self.lead_of(fingerprint));
        let line = self.line(at);
        if *line == FULL {
            return each(None);
        }
        let names = !self.tags() & !self.lefts();
        for slot in 0..SLOTS {
            let entry = entry(line, slot);
            if entry & names != 0 && self.fits(entry, tag) {
                // entries count from one
                each(Some(((entry & names) >> self.left_bits) as usize - 1));
            }
        }
    }
}

impl<F: FingerprintBits, W: Deref<Target = [u8]> + DerefMut> Entries<F, W> {
    fn fill(&mut self, queries: &[F]) {
        let mut by_lead: Vec<(u64, u32)> = queries.iter().map(|query| self.lead_of(*query)).zip(1..).collect();
        // flip by flip, lead after lead: lines are written nearly in their order
        by_lead.sort_unstable();
        let rest = self.lead - self.line_bits;
        let mut filled = vec![0u8; 1 << self.line_bits];
        for flip in super::near::flips(self.line_bits, self.radius) {
            let left = self.radius - flip.count_ones();
            for (lead, number) in &by_lead {
                let (at, tag) = self.place(lead ^ if rest == 64 { 0 } else { flip << rest });
                let slots = &mut filled[at / LINE];
                let slot = usize::from(*slots);
                if slot < SLOTS {
                    let entry = tag | number << self.left_bits | left;
                    self.lines[at + slot * 4..at + slot * 4 + 4].copy_from_slice(&entry.to_le_bytes());
                    *slots += 1;
                } else {
                    self.lines[at..at + LINE].copy_from_slice(&FULL);
                }
            }
        }
        let rest = self.lead - self.coarse_bits;
        for flip in super::near::flips(self.coarse_bits, self.radius) {
            for (lead, _) in &by_lead {
                let at = (lead >> rest.min(63)) ^ flip;
                self.coarse[(at / 8) as usize] |= 1 << (at % 8);
            }
        }
    }
}

#[inline]
fn entry(line: &[u8; LINE], slot: usize) -> u32 {
    u32::from_le_bytes([line[slot * 4], line[slot * 4 + 1], line[slot * 4 + 2], line[slot * 4 + 3]])
}
