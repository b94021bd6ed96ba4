//! The part of each sketch that counts: without the common features.
//!
//! A document that is common text nearly throughout would vanish with it: a thousand near-copies of one page are common text, all of them. Such a
//! document is of the *crowd*: it keeps all its features. Whether it is decides the share of its words that stand in no common shingle,
//! not the share of its shingles: one changed word breaks w shingles, while a page with a header has a body of its own.
//! The sketch only tells which documents are worth that look; [`super::crowds`] finds their pairs, [`super::loader`] decides.

use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use super::filter::Filter;
use crate::Error;
use lookalike_core::sets;
use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch, survivors};

/// Levels above a document's own for which the number of surviving features is kept. Eight levels are a factor of
/// 256 in size: beyond that a sample of a hundred has next to nothing left to compare.
const LEVELS: usize = 8;
/// A document may be of the crowd when less than this share of its sketch is its own: wide enough for the luck of sampling.
const MAYBE_CROWD: f64 = 0.3;
/// Where documents are not read again, the sketch decides alone.
const SURELY_CROWD: f64 = 0.1;

/// How many features of each document count, at its own level and above.
pub(crate) struct Effective {
    sampling: Sampling,
    common: Vec<u64>,
    level: Vec<u8>,
    kept: Vec<u32>,
    above: Vec<[u16; LEVELS]>,
    crowd: Vec<bool>,
}

impl Effective {
    pub(crate) fn new(
        catalogue: &Catalogue,
        equivalents: &Equivalents,
        common: Vec<u64>,
        filter: &Filter,
    ) -> Result<Self, Error> {
        let (n, sampling) = (catalogue.len(), filter.sampling);
        let own_share = if filter.estimate { SURELY_CROWD } else { MAYBE_CROWD };
        let mut effective = Self {
            sampling,
            common,
            level: vec![0; n],
            kept: vec![0; n],
            above: vec![[0; LEVELS]; n],
            crowd: vec![false; n],
        };
        catalogue.for_each_sketch(|document, sketch| {
            let at = document as usize;
            let before = sketch.features.len();
            if !equivalents.stands(document) {
                return Ok(());
            }
            sets::subtract(&mut sketch.features, &effective.common);
            let own = sketch.features.len();
            effective.crowd[at] = own < before && (own as f64) < own_share * before as f64;
            effective.level[at] = sketch.level;
            effective.kept[at] = sketch.features.len() as u32;
            if matches!(sampling, Sampling::Nested(_)) {
                for (step, slot) in effective.above[at].iter_mut().enumerate() {
                    *slot = survivors(&sketch.features, sketch.level + 1 + step as u8) as u16;
                }
            }
            Ok::<_, Error>(())
        })?;
        Ok(effective)
    }

    /// The common features, sorted.
    pub(crate) fn common(&self) -> &[u64] {
        &self.common
    }

    /// Whether the document may be of the crowd.
    pub(crate) fn in_crowd(&self, document: u32) -> bool {
        self.crowd[document as usize]
    }

    /// The documents that may be of the crowd.
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
        sets::subtract(&mut sketch.features, &self.common);
        Ok(sketch)
    }
}
