//! Why a step cannot go on.

use lookalike_engine::Error as EngineError;
use lookalike_store::Error as StoreError;
use thiserror::Error;

/// What can go wrong in a step. Rows that cannot be used are no errors: they come back with the reason.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A column that the step needs is not there.
    #[error("there is no column `{name}`; there are {found}")]
    MissingColumn {
        /// Its name.
        name: &'static str,
        /// Those that are there.
        found: String,
    },
    /// A column is of a type that the step does not take.
    #[error("the column `{name}` is of type {found}; {expected} is expected")]
    ColumnType {
        /// Its name.
        name: &'static str,
        /// What the step takes.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A value is missing where every row has one.
    #[error("the column `{name}` has no value in row {row} of a batch")]
    MissingValue {
        /// The column.
        name: &'static str,
        /// The row in its batch.
        row: usize,
    },
    /// Bytes that no step before this one made.
    #[error("the column `{name}` holds bytes that no step has made: take it over unchanged")]
    Damaged {
        /// The column.
        name: &'static str,
    },
    /// The rows of a partition are not sorted as the step asks.
    #[error("the rows of a partition are not sorted by {by}: leave that to the task of the step")]
    Unsorted {
        /// What they are to be sorted by.
        by: &'static str,
    },
    /// Rows of a document are there, but not the document itself.
    #[error("document {document} is not in the partition of its rows: give the step all rows of the steps before it")]
    MissingDocument {
        /// Its key.
        document: i64,
    },
    /// A document that could be sketched cannot be read again.
    #[error("`{id}` was read before and cannot be read now ({reason}): the documents must not change during a run")]
    Changed {
        /// Its id.
        id: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// Two documents have one key.
    #[error("document {document} is there twice: take repeated ids out before they are compared")]
    Repeated {
        /// Its key.
        document: i64,
    },
    /// Options that only one machine can follow.
    #[error("{what} cannot be had in separate steps: {instead}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// The engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Sorted rows could not be put aside.
    #[error("rows cannot be sorted in temporary files: {0}")]
    Temporary(#[source] std::io::Error),
    /// The temporary files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A batch could not be made.
    #[error("no batch can be made of the rows: {0}")]
    Arrow(#[from] arrow_schema::ArrowError),
}
