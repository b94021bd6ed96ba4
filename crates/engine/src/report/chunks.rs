//! What the chunks lens tells beside the clusters: a section of the report.

use lookalike_core::chunk::Parameters;
use serde::{Deserialize, Serialize};

/// The section of a report that only the chunks lens has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Chunks {
    /// The numbers.
    #[serde(flatten)]
    pub totals: ChunkTotals,
    /// Chunks in more than `max_df` of all documents: they do not connect documents. Most documents first.
    pub frequent: Vec<FrequentChunks>,
    /// Templates that were ignored, as they were marked.
    pub templates: Vec<AppliedTemplate>,
    /// Clusters that look as if they shared nothing but a template, largest first.
    pub suggestions: Vec<Suggestion>,
    /// Documents with the same content, most bytes to be freed first.
    pub identical: Vec<IdenticalSet>,
    /// Folders that share content, most shared bytes first.
    pub folders: Vec<FolderPair>,
}

impl Chunks {
    /// The section of a report without documents.
    pub fn new(parameters: Parameters, max_df: f64) -> Self {
        let totals = ChunkTotals {
            parameters,
            chunks: 0,
            distinct: 0,
            mean: 0.0,
            empty: 0,
            alone: 0,
            components: 0,
            largest_component: 0,
            max_df,
            refined: None,
            base: None,
        };
        let (frequent, templates, suggestions) = (Vec::new(), Vec::new(), Vec::new());
        Self { totals, frequent, templates, suggestions, identical: Vec::new(), folders: Vec::new() }
    }
}

/// The section in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChunkTotals {
    /// The effective parameters of TTTD.
    pub parameters: Parameters,
    /// Chunks of all documents, repeats included.
    pub chunks: u64,
    /// Different ones.
    pub distinct: u64,
    /// Their mean length in bytes, repeats and the short ends of files included.
    pub mean: f64,
    /// Documents of zero length: counted, never compared.
    pub empty: u64,
    /// Documents that share no chunk with another (but what is frequent or a template) and have no duplicate.
    pub alone: u64,
    /// Groups of documents that chunks connect.
    pub components: u64,
    /// Documents in the largest of them.
    pub largest_component: u64,
    /// A chunk in more than this share of all documents is frequent: it does not connect documents.
    pub max_df: f64,
    /// How the second, finer pass went, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined: Option<Refined>,
    /// The folder from which relative ids of identical files count; none if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// Chunks that more than half of all documents have (or what was asked for), put together where they follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrequentChunks {
    /// Documents that have them.
    pub documents: u64,
    /// How many chunks.
    pub chunks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How they begin, where a document could be read again.
    pub text: Option<String>,
    /// A document that has them.
    pub example: String,
}

/// A template that was ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppliedTemplate {
    /// Its name in the list.
    pub name: String,
    /// Its chunks.
    pub chunks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents that have any of them.
    pub documents: u64,
}

/// A cluster that looks as if a template had made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// The cluster.
    pub cluster: u64,
    /// Its documents, copies not counted.
    pub documents: u64,
    /// Chunks that all of them share.
    pub chunks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How they begin, where a document could be read again.
    pub text: Option<String>,
}

/// Documents with the same content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdenticalSet {
    /// Bytes of each.
    pub bytes: u64,
    /// The hash over their chunk hashes.
    pub content: String,
    /// The documents, by id.
    pub files: Vec<IdenticalFile>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdenticalFile {
    /// Its id: for a file its path, from `base` on if it is relative.
    pub id: String,
    /// When the file was changed last, in nanoseconds since 1970; none for what is no file of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<i64>,
}

/// Two folders that share content. What lies below a folder belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FolderPair {
    /// The folder of which the larger share is in the other.
    pub folder: String,
    /// Its files and bytes.
    pub files: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Its bytes that the other folder has too, at least.
    pub inside: u64,
    /// The same as a share of its bytes.
    pub share: f64,
    /// The other folder.
    pub other: String,
    /// Its files.
    pub other_files: u64,
    /// Its bytes.
    pub other_bytes: u64,
    /// Its bytes that the first folder has too, at least.
    pub other_inside: u64,
    /// The same as a share of its bytes.
    pub other_share: f64,
}

/// The finer pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refined {
    /// Its parameters.
    pub parameters: Parameters,
    /// Documents that were chunked again: those that the first pass left in doubt.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents in clusters after the first pass.
    pub clustered_before: u64,
}
