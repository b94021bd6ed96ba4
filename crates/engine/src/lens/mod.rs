//! The four lenses. Each says which features a document has, how candidates are found and what counts as evidence; the rest of the way is
//! [`crate::run`]. A lens never sees another, but for the simhash lens, which verifies by shingles.

pub mod chunks;
pub mod passages;
pub mod shingles;
pub mod simhash;
