//! Several segments become one, without what has gone.

use crate::segment::build::{EachDocument, NewObservation, SegmentContents, SegmentDocument};
use crate::segment::cluster_state::{GONE, WorkingState, address_key};
use crate::segment::segment_set::SegmentSet;
use crate::segment::sources::Sources;
use crate::segment::view::{View, Weight};
use lookalike_engine::Error;

/// Segments of like size that are merged when there are so many.
const MERGE_FACTOR: u32 = 8;
/// Documents below which segments are all alike.
const MIN_TIER_SIZE: u32 = 4096;

/// Segments to be merged.
pub(crate) struct Merge<'a> {
    segments: &'a SegmentSet,
    state: &'a WorkingState,
    /// Which of them.
    chosen: &'a [usize],
    sources: Sources,
    /// For each segment, the number of each of its documents in the new one.
    pub(crate) numbers: Vec<Vec<u32>>,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(segments: &'a SegmentSet, state: &'a WorkingState, chosen: &'a [usize]) -> Self {
        let numbers = chosen.iter().map(|segment| vec![GONE; segments.views[*segment].len() as usize]).collect();
        Self { segments, state, chosen, sources: Sources::default(), numbers }
    }

    /// Whether an observation still counts.
    fn counts(&self, segment: usize, observation: u32) -> bool {
        !self.state.dead.contains(&address_key((segment, observation)))
    }
}

impl SegmentContents for Merge<'_> {
    fn documents(&mut self, each: &mut EachDocument<'_>) -> Result<(), Error> {
        let mut next = vec![0u32; self.chosen.len()];
        let mut written = 0;
        loop {
            let mut least: Option<u128> = None;
            for (segment, next) in self.chosen.iter().zip(&next) {
                let view = &self.segments.views[*segment];
                if *next < view.len() {
                    let content = view.record(*next)?.content();
                    least = Some(least.map_or(content, |least| least.min(content)));
                }
            }
            let Some(content) = least else { return Ok(()) };
            let (mut own, mut observed, mut met) = (None, false, Vec::new());
            for (at, segment) in self.chosen.iter().enumerate() {
                let view = &self.segments.views[*segment];
                if next[at] == view.len() || view.record(next[at])?.content() != content {
                    continue;
                }
                let document = next[at];
                next[at] += 1;
                met.push((at, document));
                if self.state.is_live(self.segments.base(*segment) + document) {
                    own = Some((view, document));
                }
                observed |= view.sightings(document)?.iter().any(|seen| self.counts(*segment, *seen));
            }
            match own {
                Some((view, document)) => {
                    let record = *view.record(document)?;
                    let (packed, payload) = (view.packed(document)?, view.payload(document)?);
                    each(SegmentDocument { record, level: record.level(), packed, payload })?;
                }
                None if observed => each(SegmentDocument::reference(content))?,
                None => continue,
            }
            for (at, document) in met {
                self.numbers[at][document as usize] = written;
            }
            written += 1;
        }
    }

    fn observations(&mut self, each: &mut dyn FnMut(NewObservation<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let mut renumbered = Vec::new();
        for segment in self.chosen {
            renumbered.push(self.segments.views[*segment].sources()?.numbers_in(&mut self.sources));
        }
        let place_of = |segment: usize| self.chosen.iter().position(|s| *s == segment).unwrap_or_default();
        let (mut place, mut all) = (Vec::new(), Vec::new());
        self.segments.for_each_name(self.chosen, |fingerprint, name, addresses| {
            all.clear();
            for (segment, observation) in addresses.iter().filter(|address| self.counts(address.0, address.1)) {
                let sweep = self.segments.views[*segment].observation(*observation)?.sweep;
                all.push((sweep, *segment, *observation));
            }
            all.sort_unstable();
            for (sweep, segment, observation) in &all {
                let (view, at) = (&self.segments.views[*segment], place_of(*segment));
                let document = self.numbers[at].get(view.observation(*observation)?.document as usize);
                let Some(document) = document.copied().filter(|document| *document != GONE) else {
                    return Err(view.corrupt("an observation of no document").into());
                };
                place.clear();
                Sources::recode(view.place(*observation)?, &renumbered[at], &mut place);
                each(NewObservation { fingerprint, name, sweep: *sweep, document, place: &place })?;
            }
            Ok(())
        })
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// How much each segment weighs when it is decided what to merge.
pub(crate) fn weights(segments: &SegmentSet, state: &WorkingState) -> Vec<Weight> {
    let mut weights: Vec<Weight> = segments.views.iter().map(View::weight).collect();
    state.dead.iter().for_each(|address| weights[(address >> 32) as usize].dead += 1);
    weights
}

/// Which segments to merge into one, if any: those of like size when there are many, or one that is half gone.
pub(crate) fn plan(weights: &[Weight]) -> Option<Vec<usize>> {
    let tier = |weight: &Weight| weight.documents.max(MIN_TIER_SIZE).ilog2() / MERGE_FACTOR.ilog2();
    let mut tiers: Vec<u32> = weights.iter().map(tier).collect();
    tiers.sort_unstable();
    tiers.dedup();
    for wanted in tiers {
        let alike: Vec<usize> = (0..weights.len()).filter(|at| tier(&weights[*at]) == wanted).collect();
        if alike.len() >= MERGE_FACTOR as usize && fits(weights, &alike) {
            return Some(alike);
        }
    }
    let half_gone = weights.iter().position(|weight| weight.dead > 0 && weight.dead >= weight.observations / 2);
    half_gone.map(|at| vec![at])
}

/// Whether these segments have room in one.
pub(crate) fn fits(weights: &[Weight], segments: &[usize]) -> bool {
    let documents: u64 = segments.iter().map(|at| u64::from(weights[*at].documents)).sum();
    let observations: u64 = segments.iter().map(|at| u64::from(weights[*at].observations)).sum();
    let features: u64 = segments.iter().map(|at| weights[*at].features).sum();
    documents < crate::segment::layout::MAX_DOCUMENTS as u64
        && observations < u64::from(u32::MAX)
        && features < u64::from(u32::MAX)
        && segments.iter().map(|at| weights[*at].texts).sum::<u64>() < u64::from(u32::MAX)
        && segments.iter().map(|at| weights[*at].places).sum::<u64>() < u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(documents: u32, dead: u32) -> Weight {
        Weight { documents, dead, observations: documents, features: u64::from(documents) * 75, texts: 0, places: 0 }
    }

    #[test]
    fn segments_of_like_size_are_merged_when_there_are_many() {
        let mut all = vec![weight(1_000_000, 0)];
        all.extend((0..7).map(|_| weight(50_000, 0)));
        assert_eq!(plan(&all), None);
        all.push(weight(60_000, 0));
        assert_eq!(plan(&all), Some((1..9).collect()));
    }

    #[test]
    fn a_segment_that_is_half_gone_is_written_anew() {
        assert_eq!(plan(&[weight(100, 0), weight(100, 49)]), None);
        assert_eq!(plan(&[weight(100, 0), weight(100, 50)]), Some(vec![1]));
        assert_eq!(plan(&[weight(0, 0)]), None, "an empty one is left alone");
    }

    #[test]
    fn no_segment_grows_beyond_what_a_posting_can_count() {
        let many = vec![weight(12_000_000, 0); 8];
        assert_eq!(plan(&many), None);
    }
}
