//! An index of the simhash lens: was something like this seen before?
//!
//! It is an index like any other: segments, names, sweeps, merges. A document keeps its fingerprint where passages keep tokens, and
//! each segment has Hamming tables of the fingerprints of its documents. Whatever is within a distance is found, without exception.

mod answers;
mod ask;
pub(crate) mod reading;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

pub use answers::{SimhashAnswer, SimhashMatch, SimhashQuery};
pub use ask::SimhashIndex;
