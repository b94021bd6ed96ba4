//! lookalike finds documents that look alike: copies, near-copies, and documents inside other documents.
//!
//! ```no_run
//! use lookalike::{Cancel, Input, ScanOptions, Silent, scan};
//!
//! let scan = scan(vec![Input::Path("docs".into())], &ScanOptions::default(), &Silent, &Cancel::default())?;
//! for cluster in &scan.report.clusters {
//!     println!("{} and {} more", cluster.representative, cluster.members.len());
//! }
//! # Ok::<(), lookalike::Error>(())
//! ```
//!
//! * [`scan`]: the four phases over a corpus, a [`Report`] at the end.
//! * [`recluster`]: the last phase again, with another policy, on a run that was saved.
//! * [`compare`]: two documents, exactly.
//! * [`chunks`]: the same questions asked of the bytes of files: shared chunks, identical files, similar folders.
//! * [`copies`]: who copied what from whom: passages that submissions share.
//! * [`hamming`]: fingerprints of a few bits' distance, among billions.
//! * [`simhash`]: one fingerprint for a document, near for documents that look alike.
//! * [`exchange`]: sketches in a file, for owners who compare without sharing their documents.
//! * `act`: identical files become links, are moved or removed.
//! * [`hamming`]: fingerprints and who is near them.
//! * [`index`]: what is kept on disk, for questions about one document and about the past.
//!
//! The numbers of a report are exact unless `estimate` was asked for; the same documents and options give the same report whatever
//! the threads, the memory or the order of reading.

#[cfg(unix)]
pub mod act;
pub mod chunks;
mod compare;
pub mod copies;
mod decisions;
mod differences;
mod error;
pub mod exchange;
mod front;
pub mod hamming;
pub mod index;
mod machine;
mod options;
mod pipeline;
mod progress;
mod report;
mod run;
mod scan;
pub mod simhash;
mod text;
mod view;
mod visible;

pub use compare::{CompareOptions, Comparison, Passage, Relation, Side, compare};
pub use decisions::{DecidedDocument, Decision, Verdict};
pub use differences::Differences;
pub use error::Error;
pub use lookalike_core::fingerprint::{Fingerprinter, MAX_WINDOW};
pub use lookalike_core::recipe::Recipe;
pub use lookalike_core::sketch::{Estimate, PairEstimate, Sampling};
pub use lookalike_corpus::{Input, Options as CorpusOptions};
pub use lookalike_extract::Format;
pub use lookalike_store::{Error as StoreError, atomic};
pub use machine::default_memory;
pub use options::{Candidates, Linkage, Policy, ScanOptions};
pub use progress::{Cancel, Progress, Silent, Unit};
pub use report::{
    Class, Cluster, Decided, Head, Intervals, Member, PairRow, Phase, Report, Reviewed, SCHEMA, Skip, Summary,
    Template, Usage,
};
pub use run::recluster;
pub use scan::{Scan, scan};
pub use text::{Piece, Source, Text};
pub use view::{Compared, Described, Viewed};
