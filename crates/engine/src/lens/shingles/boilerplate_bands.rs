//! The boilerplate where frequent text counts: documents of which a pair may share nothing but frequent features, to which no lists lead.
//!
//! Each has keys made of its frequent features ([`Bands`]), and documents that have a key in common are one list. A list may hold most of a
//! site, so only its first documents in the order of representatives are paired with the others: those that all resemble each other
//! join the first of them anyway, and who does not resemble the first has other keys beside. A pair that shares a feature with a list is
//! found by that list. What is found depends on the documents alone, and each step could be done anywhere.

use crate::Error;
use crate::lens::shingles::candidates::{Candidate, Join};
use crate::report::shingles::Candidates;
use crate::run::filter::Filter;
use crate::run::postings::{Posting, for_each_sorted, spread};
use lookalike_core::members::Members;
use lookalike_core::sketch::{Bands, SampleOverlap, Sampling};
use lookalike_store::{ExternalSort, Partitions, Parts, Sequence};
use rayon::prelude::*;

/// Documents of a list that are paired with all others of it.
pub const MAX_HEADS: usize = 16;
/// Pairs that are compared at once.
const BATCH_PAIRS: usize = 1 << 16;

/// Two documents, by their places in the order of representatives, the later one first.
type Pair = [u32; 2];

impl Join<'_> {
    /// Appends the pairs of boilerplate documents that share frequent features only.
    pub fn pairs_of_bands(&self, frequent: &Members, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let session = self.session;
        let ranked = session.order.sorted(self.catalogue, self.counted.boilerplate(), &self.catalogue.sizes)?;
        let lists = self.band_lists(&ranked, frequent)?;
        let mut pairs = ExternalSort::new(&session.space, "the pairs of bands", session.share(8));
        for_each_sorted(session.cancel, &lists, session.share(8), |list| {
            let can_head = |posting: &Posting| self.can_head(posting.feature(), ranked[posting.document as usize]);
            pairs_of_list(list, can_head, |a, b| {
                let (a, b) = (a.document, b.document);
                Ok(pairs.push([a.max(b), a.min(b)])?)
            })
        })?;
        drop(lists);
        let mut unique = pairs.merged()?.peekable();
        let mut batch: Vec<Pair> = Vec::new();
        let mut last = None;
        while unique.peek().is_some() {
            for pair in unique.by_ref().take(BATCH_PAIRS) {
                let pair = pair?;
                if last.replace(pair) != Some(pair) {
                    batch.push(pair);
                }
            }
            session.cancel.check()?;
            let pairs = batch.par_iter().map(|pair| self.band_candidate(frequent, pair.map(|at| ranked[at as usize])));
            for candidate in pairs.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten() {
                out.push(candidate)?;
            }
            batch.clear();
        }
        Ok(())
    }

    /// The documents of each key, by their places in the order of representatives.
    fn band_lists(&self, ranked: &[u32], frequent: &Members) -> Result<Parts<Posting>, Error> {
        let mut places = vec![0; self.catalogue.len()];
        for (place, document) in (0..).zip(ranked) {
            places[*document as usize] = place;
        }
        let bands = bands(&self.filter);
        let mut parts = Partitions::new(&self.session.space, "the bands", self.session.share(8));
        self.catalogue.for_each_sketch(|document, sketch| {
            if document % 4096 == 0 {
                self.session.cancel.check()?;
            }
            if self.counted.is_boilerplate(document) {
                sketch.features.retain(|feature| frequent.place(*feature).is_some());
                for level in self.counted.counts(document).boilerplate_levels(&sketch.features, &self.filter) {
                    for key in bands.keys(&sketch.features, level) {
                        parts.push((spread(key) >> 56) as usize, Posting::new(key, places[document as usize]))?;
                    }
                }
            }
            Ok::<_, Error>(())
        })?;
        Ok(parts.finish()?)
    }

    /// Whether a document may head the list of a key: two that do not are compared at another level than that of the key.
    fn can_head(&self, key: u64, document: u32) -> bool {
        can_head(self.filter.sampling, key, self.counted.level(document))
    }

    /// The candidate that two documents are, unless lists lead from one to the other.
    fn band_candidate(&self, frequent: &Members, [x, y]: Pair) -> Result<Option<Candidate>, Error> {
        let has_lists = self.method == Candidates::Shingles;
        // most pairs of a site share too little, and what is in memory tells
        if has_lists && self.counted.overlap(x, y, 0).is_some_and(|overlap| !self.filter.candidate(overlap)) {
            return Ok(None);
        }
        let (x_sketch, y_sketch) = (self.catalogue.sketch(x)?, self.catalogue.sketch(y)?);
        let sample = SampleOverlap::of(self.filter.sampling, &x_sketch, &y_sketch);
        let leads = |f: &u64| frequent.place(*f).is_none() && y_sketch.features.binary_search(f).is_ok();
        let is_wanted = self.filter.candidate(sample) && !(has_lists && x_sketch.features.iter().any(leads));
        Ok(is_wanted.then(|| Candidate::new(x, y, sample).ordered()))
    }
}

/// How the keys of boilerplate are made, for pairs that are wanted.
pub fn bands(filter: &Filter) -> Bands {
    // a document inside another may resemble it little
    Bands::for_resemblance(if filter.policy.contained.is_some() { 0.0 } else { filter.policy.threshold })
}

/// Whether a document of this level may head the list of a key.
pub fn can_head(sampling: Sampling, key: u64, level: u8) -> bool {
    !matches!(sampling, Sampling::Nested(_)) || level == Bands::level(key)
}

/// Calls `each` with the pairs of a list, which is in the order of representatives: of its heads with all others, and with each other.
fn pairs_of_list<T>(
    list: &[T],
    can_head: impl Fn(&T) -> bool,
    mut each: impl FnMut(&T, &T) -> Result<(), Error>,
) -> Result<(), Error> {
    let heads: Vec<usize> = (0..list.len()).filter(|at| can_head(&list[*at])).take(MAX_HEADS).collect();
    for (at, other) in list.iter().enumerate() {
        // two heads are paired once
        let earlier = heads.iter().position(|head| *head == at).unwrap_or(heads.len());
        heads[..earlier].iter().try_for_each(|head| each(&list[*head], other))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_paired_with_all_others_once() {
        for (documents, every) in [(1, 1), (5, 1), (40, 1), (40, 3), (200, 7), (9, 100)] {
            let list: Vec<usize> = (0..documents).collect();
            let mut pairs = Vec::new();
            pairs_of_list(
                &list,
                |at| at % every == every - 1,
                |a, b| {
                    pairs.push((*a.min(b), *a.max(b)));
                    Ok(())
                },
            )
            .unwrap();
            let heads: Vec<usize> = list.iter().copied().filter(|at| at % every == every - 1).take(MAX_HEADS).collect();
            let is_head = |at: &usize| heads.contains(at);
            let mut expected = Vec::new();
            for a in 0..documents {
                expected.extend((a + 1..documents).filter(|b| is_head(&a) || is_head(b)).map(|b| (a, b)));
            }
            pairs.sort_unstable();
            assert_eq!(pairs, expected, "{documents} documents, each {every}th may head");
        }
    }
}
