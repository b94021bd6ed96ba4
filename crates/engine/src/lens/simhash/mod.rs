//! The simhash lens (Manku et al. 2007): a document becomes one fingerprint of 64 (or 128) bits, near to those of documents that look alike.

mod clustering;
pub(crate) mod compare;
pub(crate) mod engine;
pub(crate) mod fingerprint;
pub(crate) mod fingerprinter;
mod guards;
pub(crate) mod idf;
mod nodes;
pub(crate) mod options;
mod reading;
mod section;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod verify;
