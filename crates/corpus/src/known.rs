//! Files that need not be read, for somebody knows what is in them.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What tells that a file is still the one that was read: size, times and place. Nobody can set the time of the last change of an inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Bytes.
    pub bytes: u64,
    /// When its content was changed last, in nanoseconds since 1970.
    pub modified: i64,
    /// When its content, a name or a right of it was changed last.
    pub touched: i64,
    /// Its device and its number there.
    pub inode: (u64, u64),
}

impl FileStamp {
    /// Of a file; none where the system does not tell.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let time = |seconds: i64, nanoseconds: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds);
        Some(Self {
            bytes: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            touched: time(metadata.ctime(), metadata.ctime_nsec()),
            inode: (metadata.dev(), metadata.ino()),
        })
    }

    /// Of a file; none where the system does not tell.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Option<Self> {
        None
    }
}

/// Whoever knows files by their stamps.
pub trait KnownFiles: Send + Sync {
    /// What was kept of a file when it was read, if it has not changed since.
    fn find(&self, path: &Path, stamp: &FileStamp) -> Option<Vec<u8>>;
}

/// Nobody, or somebody.
pub(crate) type Known = OnceLock<Arc<dyn KnownFiles>>;

/// A file that somebody knows or wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// As it was before it was read.
    pub stamp: FileStamp,
    /// What was kept of it; then it was not read, and its body is empty.
    pub kept: Option<Vec<u8>>,
}
