//! What can go wrong with fingerprints.

use crate::file::FileError;
use lookalike_core::hamming::Design;
use lookalike_store::Cancelled;
use std::io;
use std::path::PathBuf;

/// An error of this crate: names what it is about, what was found and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of fingerprints cannot be opened or read on.
    #[error(transparent)]
    File(#[from] FileError),
    /// The disk, or what is on it: damaged, locked by another process, full.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A distance that nothing is made for.
    #[error("expected a distance of at most {max}, found {found}")]
    Distance {
        /// What was asked for.
        found: u32,
        /// The greatest that is searched.
        max: u32,
    },
    /// Tables of this design do not find everything within the distance.
    #[error("the design {design} does not reach a distance of {distance}; choose another")]
    Design {
        /// The design.
        design: Design,
        /// What was asked for.
        distance: u32,
    },
    /// Standard input on both sides.
    #[error("both files are standard input; name one of them")]
    TwoStreams,
    /// A stream would have to be read several times.
    #[error(
        "standard input is read once only, and the other side does not fit in memory; allow more memory, or give a file"
    )]
    StreamOnce,
    /// More fingerprints than fit in the memory that is allowed.
    #[error("{}: {count} fingerprints or more take {bytes} bytes of memory to pair, which is more than allowed", file.display())]
    TooMany {
        /// The file.
        file: PathBuf,
        /// How many there are, at least.
        count: u64,
        /// Bytes of memory that these take.
        bytes: u64,
    },
    /// The system does not give the memory that is allowed.
    #[error("no {bytes} bytes of memory can be had ({source}); allow less")]
    Allocation {
        /// How many were asked for.
        bytes: usize,
        /// The system's word.
        source: io::Error,
    },
    /// A folder of another kind.
    #[error("{}: expected a folder of kind {expected:?}, found {found:?}; choose another folder", path.display())]
    NotAStore {
        /// The folder.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// What it says it is.
        found: String,
    },
    /// A store of fingerprints of another width.
    #[error("{}: has fingerprints of {found} bits, asked for {expected}; ask for {found}, or choose another folder", path.display())]
    Width {
        /// The folder.
        path: PathBuf,
        /// Bits of its fingerprints.
        found: u32,
        /// Bits that were asked for.
        expected: u32,
    },
    /// A distance that a store was not made for.
    #[error("{}: was made for distances up to {max}, asked for {found}; ask for less, or make it again", path.display())]
    StoreDistance {
        /// The folder.
        path: PathBuf,
        /// What was asked for.
        found: u32,
        /// The greatest that it was made for.
        max: u32,
    },
    /// A store that could not write something, and promises nothing more until it is opened again.
    #[error("{}: {reason}", path.display())]
    Failed {
        /// The folder.
        path: PathBuf,
        /// What could not be written, and why.
        reason: String,
    },
}
