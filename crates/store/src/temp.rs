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

    /// Bytes that are free on the disk of the folder; none where nobody knows, and where the folder is in memory itself.
    pub fn free_disk(&self) -> Option<u64> {
        if is_in_memory(&self.dir) { None } else { free_disk(&self.dir) }
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

/// Bytes that are free on the disk of a folder, where the system says.
#[cfg(unix)]
pub fn free_disk(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
pub fn free_disk(_: &Path) -> Option<u64> {
    None
}

/// Whether what is written to a folder stays in memory.
#[cfg(target_os = "linux")]
fn is_in_memory(folder: &Path) -> bool {
    // of another type on other processors
    const TMPFS: i128 = 0x0102_1994;
    rustix::fs::statfs(folder).is_ok_and(|found| i128::from(found.f_type) == TMPFS)
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &Path) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_memory_is_no_disk() {
        let folder = tempfile::tempdir().unwrap();
        let space = TempSpace::new(Some(folder.path())).unwrap();
        assert_eq!(space.free_disk(), free_disk(folder.path()).filter(|_| !is_in_memory(folder.path())));
        let shared = Path::new("/dev/shm");
        if let Ok(space) = TempSpace::new(Some(shared))
            && is_in_memory(shared)
        {
            assert_eq!(space.free_disk(), None);
        }
    }
}
