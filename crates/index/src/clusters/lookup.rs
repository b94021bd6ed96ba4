//! The paper's query: look up each feature of a sketch, count for each document that shares some, compare.

use crate::segment::cluster_state::{ClusterState, GONE};
use crate::segment::layout::spread;
use crate::segment::segment_set::SegmentSet;
use lookalike_core::members::Members;
use lookalike_core::sketch::{SampleOverlap, Sampling, Sketch, survivors};
use lookalike_engine::Error;
use lookalike_engine::run::filter::Filter;

/// A document is boilerplate when less than this share of its sketch is its own.
const MIN_OWN_SHARE: f64 = 0.1;
/// So many features of a level say that a document is boilerplate in longer ones.
const MIN_QUOTED_FEATURES: u32 = 5;

/// What is asked for: a sketch as the index keeps it, and the part of it that is not frequent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    pub(crate) whole: Sketch,
    pub(crate) own: Sketch,
}

impl Probe {
    pub(crate) fn new(whole: Sketch, frequent: &Members) -> Self {
        let mut own = whole.clone();
        frequent.subtract_from(&mut own.features);
        Self { whole, own }
    }

    /// Whether it is boilerplate nearly throughout: without that nothing would be left to compare.
    pub(crate) fn is_boilerplate(&self) -> bool {
        is_boilerplate(self.own.features.len(), self.whole.features.len())
    }

    /// Whether at some level all its features are frequent: a short text that very many longer documents quote. Its other features say
    /// nothing, since the samples of longer documents cannot have them.
    pub(crate) fn is_quoted(&self) -> bool {
        let at = |level: u8| [&self.whole, &self.own].map(|sketch| survivors(&sketch.features, level));
        (self.whole.level..64).map(at).take_while(|[all, _]| *all >= MIN_QUOTED_FEATURES).any(|[_, own]| own == 0)
    }
}

pub(crate) fn is_boilerplate(own: usize, all: usize) -> bool {
    own < all && (own as f64) < MIN_OWN_SHARE * all as f64
}

/// A document that has something in common with what was asked for; it is `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) document: u32,
    pub(crate) sample: SampleOverlap,
}

/// Where features that a document shares with others can be at all: bits for features, and bits for segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchScope {
    pub(crate) features: u64,
    pub(crate) segments: u64,
}

impl SearchScope {
    /// Anywhere.
    pub(crate) const ALL: Self = Self { features: u64::MAX, segments: u64::MAX };

    /// The bit of a spread feature. Not its highest bits, which say where it is, nor the lowest, which say little.
    pub(crate) fn feature(spread: u64) -> u64 {
        1 << (spread >> 8 & 63)
    }

    /// The bit of a segment; the last is for all that are beyond.
    pub(crate) fn segment(segment: usize) -> u64 {
        1 << segment.min(63)
    }
}

/// Looks things up in a snapshot.
pub(crate) struct Lookup<'a, S> {
    pub(crate) segments: &'a SegmentSet,
    pub(crate) state: &'a S,
    pub(crate) sampling: Sampling,
}

impl<S> Clone for Lookup<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Lookup<'_, S> {}

impl<S: ClusterState> Lookup<'_, S> {
    /// The probe for a document of the index.
    pub(crate) fn probe(&self, document: u32) -> Result<Probe, Error> {
        let mut sketch = Sketch::default();
        self.segments.sketch(document, &mut sketch)?;
        Ok(Probe::new(sketch, self.state.frequent()?))
    }

    /// All documents that are not boilerplate and that the filter takes, by number. What is frequent is ignored.
    pub(crate) fn hits(&self, probe: &Probe, filter: &Filter, scope: SearchScope) -> Result<Vec<Hit>, Error> {
        self.taken(probe, &self.sharing(&probe.own.features, scope)?, filter, None)
    }

    /// All documents that the filter takes, by number, compared as a whole. Only these features of the probe lead to documents.
    pub(crate) fn whole_hits(&self, probe: &Probe, followed: &[u64], filter: &Filter) -> Result<Vec<Hit>, Error> {
        let unfollowed = (probe.whole.features.len() - followed.len()) as u32;
        self.taken(probe, &self.sharing(followed, SearchScope::ALL)?, filter, Some(unfollowed))
    }

    /// Those that the filter takes of documents that share features; compared as a whole if it is known how many were not followed.
    fn taken(
        &self,
        probe: &Probe,
        shared: &[u32],
        filter: &Filter,
        unfollowed: Option<u32>,
    ) -> Result<Vec<Hit>, Error> {
        let whole = unfollowed.is_some();
        let asked = if whole { &probe.whole } else { &probe.own };
        let mut hits = Vec::new();
        let mut buffer = Sketch::default();
        for run in shared.chunk_by(|a, b| a == b) {
            let document = run[0];
            // postings tell a few documents too many, never too few
            let most = run.len() as u32 + unfollowed.unwrap_or(0);
            if !self.may_reach(asked, document, most, filter)?
                || self.state.representative(document)? == GONE
                || !whole && self.state.is_boilerplate(document)?
            {
                continue;
            }
            let sample = self.compare(probe, document, whole, &mut buffer)?;
            if filter.candidate(sample) {
                hits.push(Hit { document, sample });
            }
        }
        Ok(hits)
    }

    /// The documents that have these features, once for each, sorted; and a few that have not.
    fn sharing(&self, features: &[u64], scope: SearchScope) -> Result<Vec<u32>, Error> {
        let mut shared: Vec<u32> = Vec::new();
        let spreads = features.iter().map(|feature| spread(*feature));
        let spreads: Vec<u64> = spreads.filter(|spread| scope.features & SearchScope::feature(*spread) != 0).collect();
        let mut buckets = Vec::with_capacity(spreads.len());
        for (segment, view) in self.segments.views.iter().enumerate() {
            if scope.segments & SearchScope::segment(segment) == 0 {
                continue;
            }
            let base = self.segments.base(segment);
            // all buckets first: memory answers many questions at once, if none waits for another
            buckets.clear();
            for spread in &spreads {
                buckets.push(view.bucket(*spread)?);
            }
            for (spread, bucket) in spreads.iter().zip(&buckets) {
                let postings = view.postings_in(*bucket, *spread)?;
                shared.extend(postings.iter().map(|posting| base + view.document_of(*posting)));
            }
        }
        shared.sort_unstable();
        Ok(shared)
    }

    /// Whether so many shared features could be enough.
    fn may_reach(&self, asked: &Sketch, document: u32, shared: u32, filter: &Filter) -> Result<bool, Error> {
        if filter.policy.contained.is_some() || matches!(self.sampling, Sampling::Min(_)) {
            return Ok(true);
        }
        let level = self.segments.record(document)?.level().max(asked.level);
        let sample = match self.sampling {
            Sampling::Nested(_) => survivors(&asked.features, level),
            _ => asked.features.len() as u32,
        };
        Ok(f64::from(shared) >= filter.policy.threshold * f64::from(sample) - 1e-9)
    }

    /// Compares with one document: without what is frequent, or with it.
    pub(crate) fn compare(
        &self,
        probe: &Probe,
        document: u32,
        whole: bool,
        buffer: &mut Sketch,
    ) -> Result<SampleOverlap, Error> {
        self.segments.sketch(document, buffer)?;
        if whole {
            return Ok(SampleOverlap::of(self.sampling, &probe.whole, buffer));
        }
        self.state.frequent()?.subtract_from(&mut buffer.features);
        Ok(SampleOverlap::of(self.sampling, &probe.own, buffer))
    }

    /// Those of these boilerplate documents that the filter takes.
    pub(crate) fn boilerplate_hits(
        &self,
        probe: &Probe,
        boilerplate: impl Iterator<Item = u32>,
        filter: &Filter,
    ) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::new();
        let mut buffer = Sketch::default();
        for document in boilerplate {
            let sample = self.compare(probe, document, true, &mut buffer)?;
            if filter.candidate(sample) {
                hits.push(Hit { document, sample });
            }
        }
        Ok(hits)
    }
}
