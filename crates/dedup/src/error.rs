//! What ends a run.

use std::path::PathBuf;

use lookalike_corpus::{CopyError, id_of};
use lookalike_engine::report::Skip;

/// Why a corpus could not be deduplicated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading, comparing or keeping steps failed.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// A shard could not be written again.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The disk refused.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The inputs are broken: what should be in them is missing, so nothing is written.
    #[error("{id}: {reason}; nothing was written. Mend or leave out what is broken, and run again")]
    Damaged {
        /// Which.
        id: String,
        /// How.
        reason: String,
    },
    /// A shard or an archive of the inputs is left out, and the user did not ask for that.
    #[error(
        "{file}: {}. Its records would be missing from the result: read it too, or exclude it. Nothing was written",
        why_left_out(file, .left_out)
    )]
    LeftOut {
        /// The file.
        file: String,
        /// The file, or the folder around it or the link to it, and why that is left out.
        left_out: Box<Skip>,
    },
    /// Documents are to be ranked by a field, and none has a number or a date there.
    #[error(
        "no document has a number or a date in the field {field:?}, which is to rank documents; name another field"
    )]
    NoRank {
        /// The field.
        field: String,
    },
    /// No document was read.
    #[error("{}; nothing was written", no_documents(.skipped))]
    NoDocuments {
        /// What was found instead, and why it is no document.
        skipped: Vec<Skip>,
    },
    /// The records of a file do not add up: some are neither in the result nor removed.
    #[error(
        "{file}: of {read} records that were read, {found} were found again, {written} were written and {removed} removed; nothing was \
         named. Was it changed meanwhile? Run again, and report it if the numbers still differ"
    )]
    Miscounted {
        /// The file.
        file: String,
        /// Records that were read.
        read: u64,
        /// Records that were found when it was written again.
        found: u64,
        /// Records that were written.
        written: u64,
        /// Documents that were removed.
        removed: u64,
    },
    /// A file of the inputs is not in the result.
    #[error("{file}: it is not in the result and was not removed; nothing was named. Run again")]
    NotWritten {
        /// The file.
        file: String,
    },
    /// There is something where the result should go.
    #[error("{} exists already; remove it or choose another name", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The folder that an unfinished run would have exists, and is not one.
    #[error(
        "{} exists and is not the folder of an unfinished run: a run into {} needs that name. Nothing was read or changed; move it \
         away, or choose another name for the result",
        partial.display(), out.display()
    )]
    Foreign {
        /// The result.
        out: PathBuf,
        /// The folder, file or link.
        partial: PathBuf,
    },
    /// The result is complete, but the index was not updated.
    #[error("{source}; {} is complete, but {} was not updated. Resuming the run updates it", out.display(), index.display())]
    NotUpdated {
        /// The result.
        out: PathBuf,
        /// The index.
        index: PathBuf,
        /// The reason.
        source: Box<lookalike_engine::Error>,
    },
    /// A run was stopped, and this one was not asked to go on with it.
    #[error("a run into {} was stopped; go on with it by resuming, or remove {}", out.display(), partial.display())]
    Stopped {
        /// Where its result goes.
        out: PathBuf,
        /// What it left.
        partial: PathBuf,
    },
    /// A run is to go on that was asked for something else.
    #[error("{}: it was begun with {what} {found}, now {expected}; say the same again, or remove it and begin anew", partial.display())]
    OtherRun {
        /// What it left.
        partial: PathBuf,
        /// What differs.
        what: String,
        /// How it was begun.
        found: String,
        /// What is asked now.
        expected: String,
    },
    /// What is known of whole documents, where pieces are cut.
    #[error(
        "{what} hold whole documents, and cannot be asked for pieces of them; remove whole documents in a run of their own"
    )]
    OnlyDocuments {
        /// What it is.
        what: &'static str,
    },
    /// A document whose text cannot be cut.
    #[error(
        "{id}: only the text of records of JSONL, CSV, TSV, Parquet and Arrow can be cut, and this is a file, a member of an archive, a \
         record of a web archive or a list of features; leave it out, or remove whole documents"
    )]
    NotCuttable {
        /// Which.
        id: String,
    },
    /// Documents that cannot be written again.
    #[error(
        "{what} cannot be written again; save it in a file and name the file, or ask what would be removed without writing"
    )]
    NotWritable {
        /// Which.
        what: String,
    },
    /// Two files of the inputs would become one.
    #[error("{} and {} would both become {}; name a folder that holds both", id_of(first), id_of(second), out.display())]
    SameName {
        /// The first.
        first: PathBuf,
        /// The second.
        second: PathBuf,
        /// What they would become.
        out: PathBuf,
    },
    /// An option has no meaning.
    #[error("{what}: expected {expected}, found {found}")]
    WrongOption {
        /// Which.
        what: &'static str,
        /// What it may be.
        expected: String,
        /// What it is.
        found: String,
    },
}

fn why_left_out(file: &str, Skip { id, reason, .. }: &Skip) -> String {
    if id == file { reason.clone() } else { format!("{id}, which it is in, is left out: {reason}") }
}

/// A sentence about the first thing that is no document.
fn no_documents(skipped: &[Skip]) -> String {
    match skipped.first() {
        Some(first) => format!("no document was read: {}: {}", first.id, first.reason),
        None => "no files were found".into(),
    }
}

impl Error {
    /// Whether the user stopped the run.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Self::Engine(error) => matches!(error, lookalike_engine::Error::Cancelled),
            Self::NotUpdated { source, .. } => matches!(**source, lookalike_engine::Error::Cancelled),
            _ => false,
        }
    }
}
