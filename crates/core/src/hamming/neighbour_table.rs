//! A hash table of queries and their neighbourhoods: which of many fingerprints are near any of some queries, a few nanoseconds for each.
//!
//! For each table of a design with one block in front, every query is entered in all lines of the cache whose number, the first bits of
//! the lead, is near its own. So a fingerprint is looked up in one line only. An entry knows the next bits of the query's lead and how many
//! of them may differ; few lines name any query after that.

use super::{Design, ball};
use crate::bits::FingerprintBits;
use std::ops::{Deref, DerefMut};
use wide::i32x4;

/// Fingerprints that are looked at together.
const BATCH: usize = 1024;
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

/// How many bytes a neighbour table for so many queries takes; nothing if the design has several blocks in front or does not reach `k`, or if there are so
/// many queries that most lines would be full.
pub fn neighbour_table_bytes<F: FingerprintBits>(design: Design, k: u32, queries: u64) -> Option<u64> {
    let (Design::Choose { lead: 1, .. }, Some(radii)) = (design, design.radii(k)) else { return None };
    let orders = design.orders(F::WIDTH);
    let used = orders.iter().zip(radii).filter_map(|(order, radius)| Some((order.lead, radius?)));
    let bytes =
        |bits: u32, lead: u32| ((LINE as u64) << bits) + (1 << (bits + COARSE_EXTRA_BITS).min(lead).saturating_sub(3));
    used.map(|(lead, radius)| Some(bytes(line_bits(queries, lead, radius)?, lead))).sum()
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
            let (index_bits, left_bits) = (super::width_of(queries.len() as u64 + 1), super::width_of(radius.into()));
            let mask: F = order.lead_mask();
            let coarse_bits = (line_bits + COARSE_EXTRA_BITS).min(order.lead);
            tables.push(Some(Entries {
                lead: order.lead,
                low: mask.trailing_zeros(),
                mask,
                radius,
                line_bits,
                tag_bits: (order.lead - line_bits).min(32 - index_bits - left_bits),
                left_bits,
                lines: room(LINE << line_bits)?,
                coarse_bits,
                coarse: room(1 << coarse_bits.saturating_sub(3))?,
            }));
        }
        fill(tables.iter_mut().flatten().map(|entries| UnfilledTable { entries, queries: &queries }).collect());
        Ok(Some(Self { k, tables, queries }))
    }

    /// Calls `each` with the place of a fingerprint and what is near it, every near query once.
    pub fn probe(&self, fingerprints: &[F], mut each: impl FnMut(usize, Probed)) {
        let mut marked = [0u16; BATCH];
        for (number, some) in fingerprints.chunks(BATCH).enumerate() {
            for (at, table) in self.tables.iter().enumerate() {
                let Some(table) = table else { continue };
                let count = match table.radius {
                    0 => table.may_be_near::<0>(some, &mut marked),
                    1 => table.may_be_near::<1>(some, &mut marked),
                    2 => table.may_be_near::<2>(some, &mut marked),
                    _ => table.may_be_near::<{ super::MAX_DISTANCE }>(some, &mut marked),
                };
                for place in &marked[..count] {
                    let place = usize::from(*place);
                    let fingerprint = some[place];
                    table.named(fingerprint, |query| {
                        let Some(query) = query else { return each(number * BATCH + place, Probed::Table(at)) };
                        let apart = self.queries[query] ^ fingerprint;
                        let reached = |table: &Entries<F, W>| (apart & table.mask).ones() <= table.radius;
                        // as with tables: the first within whose reach it is reports it
                        let first = || !self.tables[..at].iter().flatten().any(reached);
                        if apart.ones() <= self.k && reached(table) && first() {
                            each(number * BATCH + place, Probed::Query(query, apart.ones()));
                        }
                    });
                }
            }
        }
    }
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

    /// Which of some fingerprints have a line that may name a query near them: their places, and how many there are.
    fn may_be_near<const R: u32>(&self, fingerprints: &[F], marked: &mut [u16; BATCH]) -> usize {
        let (tags, lefts) = (i32x4::splat(self.tags().cast_signed()), i32x4::splat(self.lefts().cast_signed()));
        let one = i32x4::splat(if self.tag_bits == 0 { 0 } else { 1 << (32 - self.tag_bits) });
        // as little as can be beside what is fetched: the machine waits for many answers at once
        let mut near = [0u8; BATCH];
        let (shift, mask) = (self.low + (self.lead - self.coarse_bits), u64::MAX >> (64 - self.coarse_bits.max(1)));
        for (near, fingerprint) in near.iter_mut().zip(fingerprints) {
            let at = (*fingerprint >> shift).low() & mask;
            *near = self.coarse[(at / 8) as usize] >> (at % 8) & 1;
        }
        let mut count = 0;
        for (place, near) in near[..fingerprints.len()].iter().enumerate() {
            marked[count] = place as u16;
            count += usize::from(*near);
        }
        let mut places = [(0, 0); BATCH];
        let mut touched = 0;
        for (place, at) in places.iter_mut().zip(&marked[..count]) {
            *place = self.place(self.lead_of(fingerprints[usize::from(*at)]));
            touched |= self.lines[place.0];
        }
        std::hint::black_box(touched);
        let left = std::mem::take(&mut count);
        for (place, (at, tag)) in places[..left].iter().enumerate() {
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
            marked[count] = marked[place];
            count += usize::from(any.any() | (entry(line, 0) == u32::MAX));
        }
        count
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
