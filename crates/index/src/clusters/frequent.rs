//! Which features are frequent in an index, as it changes.
//!
//! A feature is frequent when more documents have it than the index allows. How many have it is known exactly for those that are frequent;
//! the others are counted when a change may have made them so.

use crate::clusters::lookup::{SearchScope, is_boilerplate};
use crate::segment::build::FeatureObserver;
use crate::segment::cluster_state::{GONE, WorkingState};
use crate::segment::layout::unspread;
use crate::segment::segment_set::SegmentSet;
use lookalike_core::members::Members;
use lookalike_core::sketch::Sketch;
use lookalike_engine::Error;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Finds, while a segment is written, where its documents may share features with others.
pub(crate) struct SharedFeatures<'a> {
    /// The segments that were there before.
    older: Option<&'a SegmentSet>,
    max_df: u32,
    /// For each document, the bits of the features that it shares, and of the segments where it does.
    shares: Vec<[AtomicU64; 2]>,
    candidates: Mutex<Vec<FrequencyCandidate>>,
}

/// A feature that may be frequent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrequencyCandidate {
    pub(crate) feature: u64,
    /// How many have it, if it is known.
    pub(crate) documents: Option<u32>,
}

impl<'a> SharedFeatures<'a> {
    pub(crate) fn new(older: Option<&'a SegmentSet>, max_df: u32, documents: usize) -> Self {
        let shares = (0..documents).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
        Self { older, max_df, shares, candidates: Mutex::default() }
    }

    /// Where each document may share features with others, and the features that may be frequent.
    pub(crate) fn finish(self) -> (Vec<SearchScope>, Vec<FrequencyCandidate>) {
        let candidates = self.candidates.into_inner().expect("no thread panics with the lock");
        let scope = |[features, segments]: [AtomicU64; 2]| SearchScope {
            features: features.into_inner(),
            segments: segments.into_inner(),
        };
        (self.shares.into_iter().map(scope).collect(), candidates)
    }
}

impl FeatureObserver for SharedFeatures<'_> {
    fn hears_of_single(&self) -> bool {
        self.older.is_some() || self.max_df == 0
    }

    fn feature(&self, spread: u64, documents: &mut dyn ExactSizeIterator<Item = u32>) -> Result<(), Error> {
        let here = documents.len();
        let (mut before, mut segments) = (0, 0);
        let views = self.older.map_or(&[][..], |older| &older.views);
        for (segment, view) in views.iter().enumerate() {
            let there = view.postings(spread)?.len();
            before += there;
            segments |= if there > 0 { SearchScope::segment(segment) } else { 0 };
        }
        segments |= if here > 1 { SearchScope::segment(views.len()) } else { 0 };
        if here + before > self.max_df as usize {
            let documents = (before == 0).then_some(here as u32);
            let mut candidates = self.candidates.lock().expect("no thread panics with the lock");
            candidates.push(FrequencyCandidate { feature: unspread(spread), documents });
        }
        if segments != 0 {
            for document in documents {
                let [shared, places] = &self.shares[document as usize];
                shared.fetch_or(SearchScope::feature(spread), Ordering::Relaxed);
                places.fetch_or(segments, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// Brings the frequent features of an index up to date, and tells which documents that were there before are affected.
///
/// The added are live already; of the removed only their features are left.
pub(crate) fn update(
    segments: &SegmentSet,
    state: &mut WorkingState,
    max_df: u32,
    added: &[u32],
    removed: &[Vec<u64>],
    candidates: &[FrequencyCandidate],
) -> Result<Vec<u32>, Error> {
    let mut turned: Vec<u64> = Vec::new();
    if !state.counts.is_empty() {
        let counts = counted(segments, state, added)?;
        add_counts(&mut state.counts, counts);
        for feature in removed.iter().flatten() {
            if let Some(count) = state.counts.get_mut(feature) {
                *count = count.saturating_sub(1);
            }
        }
    }
    let uncounted = candidates.iter().filter(|candidate| !state.counts.contains_key(&candidate.feature));
    for candidate in uncounted.collect::<Vec<_>>() {
        let mut documents = candidate.documents.unwrap_or(0);
        if candidate.documents.is_none() {
            segments.having(candidate.feature, |document| documents += u32::from(state.is_live(document)))?;
        }
        if documents > max_df {
            state.counts.insert(candidate.feature, documents);
            turned.push(candidate.feature);
        }
    }
    let mut rare: Vec<u64> = state.counts.iter().filter(|(_, count)| **count <= max_df).map(|(f, _)| *f).collect();
    rare.sort_unstable();
    for feature in &rare {
        state.counts.remove(feature);
    }
    turned.extend(rare);
    let mut frequent: Vec<u64> = state.counts.keys().copied().collect();
    frequent.sort_unstable();
    state.frequent = Members::new(frequent);
    let affected = affected(segments, state, &turned, added)?;
    mark_boilerplate(segments, state, added)?;
    mark_boilerplate(segments, state, &affected)?;
    Ok(affected)
}

#[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
fn add_counts(all: &mut FxHashMap<u64, u32>, more: FxHashMap<u64, u32>) {
    for (feature, count) in more {
        *all.entry(feature).or_default() += count;
    }
}

/// How many of these documents have each of the features that are frequent so far.
fn counted(segments: &SegmentSet, state: &WorkingState, documents: &[u32]) -> Result<FxHashMap<u64, u32>, Error> {
    let parts = documents.par_chunks(4096).map(|documents| {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        let mut sketch = Sketch::default();
        for document in documents {
            segments.sketch(*document, &mut sketch)?;
            for feature in sketch.features.iter().filter(|f| state.frequent.place(**f).is_some()) {
                *counts.entry(*feature).or_default() += 1;
            }
        }
        Ok::<_, Error>(counts)
    });
    parts.try_reduce(FxHashMap::default, |mut all, part| {
        add_counts(&mut all, part);
        Ok(all)
    })
}

/// The documents that were there before and have one of these features, sorted.
fn affected(segments: &SegmentSet, state: &WorkingState, turned: &[u64], added: &[u32]) -> Result<Vec<u32>, Error> {
    // in a new index all are added
    if turned.is_empty() || state.representatives.iter().filter(|l| **l != GONE).count() == added.len() {
        return Ok(Vec::new());
    }
    let having = turned.par_iter().map(|feature| {
        let mut documents = Vec::new();
        segments.having(*feature, |document| documents.push(document))?;
        Ok(documents)
    });
    let mut affected = having.collect::<Result<Vec<Vec<u32>>, Error>>()?.concat();
    affected.par_sort_unstable();
    affected.dedup();
    let mut added = added.to_vec();
    added.sort_unstable();
    affected.retain(|document| state.is_live(*document) && added.binary_search(document).is_err());
    Ok(affected)
}

/// Decides for each of these documents whether it is boilerplate.
fn mark_boilerplate(segments: &SegmentSet, state: &mut WorkingState, documents: &[u32]) -> Result<(), Error> {
    let frequent = &state.frequent;
    let boilerplate = documents.par_iter().with_min_len(256).map(|document| {
        if frequent.as_slice().is_empty() {
            return Ok(false);
        }
        let mut sketch = Sketch::default();
        segments.sketch(*document, &mut sketch)?;
        let all = sketch.features.len();
        Ok(is_boilerplate(all - frequent.count_in(&sketch.features), all))
    });
    let boilerplate: Vec<bool> = boilerplate.collect::<Result<_, Error>>()?;
    for (document, boilerplate) in documents.iter().zip(boilerplate) {
        if boilerplate {
            state.boilerplate.insert(*document);
        } else {
            state.boilerplate.remove(document);
        }
    }
    Ok(())
}
