//! Which of many fingerprints may be near any of some queries.
//!
//! For each table of a design with one block in front, a row of bits says which leads are within its radius of the lead of any query. A
//! fingerprint whose bit is not set in any of them is near none, and most are such: what is left for the tables of the queries is little.

use super::{Design, ball};
use crate::bits::Bits;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Fingerprints that are looked at together.
const TOGETHER: usize = 1024;
/// At most 2^33 bits, a gigabyte, for a table.
const MOST_BITS: u32 = 33;

/// One table's part.
#[derive(Debug)]
struct Leads<W> {
    /// The bits that are looked at: this many, above so many others.
    bits: u32,
    low: u32,
    set: W,
}

/// Leads that are near those of queries.
#[derive(Debug)]
pub struct Filter<F, W> {
    leads: Vec<Option<Leads<W>>>,
    print: PhantomData<F>,
}

/// How many bits of a lead to look at, for so many queries and so many fingerprints that are held against them; none if it is not
/// worth the while.
fn bits_for(queries: u64, stream: u64, lead: u32, radius: u32) -> Option<u32> {
    // nanoseconds, as measured: to set a bit, to clear a byte, to look at one that is near or far, and to ask the tables in vain
    let cost = |bits: u32| {
        let (set, size) = (queries as f64 * ball(bits.into(), radius.into()), (1u64 << bits) as f64);
        let look = if bits <= 23 {
            1.0
        } else if bits <= 30 {
            4.0
        } else {
            8.0
        };
        set * 2.0 * look + size / 8.0 * 0.3 + stream as f64 * (look + 600.0 * (1.0 - (-set / size).exp()))
    };
    let best = (4..=lead.min(MOST_BITS)).min_by(|a, b| cost(*a).total_cmp(&cost(*b)))?;
    (cost(best) < stream as f64 * 600.0).then_some(best)
}

impl<F: Bits, W: Deref<Target = [u8]> + DerefMut> Filter<F, W> {
    /// A filter for queries of distance `k`, held against about `stream` fingerprints; `room` gives so many bytes, all zero.
    /// None if the design has several blocks in front, or so many queries are near everything.
    pub fn new<E>(
        design: Design,
        k: u32,
        queries: &[F],
        stream: u64,
        mut room: impl FnMut(usize) -> Result<W, E>,
    ) -> Result<Option<Self>, E> {
        let (Design::Choose { lead: 1, .. }, Some(radii)) = (design, design.radii(k)) else { return Ok(None) };
        let mut leads = Vec::new();
        for (order, radius) in design.orders(F::WIDTH).iter().zip(radii) {
            let Some(radius) = radius else {
                leads.push(None);
                continue;
            };
            let Some(bits) = bits_for(queries.len() as u64, stream, order.lead, radius) else { return Ok(None) };
            let low = order.lead_mask::<F>().trailing_zeros() + order.lead - bits;
            let mut part = Leads { bits, low, set: room(1 << bits.saturating_sub(3))? };
            let flips: Vec<u64> = super::near::flips(bits, radius).collect();
            for query in queries {
                let lead = part.lead(*query);
                for flip in &flips {
                    let at = lead ^ flip;
                    part.set[(at / 8) as usize] |= 1 << (at % 8);
                }
            }
            leads.push(Some(part));
        }
        Ok(Some(Self { leads, print: PhantomData }))
    }

    /// Calls `each` with the place of every fingerprint that may be near a query, and the tables (a bit for each) that may know of it.
    pub fn suspects(&self, prints: &[F], mut each: impl FnMut(usize, u64)) {
        let mut tables = [0u64; TOGETHER];
        for (number, some) in prints.chunks(TOGETHER).enumerate() {
            let tables = &mut tables[..some.len()];
            tables.fill(0);
            for (at, part) in self.leads.iter().enumerate() {
                let Some(part) = part else { continue };
                // no branch depends on what memory says: the machine waits for many answers at once
                for (table, print) in tables.iter_mut().zip(some) {
                    *table |= part.has(*print) << at;
                }
            }
            for (at, table) in tables.iter().enumerate() {
                if *table != 0 {
                    each(number * TOGETHER + at, *table);
                }
            }
        }
    }
}

impl<W: Deref<Target = [u8]>> Leads<W> {
    #[inline]
    fn lead<F: Bits>(&self, print: F) -> u64 {
        (print >> self.low).low() & (u64::MAX >> (64 - self.bits))
    }

    #[inline]
    fn has<F: Bits>(&self, print: F) -> u64 {
        let lead = self.lead(print);
        u64::from(self.set[(lead / 8) as usize] >> (lead % 8) & 1)
    }
}
