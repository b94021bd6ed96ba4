//! Checks every byte of an index.

use crate::segment::meta::Opened;
use crate::Error;
use serde::Serialize;
use std::path::Path;

/// What a check of an index found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Files that were read, the manifest aside.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What is wrong, each with its file and offset; empty if nothing is.
    pub damages: Vec<String>,
}

/// Reads every file of an index and holds it against its checksums. An index that cannot be opened at all is damaged too.
pub fn verify(path: &Path) -> Result<Checked, Error> {
    let mut checked = Checked::default();
    match Opened::open(path) {
        Ok(opened) => {
            for file in opened.files() {
                checked.files += 1;
                checked.bytes += file.file().bytes;
                checked.damages.extend(file.verify().iter().map(ToString::to_string));
            }
        }
        Err(error @ (Error::Store(lookalike_store::Error::NoIndex { .. }) | Error::Options(_))) => return Err(error),
        Err(error) => checked.damages.push(error.to_string()),
    }
    Ok(checked)
}
