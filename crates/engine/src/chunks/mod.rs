//! The chunks lens: files that share content-defined chunks of their bytes (Forman et al. 2005).
//!
//! * [`scan`]: files, or exchange files that others made of theirs, become clusters, sets of identical files and similar folders.
//! * [`sketch`]: an [exchange](crate::exchange) file: names, lengths and chunk hashes, without the content.
//! * [`recluster`]: the analysis again on a saved run, with other thresholds or with templates that are ignored.
//! * [`TemplateList`]: chunks that people have marked as templates, in a file that can be kept beside the documents.

mod analysis;
mod exchange;
mod folders;
mod found;
mod ignored;
mod lists;
mod options;
mod part;
mod partition;
mod parts;
mod reading;
mod refine;
mod run;
mod scan;
mod solve;
mod suggest;
mod tell;
mod templates;
mod view;

pub use found::{AppliedTemplate, Chunks, CommonChunks, FolderPair, IdenticalFile, IdenticalSet, Refined, Suggestion};
pub use lookalike_core::chunk::{MAX_MEAN, MIN_MEAN, Parameters};
pub use options::Options;
pub use partition::{Common, Components, Partitioner};
pub use run::{Mark, is_run, mark, recluster, sketch};
pub use scan::{Scan, scan};
pub use templates::{MarkedTemplate, TemplateChunk, TemplateList};
