//! Rows of one table that are near a query, and whose lead is within a radius of the query's.

use super::packed::Bytes;
use super::table::Table;
use crate::bits::FingerprintBits;
use std::ops::{ControlFlow, Range};

/// Rows that are looked at one by one, a bit for each; more are divided first, and what is too far is left out.
const MAX_SCANNED_ROWS: u64 = 64;

/// What is asked of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask<F> {
    /// The query, its bits in the order of the table.
    pub(super) query: F,
    /// The greatest distance.
    pub(super) k: u32,
    /// Bits that lead.
    pub(super) lead: u32,
    /// The greatest distance of the leads.
    pub(super) radius: u32,
}

impl<F: FingerprintBits> Ask<F> {
    #[inline]
    fn accepts(&self, row: F) -> bool {
        self.lead_accepts(row) && at_most(row ^ self.query, self.k)
    }

    /// Few rows pass even this, and it is less work: radii are small.
    #[inline]
    fn lead_accepts(&self, row: F) -> bool {
        at_most((row ^ self.query) >> (F::WIDTH - self.lead), self.radius)
    }
}

/// Whether at most `k` bits are set: by clearing the lowest, which is less work than counting all of them.
#[inline]
fn at_most<F: FingerprintBits>(bits: F, k: u32) -> bool {
    if F::WIDTH > 64 {
        return bits.ones() <= k;
    }
    let mut left = bits.low();
    for _ in 0..k {
        left &= left.wrapping_sub(1);
    }
    left == 0
}

/// Stops, or goes on; or the bytes of the table are damaged.
type Step<E> = Result<ControlFlow<()>, E>;

impl<F: FingerprintBits, B: Bytes> Table<F, B> {
    /// Fetches rows that will be looked at.
    #[inline]
    pub(super) fn touch(&self, rows: &Range<u64>) -> Result<(), B::Error> {
        if !rows.is_empty() {
            let few = rows.start..rows.end.min(rows.start + MAX_SCANNED_ROWS);
            std::hint::black_box(self.rest.run(few)?.touch());
        }
        Ok(())
    }

    /// Calls `each` with the rows near the query among some that follow on each other, and where they are; a row that is there several times
    /// comes once, with all its places.
    pub(super) fn among(
        &self,
        ask: &Ask<F>,
        prefix: u64,
        rows: Range<u64>,
        each: &mut impl FnMut(F, Range<u64>) -> ControlFlow<()>,
    ) -> Step<B::Error> {
        if rows.end - rows.start <= MAX_SCANNED_ROWS {
            return self.one_by_one(ask, prefix, rows, each);
        }
        let first = self.row(prefix, self.rest.get(rows.start)?);
        let last = self.row(prefix, self.rest.get(rows.end - 1)?);
        let differ = first ^ last;
        if differ == F::ZERO {
            return Ok(if ask.accepts(first) { each(first, rows) } else { ControlFlow::Continue(()) });
        }
        // all of them share the bits above the highest in which the first and the last differ
        let below = F::WIDTH - differ.leading_zeros();
        let apart = if below == F::WIDTH { F::ZERO } else { ((first ^ ask.query) >> below) << below };
        if !ask.accepts(apart ^ ask.query) {
            return Ok(ControlFlow::Continue(()));
        }
        let bit = F::from_low(1) << (below - 1);
        let middle =
            self.first_not_below(rows.clone(), (last >> (below - 1) << (below - 1)) & F::lowest(self.rest_width()))?;
        // the side that agrees with the query first: with a limit, the nearest are found early
        let (near, far) = if (ask.query ^ first) & bit == F::ZERO {
            (rows.start..middle, middle..rows.end)
        } else {
            (middle..rows.end, rows.start..middle)
        };
        if self.among(ask, prefix, near, each)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        self.among(ask, prefix, far, each)
    }

    fn one_by_one(
        &self,
        ask: &Ask<F>,
        prefix: u64,
        rows: Range<u64>,
        each: &mut impl FnMut(F, Range<u64>) -> ControlFlow<()>,
    ) -> Step<B::Error> {
        if rows.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let run = self.rest.run(rows.clone())?;
        let n = (rows.end - rows.start) as usize;
        // what the prefixes differ in is the same for all rows
        let here = Ask { query: ask.query ^ self.row(prefix, F::ZERO), ..*ask };
        let mut left = run.which(n, |rest| here.lead_accepts(rest));
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            left &= left - 1;
            let rest = run.get::<F>(start);
            if here.accepts(rest) {
                let mut end = start + 1;
                while end < n && run.get::<F>(end) == rest {
                    left &= !(1 << end);
                    end += 1;
                }
                if each(self.row(prefix, rest), rows.start + start as u64..rows.start + end as u64).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// All rows of `bits` bits with at most `radius` set.
pub(super) fn flips(bits: u32, radius: u32) -> impl Iterator<Item = u64> {
    Flips::new(bits, radius.min(bits))
}

/// All rows of `bits` bits with at most `radius` set, those with fewer first.
struct Flips {
    bits: u32,
    radius: u32,
    set: u32,
    next: Option<u64>,
}

impl Flips {
    fn new(bits: u32, radius: u32) -> Self {
        Self { bits, radius, set: 0, next: Some(0) }
    }
}

impl Iterator for Flips {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let now = self.next?;
        // the next larger number with as many bits set
        let lowest = now & now.wrapping_neg();
        let ripple = now.wrapping_add(lowest);
        let next = if now == 0 { u64::MAX } else { ripple | (((now ^ ripple) >> 2) / lowest) };
        self.next = if now != 0 && ripple != 0 && (self.bits == 64 || next >> self.bits == 0) {
            Some(next)
        } else {
            self.set += 1;
            (self.set <= self.radius).then(|| (1 << self.set) - 1)
        };
        Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_are_all_and_each_once() {
        for (bits, radius) in [(0, 0), (1, 1), (5, 0), (5, 2), (5, 5), (12, 3)] {
            let mut all: Vec<u64> = Flips::new(bits, radius).collect();
            let expected: Vec<u64> = (0..1u64 << bits).filter(|mask| mask.count_ones() <= radius).collect();
            all.sort_unstable();
            assert_eq!(all, expected, "{bits} bits, radius {radius}");
        }
    }

    #[test]
    fn clearing_bits_is_counting_them() {
        for bits in [0u64, 1, 6, 7, u64::MAX, 0x8000_0000_0000_0001] {
            for k in 0..8 {
                assert_eq!(at_most(bits, k), bits.count_ones() <= k);
                assert_eq!(at_most(u128::from(bits), k), bits.count_ones() <= k);
            }
        }
    }
}
