//! A table: sorted rows of bits, packed.
//!
//! The highest bits of a sorted table are nearly a counter, and need not be kept: a directory says where the rows with the same prefix
//! begin, and the rest of each row follows row after row. With about a dozen rows to a prefix the directory takes two or three bits a row, so
//! that a row takes two bits more than what is unpredictable in it, and any prefix is found with one look.

use super::packed::{Bytes, Packed, Packer, packed_bytes, width_of};
use crate::bits::FingerprintBits;
use std::marker::PhantomData;
use std::ops::Range;

/// Rows that share a prefix, as a power of two: between this and twice as many.
const ROWS_BITS: u32 = 3;

/// What is needed to read a table back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bits that the directory knows.
    pub prefix: u32,
    /// Bits of a place in the directory.
    pub places: u32,
    /// How many rows there are.
    pub rows: u64,
}

impl Shape {
    /// The shape of a table of at most so many rows, of which so many bits lead.
    pub fn of(rows: u64, lead: u32) -> Self {
        Self { prefix: width_of(rows).saturating_sub(ROWS_BITS + 1).min(lead), places: width_of(rows), rows }
    }

    /// Bytes of the directory.
    pub fn directory_bytes(&self) -> u64 {
        packed_bytes(self.places, (1 << self.prefix) + 1)
    }

    /// Bytes of the rows.
    pub fn rows_bytes(&self, width: u32) -> u64 {
        packed_bytes(width - self.prefix, self.rows)
    }
}

/// Sorted rows of bits.
#[derive(Clone, Debug)]
pub struct Table<F, B> {
    pub(super) shape: Shape,
    pub(super) directory: Packed<B>,
    pub(super) rest: Packed<B>,
    bits: PhantomData<F>,
}

impl<F: FingerprintBits, B: Bytes> Table<F, B> {
    /// A table that [`TableBuilder`] made.
    pub fn new(shape: Shape, directory: B, rest: B) -> Self {
        let directory = Packed::new(directory, shape.places, (1 << shape.prefix) + 1);
        Self { shape, directory, rest: Packed::new(rest, F::WIDTH - shape.prefix, shape.rows), bits: PhantomData }
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.shape.rows
    }

    /// All rows, in order.
    pub fn all(&self) -> Rows<'_, F, B> {
        Rows { table: self, prefix: 0, next: 0, bucket_end: 0 }
    }

    /// Bits below the prefix.
    #[inline]
    pub(super) fn rest_width(&self) -> u32 {
        F::WIDTH - self.shape.prefix
    }

    /// The prefix of a row.
    #[inline]
    pub(super) fn prefix(&self, row: F) -> u64 {
        if self.shape.prefix == 0 { 0 } else { (row >> self.rest_width()).low() }
    }

    /// A row from its prefix and the rest.
    #[inline]
    pub(super) fn row(&self, prefix: u64, rest: F) -> F {
        if self.shape.prefix == 0 { rest } else { F::from_low(prefix) << self.rest_width() | rest }
    }

    /// Where the rows with a prefix are. A directory that lies gives no rows, rather than rows that are not there.
    #[inline]
    pub(super) fn bucket(&self, prefix: u64) -> Result<Range<u64>, B::Error> {
        let two = self.directory.run(prefix..prefix + 2)?;
        let (start, end): (u64, u64) = (two.get(0), two.get(1));
        let end = end.min(self.shape.rows);
        Ok(start.min(end)..end)
    }

    /// Where a row is, once for each time that it is there.
    pub fn find(&self, row: F) -> Result<Range<u64>, B::Error> {
        let rest = row & F::lowest(self.rest_width());
        let bucket = self.bucket(self.prefix(row))?;
        let start = self.first_not_below(bucket.clone(), rest)?;
        let mut end = start;
        // most rows are there once; only for many is it worth to search for the end
        while end < bucket.end && end - start < 8 && self.rest.get::<F>(end)? == rest {
            end += 1;
        }
        if end - start == 8 {
            end = self.first_above(end..bucket.end, rest)?;
        }
        Ok(start..end)
    }

    /// The first of some rows with the same prefix whose rest is not below another.
    pub(super) fn first_not_below(&self, rows: Range<u64>, rest: F) -> Result<u64, B::Error> {
        self.partition(rows, rest, |row| row < rest)
    }

    fn first_above(&self, rows: Range<u64>, rest: F) -> Result<u64, B::Error> {
        self.partition(rows, rest, |row| row <= rest)
    }

    /// Interpolation search: where the rest would be if rows were spread evenly; and halves in turn, for they may not be.
    fn partition(&self, rows: Range<u64>, rest: F, before: impl Fn(F) -> bool) -> Result<u64, B::Error> {
        let Range { mut start, mut end } = rows;
        if end - start > 8 {
            let (mut low, mut high): (F, F) = (self.rest.get(start)?, self.rest.get(end - 1)?);
            if !before(low) {
                return Ok(start);
            }
            if before(high) {
                return Ok(end);
            }
            let mut halve = false;
            while end - start > 8 {
                let way = if halve { (end - start) / 2 } else { share(low, high, rest, end - 1 - start) };
                let row = self.rest.get(start + way)?;
                // one row is read for each step: what is beside the range serves as well as its own first and last
                if before(row) {
                    (start, low) = (start + way + 1, row);
                } else {
                    (end, high) = (start + way, row);
                }
                halve = !halve;
            }
        }
        let run = self.rest.run(start..end)?;
        let n = (end - start) as usize;
        Ok(start + (0..n).find(|at| !before(run.get(*at))).unwrap_or(n) as u64)
    }
}

/// The rows of a table, one after the other.
#[derive(Debug)]
pub struct Rows<'a, F, B> {
    table: &'a Table<F, B>,
    prefix: u64,
    /// The next row, and the end of the rows with the prefix before `prefix`.
    next: u64,
    bucket_end: u64,
}

impl<F: FingerprintBits, B: Bytes> Iterator for Rows<'_, F, B> {
    type Item = Result<F, B::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next >= self.bucket_end {
            if self.prefix >> self.table.shape.prefix != 0 {
                return None;
            }
            match self.table.bucket(self.prefix) {
                // each row is read once, also where a forged directory lists it under two prefixes
                Ok(bucket) => (self.next, self.bucket_end) = (bucket.start.max(self.next), bucket.end),
                Err(error) => return Some(Err(error)),
            }
            self.prefix += 1;
        }
        let at = self.next;
        self.next += 1;
        Some(self.table.rest.get(at).map(|rest| self.table.row(self.prefix - 1, rest)))
    }
}

/// How far a number is on the way from `low` to `high`, in steps.
fn share<F: FingerprintBits>(low: F, high: F, at: F, steps: u64) -> u64 {
    // the highest bits that tell the two apart are enough
    let shift = (F::WIDTH - (low ^ high).leading_zeros()).saturating_sub(62);
    let top = |x: F| (x >> shift).low() & (u64::MAX >> 1);
    let (low, high, at) = (top(low), top(high), top(at));
    let span = high.saturating_sub(low).max(1);
    (u128::from(at.saturating_sub(low).min(span)) * u128::from(steps) / u128::from(span)) as u64
}

/// Makes a table of rows that come sorted.
#[derive(Clone, Debug)]
pub struct TableBuilder<F> {
    shape: Shape,
    directory: Packer,
    rest: Packer,
    bits: PhantomData<F>,
}

impl<F: FingerprintBits> TableBuilder<F> {
    /// For at most so many rows, of which so many bits lead.
    pub fn new(rows: u64, lead: u32) -> Self {
        let shape = Shape::of(rows, lead);
        Self {
            shape,
            directory: Packer::new(shape.places),
            rest: Packer::new(F::WIDTH - shape.prefix),
            bits: PhantomData,
        }
    }

    /// The next row; none is below the one before.
    #[inline]
    pub fn push(&mut self, row: F) {
        let prefix = if self.shape.prefix == 0 { 0 } else { (row >> (F::WIDTH - self.shape.prefix)).low() };
        while self.directory.len() <= prefix {
            self.directory.push(self.rest.len());
        }
        self.rest.push(row & F::lowest(F::WIDTH - self.shape.prefix));
    }

    /// Bytes of rows that are finished: to be taken now and then, so that they do not pile up.
    pub fn ready(&mut self) -> &mut Vec<u8> {
        self.rest.ready()
    }

    /// The shape, the directory and the last bytes of the rows.
    pub fn finish(mut self) -> (Shape, Vec<u8>, Vec<u8>) {
        while self.directory.len() <= 1 << self.shape.prefix {
            self.directory.push(self.rest.len());
        }
        let shape = Shape { rows: self.rest.len(), ..self.shape };
        (shape, self.directory.finish(), self.rest.finish())
    }
}
