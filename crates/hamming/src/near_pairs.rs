//! All pairs of fingerprints that are near each other, found by sorting.
//!
//! For each table of a design whose leads must be equal, fingerprints are sorted by its order, and those with the same lead are compared.
//! Where very many are near each other, tables help nothing: each pair is compared once then, at the price of one xor and one count.

use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::{Design, Order, Tables};
use lookalike_store::{Cancel, Cancelled, Progress};
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};

/// Groups that a thread takes at a time.
const GROUPS_PER_TASK: usize = 1 << 12;
/// Fingerprints of a group that are compared all with all, whatever they are. (Tests have few.)
const MAX_SMALL_GROUP: usize = if cfg!(test) { 16 } else { 1 << 10 };
/// Fingerprints of a larger group that a thread takes at a time.
const ROWS_PER_TASK: usize = 1 << 8;
/// Fingerprints of a larger group that tell how dense it is, and the share of others near them from which on it is compared all with all.
const DENSITY_SAMPLE: usize = 64;
const MIN_DENSE_SHARE: u64 = 64;
/// Pairs that are handed on at a time.
const PAIRS_PER_CALL: usize = 1 << 14;

/// The places of two fingerprints, and the distance.
pub type NearPair = (u32, u32, u32);

/// A fingerprint in the order of a table, and its place.
type Row<F> = (F, u32);

/// Calls `each`, on any thread and in any order, with every pair of these fingerprints (sorted, each once) that is near: the places of the
/// two, the first first, and the distance. How many pairs were looked at.
pub fn for_each_near_pair<F: FingerprintBits, E: From<Cancelled> + Send>(
    fingerprints: &[F],
    distance: u32,
    progress: &dyn Progress,
    cancel: &Cancel,
    each: &(dyn Fn(&[NearPair]) -> Result<(), E> + Sync),
) -> Result<u64, E> {
    let n = fingerprints.len() as u64;
    let orders = design::<F>(n, distance).orders(F::WIDTH);
    let leads: Vec<F> = orders.iter().map(Order::lead_mask).collect();
    let mut rows: Vec<Row<F>> = Vec::with_capacity(fingerprints.len());
    let compared = AtomicU64::new(0);
    for (table, order) in orders.iter().enumerate() {
        cancel.check()?;
        rows.clear();
        rows.extend(fingerprints.iter().zip(0..).map(|(fingerprint, place)| (order.permute(*fingerprint), place)));
        rows.par_sort_unstable();
        let below = F::WIDTH - order.lead;
        let mut groups: Vec<&[Row<F>]> =
            rows.chunk_by(|a, b| (a.0 ^ b.0) >> below == F::ZERO).filter(|group| group.len() > 1).collect();
        // if the groups of all tables have more pairs than there are, no table is worth it
        let in_groups: u64 = groups.iter().map(|group| pairs_of(group.len())).sum();
        let one_by_one = table == 0 && in_groups.saturating_mul(orders.len() as u64) >= pairs_of(rows.len());
        if one_by_one {
            groups = vec![&rows];
        }
        let search = Search { order, leads: &leads[..table], distance, cancel, each, compared: &compared };
        let (small, large): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.len() <= MAX_SMALL_GROUP);
        small.par_chunks(GROUPS_PER_TASK).try_for_each(|groups| {
            let mut near = Vec::new();
            groups.iter().try_for_each(|group| search.all_with_all(group, 0..group.len(), &mut near))?;
            each(&near)
        })?;
        for group in large {
            search.large(group, one_by_one || search.is_dense(group))?;
        }
        if one_by_one {
            progress.advance(n);
            break;
        }
        progress.advance(n / orders.len() as u64);
    }
    Ok(compared.into_inner())
}

/// How many pairs so many make.
fn pairs_of(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// The design with the fewest tables in whose groups a fingerprint meets few others by chance.
fn design<F: FingerprintBits>(n: u64, k: u32) -> Design {
    let all = (k + 1..=k + 4).flat_map(|blocks| (1..=blocks - k).map(move |lead| Design::Choose { blocks, lead }));
    let cost = |design: &Design| {
        let met = |order: &Order| n as f64 / 2f64.powi(order.lead.cast_signed());
        // to sort a row takes as long as to compare it with some forty others
        design.orders(F::WIDTH).iter().map(|order| 40.0 + met(order)).sum::<f64>()
    };
    let fastest = all.filter(|design| design.tables() <= 64).min_by(|a, b| cost(a).total_cmp(&cost(b)));
    fastest.unwrap_or(Design::Choose { blocks: k + 1, lead: 1 })
}

/// The pairs of one table.
struct Search<'a, F, E> {
    order: &'a Order,
    /// The leads of the tables before: the first table in which the leads are equal reports a pair.
    leads: &'a [F],
    distance: u32,
    cancel: &'a Cancel,
    each: &'a (dyn Fn(&[NearPair]) -> Result<(), E> + Sync),
    compared: &'a AtomicU64,
}

impl<F: FingerprintBits, E: From<Cancelled> + Send> Search<'_, F, E> {
    /// Whether so many of a group are near each other that a search would find most of them again and again.
    fn is_dense(&self, group: &[Row<F>]) -> bool {
        let some = group.iter().step_by(group.len().div_ceil(DENSITY_SAMPLE));
        let near = |a: &Row<F>| group.iter().filter(|b| a.0.distance(b.0) <= self.distance).count() as u64;
        let (drawn, near) = some.fold((0, 0), |(drawn, sum), a| (drawn + 1, sum + near(a)));
        self.compared.fetch_add(drawn * group.len() as u64, Ordering::Relaxed);
        near * MIN_DENSE_SHARE >= drawn * group.len() as u64
    }

    fn large(&self, group: &[Row<F>], one_by_one: bool) -> Result<(), E> {
        let pieces = (0..group.len()).into_par_iter().step_by(ROWS_PER_TASK);
        let piece = |start: usize| start..(start + ROWS_PER_TASK).min(group.len());
        if one_by_one {
            return pieces.try_for_each(|start| {
                let mut near = Vec::new();
                self.all_with_all(group, piece(start), &mut near)?;
                (self.each)(&near)
            });
        }
        let rows = group.iter().map(|row| row.0).zip(0..).collect();
        let tables = Tables::build(Design::Choose { blocks: 2, lead: 1 }, rows);
        pieces.try_for_each(|start| {
            let (mut near, mut hits) = (Vec::new(), 0);
            for at in piece(start) {
                self.cancel.check()?;
                tables.near_in_memory(group[at].0, self.distance, |hit| {
                    hits += 1;
                    // rows are in the order of the group, which is sorted and has each once
                    if hit.rows.start as usize > at {
                        self.take(&group[at], &group[hit.rows.start as usize], &mut near);
                    }
                    ControlFlow::Continue(())
                });
                self.hand_on(&mut near)?;
            }
            self.compared.fetch_add(hits, Ordering::Relaxed);
            (self.each)(&near)
        })
    }

    /// Compares some of a group with all that come after each.
    fn all_with_all(&self, group: &[Row<F>], some: Range<usize>, near: &mut Vec<NearPair>) -> Result<(), E> {
        self.cancel.check()?;
        for at in some {
            let (a, others) = (&group[at], &group[at + 1..]);
            others.iter().filter(|b| a.0.distance(b.0) <= self.distance).for_each(|b| self.take(a, b, near));
            self.compared.fetch_add(others.len() as u64, Ordering::Relaxed);
            self.hand_on(near)?;
        }
        Ok(())
    }

    #[inline]
    fn take(&self, a: &Row<F>, b: &Row<F>, near: &mut Vec<NearPair>) {
        let apart = a.0 ^ b.0;
        let is_reported = || {
            let apart = self.order.restore(apart);
            self.leads.iter().any(|lead| apart & *lead == F::ZERO)
        };
        if self.leads.is_empty() || !is_reported() {
            near.push((a.1.min(b.1), a.1.max(b.1), apart.ones()));
        }
    }

    /// Hands pairs on if there are many.
    fn hand_on(&self, near: &mut Vec<NearPair>) -> Result<(), E> {
        if near.len() >= PAIRS_PER_CALL {
            (self.each)(near)?;
            near.clear();
        }
        Ok(())
    }
}
