//! Shingles in an index: sketches, clusters, estimates with their intervals.

mod search;
pub(crate) mod shingles_lens;
