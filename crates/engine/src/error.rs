//! What can stop a scan.

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The inputs cannot be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// Spilling or saving failed.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// An option has no meaning, alone or beside another.
    #[error("{0}")]
    Options(String),
    /// A document named on the command line cannot be used.
    #[error("{id}: {reason}")]
    Document {
        /// Which.
        id: String,
        /// Why, and what would help.
        reason: String,
    },
    /// A saved run cannot be used.
    #[error("{path}: {reason}")]
    Run {
        /// The run's folder.
        path: String,
        /// Why, and what would help.
        reason: String,
    },
    /// An index cannot be used.
    #[error("{path}: {reason}")]
    Index {
        /// The index's folder.
        path: String,
        /// Why, and what would help.
        reason: String,
    },
    /// A decisions file cannot be used.
    #[error("{path}: {reason}")]
    Decisions {
        /// The file.
        path: String,
        /// Why, and what would help.
        reason: String,
    },
    /// Files of fingerprints, or a store of them.
    #[error(transparent)]
    Hamming(lookalike_hamming::Error),
    /// The user asked to stop.
    #[error("stopped; nothing was written")]
    Cancelled,
}

impl From<lookalike_store::Cancelled> for Error {
    fn from(_: lookalike_store::Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<lookalike_hamming::Error> for Error {
    fn from(error: lookalike_hamming::Error) -> Self {
        match error {
            lookalike_hamming::Error::Cancelled(_) => Self::Cancelled,
            lookalike_hamming::Error::Store(error) => Self::Store(error),
            error => Self::Hamming(error),
        }
    }
}
