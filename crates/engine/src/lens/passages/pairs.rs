//! Pairs: every candidate that may be similar enough is compared token by token.

use crate::Error;
use crate::lens::passages::border::Borders;
use crate::lens::passages::calibrate::Observed;
use crate::lens::passages::cohort::CohortUnits;
use crate::lens::passages::family::{Matcher, Method, Prepared};
use crate::lens::passages::frequencies::Frequencies;
use crate::lens::passages::join::{Block, SharedCounts, SubmissionPair, blocks};
use crate::lens::passages::passage_cache::{PassageCache, SharedPassages};
use crate::lens::passages::reading::Library;
use crate::lens::passages::stream_cache::{StreamCache, SubmissionStreams};
use crate::lens::passages::weighing::{evidence_weight, similarity, similarity_of_shared};
use crate::report::passages::PairClass;
use crate::run::Session;
use bytemuck::{Pod, Zeroable};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_store::{ExternalSort, Records};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// A pair in numbers; most similar first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct PairRecord {
    /// All bits of the similarity turned around: the most similar is the smallest.
    order: u32,
    pub a: u32,
    pub b: u32,
    pub overlap_a: u32,
    pub overlap_b: u32,
    pub counted_a: u32,
    pub counted_b: u32,
    pub longest: u32,
    pub passages: u32,
}

impl PairRecord {
    pub fn similarity(&self) -> f64 {
        f64::from(f32::from_bits(!self.order))
    }

    /// The same with another similarity.
    pub fn with_similarity(self, similarity: f64) -> Self {
        Self { order: !(similarity as f32).to_bits(), ..self }
    }

    pub fn class(&self, borders: Borders) -> PairClass {
        borders.class(self.similarity(), u32::midpoint(self.overlap_a, self.overlap_b), self.longest)
    }

    pub fn shares(&self) -> [f64; 2] {
        [share(self.overlap_a, self.counted_a), share(self.overlap_b, self.counted_b)]
    }
}

fn share(part: u32, of: u32) -> f64 {
    if of == 0 { 0.0 } else { f64::from(part) / f64::from(of) }
}

/// What pairs are made of.
pub struct Comparing<'a> {
    pub library: &'a Library,
    pub cohort: &'a CohortUnits,
    pub frequencies: &'a Frequencies,
    pub methods: &'a [Method; 3],
    pub streams: &'a StreamCache<'a>,
    pub passages: &'a PassageCache,
    /// Least similarity …
    pub min: f64,
    /// … or the tokens of a passage that make up for it, and the fingerprints that two share of it at least, if nobody else has it.
    pub long: u32,
    pub long_fingerprints: f64,
}

/// Submissions that are handled before results are filed.
const BATCH_SUBMISSIONS: usize = 256;

/// Pairs that are compared to learn what chance does, whatever the least similarity.
const MAX_SAMPLED_PAIRS: usize = 2000;

/// Some of the candidates, chosen by a hash: the same ones however they come.
#[derive(Default)]
struct Sample {
    kept: BinaryHeap<(u64, u32, u32)>,
    all: u64,
}

impl Sample {
    /// A pair whose hash is not below this is not chosen.
    fn bound(&self) -> u64 {
        match self.kept.peek() {
            Some(most) if self.kept.len() == MAX_SAMPLED_PAIRS => most.0,
            _ => u64::MAX,
        }
    }

    /// A pair comes, of which it is known that it is not chosen unless its hash is below a bound.
    #[inline]
    fn see(&mut self, a: u32, b: u32, bound: u64) {
        self.all += 1;
        let hash = FeatureHasher::default().permute(u64::from(a) << 32 | u64::from(b));
        if hash < bound {
            self.offer((hash, a, b));
        }
    }

    fn offer(&mut self, pair: (u64, u32, u32)) {
        if pair.0 < self.bound() {
            self.kept.push(pair);
            if self.kept.len() > MAX_SAMPLED_PAIRS {
                self.kept.pop();
            }
        }
    }

    /// Those of other pairs.
    fn merge(&mut self, other: Self) {
        self.all += other.all;
        other.kept.into_iter().for_each(|pair| self.offer(pair));
    }

    /// The pairs in the order of their hashes, and how many they were chosen from.
    fn finish(self) -> (Vec<(u32, u32)>, u64) {
        (self.kept.into_sorted_vec().into_iter().map(|(_, a, b)| (a, b)).collect(), self.all)
    }
}

/// Two submissions that may be similar enough; most similar first by their fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Likely {
    /// As of [`PairRecord`].
    order: u32,
    a: u32,
    b: u32,
}

impl Likely {
    fn similarity(self) -> f64 {
        f64::from(f32::from_bits(!self.order))
    }
}

/// What the candidates of one submission are by their fingerprints.
#[derive(Default)]
struct Judged {
    /// Those that may be similar enough.
    likely: Vec<Likely>,
    /// The others.
    observed: Observed,
    sample: Sample,
}

/// The most similar of all that come, and how many did not stay.
struct Best {
    most: usize,
    kept: Vec<Likely>,
    /// The last of those that stayed when there was no room for all: what comes behind it does not stay.
    last: Option<Likely>,
    dropped: u64,
}

impl Best {
    fn new(most: usize) -> Self {
        Self { most, kept: Vec::new(), last: None, dropped: 0 }
    }

    /// Takes one in; `drop` hears of those that do not stay.
    fn push(&mut self, likely: Likely, mut drop: impl FnMut(Likely)) {
        if self.last.is_some_and(|last| likely > last) {
            self.dropped += 1;
            return drop(likely);
        }
        self.kept.push(likely);
        if self.kept.len() > 2 * self.most.max(1 << 12) {
            self.cut(drop);
        }
    }

    fn cut(&mut self, drop: impl FnMut(Likely)) {
        if self.kept.len() > self.most && self.most > 0 {
            let (_, last, rest) = self.kept.select_nth_unstable(self.most - 1);
            self.last = Some(*last);
            self.dropped += rest.len() as u64;
            rest.iter().copied().for_each(drop);
            self.kept.truncate(self.most);
        }
    }
}

/// How much is compared at most, the most similar by their fingerprints first.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub pairs: usize,
    /// Tokens of either side, pair by pair. Half as many are compared to learn what chance does.
    pub tokens: u64,
}

/// What comparing leaves.
pub struct Compared {
    /// Pairs of at least the least similarity, most similar first.
    pub pairs: Records<PairRecord>,
    /// How similar all pairs were that have anything in common.
    pub observed: Observed,
    /// Pairs that were compared since they may be similar enough.
    pub tried: u64,
    /// Pairs that may be similar enough and were not compared, for there were too many that are more similar by their fingerprints.
    pub estimated: u64,
    /// Tokens of either side of all pairs that were compared, for whatever reason.
    pub tokens: u64,
}

impl Comparing<'_> {
    /// Compares the pairs that may be similar enough: all of them, or as many as the budget allows.
    pub fn pairs(&self, session: &Session<'_>, budget: Budget) -> Result<Compared, Error> {
        let mut observed = Observed::default();
        let mut sample = Sample::default();
        let mut best = self.likely(session, budget.pairs, &mut observed, &mut sample)?;
        best.kept.sort_unstable();
        let affordable = self.affordable(best.kept.iter().map(|likely| (likely.a, likely.b)), budget.tokens);
        for dropped in best.kept.drain(affordable..) {
            best.dropped += 1;
            observed.see(dropped.similarity());
        }
        let (drawn, all) = sample.finish();
        observed.candidates = all;
        let mut sampled = drawn[..self.affordable(drawn.iter().copied(), budget.tokens / 2)].to_vec();
        sampled.sort_unstable();
        let mut tokens = 0;
        let mut known: FxHashMap<(u32, u32), PairRecord> = FxHashMap::default();
        self.compare(session, &sampled, |pair| {
            tokens += self.tokens_of((pair.a, pair.b));
            observed.sampled.push(pair.similarity());
            known.insert((pair.a, pair.b), pair);
            Ok(())
        })?;
        let mut pairs = ExternalSort::new(&session.space, "the pairs", session.share(8));
        let mut chosen: Vec<(u32, u32)> = best.kept.iter().map(|likely| (likely.a, likely.b)).collect();
        let tried = chosen.len() as u64;
        let mut see = |pair: PairRecord| {
            observed.see(pair.similarity());
            if self.is_listed(&pair) { pairs.push(pair) } else { Ok(()) }
        };
        chosen.iter().filter_map(|pair| known.get(pair)).try_for_each(|pair| see(*pair))?;
        chosen.retain(|pair| !known.contains_key(pair));
        chosen.sort_unstable();
        self.compare(session, &chosen, |pair| {
            tokens += self.tokens_of((pair.a, pair.b));
            see(pair)
        })?;
        // those with the same tokens as another share the same with it: one of them is compared
        let identical = self.identical();
        let mut groups = identical.chunk_by(|a, b| a.0 == b.0);
        let firsts: Vec<(u32, u32)> = groups.clone().map(|group| group[0]).collect();
        self.compare(session, &firsts, |pair| {
            tokens += self.tokens_of((pair.a, pair.b));
            for (_, copy) in groups.next().into_iter().flatten() {
                observed.identical += 1;
                observed.see(if pair.passages > 0 { pair.similarity() } else { 0.0 });
                if pair.passages > 0 {
                    pairs.push(PairRecord { b: *copy, ..pair })?;
                }
            }
            Ok(())
        })?;
        Ok(Compared { pairs: pairs.finish()?, observed, tried, estimated: best.dropped, tokens })
    }

    /// How many of these pairs, from the first on, have no more tokens than this; one at least.
    fn affordable(&self, pairs: impl Iterator<Item = (u32, u32)>, tokens: u64) -> usize {
        let costs = pairs.scan(0u64, |sum, pair| {
            *sum += self.tokens_of(pair);
            Some(*sum)
        });
        costs.enumerate().take_while(|(at, sum)| *at == 0 || *sum <= tokens).count()
    }

    /// Tokens of both sides of a pair.
    fn tokens_of(&self, (a, b): (u32, u32)) -> u64 {
        let tokens = |(_, document): &(String, u32)| u64::from(self.library.documents[*document as usize].tokens);
        [a, b].iter().flat_map(|unit| &self.cohort.units[*unit as usize].documents).map(tokens).sum()
    }

    /// The pairs whose fingerprints allow for the least similarity, the `most` similar of them.
    fn likely(
        &self,
        session: &Session<'_>,
        most: usize,
        observed: &mut Observed,
        sample: &mut Sample,
    ) -> Result<Best, Error> {
        let mut best = Best::new(most);
        for units in blocks(self.cohort, self.frequencies, session.share(4)) {
            let block = Block::new(self.library, self.cohort, self.frequencies, units.clone())?;
            let units: Vec<u32> = units.collect();
            for some in units.chunks(BATCH_SUBMISSIONS) {
                session.cancel.check()?;
                let (counts, bound) = (|| SharedCounts::new(self.cohort.units.len()), sample.bound());
                let judged = some.par_iter().map_init(counts, |counts, unit| {
                    self.judged(*unit, &block.candidates(self.cohort, *unit, counts), bound)
                });
                for judged in judged.collect::<Vec<Judged>>() {
                    observed.merge(judged.observed);
                    sample.merge(judged.sample);
                    for likely in judged.likely {
                        best.push(likely, |dropped| observed.see(dropped.similarity()));
                    }
                }
            }
        }
        best.cut(|dropped| observed.see(dropped.similarity()));
        Ok(best)
    }

    /// Tells candidates of a submission by their fingerprints. No pair whose hash is not below the bound is of the sample.
    fn judged(&self, unit: u32, candidates: &[SubmissionPair], bound: u64) -> Judged {
        let mut judged = Judged::default();
        let weight = self.frequencies.weights[unit as usize];
        for candidate in candidates {
            let whole = [weight, self.frequencies.weights[candidate.unit as usize]];
            let shared = f64::from(candidate.weight);
            let estimate = similarity_of_shared(shared, whole);
            // fingerprints are a sample: three standard deviations, and three more for those at the ends of passages
            let slack = 3.0 * shared.sqrt() + 3.0;
            // the share of the larger is never above the similarity, and quicker to tell
            let enough = shared + 3.0 >= self.min * whole[0].max(whole[1])
                || similarity_of_shared(shared + slack, whole) >= self.min;
            judged.sample.see(unit, candidate.unit, bound);
            if !enough && shared < self.long_fingerprints {
                judged.observed.see(estimate);
            } else {
                judged.likely.push(Likely { order: !(estimate as f32).to_bits(), a: unit, b: candidate.unit });
            }
        }
        judged
    }

    /// Those with the same tokens as another, with that one.
    fn identical(&self) -> Vec<(u32, u32)> {
        let copies = (0u32..).zip(&self.cohort.units).filter_map(|(unit, u)| Some((u.same_as?, unit)));
        let mut pairs: Vec<(u32, u32)> = copies
            .filter(|(first, unit)| {
                self.frequencies.fingerprints[*unit as usize] > 0 && self.cohort.comparable(*first, *unit)
            })
            .collect();
        pairs.sort_unstable();
        pairs
    }

    /// Compares pairs, which are in order, and calls `each` with each of them, in the same order.
    fn compare(
        &self,
        session: &Session<'_>,
        pairs: &[(u32, u32)],
        mut each: impl FnMut(PairRecord) -> Result<(), lookalike_store::Error>,
    ) -> Result<(), Error> {
        let groups: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
        for some in groups.chunks(BATCH_SUBMISSIONS) {
            let compare = |matchers: &mut [Matcher<'_>; 3], group: &&[(u32, u32)]| {
                session.cancel.check()?;
                self.of(group, matchers)
            };
            let found: Vec<Vec<PairRecord>> =
                some.par_iter().map_init(|| self.matchers(), compare).collect::<Result<_, Error>>()?;
            for pair in found.into_iter().flatten() {
                each(pair)?;
            }
            session.progress.advance(some.iter().map(|group| group.len() as u64).sum());
        }
        Ok(())
    }

    /// Whether a pair is similar enough, or has a passage that makes up for it.
    fn is_listed(&self, pair: &PairRecord) -> bool {
        pair.passages > 0 && (pair.similarity() >= self.min || pair.longest >= self.long)
    }

    pub fn matchers(&self) -> [Matcher<'_>; 3] {
        self.methods.each_ref().map(Method::matcher)
    }

    /// One submission with others.
    fn of(&self, pairs: &[(u32, u32)], matchers: &mut [Matcher<'_>; 3]) -> Result<Vec<PairRecord>, Error> {
        let Some((unit, _)) = pairs.first().copied() else { return Ok(Vec::new()) };
        let _permit = self.streams.admit(unit, pairs.iter().map(|(_, other)| *other))?;
        let a = self.streams.side(unit)?;
        let tables: Vec<Prepared<'_>> =
            a.streams.iter().map(|stream| self.methods[stream.family as usize].prepare(stream)).collect();
        let mut found = Vec::with_capacity(pairs.len());
        for (_, other) in pairs {
            let b = self.streams.side(*other)?;
            let mut pair = PairRecord { a: unit, b: *other, ..PairRecord::zeroed() };
            let mut weights = [0.0; 2];
            let mut whole = [0.0; 2];
            let shared = shared_passages(&a, &tables, &b, matchers);
            for (of_a, of_b, passages) in shared.iter().filter(|(_, _, passages)| !passages.is_empty()) {
                let [weights_a, weights_b] = [&a, &b].map(|side| self.streams.weights(side));
                whole = [weights_a.whole, weights_b.whole];
                let streams = [weights_a.of(&a.streams, *of_a), weights_b.of(&b.streams, *of_b)];
                let k = self.methods[streams[0].stream.family as usize].winnowing.k;
                let evidence = evidence_weight(passages, streams, k);
                weights = [weights[0] + evidence.weight[0], weights[1] + evidence.weight[1]];
                pair.overlap_a += evidence.overlap[0];
                pair.overlap_b += evidence.overlap[1];
                pair.longest = passages.iter().map(|passage| passage.equal).fold(pair.longest, u32::max);
                pair.passages += passages.len() as u32;
            }
            (pair.counted_a, pair.counted_b) = (a.counted, b.counted);
            let pair = pair.with_similarity(similarity(weights, whole));
            if self.is_listed(&pair) {
                self.passages.insert((unit, *other), shared);
            }
            found.push(pair);
        }
        Ok(found)
    }
}

/// What two submissions share.
pub fn shared_passages(
    a: &SubmissionStreams,
    tables: &[Prepared<'_>],
    b: &SubmissionStreams,
    matchers: &mut [Matcher<'_>; 3],
) -> SharedPassages {
    let mut all = Vec::new();
    for (at, (stream, table)) in a.streams.iter().zip(tables).enumerate() {
        let Some(other) = b.streams.iter().position(|other| other.family == stream.family) else { continue };
        let passages = matchers[stream.family as usize].passages(table, &b.streams[other]);
        all.push((at, other, passages));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sample_of_samples_is_that_of_all() {
        let (mut whole, mut parts) = (Sample::default(), Sample::default());
        for a in 0..100 {
            let (mut part, bound) = (Sample::default(), parts.bound());
            for b in 0..a * 30 {
                whole.see(a, b, u64::MAX);
                part.see(a, b, bound);
            }
            parts.merge(part);
        }
        let (whole, parts) = (whole.finish(), parts.finish());
        assert_eq!(whole, parts);
        assert_eq!((whole.0.len(), whole.1), (MAX_SAMPLED_PAIRS, (0..100).map(|a| a * 30).sum()));
    }

    proptest! {
        #[test]
        fn the_best_stay(orders in prop::collection::vec(0u32..500, 0..20_000), most in 1usize..3_000) {
            let all: Vec<Likely> = (0u32..).zip(&orders).map(|(a, order)| Likely { order: *order, a, b: 0 }).collect();
            let (mut best, mut dropped) = (Best::new(most), Vec::new());
            for likely in &all {
                best.push(*likely, |likely| dropped.push(likely));
            }
            best.cut(|likely| dropped.push(likely));
            prop_assert_eq!(best.dropped, dropped.len() as u64);
            let mut sorted = all;
            sorted.sort_unstable();
            best.kept.sort_unstable();
            dropped.sort_unstable();
            prop_assert_eq!([best.kept, dropped].concat(), sorted);
        }
    }
}
