//! Why a server does not start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An index, or what is on the disk beside it.
    #[error(transparent)]
    Index(#[from] lookalike::Error),
    /// A store of fingerprints.
    #[error(transparent)]
    Store(#[from] lookalike::hamming::Error),
    /// What a committed crawl holds cannot be read.
    #[error("a crawl that was committed cannot be read: {problem:?}")]
    Crawl {
        /// Why.
        problem: crate::problem::Problem,
    },
    /// Two folders with one name.
    #[error(
        "two of the folders are called {name:?}; requests choose by the last part of the path: rename one, or serve it apart"
    )]
    SameName {
        /// The name.
        name: String,
    },
    /// A folder without a name.
    #[error("{}: expected a folder with a name", path.display())]
    Nameless {
        /// The path.
        path: PathBuf,
    },
    /// A folder or a file that changes are written to, and that cannot be written.
    #[error("{}: cannot be written: {source}; let this user write to it, or serve it for reading only", path.display())]
    NotWritable {
        /// The folder or file.
        path: PathBuf,
        /// The reason that the system gives.
        source: io::Error,
    },
    /// A line of a file of tokens.
    #[error("{}:{line}: expected \"read TOKEN\" or \"write TOKEN\" with a token of at least {min} visible characters", path.display())]
    TokenLine {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// Characters of the shortest token.
        min: usize,
    },
    /// A file of tokens without any.
    #[error("{}: expected tokens, found none", path.display())]
    NoTokens {
        /// The file.
        path: PathBuf,
    },
    /// Everybody could ask.
    #[error("{address} can be reached from elsewhere, and there are no tokens")]
    OpenToAll {
        /// The address.
        address: SocketAddr,
    },
    /// The address cannot be had.
    #[error("cannot listen on {address}: {source}; choose another address or port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's word.
        source: io::Error,
    },
    /// Something beside the network and the indexes.
    #[error("{what}: {source}")]
    System {
        /// What was done.
        what: String,
        /// The system's word.
        source: io::Error,
    },
}
