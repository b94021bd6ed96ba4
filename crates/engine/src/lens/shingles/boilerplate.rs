//! The boilerplate: documents that are frequent text nearly throughout, a thousand pages with the same words.
//!
//! All their features are shared by very many, so counting pairs would explode. Instead each is compared with a few pivots found so far,
//! and becomes a pivot itself if it is no near-copy of one: a boilerplate costs a few comparisons a document, not one a pair. The longest come
//! first, so the last pivots of a frequent feature are of about the length of what comes next. Who is a pivot does not depend on the policy, so
//! that a saved run can be clustered again.

use crate::Error;
use crate::lens::shingles::candidates::{Candidate, Join};
use crate::run::filter::as_overlap;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_store::Sequence;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::rc::Rc;

/// A document that resembles a pivot so much is no pivot itself.
const MIN_NEAR_COPY: f64 = 0.9;
/// How many pivots a feature remembers and a document is compared with, of the first and of the last. Those that share the most frequent
/// features with it are preferred.
#[derive(Clone, Copy)]
struct Limits {
    first: usize,
    last: usize,
    compared: usize,
}

/// Where frequent text is ignored the boilerplate is small and all alike: the first pivots gather everybody.
const IGNORED_LIMITS: Limits = Limits { first: 64, last: 0, compared: usize::MAX };
/// Where it counts the boilerplate is most of a site: few comparisons for each, but also with the last.
const COUNTED_LIMITS: Limits = Limits { first: 16, last: 16, compared: 8 };

/// A document that others are compared with.
struct Pivot {
    /// Its place in the order of pivots.
    number: u32,
    document: u32,
    sketch: Sketch,
}

/// The pivots that have a feature. The first gather everybody; the last are of about the same length as what comes next.
#[derive(Clone, Default)]
struct Remembered {
    first: Vec<Rc<Pivot>>,
    last: VecDeque<Rc<Pivot>>,
}

impl Remembered {
    fn push(&mut self, pivot: &Rc<Pivot>, limits: Limits) {
        if self.first.len() < limits.first {
            self.first.push(Rc::clone(pivot));
            return;
        }
        self.last.push_back(Rc::clone(pivot));
        if self.last.len() > limits.last {
            self.last.pop_front();
        }
    }
}

impl Join<'_> {
    /// Appends the pairs of each boilerplate document with its pivots.
    pub fn boilerplate(&self, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let all = self.session.order.sorted(self.catalogue, self.counted.boilerplate(), &self.catalogue.sizes)?;
        let counted = self.counted.counted_frequent();
        let limits = if counted.is_some() { COUNTED_LIMITS } else { IGNORED_LIMITS };
        let mut lists: FxHashMap<u64, Remembered> = FxHashMap::default();
        let mut nearest = Nearest::default();
        let mut numbers = 0..;
        for (at, document) in all.into_iter().enumerate() {
            if at % 1024 == 0 {
                self.session.cancel.check()?;
            }
            let sketch = self.catalogue.sketch(document)?;
            // where frequent features count, lists lead to those that share a rare one
            let follows = |f: &u64| counted.is_none_or(|frequent| frequent.place(*f).is_some());
            let features: Vec<u64> = sketch.features.iter().copied().filter(follows).collect();
            let mut is_near_copy = false;
            for pivot in nearest.find(&lists, &features, limits.compared) {
                let sample = SampleOverlap::of(self.filter.sampling, &pivot.sketch, &sketch);
                is_near_copy |= as_overlap(sample).resemblance() >= MIN_NEAR_COPY;
                if self.filter.candidate(sample) {
                    let pair = Candidate::new(pivot.document, document, sample);
                    out.push(if pair.a < pair.b { pair } else { pair.swapped() })?;
                }
            }
            if !is_near_copy {
                let pivot = Rc::new(Pivot { number: numbers.next().expect("fewer than documents"), document, sketch });
                for feature in features {
                    lists.entry(feature).or_default().push(&pivot, limits);
                }
            }
        }
        Ok(())
    }
}

/// Counts for each pivot how many features lead to it.
#[derive(Default)]
struct Nearest {
    counts: Vec<u32>,
}

impl Nearest {
    fn find(&mut self, lists: &FxHashMap<u64, Remembered>, features: &[u64], most: usize) -> Vec<Rc<Pivot>> {
        let remembered: Vec<&Remembered> = features.iter().filter_map(|feature| lists.get(feature)).collect();
        let mut nearest = self.most_shared(remembered.iter().flat_map(|list| &list.first), most);
        let last = self.most_shared(remembered.iter().flat_map(|list| &list.last), most);
        nearest.extend(last);
        nearest.sort_unstable_by_key(|pivot| pivot.number);
        nearest.dedup_by_key(|pivot| pivot.number);
        nearest
    }

    /// Those that occur most often; of equals the first.
    fn most_shared<'a>(&mut self, pivots: impl Iterator<Item = &'a Rc<Pivot>>, most: usize) -> Vec<Rc<Pivot>> {
        let mut met: Vec<&Rc<Pivot>> = Vec::new();
        for pivot in pivots {
            let at = pivot.number as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            if self.counts[at] == 0 {
                met.push(pivot);
            }
            self.counts[at] += 1;
        }
        let mut keys: Vec<(Reverse<u32>, u32, usize)> = Vec::with_capacity(met.len());
        for (at, pivot) in met.iter().enumerate() {
            keys.push((Reverse(std::mem::take(&mut self.counts[pivot.number as usize])), pivot.number, at));
        }
        if keys.len() > most {
            keys.select_nth_unstable(most);
            keys.truncate(most);
        }
        keys.into_iter().map(|key| Rc::clone(met[key.2])).collect()
    }
}
