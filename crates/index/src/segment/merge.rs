//! Several segments become one, without what has gone.

use crate::segment::build::{EachDocument, Kept, Material, Observed};
use crate::segment::places::Sources;
use crate::segment::shelf::Shelf;
use crate::segment::standing::{GONE, Working, spot_key};
use crate::Error;

/// Segments of like size that are merged when there are so many.
const FAN: u32 = 8;
/// Segments smaller than this are all alike.
const SMALL: u32 = 4096;

/// Segments to be merged.
pub(crate) struct Merge<'a> {
    shelf: &'a Shelf,
    standing: &'a Working,
    segments: &'a [usize],
    sources: Sources,
    /// For each segment, the number of each of its documents in the new one.
    pub(crate) numbers: Vec<Vec<u32>>,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(shelf: &'a Shelf, standing: &'a Working, segments: &'a [usize]) -> Self {
        let numbers = segments.iter().map(|segment| vec![GONE; shelf.views[*segment].len() as usize]).collect();
        Self { shelf, standing, segments, sources: Sources::default(), numbers }
    }

    /// Whether an observation still counts.
    fn counts(&self, segment: usize, observation: u32) -> bool {
        !self.standing.dead.contains(&spot_key((segment, observation)))
    }
}

impl Material for Merge<'_> {
    fn documents(&mut self, each: &mut EachDocument<'_>) -> Result<(), Error> {
        let mut next = vec![0u32; self.segments.len()];
        let mut written = 0;
        loop {
            let mut least: Option<u128> = None;
            for (segment, next) in self.segments.iter().zip(&next) {
                let view = &self.shelf.views[*segment];
                if *next < view.len() {
                    let content = view.record(*next)?.content();
                    least = Some(least.map_or(content, |least| least.min(content)));
                }
            }
            let Some(content) = least else { return Ok(()) };
            let (mut own, mut observed, mut met) = (None, false, Vec::new());
            for (at, segment) in self.segments.iter().enumerate() {
                let view = &self.shelf.views[*segment];
                if next[at] == view.len() || view.record(next[at])?.content() != content {
                    continue;
                }
                let document = next[at];
                next[at] += 1;
                met.push((at, document));
                if self.standing.is_live(self.shelf.base(*segment) + document) {
                    own = Some((view, document));
                }
                observed |= view.sightings(document)?.iter().any(|seen| self.counts(*segment, *seen));
            }
            match own {
                Some((view, document)) => {
                    let record = *view.record(document)?;
                    let (packed, tokens) = (view.packed(document)?, view.tokens(document)?);
                    each(Kept { record, level: record.level(), packed, tokens })?;
                }
                None if observed => each(Kept::reference(content))?,
                None => continue,
            }
            for (at, document) in met {
                self.numbers[at][document as usize] = written;
            }
            written += 1;
        }
    }

    fn observations(&mut self, each: &mut dyn FnMut(Observed<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let mut renumbered = Vec::new();
        for segment in self.segments {
            renumbered.push(self.shelf.views[*segment].sources()?.numbers_in(&mut self.sources));
        }
        let place_of = |segment: usize| self.segments.iter().position(|s| *s == segment).unwrap_or_default();
        let (mut place, mut all) = (Vec::new(), Vec::new());
        self.shelf.for_each_name(self.segments, |fingerprint, name, spots| {
            all.clear();
            for (segment, observation) in spots.iter().filter(|spot| self.counts(spot.0, spot.1)) {
                let sweep = self.shelf.views[*segment].observation(*observation)?.sweep;
                all.push((sweep, *segment, *observation));
            }
            all.sort_unstable();
            for (sweep, segment, observation) in &all {
                let (view, at) = (&self.shelf.views[*segment], place_of(*segment));
                let document = self.numbers[at].get(view.observation(*observation)?.document as usize);
                let Some(document) = document.copied().filter(|document| *document != GONE) else {
                    return Err(view.senseless("an observation of no document").into());
                };
                place.clear();
                Sources::recode(view.place(*observation)?, &renumbered[at], &mut place);
                each(Observed { fingerprint, name, sweep: *sweep, document, place: &place })?;
            }
            Ok(())
        })
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// A segment as far as it matters for merging.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    /// Documents and references.
    pub(crate) documents: u32,
    /// Observations that count no more.
    pub(crate) dead: u32,
    pub(crate) observations: u32,
    pub(crate) features: u64,
    /// Bytes of names, and of places.
    pub(crate) texts: u64,
    pub(crate) places: u64,
}

/// Which segments to merge into one, if any: those of like size when there are many, or one that is half gone.
pub(crate) fn plan(weights: &[Weight]) -> Option<Vec<usize>> {
    let tier = |weight: &Weight| weight.documents.max(SMALL).ilog2() / FAN.ilog2();
    let mut tiers: Vec<u32> = weights.iter().map(tier).collect();
    tiers.sort_unstable();
    tiers.dedup();
    for wanted in tiers {
        let alike: Vec<usize> = (0..weights.len()).filter(|at| tier(&weights[*at]) == wanted).collect();
        if alike.len() >= FAN as usize && fits(weights, &alike) {
            return Some(alike);
        }
    }
    let rotten = weights.iter().position(|weight| weight.dead > 0 && weight.dead >= weight.observations / 2);
    rotten.map(|at| vec![at])
}

/// Whether these segments have room in one.
pub(crate) fn fits(weights: &[Weight], segments: &[usize]) -> bool {
    let documents: u64 = segments.iter().map(|at| u64::from(weights[*at].documents)).sum();
    let observations: u64 = segments.iter().map(|at| u64::from(weights[*at].observations)).sum();
    let features: u64 = segments.iter().map(|at| weights[*at].features).sum();
    documents < crate::segment::layout::MOST_DOCUMENTS as u64
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
