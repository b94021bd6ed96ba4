//! Fingerprints in an index: was something like this seen before?
//!
//! A document keeps its fingerprint as its payload, and each segment has Hamming tables of the fingerprints of its documents. Whatever is
//! within a distance is found, without exception.

mod search;
pub(crate) mod simhash_lens;
mod tables;
#[cfg(test)]
mod tests;
