//! The crowd: documents that are common text nearly throughout, a thousand pages with the same words.
//!
//! All their features are shared by very many, so counting pairs would explode. Instead each is compared with the leaders found so far, and
//! becomes a leader itself if it is no near-copy of one: a crowd costs a few comparisons a document, not one a pair. Who leads does not
//! depend on the policy, so that a saved run can be clustered again.

use super::filter::as_overlap;
use super::join::{Candidate, Join};
use crate::Error;
use lookalike_core::sketch::Sketch;
use lookalike_store::Sequence;
use rustc_hash::FxHashMap;

/// A document that resembles a leader so much leads nobody itself.
const NEAR_COPY: f64 = 0.9;
/// Leaders that a feature leads to: a bound on the comparisons of a document.
const MOST_LEADERS: usize = 64;

impl Join<'_> {
    /// Appends the pairs of each document of the crowd with its leaders.
    pub(crate) fn crowds(&self, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let mut crowd: Vec<(std::cmp::Reverse<u32>, String, u32, u32)> = Vec::new();
        for document in self.effective.crowd() {
            crowd.push((
                std::cmp::Reverse(self.catalogue.sizes[document as usize]),
                self.catalogue.id(document)?,
                self.catalogue.salts[document as usize],
                document,
            ));
        }
        crowd.sort_unstable();
        let mut leaders: Vec<(u32, Sketch)> = Vec::new();
        let mut lists: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (at, (_, _, _, document)) in crowd.into_iter().enumerate() {
            if at % 1024 == 0 {
                self.session.cancel.check()?;
            }
            let sketch = self.catalogue.sketch(document)?;
            let mut near: Vec<u32> = sketch.features.iter().filter_map(|f| lists.get(f)).flatten().copied().collect();
            near.sort_unstable();
            near.dedup();
            let mut led = false;
            for leader in near {
                let (leader, other) = &leaders[leader as usize];
                let sample = lookalike_core::sketch::SampleOverlap::of(self.filter.sampling, other, &sketch);
                led |= as_overlap(sample).resemblance() >= NEAR_COPY;
                if self.filter.candidate(sample) {
                    let pair = Candidate::new(*leader, document, sample);
                    out.push(if pair.a < pair.b { pair } else { pair.swapped() })?;
                }
            }
            if !led {
                let mut leads = false;
                for feature in &sketch.features {
                    let list = lists.entry(*feature).or_default();
                    if list.len() < MOST_LEADERS {
                        list.push(leaders.len() as u32);
                        leads = true;
                    }
                }
                if leads {
                    leaders.push((document, sketch));
                }
            }
        }
        Ok(())
    }
}
