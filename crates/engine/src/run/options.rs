//! What every scan is asked, whatever the lens.

use crate::report::decisions::Decision;
use lookalike_corpus as corpus;
use lookalike_store::Resources;

/// What decides which documents are read and how; what is asked of a lens is in its own options.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct ScanOptions {
    /// Which documents are read, and how.
    pub corpus: corpus::Options,
    /// The secret behind features and fingerprints; empty for none.
    pub key: String,
    /// What people decided before.
    pub decisions: Vec<Decision>,
    /// Which document of a cluster represents it.
    pub keep: Keep,
    /// Only documents of these sources may be linked under another; all others stay. None is all. Of the shingles lens.
    pub drop_only_from: Vec<String>,
    /// Remember which source each document is of: its category, if there is a field for it, or the input that it was found in.
    pub by_source: bool,
    /// Memory, threads, spill folder.
    pub resources: Resources,
    /// Report how long the phases took and what they used. Without it two reports of the same corpus are equal byte for byte.
    pub stats: bool,
}

/// Which documents are offered as representatives before the others. A document still joins only a representative that it was compared with and
/// is linked with, so nothing is kept or removed without evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The longest document.
    #[default]
    Longest,
    /// The file that was changed last; with a rank, the one of the highest.
    Newest,
    /// The first in the order of the inputs.
    First,
    /// The one with the highest rank: what [`corpus::Options::rank_field`] says, a number or a date. Of the shingles lens.
    Best,
    /// Those of the earliest of these sources, then the others. Of the shingles lens.
    Sources(Vec<String>),
    /// Those that match the earliest of these globs, then the others; of each the longest.
    Paths(Vec<String>),
}
