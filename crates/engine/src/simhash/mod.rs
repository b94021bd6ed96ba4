//! The simhash lens: a document becomes one fingerprint of 64 (or 128) bits, near to those of documents that look alike
//! (Manku, Jain and Das Sarma 2007).
//!
//! * [`fingerprint()`]: the fingerprints of a corpus, in the order of reading.
//! * [`scan`]: the pairs of a corpus whose fingerprints differ in few bits, their clusters, and how many of them the shingles lens confirms.
//! * [`compare`]: two documents.
//! * [`count`]: how many documents have each feature, in a file; [`read_idf`] reads it.

mod compare;
pub(crate) mod front;
mod idf;
mod options;
mod reading;
mod scan;
mod table;

pub use compare::{Compared, Fingerprinted, compare};
pub use idf::{Counted, count};
pub use lookalike_core::bits::FingerprintBits;
pub use lookalike_core::simhash::{Idf, Languages, Ngrams, SimhashRecipe, Weight};
pub use options::{Options, TABLE_LIMIT};
pub use reading::{DocumentFingerprint, FingerprintSummary, fingerprint};
pub use scan::{Question, Simhash, scan};
pub use table::read_idf;
