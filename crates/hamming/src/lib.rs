//! Fingerprints and what is near them: files of fingerprints, Hamming search over them, and a store that changes while it is asked.
//!
//! * [`mod@file`]: files of fingerprints, raw, as text or as a column of Parquet.
//! * [`batch`](batch()): every fingerprint of one file that is near one of another, each pair once.
//! * [`all_pairs`](all_pairs()): every near pair of one file, and its clusters.
//! * [`MemoryIndex`]: fingerprints in memory.
//! * [`store`]: insert, look up, check and insert, delete, from many threads; what was acknowledged survives whatever ends the process.
//! * [`segment`]: Hamming tables in a segment of the store.
//!
//! Fingerprints have 64 or 128 bits: [`FingerprintBits`] is `u64` or `u128`. The algorithms are in `lookalike_core::hamming`.

mod all_pairs;
mod batch;
mod distinct;
mod error;
pub mod file;
mod huge_pages;
mod memory;
mod near_pairs;
mod options;
mod representatives;
pub mod segment;
pub mod store;
#[cfg(test)]
mod tests;

pub use all_pairs::{AllPairs, FingerprintCluster, FingerprintMember, all_pairs};
pub use batch::{BatchResult, HeldFingerprints, Pair, batch};
pub use error::Error;
pub use file::{Digits, FileOptions, FingerprintFile, FingerprintReader, FingerprintWriter, IdKind, IdNames, Layout};
pub use lookalike_core::bits::FingerprintBits;
pub use lookalike_core::cluster::Linkage;
pub use lookalike_core::hamming::{Design, MAX_DISTANCE, plan};
pub use memory::MemoryIndex;
pub use near_pairs::{NearPair, for_each_near_pair};
pub use options::{SearchOptions, check_distance};
