//! Which features are common in an index, as it changes.
//!
//! A feature is common when more documents have it than the index allows. How many have it is known exactly for those that are common;
//! the others are counted when a change may have made them so.

use crate::Error;
use crate::query::lookup::{Within, is_crowd};
use crate::segment::build::Watch;
use crate::segment::layout::gathered;
use crate::segment::shelf::Shelf;
use crate::segment::standing::Working;
use lookalike_core::members::Members;
use lookalike_core::sketch::Sketch;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Finds, while a segment is written, where its documents may share features with others.
pub(crate) struct Sharing<'a> {
    /// The segments that were there before.
    older: Option<&'a Shelf>,
    limit: u32,
    /// For each document, the bits of the features that it shares, and of the segments where it does.
    shares: Vec<[AtomicU64; 2]>,
    heavy: Mutex<Vec<Heavy>>,
}

/// A feature that may be common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heavy {
    pub(crate) feature: u64,
    /// How many have it, if it is known.
    pub(crate) documents: Option<u32>,
}

impl<'a> Sharing<'a> {
    pub(crate) fn new(older: Option<&'a Shelf>, limit: u32, documents: usize) -> Self {
        let shares = (0..documents).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
        Self { older, limit, shares, heavy: Mutex::default() }
    }

    /// Where each document may share features with others, and the features that may be common.
    pub(crate) fn finish(self) -> (Vec<Within>, Vec<Heavy>) {
        let heavy = self.heavy.into_inner().expect("no thread panics with the lock");
        let within = |[features, segments]: [AtomicU64; 2]| Within {
            features: features.into_inner(),
            segments: segments.into_inner(),
        };
        (self.shares.into_iter().map(within).collect(), heavy)
    }
}

impl Watch for Sharing<'_> {
    fn hears_of_single(&self) -> bool {
        self.older.is_some() || self.limit == 0
    }

    fn feature(&self, spread: u64, documents: &mut dyn ExactSizeIterator<Item = u32>) -> Result<(), Error> {
        let here = documents.len();
        let (mut before, mut segments) = (0, 0);
        let views = self.older.map_or(&[][..], |older| &older.views);
        for (segment, view) in views.iter().enumerate() {
            let there = view.postings(spread)?.len();
            before += there;
            segments |= if there > 0 { Within::segment(segment) } else { 0 };
        }
        segments |= if here > 1 { Within::segment(views.len()) } else { 0 };
        if here + before > self.limit as usize {
            let documents = (before == 0).then_some(here as u32);
            let mut heavy = self.heavy.lock().expect("no thread panics with the lock");
            heavy.push(Heavy { feature: gathered(spread), documents });
        }
        if segments != 0 {
            for document in documents {
                let [shared, places] = &self.shares[document as usize];
                shared.fetch_or(Within::feature(spread), Ordering::Relaxed);
                places.fetch_or(segments, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// Brings the common features of an index up to date, and tells which documents that were there before are affected.
///
/// The added are live already; of the removed only their features are left.
pub(crate) fn update(
    shelf: &Shelf,
    standing: &mut Working,
    limit: u32,
    added: &[u32],
    removed: &[Vec<u64>],
    heavy: &[Heavy],
) -> Result<Vec<u32>, Error> {
    let mut turned: Vec<u64> = Vec::new();
    if !standing.counts.is_empty() {
        let counts = counted(shelf, standing, added)?;
        add_counts(&mut standing.counts, counts);
        for feature in removed.iter().flatten() {
            if let Some(count) = standing.counts.get_mut(feature) {
                *count = count.saturating_sub(1);
            }
        }
    }
    for heavy in heavy.iter().filter(|heavy| !standing.counts.contains_key(&heavy.feature)).collect::<Vec<_>>() {
        let mut documents = heavy.documents.unwrap_or(0);
        if heavy.documents.is_none() {
            shelf.having(heavy.feature, |document| documents += u32::from(standing.is_live(document)))?;
        }
        if documents > limit {
            standing.counts.insert(heavy.feature, documents);
            turned.push(heavy.feature);
        }
    }
    let mut rare: Vec<u64> = standing.counts.iter().filter(|(_, count)| **count <= limit).map(|(f, _)| *f).collect();
    rare.sort_unstable();
    for feature in &rare {
        standing.counts.remove(feature);
    }
    turned.extend(rare);
    let mut common: Vec<u64> = standing.counts.keys().copied().collect();
    common.sort_unstable();
    standing.common = Members::new(common);
    let affected = affected(shelf, standing, &turned, added)?;
    place_in_crowd(shelf, standing, added)?;
    place_in_crowd(shelf, standing, &affected)?;
    Ok(affected)
}

#[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
fn add_counts(all: &mut FxHashMap<u64, u32>, more: FxHashMap<u64, u32>) {
    for (feature, count) in more {
        *all.entry(feature).or_default() += count;
    }
}

/// How many of these documents have each of the features that are common so far.
fn counted(shelf: &Shelf, standing: &Working, documents: &[u32]) -> Result<FxHashMap<u64, u32>, Error> {
    let parts = documents.par_chunks(4096).map(|documents| {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        let mut sketch = Sketch::default();
        for document in documents {
            shelf.sketch(*document, &mut sketch)?;
            for feature in sketch.features.iter().filter(|f| standing.common.place(**f).is_some()) {
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
fn affected(shelf: &Shelf, standing: &Working, turned: &[u64], added: &[u32]) -> Result<Vec<u32>, Error> {
    // in a new index all are added
    if turned.is_empty()
        || standing.leaders.iter().filter(|l| **l != crate::segment::standing::GONE).count() == added.len()
    {
        return Ok(Vec::new());
    }
    let having = turned.par_iter().map(|feature| {
        let mut documents = Vec::new();
        shelf.having(*feature, |document| documents.push(document))?;
        Ok(documents)
    });
    let mut affected = having.collect::<Result<Vec<Vec<u32>>, Error>>()?.concat();
    affected.par_sort_unstable();
    affected.dedup();
    let mut added = added.to_vec();
    added.sort_unstable();
    affected.retain(|document| standing.is_live(*document) && added.binary_search(document).is_err());
    Ok(affected)
}

/// Decides for each of these documents whether it is of the crowd.
fn place_in_crowd(shelf: &Shelf, standing: &mut Working, documents: &[u32]) -> Result<(), Error> {
    let common = &standing.common;
    let crowded = documents.par_iter().with_min_len(256).map(|document| {
        if common.as_slice().is_empty() {
            return Ok(false);
        }
        let mut sketch = Sketch::default();
        shelf.sketch(*document, &mut sketch)?;
        let all = sketch.features.len();
        Ok(is_crowd(all - common.count_in(&sketch.features), all))
    });
    let crowded: Vec<bool> = crowded.collect::<Result<_, Error>>()?;
    for (document, crowded) in documents.iter().zip(crowded) {
        if crowded {
            standing.crowd.insert(*document);
        } else {
            standing.crowd.remove(document);
        }
    }
    Ok(())
}
