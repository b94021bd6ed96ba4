//! What can go wrong between memory and disk.

use std::{io, path::PathBuf};

/// What a person can do about a failed write.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "make the folder first, or choose another",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "choose a folder that you may write to",
        _ => "free some space, or choose another folder",
    }
}

/// An error of the store: names the file, what happened and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A temporary file could not be made.
    #[error("cannot make a temporary file in {}: {source}; choose another folder for temporary files", dir.display())]
    Temp {
        /// The folder.
        dir: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// Writing failed: most often a full disk.
    #[error("cannot write {what}: {source}; {}", remedy(source))]
    Write {
        /// What was being written.
        what: String,
        /// The system's word.
        source: io::Error,
    },
    /// Reading failed.
    #[error("cannot read {what}: {source}")]
    Read {
        /// What was being read.
        what: String,
        /// The system's word.
        source: io::Error,
    },
    /// A checksum or length does not fit.
    #[error("{what} is damaged at byte {offset}: {found}; restore it from a copy or make it again")]
    Damaged {
        /// The file.
        what: String,
        /// Where.
        offset: u64,
        /// What was found.
        found: String,
    },
    /// Something stands where a new file or folder should go.
    #[error("{} exists already; remove it or choose another name", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// Another process writes to an index.
    #[error("{} is being written by another process; wait until it has finished", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// An index changes faster than it can be read.
    #[error("{} changes faster than it can be read; try again when it is quieter", path.display())]
    Changing {
        /// The folder.
        path: PathBuf,
    },
    /// There is no index where one should be.
    #[error("{} is no index: expected a folder with manifest.json", path.display())]
    NoIndex {
        /// The path.
        path: PathBuf,
    },
    /// An index of another version of the program.
    #[error("{what} has format {found}, expected {expected}; build the index again, or use the version that wrote it")]
    Format {
        /// The file.
        what: String,
        /// The format that this version reads.
        expected: u64,
        /// The format of the file.
        found: u64,
    },
    /// Less memory is allowed than anything takes.
    #[error("{found} bytes of memory are too few; allow at least {} MiB", min >> 20)]
    Memory {
        /// Bytes that are allowed.
        found: u64,
        /// Bytes that are needed.
        min: u64,
    },
    /// The system gives no threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why not.
        reason: String,
    },
}
