//! Checks every byte of an index.

use crate::segment::snapshot::Snapshot;
use lookalike_engine::{Error, IndexError};
use serde::Serialize;
use std::path::Path;

/// What a check of an index found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Integrity {
    /// Files that were read, the manifest aside.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What is wrong, each with its file and offset; empty if nothing is.
    pub damages: Vec<String>,
}

/// Reads every file of an index and holds it against its checksums. An index that cannot be opened at all is damaged too.
pub fn verify(path: &Path) -> Result<Integrity, Error> {
    let mut integrity = Integrity::default();
    match Snapshot::open(path) {
        Ok(snapshot) => {
            for file in snapshot.files() {
                integrity.files += 1;
                integrity.bytes += file.file().bytes;
                integrity.damages.extend(file.verify().iter().map(ToString::to_string));
            }
        }
        Err(
            error @ (Error::Store(lookalike_store::Error::NoIndex { .. })
            | Error::Index { reason: IndexError::WrongVersion { .. }, .. }),
        ) => return Err(error),
        Err(error) => integrity.damages.push(error.to_string()),
    }
    Ok(integrity)
}
