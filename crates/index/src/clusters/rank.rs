//! The order in which documents are offered as representatives.

use crate::segment::segment_set::SegmentSet;
use lookalike_core::cluster::Priority;
use lookalike_engine::Error;

/// The place of a document in the order of representatives; better ones first.
pub(crate) type Rank = Priority<u128>;

/// The longest first; of equally long ones by a part of the content id, then by all of it.
pub(crate) fn rank(segments: &SegmentSet, document: u32) -> Result<Rank, Error> {
    let record = segments.record(document)?;
    Ok(Priority::new(u64::from(record.shingles), record.content() as u32, record.content()))
}
