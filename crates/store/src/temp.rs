//! Where spill files live: open, without a name.

use crate::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder for spill files. The files are unlinked as soon as they are open: normal exit, Ctrl-C, a crash
/// and a kill all give their space back.
#[derive(Debug)]
pub struct TempSpace {
    dir: PathBuf,
    spilled: AtomicU64,
}

impl TempSpace {
    /// Uses a folder, by default the system's; checks that files can be made there.
    pub fn new(dir: Option<&Path>) -> Result<Self, Error> {
        let space = Self { dir: dir.map_or_else(std::env::temp_dir, Path::to_path_buf), spilled: AtomicU64::new(0) };
        space.file()?;
        Ok(space)
    }

    /// A new nameless file.
    pub(crate) fn file(&self) -> Result<File, Error> {
        tempfile::tempfile_in(&self.dir).map_err(|source| Error::Temp { dir: self.dir.clone(), source })
    }

    pub(crate) fn add_spilled(&self, bytes: u64) {
        self.spilled.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes written to spill files so far.
    pub fn spilled(&self) -> u64 {
        self.spilled.load(Ordering::Relaxed)
    }

    /// What to call a spill file in a message.
    pub(crate) fn describe(&self, what: &str) -> String {
        format!("{what} in {}", self.dir.display())
    }
}
