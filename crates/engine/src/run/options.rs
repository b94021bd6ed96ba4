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
    /// The file that was changed last.
    Newest,
    /// The first by id.
    First,
    /// Those that match the earliest of these globs, then the others; of each the longest.
    Paths(Vec<String>),
}
