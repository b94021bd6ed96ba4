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
//! * [`hamming`]: fingerprints within a few bits of each other, among billions.
//! * [`simhash`]: one fingerprint for a document, near for documents that look alike.
//! * [`exchange`]: sketches in a file, for owners who compare without sharing their documents.
//! * `act` (Unix): identical files become links, are moved or removed.
//! * [`index`]: what is kept on disk, for questions about one document and about the past.
//!
//! The numbers of a report are exact unless `estimate` was asked for; the same documents and options give the same report whatever
//! the threads, the memory or the order of reading.

#[cfg(unix)]
pub use lookalike_act as act;
pub use lookalike_engine::*;

// act reads reports back, and knows them by their JSON alone
#[cfg(unix)]
const _: () = assert!(act::MAX_SCHEMA == SCHEMA);
