//! The index: sketches and postings kept on disk, for an answer about one document without a scan, and for looking back in time.
//!
//! ```no_run
//! use lookalike_engine::index::{self, Index, QueryOptions};
//! use lookalike_engine::{Cancel, Input, ScanOptions, Silent};
//! use std::path::Path;
//!
//! let (path, options) = (Path::new("pages.index"), ScanOptions::default());
//! index::build(path, vec![Input::Path("pages".into())], Some("2026-05-01"), &options, &Silent, &Cancel::default())?;
//! let answer = Index::open(path, "")?.query_url("pages/faq.html", &QueryOptions::default())?;
//! # Ok::<(), lookalike_engine::Error>(())
//! ```
//!
//! A document is a content, whoever has it; an observation says that a name (a URL, an id, a path) had a document in a sweep. The same
//! content is kept once, however often it was seen. Sketches are kept, not texts: numbers are estimates with their intervals, unless the
//! originals can still be read.

mod answers;
mod ask;
mod change;
mod disk;
pub(crate) mod passages;
pub(crate) mod past;
pub(crate) mod simhash;
#[cfg(test)]
mod tests;

pub use answers::{Answer, Changed, Info, Lens, Match, QueryOptions, Seen, SegmentInfo, Sweep, Verified};
pub use lookalike_engine::report::against::{Against, Known, Touching};
pub use ask::batch_query::Queried;
pub use ask::reader::Index;
pub use change::writer::{add, add_simhash, build, build_passages, build_simhash, lens, merge, remove};
pub use disk::verify::{Checked, verify};
pub use passages::{FoundPassage, PassageAnswer, PassageIndex, PassageQuery, PassageSource, Position};
pub use past::changes::{Changes, ChangesOptions, ChangesPerUrl, Interval, Lifetimes, Moves, Rate, Spread, Survival};
pub use past::collapse::{Collapsed, FoldedResult, ResultGroup};
pub use past::holders::{Holder, Holders, HoldersOptions, holders};
pub use past::lost::{Lost, LostOptions, Place, Status, Through, Version};
pub use past::role::Role;
pub use simhash::{SimhashAnswer, SimhashIndex, SimhashMatch, SimhashQuery};
