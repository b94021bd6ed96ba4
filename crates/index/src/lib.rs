//! The index: what is kept of documents on disk, for an answer about one document without a scan, and for looking back in time.
//!
//! A document is a content, whoever has it; an observation says that a name (a URL, an id, a path) had a document in a sweep. The same
//! content is kept once, however often it was seen. Of shingles, sketches are kept, not texts: numbers are estimates with their intervals,
//! unless the originals can still be read.
//!
//! `segment` (on disk) ← `clusters` ← `lens` (one trait, four lenses) ← {`writer`, `query`} ← `history`.

mod clusters;
mod history;
mod info;
mod lens;
mod query;
mod search;
mod segment;
#[cfg(test)]
mod tests;
mod writer;

pub use history::changes::{
    Changes, ChangesOptions, ChangesPerUrl, Interval, Lifetimes, Moves, PageChange, PageChangeKind, Rate, Spread,
    Survival,
};
pub use history::collapse::{CollapseResult, FoldedResult, ResultGroup};
pub use history::holders::{Holder, Holders, HoldersOptions};
pub use history::lost::{Intermediate, Location, LostOptions, LostResult, LostStatus, Version};
pub use history::redirects::{Certainty, Redirect};
pub use history::role::Role;
pub use info::{ChangeSummary, Info, SegmentInfo, Sweep};
pub use query::batch::QueryOutcome;
pub use query::index::Index;
pub use query::known::{IndexedCopy, LookUp};
pub use query::list::IndexEntry;
pub use search::{
    ChunkMatch, ChunkMatches, ChunksQuery, MatchedPassage, Matches, PassageMatch, PassageMatches, PassagesQuery,
    Position, Query, QueryOptions, SearchResult, ShingleMatch, ShingleMatches, ShinglesQuery, Sighting, SimhashMatch,
    SimhashMatches, SimhashQuery,
};
pub use segment::copy::snapshot;
pub use segment::verify::{Integrity, verify};
pub use writer::index_writer::IndexWriter;
