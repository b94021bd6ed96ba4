//! What every step needs: the file system, progress, and the switch that stops it; and the smallest steps.

use crate::file_system::{FileStatus, FileSystem};
use lookalike_corpus::id_of;
use lookalike_store::{Cancel, Progress};
use std::fs::File;
use std::io;
use std::path::Path;

/// The file system, who is told, and the switch that stops it.
#[derive(Clone, Copy)]
pub(crate) struct ActContext<'a> {
    pub(crate) files: &'a dyn FileSystem,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
}

/// A reason that names a file.
pub(crate) fn cannot(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |e| format!("cannot {verb} {}: {e}", id_of(path))
}

impl ActContext<'_> {
    /// Opens a file, and tells what it is.
    pub(crate) fn open(&self, path: &Path) -> Result<(File, FileStatus), String> {
        self.files.open(path).map_err(cannot("open", path))
    }

    pub(crate) fn look(&self, path: &Path) -> Result<Option<FileStatus>, String> {
        self.files.look(path).map_err(cannot("look at", path))
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), String> {
        if self.cancel.is_cancelled() { Err("stopped before it was done".to_owned()) } else { Ok(()) }
    }

    /// Another name for a file that nobody but us knows by the old one; never replaces what has the new name.
    pub(crate) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        use io::ErrorKind::{AlreadyExists, CrossesDevices, NotFound};
        match self.files.rename_new(from, to) {
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {}
            result => return result,
        }
        match self.files.hard_link(from, to) {
            Ok(()) => self.files.remove(from),
            Err(e) if matches!(e.kind(), AlreadyExists | CrossesDevices | NotFound) => Err(e),
            // neither this nor hard links: looking first is the best there is
            Err(_) if self.files.look(to)?.is_some() => Err(AlreadyExists.into()),
            Err(_) => self.files.rename(from, to),
        }
    }

    /// Removes a copy of `original`, or another name of it. What may be the only name of the file stays: two paths may lead to it through
    /// a link or through two mounts.
    pub(crate) fn remove_copy(&self, copy: &Path, original: &Path) -> Result<(), String> {
        if let (Some(one), Some(other)) = (self.look(copy)?, self.look(original)?)
            && one.may_be_same_file(&other)
            && one.links < 2
        {
            return Err(format!("{} and {} may be one name of one file", id_of(copy), id_of(original)));
        }
        self.remove_name(copy)
    }

    pub(crate) fn remove_name(&self, path: &Path) -> Result<(), String> {
        self.files.remove(path).map_err(cannot("remove", path))
    }
}
