//! The boilerplate: documents that are frequent text nearly throughout, a thousand pages with the same words.
//!
//! All their features are shared by very many, so counting pairs would explode. Instead each is compared with a few pivots found so far,
//! and becomes a pivot itself if it is no near-copy of one: a boilerplate costs a few comparisons a document, not one a pair. The longest come
//! first, so the last pivots of a frequent feature are of about the length of what comes next. Who is a pivot does not depend on the policy, so
//! that a saved run can be clustered again. Where frequent text counts, bands find these pairs: [`crate::lens::shingles::boilerplate_bands`].

use crate::Error;
use crate::lens::shingles::candidates::{Candidate, Join};
use crate::lens::shingles::posting_blocks::PostingBlock;
use crate::run::filter::as_overlap;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_store::Sequence;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A document that resembles a pivot so much is no pivot itself.
const MIN_NEAR_COPY: f64 = 0.9;
/// How many pivots a feature remembers: where frequent text is ignored the boilerplate is small and all alike, and the first pivots gather
/// everybody.
const MAX_PIVOTS: usize = 64;

/// A document that others are compared with.
struct Pivot {
    /// Its place in the order of pivots.
    number: u32,
    document: u32,
    sketch: Sketch,
}

impl Join<'_> {
    /// Appends the pairs of boilerplate documents.
    pub fn boilerplate(&self, lists: Option<&PostingBlock>, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        match self.counted.counted_frequent() {
            Some(frequent) => self.pairs_of_bands(frequent, lists, out),
            None => self.pairs_with_pivots(out),
        }
    }

    /// Appends the pairs of each boilerplate document with its pivots.
    fn pairs_with_pivots(&self, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let all = self.session.order.sorted(self.catalogue, self.counted.boilerplate(), &self.catalogue.sizes)?;
        let mut lists: FxHashMap<u64, Vec<Rc<Pivot>>> = FxHashMap::default();
        let mut numbers = 0..;
        for (at, document) in all.into_iter().enumerate() {
            if at % 1024 == 0 {
                self.session.cancel.check()?;
            }
            let sketch = self.catalogue.sketch(document)?;
            let mut pivots: Vec<&Rc<Pivot>> = sketch.features.iter().filter_map(|f| lists.get(f)).flatten().collect();
            pivots.sort_unstable_by_key(|pivot| pivot.number);
            pivots.dedup_by_key(|pivot| pivot.number);
            let mut is_near_copy = false;
            for pivot in pivots {
                let sample = SampleOverlap::of(self.filter.sampling, &pivot.sketch, &sketch);
                is_near_copy |= as_overlap(sample).resemblance() >= MIN_NEAR_COPY;
                if self.filter.candidate(sample) {
                    out.push(Candidate::new(pivot.document, document, sample).ordered())?;
                }
            }
            if !is_near_copy {
                let number = numbers.next().expect("fewer than documents");
                let pivot = Rc::new(Pivot { number, document, sketch });
                for feature in &pivot.sketch.features {
                    let remembered = lists.entry(*feature).or_default();
                    if remembered.len() < MAX_PIVOTS {
                        remembered.push(Rc::clone(&pivot));
                    }
                }
            }
        }
        Ok(())
    }
}
