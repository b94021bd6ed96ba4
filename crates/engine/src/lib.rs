//! The engine behind the crate `lookalike`: what is shared by all lenses, and the four lenses.

pub mod chunks;
mod compare;
pub mod copies;
mod decisions;
mod differences;
mod error;
pub mod exchange;
mod front;
pub mod index;
mod options;
mod pipeline;
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
pub use lookalike_core::feature_hash::{FeatureHasher, MAX_WINDOW};
pub use lookalike_core::lens::{Lens, UnknownLens};
pub use lookalike_core::recipe::{PassageRecipe, Recipe, RecipeError, ShingleRecipe};
pub use lookalike_core::sketch::{Estimate, PairEstimate, Sampling};
pub use lookalike_corpus::{Error as CorpusError, GlobRole, Input, Options as CorpusOptions};
pub use lookalike_extract::Format;
pub use lookalike_hamming as hamming;
pub use lookalike_store::resources::default_memory;
pub use lookalike_store::{Cancel, Cancelled, Error as StoreError, Progress, Resources, Silent, Unit, atomic};
use lookalike_store::{progress, resources};
pub use options::{Candidates, Linkage, Policy, ScanOptions};
pub use report::{
    Class, Cluster, Decided, Head, Intervals, Member, PairRow, Phase, Report, Reviewed, SCHEMA, Skip, Summary,
    Template, Usage,
};
pub use run::recluster;
pub use scan::{Scan, scan};
pub use text::{Piece, Source, Text};
pub use view::{Compared, Described, Viewed};
