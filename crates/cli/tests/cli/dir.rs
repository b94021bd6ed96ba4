//! A temporary folder that tests fill.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that goes away with the value.
pub(crate) struct Dir(tempfile::TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of something in it.
    pub(crate) fn at(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.path().join(Path::new(name.as_ref()))
    }

    /// Writes a file and the folders above it.
    pub(crate) fn write(&self, name: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("folders can be made");
        fs::write(&path, content).expect("a file can be written");
        path
    }

    /// Makes an empty folder.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(&path).expect("folders can be made");
        path
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names_in(self.path())
    }
}

/// The names in a folder, sorted, hidden ones too.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
