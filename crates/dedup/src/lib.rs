//! A corpus in, the same corpus without its near-duplicates out, with proof.
//!
//! The shingles lens finds what looks alike ([`lookalike_engine`]); a document goes only if it was itself compared with the one that stays
//! in its place. What is left is written shard by shard ([`lookalike_corpus::copy_shard`]), everything else of it unchanged, beside a
//! table of what was removed and why.
//!
//! Instead of documents, repeated paragraphs or stretches of words can be cut out of them (`cut`).
//!
//! [`calibrate`] helps to choose the threshold.
//!
//! `removal` (the documents that are removed) ← `layout` (the files) ← `corpus_counts` ← {`corpus_writer`, `duplicates_file`, `summary`}
//! ← [`Dedup`].

mod against;
mod asked;
pub mod calibrate;
mod contamination;
mod contamination_file;
mod corpus_counts;
mod corpus_writer;
mod cut;
mod dedup;
mod duplicates_file;
mod error;
mod estimate;
mod examples;
mod first_records;
mod layout;
mod options;
mod preset;
mod proof_table;
mod removal;
mod run_folder;
mod summary;
mod uncompared;
mod verdicts;

pub use against::KnownCopy;
pub use asked::AskedOptions;
pub use contamination::{Contamination, ContaminationOptions, Contaminations, is_benchmark};
pub use corpus_counts::{CorpusCounts, FileCounts, ShardCounts};
pub use cut::{
    CutPiece, CutResult, CutSummary, Cuts, DocumentCuts, Granularity, ParagraphOptions, PieceUnit, RepeatedText,
    SubstringOptions,
};
pub use dedup::{Dedup, DedupOutput, DedupResult};
pub use error::Error;
pub use estimate::Estimate;
pub use examples::{Example, Piece};
pub use options::DedupOptions;
pub use preset::Preset;
pub use proof_table::TABLE_EXTENSION;
pub use removal::{Kept, Removal, Removals, Shares};
pub use run_folder::{KeptRun, kept_run};
pub use summary::{ClassCounts, ContaminationCounts, DedupSummary, LargeCluster, SourceCounts};
pub use uncompared::Uncompared;
