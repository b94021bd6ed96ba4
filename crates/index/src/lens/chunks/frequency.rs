//! Which chunks are so frequent that they lead to no document: zeros, licences, templates. The rule is that of a scan.
//!
//! In a large index documents are counted in a sample. Content ids choose it, so it does not depend on how the index came about, and of a
//! list of a million postings only what is in the sample is looked at.

use crate::segment::cluster_state::{ClusterState, GONE};
use crate::segment::layout::{has, spread};
use crate::segment::snapshot::Snapshot;
use lookalike_engine::Error;
use lookalike_engine::lens::chunks::partition::max_documents;

/// Documents of a sample, about; with fewer all are counted.
const SAMPLE: u64 = 4096;

/// Tells frequent chunks.
pub(super) struct ChunkFrequency<'a> {
    snapshot: &'a Snapshot,
    /// A chunk of more documents is frequent.
    most: usize,
    /// Made when it is first needed: most queries have no frequent chunk.
    sample: Option<FrequencySample>,
}

struct FrequencySample {
    /// For each segment, how many of its documents may be in the sample: the first, since they lie by content id.
    ends: Vec<u32>,
    /// Documents in it.
    documents: u64,
}

impl<'a> ChunkFrequency<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, max_df: f64) -> Self {
        Self { snapshot, most: max_documents(snapshot.meta.documents, max_df), sample: None }
    }

    /// Whether a chunk with so many postings is frequent.
    pub(super) fn is_frequent(&mut self, feature: u64, postings: usize) -> Result<bool, Error> {
        if postings <= self.most {
            return Ok(false);
        }
        let snapshot = self.snapshot;
        let sample = match &mut self.sample {
            Some(sample) => sample,
            none => none.insert(FrequencySample::of(snapshot)?),
        };
        let counted = sample.count(snapshot, feature)?;
        let all = snapshot.meta.documents.max(1);
        Ok(counted as f64 > self.most as f64 * sample.documents as f64 / all as f64)
    }
}

impl FrequencySample {
    fn of(snapshot: &Snapshot) -> Result<Self, Error> {
        let all = snapshot.meta.documents;
        let below = if all <= SAMPLE { u128::MAX } else { u128::MAX / u128::from(all) * u128::from(SAMPLE) };
        let mut sample = Self { ends: Vec::new(), documents: 0 };
        for (segment, view) in snapshot.segments.views.iter().enumerate() {
            let (mut end, mut high) = (0, view.len());
            while end < high {
                let middle = end + (high - end) / 2;
                if view.record(middle)?.content() < below { end = middle + 1 } else { high = middle }
            }
            sample.ends.push(end);
            for local in 0..end {
                let document = snapshot.segments.base(segment) + local;
                sample.documents += u64::from(snapshot.state.representative(document)? != GONE);
            }
        }
        Ok(sample)
    }

    /// Documents of the sample that have a chunk.
    fn count(&self, snapshot: &Snapshot, feature: u64) -> Result<u64, Error> {
        let mut counted = 0;
        for (segment, (view, end)) in snapshot.segments.views.iter().zip(&self.ends).enumerate() {
            let postings = view.postings(spread(feature))?.iter().map(|posting| view.document_of(*posting));
            let mut having: Vec<u32> = postings.filter(|local| local < end).collect();
            // a document is there twice if two of its chunks have the same tag
            having.sort_unstable();
            having.dedup();
            for local in having {
                let there = snapshot.state.representative(snapshot.segments.base(segment) + local)? != GONE;
                counted += u64::from(there && has(view.packed(local)?, feature));
            }
        }
        Ok(counted)
    }
}
