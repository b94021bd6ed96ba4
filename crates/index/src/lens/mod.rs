//! What each lens does in its own manner in an index, behind one trait.

pub(crate) mod any_lens;
pub(crate) mod chunks;
pub(crate) mod index_lens;
pub(crate) mod passages;
pub(crate) mod shingles;
pub(crate) mod simhash;
