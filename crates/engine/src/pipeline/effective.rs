//! The part of each sketch that counts: without the common features.
//!
//! A document that is common text nearly throughout would vanish with it: a thousand near-copies of one page are common text, all of them. Such a
//! document is of the *crowd*: it keeps all its features. Whether it is decides the share of its words that stand in no common shingle,
//! not the share of its shingles: one changed word breaks w shingles, while a page with a header has a body of its own.
//! The sketch only tells which documents are worth a second reading; where it is in doubt, sixteen such documents of the same family of
//! common features are read for all. [`super::crowds`] finds the pairs of the crowd.

use super::catalogue::Catalogue;
use super::common::CommonFeatures;
use super::equivalents::Equivalents;
use super::filter::Filter;
use super::heavy::Draw;
use super::loader::Loader;
use crate::Error;
use lookalike_core::sets;
use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch, survivors};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Levels above a document's own for which the number of surviving features is kept. Eight levels are a factor of
/// 256 in size: beyond that a sample of a hundred has next to nothing left to compare.
const LEVELS: usize = 8;
/// A document is worth a look when less than this share of its sketch is its own.
const SURELY: f64 = 0.1;
/// Up to this share it is in doubt: wide enough for a few changed words and the luck of sampling.
const IN_DOUBT: f64 = 0.3;
/// Of the documents in doubt that are looked at, one in so many must be of the crowd for the others to be worth a look.
const ENOUGH: usize = 4;

/// How many features of each document count, at its own level and above.
pub(crate) struct Effective {
    sampling: Sampling,
    common: CommonFeatures,
    level: Vec<u8>,
    kept: Vec<u32>,
    above: Vec<[u16; LEVELS]>,
    crowd: Vec<bool>,
}

impl Effective {
    pub(crate) fn new(
        loader: &Loader<'_>,
        equivalents: &Equivalents,
        common: CommonFeatures,
        filter: &Filter,
    ) -> Result<Self, Error> {
        let (n, sampling, catalogue) = (loader.catalogue.len(), filter.sampling, loader.catalogue);
        let mut effective = Self {
            sampling,
            common,
            level: vec![0; n],
            kept: vec![0; n],
            above: vec![[0; LEVELS]; n],
            crowd: vec![false; n],
        };
        let mut in_doubt: BTreeMap<u32, (Draw, Vec<u32>)> = BTreeMap::new();
        catalogue.for_each_sketch(|document, sketch| {
            let at = document as usize;
            if !equivalents.stands(document) {
                return Ok(());
            }
            let all = sketch.features.len();
            let own = all - sets::common(&sketch.features, effective.common.sorted());
            let share = own as f64 / all.max(1) as f64;
            effective.crowd[at] = own < all && share < SURELY;
            if own < all && (SURELY..IN_DOUBT).contains(&share) && !filter.estimate {
                let family = effective.common.family(&sketch.features).expect("some of them are common");
                let (draw, documents) = in_doubt.entry(family).or_default();
                draw.offer(catalogue.salts[at], document);
                documents.push(document);
            }
            sets::subtract(&mut sketch.features, effective.common.sorted());
            effective.level[at] = sketch.level;
            effective.kept[at] = sketch.features.len() as u32;
            if matches!(sampling, Sampling::Nested(_)) {
                for (step, slot) in effective.above[at].iter_mut().enumerate() {
                    *slot = survivors(&sketch.features, sketch.level + 1 + step as u8) as u16;
                }
            }
            Ok::<_, Error>(())
        })?;
        for (draw, documents) in in_doubt.into_values() {
            let drawn = draw.finish();
            let looks = drawn.iter().map(|d| loader.is_crowd(*d, effective.common()));
            let crowd = looks.collect::<Result<Vec<bool>, Error>>()?.into_iter().filter(|c| *c).count();
            if crowd * ENOUGH >= drawn.len() {
                for document in documents {
                    effective.crowd[document as usize] = true;
                }
            }
        }
        if !filter.estimate {
            let flagged: Vec<u32> = effective.crowd().collect();
            let looks = flagged.par_iter().map(|d| loader.is_crowd(*d, effective.common()));
            let looks: Vec<bool> = looks.collect::<Result<_, Error>>()?;
            for (document, crowd) in flagged.into_iter().zip(looks) {
                effective.crowd[document as usize] = crowd;
            }
        }
        Ok(effective)
    }

    /// The common features, sorted.
    pub(crate) fn common(&self) -> &[u64] {
        self.common.sorted()
    }

    /// Whether the document is of the crowd.
    pub(crate) fn in_crowd(&self, document: u32) -> bool {
        self.crowd[document as usize]
    }

    /// The documents of the crowd.
    pub(crate) fn crowd(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.crowd.len() as u32).filter(|d| self.in_crowd(*d))
    }

    fn survivors(&self, document: u32, level: u8) -> Option<u32> {
        let at = document as usize;
        match level - self.level[at] {
            0 => Some(self.kept[at]),
            up => self.above[at].get(usize::from(up) - 1).map(|n| u32::from(*n)),
        }
    }

    /// About how many different features of each document count: the size by which documents are ranked.
    pub(crate) fn sizes(&self, catalogue: &Catalogue) -> Vec<u32> {
        let size = |at: usize| match self.sampling {
            // the crowd keeps what the sketch has lost here
            _ if self.crowd[at] => catalogue.sizes[at],
            Sampling::Nested(_) => self.kept[at] << self.level[at].min(20),
            Sampling::Mod(m) => self.kept[at].saturating_mul(m),
            Sampling::Min(_) => catalogue.sizes[at],
        };
        (0..self.kept.len()).map(size).collect()
    }

    /// What two samples have in common, given how many features they share: a look-up. `MIN_s`, and documents of very
    /// different size, need the sketches.
    pub(crate) fn overlap(&self, a: u32, b: u32, common: u32) -> Option<SampleOverlap> {
        let whole = |level: u8| match self.sampling {
            Sampling::Nested(_) => level == 0,
            Sampling::Mod(m) => m == 1,
            Sampling::Min(_) => false,
        };
        let level = self.level[a as usize].max(self.level[b as usize]);
        if matches!(self.sampling, Sampling::Min(_)) {
            return None;
        }
        Some(SampleOverlap { a: self.survivors(a, level)?, b: self.survivors(b, level)?, common, whole: whole(level) })
    }

    /// The same by reading both sketches.
    pub(crate) fn overlap_of_sketches(&self, catalogue: &Catalogue, a: u32, b: u32) -> Result<SampleOverlap, Error> {
        Ok(SampleOverlap::of(self.sampling, &self.sketch(catalogue, a)?, &self.sketch(catalogue, b)?))
    }

    /// The features of a document that are its own.
    pub(crate) fn sketch(&self, catalogue: &Catalogue, document: u32) -> Result<Sketch, Error> {
        let mut sketch = catalogue.sketch(document)?;
        sets::subtract(&mut sketch.features, self.common());
        Ok(sketch)
    }
}
