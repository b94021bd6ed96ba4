//! Phase three: pairs of documents that share features, with how many they share.
//!
//! For each document x the lists of its features are walked, the shortest first, and a counter is raised for each smaller document y in
//! them. A pair needs a number of shared features to be worth anything, so after the first lists a document that was not met yet cannot
//! make it (prefix filtering): the last lists, which are the longest, need not be walked, if it is cheaper to compare x with those met
//! feature by feature. Lists and counters are in memory for a block of y and a block of x at a time; with enough memory there is
//! one block and one pass over the postings.

use crate::Error;
use crate::lens::shingles::block_lists::{BlockLists, MAX_BLOCKS};
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::counters::{Count, Counters};
use crate::lens::shingles::leads::Leads;
use crate::lens::shingles::posting_blocks::PostingBlock;
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
use std::sync::Mutex;

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

/// How many blocks of documents there are, so that the lists of two have room: four bytes in a list, and four as a reference from each side.
fn blocks(session: &Session<'_>, postings: &Records<Posting>) -> usize {
    (postings.len() as usize * 12).div_ceil(session.share(4)).clamp(1, MAX_BLOCKS)
}

impl Join<'_> {
    /// All lists, if there is room for all at once.
    pub fn all_lists(
        session: &Session<'_>,
        catalogue: &Catalogue,
        counted: &CountedFeatures,
        postings: &Records<Posting>,
    ) -> Result<Option<PostingBlock>, Error> {
        if blocks(session, postings) > 1 {
            return Ok(None);
        }
        let all = 0..catalogue.len() as u32;
        let mut lists = PostingBlock::new(all.clone(), all);
        for_each_list(postings, |feature, documents| {
            if counted.frequent().place(feature).is_none() {
                lists.push(feature, documents);
            }
            Ok(())
        })?;
        lists.finish();
        Ok(Some(lists))
    }

    /// Appends all candidate pairs to `out`. `all` are all lists, where there was room.
    pub fn run(
        &self,
        postings: &Records<Posting>,
        all: Option<&PostingBlock>,
        out: &mut Sequence<Candidate>,
    ) -> Result<(), Error> {
        if let Some(lists) = all {
            return self.block(lists, out);
        }
        let Self { session, catalogue, counted, .. } = self;
        let blocks = (catalogue.len(), blocks(session, postings));
        let lists = BlockLists::divide(postings, counted.frequent(), blocks, &session.space, session.share(16))?;
        for pair in lists.pairs() {
            self.block(&lists.of_pair(pair)?, out)?;
        }
        Ok(())
    }

    /// Appends the pairs of two blocks.
    fn block(&self, lists: &PostingBlock, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let xs: Vec<u32> = lists.xs().collect();
        let unused = Mutex::default();
        for wave in xs.chunks(BATCH_DOCUMENTS) {
            self.session.cancel.check()?;
            let found: Vec<Result<Vec<Candidate>, Error>> = wave
                .par_chunks(64)
                .map_init(
                    || LentScratch::new(&unused, lists.first_y()),
                    |LentScratch { scratch, .. }, xs| {
                        let mut found = Vec::new();
                        xs.iter().try_for_each(|x| self.pairs_of(*x, lists, scratch, &mut found)).map(|()| found)
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
        scratch: &mut JoinScratch,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Error> {
        let JoinScratch { leads, narrow, wide } = scratch;
        leads.take(lists, x);
        // no document is in more lists than lead from x
        if u8::try_from(leads.count()).is_ok() {
            self.pairs_by(x, lists, leads, narrow, found)
        } else {
            self.pairs_by(x, lists, leads, wide, found)
        }
    }

    /// The same by the lists that lead from it.
    fn pairs_by<C: Count>(
        &self,
        x: u32,
        lists: &PostingBlock,
        leads: &mut Leads,
        counters: &mut Counters<C>,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Error> {
        let counted = self.method == Candidates::Shingles;
        let thinned = self.thinned.level(x);
        let chosen = match thinned {
            Some(level) => Some(leads.choose_level(level)),
            None if counted => self.prefix(x, leads),
            None => None,
        };
        let Some(chosen) = chosen else {
            // nothing is known of how many must be shared
            for list in leads.all() {
                counters.count(lists.ys(lists.list(list)), x);
            }
            for (y, shared) in counters.take() {
                found.extend(self.candidate(lists, y, x, shared)?);
            }
            return Ok(());
        };
        if chosen == 0 {
            return Ok(());
        }
        leads.divide(lists);
        let (first, last) = (&leads.first, &leads.last);
        lists.fetch(first);
        for list in first {
            counters.count(lists.ys(*list), x);
        }
        let (rest, walk) = (last.len() as u32, last.iter().map(|list| list.documents()).sum::<usize>());
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
        if walk > counters.met() * leads.count() {
            for (y, _) in counters.take() {
                let shared = lists.shared(y, x);
                found.extend(self.candidate(lists, y, x, shared)?);
            }
        } else {
            lists.fetch(last);
            for list in last {
                counters.count_met(lists.ys(*list), x);
            }
            if thinned.is_none() {
                counters.keep(enough);
            }
            for (y, shared) in counters.take() {
                found.extend(self.candidate(lists, y, x, shared)?);
            }
        }
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
    /// one. The lists come shortest first. How many are marked; none where a single feature may do.
    fn prefix(&self, x: u32, leads: &mut Leads) -> Option<usize> {
        let compared = self.counted.levels(x)?;
        let Leads { levels, chosen, .. } = leads;
        chosen.clear();
        chosen.resize(levels.len(), false);
        for level in compared.clone() {
            let least = self.least.least_common(self.counted.survivors(x, level)?, self.counted.whole_at(level))?;
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

/// What finding the pairs of a document needs.
#[derive(Default)]
struct JoinScratch {
    leads: Leads,
    /// Counters of one byte stay near when there are very many documents.
    narrow: Counters<u8>,
    wide: Counters<u32>,
}

/// It is given back: all counters are zero again, and to make them anew for some documents would take longer than to count.
struct LentScratch<'a> {
    scratch: JoinScratch,
    unused: &'a Mutex<Vec<JoinScratch>>,
}

impl<'a> LentScratch<'a> {
    fn new(unused: &'a Mutex<Vec<JoinScratch>>, first: u32) -> Self {
        let scratch = unused.lock().ok().and_then(|mut unused| unused.pop());
        let made =
            || JoinScratch { narrow: Counters::new(first), wide: Counters::new(first), ..JoinScratch::default() };
        Self { scratch: scratch.unwrap_or_else(made), unused }
    }
}

impl Drop for LentScratch<'_> {
    fn drop(&mut self) {
        // after an error some counters are not zero, but then nothing more is counted
        if let Ok(mut unused) = self.unused.lock() {
            unused.push(std::mem::take(&mut self.scratch));
        }
    }
}
