//! The crowd: documents that are common text nearly throughout, a thousand pages with the same words.
//!
//! All their features are shared by very many, so counting pairs would explode. Instead each is compared with a few leaders found so far,
//! and becomes a leader itself if it is no near-copy of one: a crowd costs a few comparisons a document, not one a pair. The longest come
//! first, so the last leaders of a common feature are of about the length of what comes next. Who leads does not depend on the policy, so
//! that a saved run can be clustered again.

use super::filter::as_overlap;
use super::join::{Candidate, Join};
use crate::Error;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_store::Sequence;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::rc::Rc;

/// A document that resembles a leader so much leads nobody itself.
const NEAR_COPY: f64 = 0.9;
/// How many leaders a feature remembers and a document is compared with, of the first and of the last. Those that share the most common
/// features with it are preferred.
#[derive(Clone, Copy)]
struct Limits {
    first: usize,
    last: usize,
    compared: usize,
}

/// Where common text is ignored the crowd is small and all alike: the first leaders gather everybody.
const IGNORED: Limits = Limits { first: 64, last: 0, compared: usize::MAX };
/// Where it counts the crowd is most of a site: few comparisons for each, but also with the last.
const COUNTED: Limits = Limits { first: 16, last: 16, compared: 8 };

/// A document that others are compared with.
struct Leader {
    /// Its place in the order of leaders.
    number: u32,
    document: u32,
    sketch: Sketch,
}

/// The leaders that have a feature. The first gather everybody; the last are of about the same length as what comes next.
#[derive(Clone, Default)]
struct Remembered {
    first: Vec<Rc<Leader>>,
    last: VecDeque<Rc<Leader>>,
}

impl Remembered {
    fn push(&mut self, leader: &Rc<Leader>, limits: Limits) {
        if self.first.len() < limits.first {
            self.first.push(Rc::clone(leader));
            return;
        }
        self.last.push_back(Rc::clone(leader));
        if self.last.len() > limits.last {
            self.last.pop_front();
        }
    }
}

impl Join<'_> {
    /// Appends the pairs of each document of the crowd with its leaders.
    pub(crate) fn crowds(&self, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let mut crowd: Vec<(Reverse<u32>, String, u32, u32)> = Vec::new();
        for document in self.effective.crowd() {
            crowd.push((
                Reverse(self.catalogue.sizes[document as usize]),
                self.catalogue.id(document)?,
                self.catalogue.salts[document as usize],
                document,
            ));
        }
        crowd.sort_unstable();
        let counted = self.effective.counted_common();
        let limits = if counted.is_some() { COUNTED } else { IGNORED };
        let mut lists: FxHashMap<u64, Remembered> = FxHashMap::default();
        let mut nearest = Nearest::default();
        let mut numbers = 0..;
        for (at, (_, _, _, document)) in crowd.into_iter().enumerate() {
            if at % 1024 == 0 {
                self.session.cancel.check()?;
            }
            let sketch = self.catalogue.sketch(document)?;
            // where common features count, lists lead to those that share a rare one
            let follows = |f: &u64| counted.is_none_or(|common| common.place(*f).is_some());
            let features: Vec<u64> = sketch.features.iter().copied().filter(follows).collect();
            let mut led = false;
            for leader in nearest.find(&lists, &features, limits.compared) {
                let sample = SampleOverlap::of(self.filter.sampling, &leader.sketch, &sketch);
                led |= as_overlap(sample).resemblance() >= NEAR_COPY;
                if self.filter.candidate(sample) {
                    let pair = Candidate::new(leader.document, document, sample);
                    out.push(if pair.a < pair.b { pair } else { pair.swapped() })?;
                }
            }
            if !led {
                let leader =
                    Rc::new(Leader { number: numbers.next().expect("fewer than documents"), document, sketch });
                for feature in features {
                    lists.entry(feature).or_default().push(&leader, limits);
                }
            }
        }
        Ok(())
    }
}

/// Counts for each leader how many features lead to it.
#[derive(Default)]
struct Nearest {
    counts: Vec<u32>,
}

impl Nearest {
    fn find(&mut self, lists: &FxHashMap<u64, Remembered>, features: &[u64], most: usize) -> Vec<Rc<Leader>> {
        let remembered: Vec<&Remembered> = features.iter().filter_map(|feature| lists.get(feature)).collect();
        let mut nearest = self.most_shared(remembered.iter().flat_map(|list| &list.first), most);
        let last = self.most_shared(remembered.iter().flat_map(|list| &list.last), most);
        nearest.extend(last);
        nearest.sort_unstable_by_key(|leader| leader.number);
        nearest.dedup_by_key(|leader| leader.number);
        nearest
    }

    /// Those that occur most often; of equals the first.
    fn most_shared<'a>(&mut self, leaders: impl Iterator<Item = &'a Rc<Leader>>, most: usize) -> Vec<Rc<Leader>> {
        let mut met: Vec<&Rc<Leader>> = Vec::new();
        for leader in leaders {
            let at = leader.number as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            if self.counts[at] == 0 {
                met.push(leader);
            }
            self.counts[at] += 1;
        }
        let mut keys: Vec<(Reverse<u32>, u32, usize)> = Vec::with_capacity(met.len());
        for (at, leader) in met.iter().enumerate() {
            keys.push((Reverse(std::mem::take(&mut self.counts[leader.number as usize])), leader.number, at));
        }
        if keys.len() > most {
            keys.select_nth_unstable(most);
            keys.truncate(most);
        }
        keys.into_iter().map(|key| Rc::clone(met[key.2])).collect()
    }
}
