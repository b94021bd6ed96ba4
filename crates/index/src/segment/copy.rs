//! A copy of an index, or of a store of fingerprints, while it is in use.

use lookalike_engine::Error;
use lookalike_hamming::store::NAMES_FILE;
use lookalike_store::copy_folder;
use std::path::Path;

/// Copies an index or a store of fingerprints to a new folder, as it is at one moment, while others ask and change it. What a server
/// acknowledged before is in it. Files that never change again are linked where both folders are on one disk.
pub fn snapshot(path: &Path, to: &Path) -> Result<(), Error> {
    Ok(copy_folder(path, to, &[NAMES_FILE])?)
}
