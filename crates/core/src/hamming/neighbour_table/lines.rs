//! Which queries may be near a key: lines of the cache, of which each key has one.

use super::blocks::each_block;
use super::{Key, LINE, key_of};
use crate::hamming::{ball, width_of};
use std::ops::{Deref, DerefMut};
use wide::i32x4;

/// Entries of a line.
const SLOTS: usize = LINE / 4;
/// Entries of a line on average, at most: more than it has room for are then one in a hundred thousand.
const MAX_LOAD: f64 = 5.0;
/// Bits of a line's number, at most: what does not fit then is asked of the tables.
const MAX_LINE_BITS: u32 = 30;
/// A line that had no room for all: it names no query, and everything may be near it.
const FULL: [u8; LINE] = [0xff; LINE];

/// Which bits of a key are where.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineShape {
    radius: u32,
    /// Bits of the key that choose a line, and those after them that an entry knows: its highest bits.
    line_bits: u32,
    tag_bits: u32,
    /// Bits of an entry that say how many of the others may differ: its lowest. The query is between the two.
    left_bits: u32,
}

impl LineShape {
    /// None if there are so many queries that most lines would be full.
    pub(super) fn new(queries: u64, key_bits: u32, radius: u32) -> Option<Self> {
        let load = |bits: u32| queries as f64 * ball(bits.into(), radius.into()) / (1u64 << bits) as f64;
        let line_bits = (0..=key_bits.min(MAX_LINE_BITS)).find(|bits| load(*bits) <= MAX_LOAD)?;
        Some(Self::of(queries, key_bits, radius, line_bits))
    }

    /// As many lines as there can be.
    pub(super) fn largest(queries: u64, key_bits: u32, radius: u32) -> Self {
        Self::of(queries, key_bits, radius, key_bits.min(MAX_LINE_BITS))
    }

    fn of(queries: u64, key_bits: u32, radius: u32, line_bits: u32) -> Self {
        let left_bits = width_of(radius.into());
        let tag_bits = (key_bits - line_bits).min(32 - width_of(queries + 1) - left_bits);
        Self { radius, line_bits, tag_bits, left_bits }
    }

    pub(super) fn bytes(self) -> usize {
        LINE << self.line_bits
    }

    /// Queries that a line names for a fingerprint that is near none, if they are spread evenly.
    pub(super) fn named(self, queries: u64) -> f64 {
        let known = self.line_bits + self.tag_bits;
        queries as f64 * ball(known.into(), self.radius.into()) / 2f64.powi(known.cast_signed())
    }
}

/// The lines of one table.
#[derive(Debug)]
pub(super) struct Lines<W> {
    shape: LineShape,
    lines: W,
}

impl<W> Lines<W> {
    pub(super) fn new(shape: LineShape, lines: W) -> Self {
        Self { shape, lines }
    }

    /// Where a key is entered: the line, and the tag of the entry in its place above the query.
    #[inline]
    fn place(&self, key: Key) -> (usize, u32) {
        let line = u64::from(key) >> (Key::BITS - self.shape.line_bits);
        (line as usize * LINE, key << self.shape.line_bits & self.tags())
    }

    /// Bits of an entry that are its tag.
    #[inline]
    fn tags(&self) -> u32 {
        if self.shape.tag_bits == 0 { 0 } else { u32::MAX << (32 - self.shape.tag_bits) }
    }

    /// The lowest bit of a tag.
    #[inline]
    fn one(&self) -> u32 {
        self.tags() & self.tags().wrapping_neg()
    }

    /// Bits of an entry that say how many others may differ.
    #[inline]
    fn lefts(&self) -> u32 {
        (1 << self.shape.left_bits) - 1
    }

    /// Whether an entry's tag differs in no more bits than it may.
    #[inline]
    fn fits(&self, entry: u32, tag: u32) -> bool {
        let (mut differ, left) = ((entry ^ tag) & self.tags(), entry & self.lefts());
        // the lowest bit is cleared as often as one may be
        for spent in 0..self.shape.radius.min(self.shape.tag_bits) {
            differ &= differ.wrapping_sub(if left > spent { self.one() } else { 0 });
        }
        differ == 0
    }
}

impl<W: Deref<Target = [u8]>> Lines<W> {
    #[inline]
    fn line(&self, at: usize) -> &[u8; LINE] {
        self.lines[at..at + LINE].try_into().expect("as long as a line")
    }

    /// Keeps those entries, at the front, whose line may name a query near them. How many those are.
    pub(super) fn keep(&self, entries: &mut [u64]) -> usize {
        match self.shape.radius {
            0 => self.keep_within::<0>(entries),
            1 => self.keep_within::<1>(entries),
            2 => self.keep_within::<2>(entries),
            _ => self.keep_within::<{ crate::hamming::MAX_DISTANCE }>(entries),
        }
    }

    fn keep_within<const R: u32>(&self, entries: &mut [u64]) -> usize {
        // as little as can be beside what is fetched: the machine waits for many answers at once
        let touched = entries.iter().fold(0, |all, entry| all | self.lines[self.place(key_of(*entry)).0]);
        std::hint::black_box(touched);
        let splat = |bits: u32| i32x4::splat(bits.cast_signed());
        let (tags, lefts, one) = (splat(self.tags()), splat(self.lefts()), splat(self.one()));
        let mut kept = 0;
        for at in 0..entries.len() {
            let (line, tag) = self.place(key_of(entries[at]));
            let (line, tag) = (self.line(line), splat(tag));
            let mut any = i32x4::ZERO;
            for four in 0..SLOTS / 4 {
                let entries = i32x4::new(std::array::from_fn(|slot| entry(line, four * 4 + slot).cast_signed()));
                let mut differ = (entries ^ tag) & tags;
                for spent in 0..R {
                    differ &= differ - ((entries & lefts).simd_gt(splat(spent)) & one);
                }
                any |= differ.simd_eq(i32x4::ZERO);
            }
            entries[kept] = entries[at];
            kept += usize::from(any.any() | (entry(line, 0) == u32::MAX));
        }
        kept
    }

    /// The queries that the line of a key names; none if it was full.
    pub(super) fn named(&self, key: Key, mut each: impl FnMut(Option<usize>)) {
        let (at, tag) = self.place(key);
        let line = self.line(at);
        if *line == FULL {
            return each(None);
        }
        let names = !self.tags() & !self.lefts();
        for slot in 0..SLOTS {
            let entry = entry(line, slot);
            if entry & names != 0 && self.fits(entry, tag) {
                // entries count from one
                each(Some(((entry & names) >> self.shape.left_bits) as usize - 1));
            }
        }
    }
}

impl<W: Deref<Target = [u8]> + DerefMut> Lines<W> {
    /// Enters all queries, by sorted keys and their numbers from one on.
    pub(super) fn fill(&mut self, keys: &[(Key, u32)]) {
        let LineShape { radius, line_bits, left_bits, .. } = self.shape;
        let mut filled = vec![0u8; 1 << line_bits];
        each_block(keys, line_bits, radius, LINE, |flip, keys| {
            let left = radius - flip.count_ones();
            for (key, number) in keys {
                let (at, tag) = self.place(*key);
                let at = at ^ (flip as usize * LINE);
                let slots = &mut filled[at / LINE];
                let slot = usize::from(*slots);
                if slot < SLOTS {
                    let entry = tag | number << left_bits | left;
                    self.lines[at + slot * 4..at + slot * 4 + 4].copy_from_slice(&entry.to_le_bytes());
                    *slots += 1;
                } else {
                    self.lines[at..at + LINE].copy_from_slice(&FULL);
                }
            }
        });
    }
}

#[inline]
fn entry(line: &[u8; LINE], slot: usize) -> u32 {
    u32::from_le_bytes([line[slot * 4], line[slot * 4 + 1], line[slot * 4 + 2], line[slot * 4 + 3]])
}
