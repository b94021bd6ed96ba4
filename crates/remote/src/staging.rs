//! The folder that objects are fetched into, and the names that its files have for people.

use crate::Error;
use crate::client::Client;
use crate::download::fetch;
use crate::listing::{Object, folder, list};
use crate::location::Location;
use crate::manifest;
use crate::transfer::{Watch, for_each};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What is here was found by name, and no rule of a folder above may hide it: all but hidden names are shown.
const IGNORE_FILE: &str = ".ignore";
const IGNORE_RULES: &str = "![!.]*\n";

/// What was found.
const LIST: &str = "objects.json";

/// A folder of this machine for objects of others. It is removed with all that is in it when it is dropped, unless it is to stay.
pub struct Staging {
    folder: PathBuf,
    stays: bool,
}

/// What an address has become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Staged {
    /// Files and folders, one address after the other.
    pub inputs: Vec<Vec<PathBuf>>,
    /// Folders, and what the addresses of the objects in them begin with.
    pub names: Vec<(PathBuf, String)>,
}

impl Staging {
    /// A new folder, or, for a run that goes on, the one that it left.
    pub fn open(folder: &Path, resume: bool) -> Result<Self, Error> {
        let io = |source| Error::Io { path: folder.to_owned(), source };
        if folder.symlink_metadata().is_ok() && !resume {
            return Err(Error::Stopped { path: folder.to_owned() });
        }
        if let Some(parent) = folder.parent() {
            fs::create_dir_all(parent).map_err(io)?;
        }
        match fs::create_dir(folder) {
            Ok(()) => fs::write(folder.join(IGNORE_FILE), IGNORE_RULES).map_err(io)?,
            // what is not ours is not removed, be it empty or a link to a folder of ours
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
                let is_ours = || fs::read(folder.join(IGNORE_FILE)).is_ok_and(|found| found == IGNORE_RULES.as_bytes());
                if !is_folder || !is_ours() {
                    return Err(Error::Damaged { path: folder.to_owned() });
                }
            }
            Err(error) => return Err(io(error)),
        }
        // the whole path, so that names do not depend on where the command runs
        let folder = folder.canonicalize().map_err(io)?;
        Ok(Self { folder, stays: false })
    }

    /// A new folder with a name that nobody knows, for a run that will not go on.
    pub fn temporary(parent: &Path) -> Result<Self, Error> {
        let io = |source| Error::Io { path: parent.to_owned(), source };
        let made = tempfile::Builder::new().prefix("lookalike-").tempdir_in(parent).map_err(io)?;
        fs::write(made.path().join(IGNORE_FILE), IGNORE_RULES).map_err(io)?;
        Self::open(&made.keep(), true)
    }

    /// Whether objects were listed: a run that goes on need not fetch those that are complete.
    pub fn has_begun(&self) -> bool {
        self.folder.join(LIST).exists()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Whether it stays for a run that goes on.
    pub fn stay(&mut self, stays: bool) {
        self.stays = stays;
    }

    /// Fetches everything that the addresses stand for. Files that are complete are not fetched again.
    pub fn fetch(
        &self,
        client: &Client,
        locations: &[Location],
        hidden: bool,
        watch: &dyn Watch,
    ) -> Result<Staged, Error> {
        let mut staged = Staged::default();
        // an object may be meant by several addresses
        let mut objects: BTreeMap<String, Object> = BTreeMap::new();
        for location in locations {
            let (found, inputs) = list(client, location, hidden, watch)?;
            staged.inputs.push(inputs.iter().map(|path| self.folder.join(path)).collect());
            let name = (self.folder.join(folder(location)), location.root());
            if !staged.names.contains(&name) {
                staged.names.push(name);
            }
            objects.extend(found.into_iter().map(|object| (object.url(), object)));
        }
        let objects: Vec<Object> = objects.into_values().collect();
        manifest::check(&self.folder.join(LIST), &objects)?;
        watch.begin("download", objects.iter().map(|object| object.meta.size).sum());
        let numbered: Vec<(usize, &Object)> = objects.iter().enumerate().collect();
        for_each(&numbered, |(number, object)| {
            let unfinished = self.folder.join(format!("unfinished-{number}"));
            fetch(client, object, &unfinished, &self.folder.join(object.file()), watch)
        })?;
        watch.end();
        Ok(staged)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.stays {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests;
