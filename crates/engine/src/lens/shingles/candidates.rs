//! Phase three: pairs of documents that share features, with how many they share.
//!
//! For each document x the lists of its features are walked, the shortest first, and a counter is raised for each smaller document y in
//! them. A pair needs a number of shared features to be worth anything, so after the first lists a document that was not met yet cannot
//! make it (prefix filtering): the last lists, which are the longest, need not be walked, if it is cheaper to compare x with those met
//! feature by feature. Lists and counters are in memory for a block of y and a block of x at a time; with enough memory there is
//! one block and one pass over the postings.

use crate::Error;
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::posting_blocks::{List, PostingBlock};
use crate::lens::shingles::sample_counts::prefix_length;
use crate::lens::shingles::thinning::ThinnedLevels;
use crate::report::shingles::Candidates;
use crate::run::Session;
use crate::run::catalogue::Catalogue;
use crate::run::filter::{Filter, LeastShared};
use crate::run::postings::{Posting, for_each_list};
use bytemuck::{Pod, Zeroable};
use lookalike_core::sketch::SampleOverlap;
use lookalike_store::{Records, Sequence};
use rayon::prelude::*;
use std::ops::Range;

/// A pair that may be a link, with what its samples have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Candidate {
    pub a: u32,
    pub b: u32,
    pub sample_a: u32,
    pub sample_b: u32,
    pub shared: u32,
    pub exhaustive: u32,
}

impl Candidate {
    pub fn new(a: u32, b: u32, o: SampleOverlap) -> Self {
        Self { a, b, sample_a: o.a, sample_b: o.b, shared: o.shared, exhaustive: u32::from(o.is_exhaustive) }
    }

    pub fn sample(self) -> SampleOverlap {
        SampleOverlap { a: self.sample_a, b: self.sample_b, shared: self.shared, is_exhaustive: self.exhaustive != 0 }
    }

    /// The same pair with the smaller document first.
    pub fn ordered(self) -> Self {
        if self.a < self.b { self } else { self.swapped() }
    }

    /// The same pair from the other side.
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, sample_a: self.sample_b, sample_b: self.sample_a, ..self }
    }
}

/// Places in lists that take as long as to look up how much a document that was met can share.
const PLACES_PER_LOOK: usize = 8;
/// Documents whose pairs are formed and filed at once.
const BATCH_DOCUMENTS: usize = 1 << 12;

pub struct Join<'a> {
    pub session: &'a Session<'a>,
    pub catalogue: &'a Catalogue,
    pub counted: &'a CountedFeatures,
    pub filter: Filter,
    pub method: Candidates,
    pub thinned: &'a ThinnedLevels,
    /// The filter, looked up: most documents that are met share far too little.
    pub least: LeastShared,
}

impl Join<'_> {
    /// Appends all candidate pairs to `out`. Gives the lists back, if there was room for all at once.
    pub fn run(
        &self,
        postings: &Records<Posting>,
        out: &mut Sequence<Candidate>,
    ) -> Result<Option<PostingBlock>, Error> {
        // four bytes in a list, and four as a reference from each side
        let blocks = (postings.len() as usize * 12).div_ceil(self.session.share(4)).clamp(1, 64);
        let width = self.catalogue.len().div_ceil(blocks).max(1) as u32;
        let range = |block: usize| block as u32 * width..(block as u32 + 1).saturating_mul(width);
        let mut last = None;
        for y in 0..blocks {
            for x in y..blocks {
                drop(last.take());
                let lists = self.lists(postings, range(y), range(x))?;
                self.block(&lists, out)?;
                last = Some(lists);
            }
        }
        Ok(last.filter(|_| blocks == 1))
    }

    /// The lists that make pairs of two blocks.
    fn lists(&self, postings: &Records<Posting>, ys: Range<u32>, xs: Range<u32>) -> Result<PostingBlock, Error> {
        let mut lists = PostingBlock::new(ys, xs);
        for_each_list(postings, |feature, documents| {
            if self.counted.frequent().place(feature).is_none() {
                lists.push(feature, documents);
            }
            Ok(())
        })?;
        lists.finish();
        Ok(lists)
    }

    fn block(&self, lists: &PostingBlock, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let xs: Vec<u32> = lists.xs().collect();
        for wave in xs.chunks(BATCH_DOCUMENTS) {
            self.session.cancel.check()?;
            let found: Vec<Result<Vec<Candidate>, Error>> = wave
                .par_chunks(64)
                .map_init(
                    || Counters::new(lists.first_y()),
                    |counters, xs| {
                        let mut found = Vec::new();
                        xs.iter().try_for_each(|x| self.pairs_of(*x, lists, counters, &mut found)).map(|()| found)
                    },
                )
                .collect();
            for candidates in found {
                for candidate in candidates? {
                    out.push(candidate)?;
                }
            }
            self.session.progress.advance(wave.len() as u64);
        }
        Ok(())
    }

    /// Finds the candidates of x among the smaller documents of the block.
    fn pairs_of(
        &self,
        x: u32,
        lists: &PostingBlock,
        counters: &mut Counters,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Error> {
        let mut references = std::mem::take(&mut counters.references);
        references.clear();
        references.extend(lists.leading(x));
        let result = self.pairs_by(x, lists, &references, counters, found);
        counters.references = references;
        result
    }

    /// The same by these lists.
    fn pairs_by(
        &self,
        x: u32,
        lists: &PostingBlock,
        references: &[u32],
        counters: &mut Counters,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Error> {
        let counted = self.method == Candidates::Shingles;
        let thinned = self.thinned.level(x);
        let first = match thinned {
            Some(level) => Some(choose_level(level, lists, references, &mut counters.chosen)),
            None if counted => self.prefix(x, lists, references, counters),
            None => None,
        };
        let Some(chosen) = first else {
            // nothing is known of how many must be shared
            for list in references {
                counters.count(lists.ys(lists.list(*list)), x);
            }
            for (y, shared) in counters.take() {
                found.extend(self.candidate(lists, y, x, shared)?);
            }
            return Ok(());
        };
        if chosen == 0 {
            return Ok(());
        }
        let (mut first, mut last) =
            (std::mem::take(&mut counters.first_lists), std::mem::take(&mut counters.last_lists));
        for (list, chosen) in references.iter().zip(&counters.chosen) {
            if *chosen { &mut first } else { &mut last }.push(lists.list(*list));
        }
        lists.fetch(&first);
        for list in first.drain(..) {
            counters.count(lists.ys(list), x);
        }
        let (rest, walk) = (last.len() as u32, last.iter().map(|list| lists.ys(*list).len()).sum::<usize>());
        // most documents that are met share far too little: one number tells, before anything is looked up of a pair
        let (level, least) = self.least_shared(x);
        let enough = |y: u32, shared: u32| shared >= least || self.counted.level(y) > level;
        if let Some(level) = thinned {
            counters.keep(|y, met| enough(y, met) && self.resembles_at(level, y, x, met));
        } else {
            // a document met so often may have all the other features too, but no more
            counters.keep(|y, met| enough(y, met + rest));
            if walk > counters.met() * PLACES_PER_LOOK {
                counters.keep(|y, met| self.may_be(y, x, met + rest));
            }
        }
        if walk > counters.met() * references.len() {
            for (y, _) in counters.take() {
                let shared = lists.shared(y, x);
                found.extend(self.candidate(lists, y, x, shared)?);
            }
        } else {
            lists.fetch(&last);
            for list in &last {
                counters.count_met(lists.ys(*list), x);
            }
            if thinned.is_none() {
                counters.keep(enough);
            }
            for (y, shared) in counters.take() {
                found.extend(self.candidate(lists, y, x, shared)?);
            }
        }
        last.clear();
        (counters.first_lists, counters.last_lists) = (first, last);
        Ok(())
    }

    /// How many listed features of x anybody shares at least who is a candidate, or who is kept by a part of the sample, and the level up to
    /// which that holds of the others.
    fn least_shared(&self, x: u32) -> (u8, u32) {
        let known = || {
            let own = *self.counted.levels(x)?.start();
            let (level, filter) = match self.thinned.level(x) {
                Some(level) => (level, Filter { estimate: false, ..self.filter }),
                None => (own, self.filter),
            };
            let least = filter.least_common(self.counted.survivors(x, level)?, self.counted.whole_at(level))?;
            Some((level, least.saturating_sub(self.counted.unindexed(x, level)?)))
        };
        known().unwrap_or((0, 0))
    }

    /// Whether two documents may be a candidate that share no more listed features than this.
    #[inline]
    fn may_be(&self, y: u32, x: u32, at_most: u32) -> bool {
        self.counted.most_overlap(y, x, at_most).is_none_or(|overlap| self.least.candidate(overlap))
    }

    /// Whether two documents may be a pair by their features of a level, of which they share so many that are listed.
    #[inline]
    fn resembles_at(&self, level: u8, y: u32, x: u32, listed: u32) -> bool {
        self.counted.overlap_at(level, y, x, listed).is_none_or(|overlap| self.least.candidate_by_part(overlap))
    }

    /// Marks the features of x of which every candidate has at least one: at each level all but as many as a candidate must share, less
    /// one. The references come shortest list first. How many are marked; none where a single feature may do.
    fn prefix(
        &self,
        x: u32,
        lists: &PostingBlock,
        references: &[u32],
        Counters { chosen, levels, .. }: &mut Counters,
    ) -> Option<usize> {
        let compared = self.counted.levels(x)?;
        levels.clear();
        levels.extend(references.iter().map(|list| lists.level(*list)));
        chosen.clear();
        chosen.resize(references.len(), false);
        for level in compared.clone() {
            let least = self.filter.least_common(self.counted.survivors(x, level)?, self.counted.whole_at(level))?;
            let count = levels.iter().filter(|of_list| **of_list >= level).count();
            // what has no list must be among those that are left out
            let unindexed = self.counted.unindexed(x, level)?;
            let mut left = prefix_length(count, unindexed, least);
            for (chosen, of_list) in chosen.iter_mut().zip(&*levels) {
                if left == 0 {
                    break;
                }
                let survives = *of_list >= level;
                *chosen |= survives;
                left -= usize::from(survives);
            }
        }
        // documents so much longer are compared at levels that are not counted here
        if compared.start() < compared.end() {
            for (chosen, of_list) in chosen.iter_mut().zip(&*levels) {
                *chosen |= *of_list > *compared.end();
            }
        }
        Some(chosen.iter().filter(|chosen| **chosen).count())
    }

    fn candidate(&self, lists: &PostingBlock, y: u32, x: u32, shared: u32) -> Result<Option<Candidate>, Error> {
        let counted = self.method == Candidates::Shingles;
        if counted && !self.may_be(y, x, shared) {
            return Ok(None);
        }
        let sample = match self.counted.overlap(y, x, shared).filter(|_| counted) {
            Some(sample) => sample,
            None => self.counted.overlap_of_sketches(self.catalogue, y, x)?,
        };
        // the other may be thinned too: which of the two was looked for must not show
        let by_other = |level: u8| self.resembles_at(level, y, x, lists.shared_at(level, y, x));
        let is_candidate = self.least.candidate(sample) && self.thinned.level(y).is_none_or(by_other);
        Ok(is_candidate.then(|| Candidate::new(y, x, sample)))
    }
}

/// Marks the features of a level. How many there are.
fn choose_level(level: u8, lists: &PostingBlock, references: &[u32], chosen: &mut Vec<bool>) -> usize {
    chosen.clear();
    chosen.extend(references.iter().map(|list| lists.level(*list) >= level));
    chosen.iter().filter(|chosen| **chosen).count()
}

/// One counter for each document of a block, and which are in use.
#[derive(Default)]
struct Counters {
    first: u32,
    counts: Vec<u32>,
    /// The documents that were met: the first `met`, behind which there is room.
    touched: Vec<u32>,
    met: usize,
    /// The lists of the document at hand.
    references: Vec<u32>,
    /// Which of them are walked first.
    chosen: Vec<bool>,
    /// The levels of their lists.
    levels: Vec<u8>,
    /// Room for those lists, and for the others.
    first_lists: Vec<List>,
    last_lists: Vec<List>,
}

impl Counters {
    fn new(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// Counts the documents of a list that are below a number.
    #[inline]
    fn count(&mut self, documents: &[u32], below: u32) {
        if self.touched.len() < self.met + documents.len() {
            self.touched.resize((self.met + documents.len()) * 2, 0);
        }
        for document in documents {
            if *document >= below {
                break;
            }
            let at = (document - self.first) as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            // whether it was met before is hard to predict: without a branch, nothing is
            self.touched[self.met] = *document;
            self.met += usize::from(self.counts[at] == 0);
            self.counts[at] += 1;
        }
    }

    /// Counts only those that were met before.
    #[inline]
    fn count_met(&mut self, documents: &[u32], below: u32) {
        for document in documents {
            if *document >= below {
                break;
            }
            if let Some(count) = self.counts.get_mut((document - self.first) as usize) {
                *count += u32::from(*count > 0);
            }
        }
    }

    /// Forgets the documents that are not worth it.
    fn keep(&mut self, worth: impl Fn(u32, u32) -> bool) {
        let Self { first, counts, touched, met, .. } = self;
        let mut kept = 0;
        for at in 0..*met {
            let document = touched[at];
            let count = &mut counts[(document - *first) as usize];
            if worth(document, *count) {
                touched[kept] = document;
                kept += 1;
            } else {
                *count = 0;
            }
        }
        *met = kept;
    }

    /// How many documents were met.
    fn met(&self) -> usize {
        self.met
    }

    /// The documents counted and how often, in order; all counters are zero again.
    fn take(&mut self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let Self { first, counts, touched, met, .. } = self;
        let met = &mut touched[..std::mem::take(met)];
        met.sort_unstable();
        met.iter().map(|d| (*d, std::mem::take(&mut counts[(*d - *first) as usize])))
    }
}
