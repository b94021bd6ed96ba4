//! The part of each sketch that counts: without the frequent features.
//!
//! A document that is frequent text nearly throughout would vanish with it: a thousand near-copies of one page are frequent text, all of them. Such a
//! document is *boilerplate*: it keeps all its features. Whether it is decides the share of its words that stand in no frequent shingle,
//! not the share of its shingles: one changed word breaks w shingles, while a page with a header has a body of its own.
//! The sketch only tells which documents are worth a second reading; where it is in doubt, sixteen such documents of the same family of
//! frequent features are read for all. [`crate::lens::shingles::boilerplate`] finds the pairs that are boilerplate,
//! [`crate::lens::shingles::boilerplate_bands`] where frequent features count.

use crate::Error;
use crate::lens::shingles::frequent::FrequentFeatures;
use crate::lens::shingles::frequent_feature::Draw;
use crate::lens::shingles::sample_counts::{NearCounts, SampleCounts, is_whole_at};
use crate::lens::shingles::set_loader::SetLoader;
use crate::lens::shingles::unindexed_features::{UnindexedFeatures, UnindexedSummary};
use crate::run::catalogue::Catalogue;
use crate::run::duplicates::DuplicateGroups;
use crate::run::filter::Filter;
use lookalike_core::members::Members;
use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A document is worth a look when less than this share of its sketch is its own.
const MAX_OWN_SHARE: f64 = 0.1;
/// Up to this share it is in doubt: wide enough for a few changed words and the luck of sampling.
const MAX_DOUBTFUL_SHARE: f64 = 0.3;
/// Of the documents in doubt that are looked at, one in so many must be that are boilerplate for the others to be worth a look.
const MIN_BOILERPLATE_SHARE: usize = 4;

/// What counts of a document at a level, as far as it bounds what another can share with it.
pub struct SampleAt {
    survivors: u32,
    is_whole: bool,
    unindexed: UnindexedSummary,
}

impl SampleAt {
    /// The most that two documents can have in common at one level, given how many listed features they may share.
    #[inline]
    pub fn most_overlap(&self, other: &Self, listed: u32) -> SampleOverlap {
        let (a, b) = (self.survivors, other.survivors);
        let shared = (listed + self.unindexed.max_shared(&other.unindexed)).min(a).min(b);
        SampleOverlap { a, b, shared, is_exhaustive: self.is_whole }
    }
}

/// How many features of each document count, at its own level and above.
pub struct CountedFeatures {
    sampling: Sampling,
    frequent: FrequentFeatures,
    counts: Vec<SampleCounts>,
    /// What is asked for most of these once more: it is small, and so it is near.
    near: Vec<NearCounts>,
    /// Whether frequent features count, and which they are.
    whole: Option<Members>,
    /// Those that do, where there is room to know them.
    unindexed: Option<UnindexedFeatures>,
    boilerplate: Vec<bool>,
}

impl CountedFeatures {
    pub fn new(
        loader: &SetLoader<'_>,
        duplicates: &DuplicateGroups,
        frequent: FrequentFeatures,
        filter: &Filter,
    ) -> Result<Self, Error> {
        let catalogue = loader.catalogue;
        // a form that people named a template is ignored however little is left: it makes no boilerplate
        let found = frequent.found();
        let mut counted = Self::empty(catalogue.len(), frequent, filter.sampling);
        let mut in_doubt: BTreeMap<u32, (Draw, Vec<u32>)> = BTreeMap::new();
        let mut families = Vec::new();
        catalogue.for_each_sketch(|document, sketch| {
            let at = document as usize;
            if !duplicates.is_canonical(document) {
                return Ok(());
            }
            let all = sketch.features.len();
            counted.frequent.take_from(&mut sketch.features, &mut families);
            let own = all - FrequentFeatures::count_found(&families);
            let share = own as f64 / all.max(1) as f64;
            counted.boilerplate[at] = own < all && share < MAX_OWN_SHARE;
            if own < all && (MAX_OWN_SHARE..MAX_DOUBTFUL_SHARE).contains(&share) && !filter.estimate {
                let family = FrequentFeatures::most_common(&mut families).expect("some of them are frequent");
                let (draw, documents) = in_doubt.entry(family).or_default();
                draw.offer(catalogue.tie_breaks[at], document);
                documents.push(document);
            }
            counted.note(at, sketch);
            Ok::<_, Error>(())
        })?;
        for (draw, documents) in in_doubt.into_values() {
            let drawn = draw.finish();
            let looks = drawn.iter().map(|d| loader.is_boilerplate(*d, found.as_slice()));
            let boilerplate = looks.collect::<Result<Vec<bool>, Error>>()?.into_iter().filter(|c| *c).count();
            if boilerplate * MIN_BOILERPLATE_SHARE >= drawn.len() {
                for document in documents {
                    counted.boilerplate[document as usize] = true;
                }
            }
        }
        if !filter.estimate {
            let flagged: Vec<u32> = counted.boilerplate().collect();
            let looks = flagged.par_iter().map(|d| loader.is_boilerplate(*d, found.as_slice()));
            let looks: Vec<bool> = looks.collect::<Result<_, Error>>()?;
            for (document, boilerplate) in flagged.into_iter().zip(looks) {
                counted.boilerplate[document as usize] = boilerplate;
            }
        }
        Ok(counted)
    }

    /// For whole documents: frequent features count, though no list leads to the documents that have them. A document with so many of them
    /// that a pair of its may have nothing else in common is boilerplate.
    pub fn all(
        catalogue: &Catalogue,
        duplicates: &DuplicateGroups,
        frequent: Members,
        filter: &Filter,
        room: usize,
    ) -> Result<Self, Error> {
        let mut counted = Self::empty(catalogue.len(), FrequentFeatures::default(), filter.sampling);
        let mut unindexed = Some(UnindexedFeatures::new(&frequent));
        catalogue.for_each_sketch(|document, sketch| {
            if duplicates.is_canonical(document) {
                counted.note(document as usize, sketch);
            } else {
                sketch.features.clear();
            }
            sketch.features.retain(|feature| frequent.place(*feature).is_some());
            let mut levels = counted.counts(document).boilerplate_levels(&sketch.features, filter);
            counted.boilerplate[document as usize] = levels.next().is_some();
            if let Some(known) = &mut unindexed {
                known.push(&frequent, &sketch.features);
            }
            // where there is no room for them, sketches are read again
            unindexed.take_if(|known| known.bytes() > room);
            Ok::<_, Error>(())
        })?;
        counted.unindexed = unindexed;
        counted.whole = Some(frequent);
        Ok(counted)
    }

    /// Where no sketch was made: every feature counts, and nobody is of a boilerplate.
    pub fn everything(documents: usize, sampling: Sampling) -> Self {
        Self::empty(documents, FrequentFeatures::default(), sampling)
    }

    /// What linking needs, from what was kept of it: sizes and levels are not known.
    pub fn for_links(
        documents: usize,
        sampling: Sampling,
        frequent: Vec<u64>,
        boilerplate: &[u32],
        whole: bool,
    ) -> Self {
        let mut counted = Self::empty(documents, FrequentFeatures::of(frequent), sampling);
        for document in boilerplate {
            if let Some(is_boilerplate) = counted.boilerplate.get_mut(*document as usize) {
                *is_boilerplate = true;
            }
        }
        counted.whole = whole.then(Members::default);
        counted
    }

    fn empty(documents: usize, frequent: FrequentFeatures, sampling: Sampling) -> Self {
        Self {
            sampling,
            frequent,
            counts: vec![SampleCounts::default(); documents],
            near: vec![NearCounts::default(); documents],
            whole: None,
            unindexed: None,
            boilerplate: vec![false; documents],
        }
    }

    /// Takes down what of a sketch counts.
    fn note(&mut self, at: usize, sketch: &Sketch) {
        self.counts[at] = SampleCounts::of(self.sampling, sketch);
        self.near[at] = self.counts[at].near();
    }

    /// How many features of a document count at a level but have no list; none if that is not known.
    pub fn unindexed(&self, document: u32, level: u8) -> Option<u32> {
        if self.whole.is_some() {
            self.unindexed.as_ref().map(|unindexed| unindexed.count(document, level))
        } else {
            Some(0)
        }
    }

    /// How many of those two documents share.
    fn unindexed_shared(&self, a: u32, b: u32, level: u8) -> Option<u32> {
        if self.whole.is_some() {
            self.unindexed.as_ref().map(|unindexed| unindexed.shared(a, b, level))
        } else {
            Some(0)
        }
    }

    /// The frequent features that are ignored.
    pub fn frequent(&self) -> &Members {
        self.frequent.members()
    }

    /// The frequent features, if they count.
    pub fn counted_frequent(&self) -> Option<&Members> {
        self.whole.as_ref()
    }

    /// Whether the document is boilerplate.
    pub fn is_boilerplate(&self, document: u32) -> bool {
        self.boilerplate[document as usize]
    }

    /// Whether the features that are counted of a document are all that it keeps.
    pub fn sample_tells(&self, document: u32) -> bool {
        self.whole.is_some() || !self.is_boilerplate(document)
    }

    /// The documents that are boilerplate.
    pub fn boilerplate(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.boilerplate.len() as u32).filter(|d| self.is_boilerplate(*d))
    }

    /// How many features of a document count.
    #[inline]
    pub fn counts(&self, document: u32) -> SampleCounts {
        self.counts[document as usize]
    }

    /// The levels at which a document is compared, its own and those above; none for sketches that are not compared by counting.
    pub fn levels(&self, document: u32) -> Option<RangeInclusive<u8>> {
        self.counts(document).levels(self.sampling)
    }

    /// The level of a document.
    #[inline]
    pub fn level(&self, document: u32) -> u8 {
        self.near[document as usize].level()
    }

    /// Whether samples of a level are whole sets.
    pub fn whole_at(&self, level: u8) -> bool {
        is_whole_at(self.sampling, level)
    }

    /// How many features of a document count at a level, its own or one of those above.
    #[inline]
    pub fn survivors(&self, document: u32, level: u8) -> Option<u32> {
        self.near[document as usize].survivors(level).or_else(|| self.counts[document as usize].survivors(level))
    }

    /// About how many different features of each document count: the size by which documents are ranked.
    pub fn sizes(&self, catalogue: &Catalogue) -> Vec<u32> {
        let size = |at: usize| match self.sampling {
            // the boilerplate keeps what the sketch has lost here
            _ if self.boilerplate[at] => catalogue.sizes[at],
            Sampling::Nested(_) => self.counts[at].kept << self.counts[at].level.min(20),
            Sampling::Mod(m) => self.counts[at].kept.saturating_mul(m),
            Sampling::Min(_) => catalogue.sizes[at],
        };
        (0..self.counts.len()).map(size).collect()
    }

    /// The level at which two documents are compared; none where the sketches must be read. `MIN_s` has no levels, and documents of very
    /// different size have too few features left at the higher one.
    fn level_of_pair(&self, a: u32, b: u32) -> Option<u8> {
        let level = self.level(a).max(self.level(b));
        (!matches!(self.sampling, Sampling::Min(_))).then_some(level)
    }

    /// What two samples have in common, given how many listed features they share: a look-up.
    pub fn overlap(&self, a: u32, b: u32, listed: u32) -> Option<SampleOverlap> {
        let level = self.level_of_pair(a, b)?;
        let shared = listed + self.unindexed_shared(a, b, level)?;
        Some(SampleOverlap {
            a: self.survivors(a, level)?,
            b: self.survivors(b, level)?,
            shared,
            is_exhaustive: self.whole_at(level),
        })
    }

    /// The most they can have in common, given how many listed features they may share.
    #[inline]
    pub fn most_overlap(&self, a: u32, b: u32, listed: u32) -> Option<SampleOverlap> {
        let level = self.level_of_pair(a, b)?;
        Some(self.sample_at(a, level)?.most_overlap(&self.sample_at(b, level)?, listed))
    }

    /// What tells how much a document may share at a level with others that are compared there; none where sketches must be read.
    #[inline]
    pub fn sample_at(&self, document: u32, level: u8) -> Option<SampleAt> {
        let unindexed = match (&self.whole, &self.unindexed) {
            _ if matches!(self.sampling, Sampling::Min(_)) => return None,
            (None, _) => UnindexedSummary::default(),
            (Some(_), unindexed) => unindexed.as_ref()?.summary(document),
        };
        Some(SampleAt { survivors: self.survivors(document, level)?, is_whole: self.whole_at(level), unindexed })
    }

    /// What they have in common at a level that is at least that of the pair, where all that counts is listed; none where that is not known.
    #[inline]
    pub fn overlap_at(&self, level: u8, a: u32, b: u32, listed: u32) -> Option<SampleOverlap> {
        let level = level.max(self.level_of_pair(a, b)?);
        let (a, b) = (self.survivors(a, level)?, self.survivors(b, level)?);
        Some(SampleOverlap { a, b, shared: listed, is_exhaustive: false })
    }

    /// The same by reading both sketches.
    pub fn overlap_of_sketches(&self, catalogue: &Catalogue, a: u32, b: u32) -> Result<SampleOverlap, Error> {
        Ok(SampleOverlap::of(self.sampling, &self.sketch(catalogue, a)?, &self.sketch(catalogue, b)?))
    }

    /// The features of a document that are its own.
    pub fn sketch(&self, catalogue: &Catalogue, document: u32) -> Result<Sketch, Error> {
        let mut sketch = catalogue.sketch(document)?;
        self.frequent().subtract_from(&mut sketch.features);
        Ok(sketch)
    }
}
