//! Pairs: every candidate that may be similar enough is compared token by token.

use super::calibrate::Observed;
use super::cohort::Cohort;
use super::family::{Matcher, Method, Prepared};
use super::join::{Block, Candidate, Counts, blocks};
use super::lists::Lists;
use super::reading::Library;
use super::streams::{Side, Streams};
use super::weighing::{similarity, tells};
use crate::Error;
use crate::pipeline::Session;
use bytemuck::{Pod, Zeroable};
use lookalike_core::passage::Passage;
use lookalike_store::{ExternalSort, Records};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A pair in numbers; most similar first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PairRecord {
    /// All bits of the similarity turned around: the most similar is the smallest.
    order: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) overlap_a: u32,
    pub(crate) overlap_b: u32,
    pub(crate) counted_a: u32,
    pub(crate) counted_b: u32,
    pub(crate) longest: u32,
    pub(crate) passages: u32,
}

impl PairRecord {
    pub(crate) fn similarity(&self) -> f64 {
        f64::from(f32::from_bits(!self.order))
    }

    pub(crate) fn shares(&self) -> [f64; 2] {
        [share(self.overlap_a, self.counted_a), share(self.overlap_b, self.counted_b)]
    }
}

fn share(part: u32, of: u32) -> f64 {
    if of == 0 { 0.0 } else { f64::from(part) / f64::from(of) }
}

/// What pairs are made of.
pub(crate) struct Comparing<'a> {
    pub(crate) library: &'a Library,
    pub(crate) cohort: &'a Cohort,
    pub(crate) lists: &'a Lists,
    pub(crate) methods: &'a [Method; 3],
    pub(crate) streams: &'a Streams<'a>,
    /// Least similarity.
    pub(crate) min: f64,
}

/// Submissions that are handled before results are filed.
const AT_ONCE: usize = 256;

impl Comparing<'_> {
    /// All pairs of at least the least similarity, and how similar all others were.
    pub(crate) fn pairs(&self, session: &Session<'_>) -> Result<(Records<PairRecord>, Observed), Error> {
        let mut pairs = ExternalSort::new(&session.space, "the pairs", session.share(8));
        let mut observed = Observed::default();
        for units in blocks(self.cohort, self.lists, session.share(4)) {
            let block = Block::new(self.library, self.cohort, self.lists, units.clone())?;
            let units: Vec<u32> = units.collect();
            for some in units.chunks(AT_ONCE) {
                session.cancel.check()?;
                let worker = || (Counts::new(self.cohort.units.len()), self.matchers());
                let found: Vec<(Vec<PairRecord>, Observed)> = some
                    .par_iter()
                    .map_init(worker, |(counts, matchers), unit| {
                        session.cancel.check()?;
                        self.of(*unit, &block.candidates(self.cohort, *unit, counts), matchers)
                    })
                    .collect::<Result<_, Error>>()?;
                for (some, seen) in found {
                    some.into_iter().try_for_each(|pair| pairs.push(pair))?;
                    observed.add(&seen);
                }
                session.progress.advance(some.len() as u64);
            }
        }
        self.identical(session, &mut pairs, &mut observed)?;
        Ok((pairs.finish()?, observed))
    }

    /// Those with the same tokens as another are compared with that one only.
    fn identical(
        &self,
        session: &Session<'_>,
        pairs: &mut ExternalSort<PairRecord>,
        observed: &mut Observed,
    ) -> Result<(), Error> {
        let mut by_first: BTreeMap<u32, Vec<Candidate>> = BTreeMap::new();
        for (unit, first) in (0..).zip(&self.cohort.units).filter_map(|(unit, u)| Some((unit, u.same_as?))) {
            let shared = self.lists.prints[unit as usize];
            if shared > 0 && self.cohort.comparable(first, unit) {
                let weight = self.lists.weights[unit as usize] as f32;
                by_first.entry(first).or_default().push(Candidate { unit, shared, weight });
            }
        }
        for (first, copies) in by_first {
            session.cancel.check()?;
            let (found, _) = self.of(first, &copies, &mut self.matchers())?;
            observed.identical += found.len() as u64;
            found.into_iter().try_for_each(|pair| pairs.push(pair))?;
        }
        Ok(())
    }

    pub(crate) fn matchers(&self) -> [Matcher<'_>; 3] {
        self.methods.each_ref().map(Method::matcher)
    }

    /// The pairs of one submission with those behind it.
    fn of(
        &self,
        unit: u32,
        candidates: &[Candidate],
        matchers: &mut [Matcher<'_>; 3],
    ) -> Result<(Vec<PairRecord>, Observed), Error> {
        let mut observed = Observed::default();
        let mut pairs = Vec::new();
        let mut likely = Vec::new();
        for candidate in candidates {
            let whole = [unit, candidate.unit].map(|unit| self.lists.weights[unit as usize]);
            let shared = f64::from(candidate.weight);
            // fingerprints are a sample: three standard deviations and three more for those at the ends of passages
            if similarity([shared + 3.0 * shared.sqrt() + 3.0; 2], whole) < self.min {
                observed.see(similarity([shared; 2], whole));
            } else {
                likely.push(candidate.unit);
            }
        }
        if likely.is_empty() {
            return Ok((pairs, observed));
        }
        let a = self.streams.side(unit)?;
        let tables: Vec<Prepared<'_>> =
            a.streams.iter().map(|stream| self.methods[stream.family as usize].prepare(stream)).collect();
        for other in likely {
            let b = self.streams.side(other)?;
            let mut pair = PairRecord { a: unit, b: other, ..PairRecord::zeroed() };
            let mut told = [0.0; 2];
            for (of_a, of_b, passages) in shared_passages(&a, &tables, &b, matchers) {
                let streams = [&a.streams[of_a], &b.streams[of_b]];
                let found = tells(&passages, streams, self.methods[streams[0].family as usize].winnowing.k);
                told = [told[0] + found.weight[0], told[1] + found.weight[1]];
                pair.overlap_a += found.overlap[0];
                pair.overlap_b += found.overlap[1];
                pair.longest = passages.iter().map(|passage| passage.equal).fold(pair.longest, u32::max);
                pair.passages += passages.len() as u32;
            }
            (pair.counted_a, pair.counted_b) = (a.counted, b.counted);
            let similarity = similarity(told, [a.weight, b.weight]) as f32;
            pair.order = !similarity.to_bits();
            observed.see(f64::from(similarity));
            if pair.passages > 0 && pair.similarity() >= self.min {
                pairs.push(pair);
            }
        }
        Ok((pairs, observed))
    }
}

/// What two submissions share, by family: the index of the stream on either side, and the passages.
pub(crate) fn shared_passages(
    a: &Side,
    tables: &[Prepared<'_>],
    b: &Side,
    matchers: &mut [Matcher<'_>; 3],
) -> Vec<(usize, usize, Vec<Passage>)> {
    let mut all = Vec::new();
    for (at, (stream, table)) in a.streams.iter().zip(tables).enumerate() {
        let Some(other) = b.streams.iter().position(|other| other.family == stream.family) else { continue };
        let passages = matchers[stream.family as usize].passages(table, &b.streams[other]);
        all.push((at, other, passages));
    }
    all
}
