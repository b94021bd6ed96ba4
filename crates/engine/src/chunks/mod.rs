//! The chunks lens: files that share content-defined chunks of their bytes (Forman et al. 2005).
//!
//! * [`scan`]: files, or exchange files that others made of theirs, become clusters, sets of identical files and similar folders.
//! * [`sketch`]: an exchange file: names, lengths and chunk hashes, without the content.
//! * [`recluster`]: the analysis again on a saved run, with other thresholds or with templates that are ignored.
//! * [`TemplateList`]: chunks that people have marked as templates, in a file that can be kept beside the documents.

mod api_stub;
mod found;
mod options;
mod templates;

pub use api_stub::{Mark, Scan, Sketched, is_exchange, is_run, mark, recluster, scan, sketch};
pub use found::{AppliedTemplate, Chunks, CommonChunks, FolderPair, IdenticalFile, IdenticalSet, Refined, Suggestion};
pub use lookalike_core::chunk::Parameters;
pub use options::{Names, Options};
pub use templates::{MarkedTemplate, TemplateChunk, TemplateList};
