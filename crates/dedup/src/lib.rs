//! A corpus in, the same corpus without its near-duplicates out, with proof.
//!
//! The shingles lens finds what looks alike ([`lookalike_engine`]); a document goes only if it was itself compared with the one that stays
//! in its place. What is left is written shard by shard ([`lookalike_corpus::copy_shard`]), everything else of it unchanged, beside a
//! table of what was removed and why.
//!
//! [`calibrate`] helps to choose the threshold.
//!
//! `removal` (who goes) ← `layout` (which file becomes which) ← {`corpus_writer`, `duplicates_file`, `summary`} ← [`Dedup`].

mod against;
pub mod calibrate;
mod corpus_writer;
mod dedup;
mod duplicates_file;
mod error;
mod layout;
mod options;
mod removal;
mod run_folder;
mod summary;

pub use against::KnownCopy;
pub use dedup::{Dedup, DedupResult};
pub use error::Error;
pub use options::DedupOptions;
pub use removal::{Kept, Removal, Removals};
pub use summary::{ClassCounts, DedupSummary, SourceCounts};
