//! What ignore rules and hidden names keep a walk out of: the walk does not tell, so the folders are read beside it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

/// Follows a walk that goes through each folder in the order of the names' bytes, and names what it passes over.
#[derive(Default)]
pub(crate) struct LeftOut {
    /// The folders that the walk is in, each with the names that it has not come to.
    open: Vec<(PathBuf, IntoIter<(OsString, bool)>)>,
}

impl LeftOut {
    /// The walk came to this entry. Calls `each` with every path that it passed over since the last, and whether that is a folder.
    pub(crate) fn came_to(&mut self, path: &Path, each: &mut dyn FnMut(PathBuf, bool)) {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return };
        while let Some((folder, names)) = self.open.last_mut() {
            if folder != parent {
                self.close(each);
                continue;
            }
            while let Some((passed, _)) = names.as_slice().first() {
                if passed.as_os_str() > name {
                    break;
                }
                let (passed, is_folder) = names.next().expect("it was just seen");
                if passed == name {
                    break;
                }
                each(folder.join(passed), is_folder);
            }
            return;
        }
    }

    /// The walk goes into a folder. One that cannot be read is the walk's to report.
    pub(crate) fn enter(&mut self, folder: &Path) {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            names.push((entry.file_name(), is_folder));
        }
        names.sort_unstable();
        self.open.push((folder.to_owned(), names.into_iter()));
    }

    /// The walk left its last folder.
    fn close(&mut self, each: &mut dyn FnMut(PathBuf, bool)) {
        let Some((folder, names)) = self.open.pop() else { return };
        names.for_each(|(name, is_folder)| each(folder.join(name), is_folder));
    }

    /// The walk is over.
    pub(crate) fn finish(&mut self, each: &mut dyn FnMut(PathBuf, bool)) {
        while !self.open.is_empty() {
            self.close(each);
        }
    }
}
