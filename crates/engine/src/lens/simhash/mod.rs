//! The simhash lens (Manku et al. 2007): a document becomes one fingerprint of 64 (or 128) bits, near to those of documents that look alike.

pub mod clustering;
pub mod compare;
pub mod engine;
pub mod exchange;
pub mod fingerprint;
pub mod fingerprinter;
pub mod guards;
pub mod idf;
pub mod nodes;
pub mod options;
pub mod reading;
pub mod recluster;
pub mod saved;
pub mod section;
pub mod table;
#[cfg(test)]
mod tests;
pub mod verify;
