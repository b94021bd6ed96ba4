//! An index folder, held by its one writer.
//!
//! The folder is what its manifest says. A commit puts a new manifest in the place of the old one, in one step; whatever ends the
//! process before or after that, a reader finds one of the two. Files that no manifest names are rubbish.

use crate::atomic::parent;
use crate::lock::Lock;
use crate::manifest::{LOCK, MANIFEST, Manifest, NEW, name_of, number_of};
use crate::new_file::PREFIX;
use crate::{Disk, Error, SegmentFile, SegmentWriter, rename};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An index folder held for writing. Dropping it gives the folder free, and removes the files that were written and not committed.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    disk: Arc<dyn Disk>,
    generation: u64,
    next: u64,
    files: Vec<SegmentFile>,
    /// What a manifest on the disk may name: more than `files` after a commit whose end is unknown.
    named: BTreeSet<String>,
    /// The folder was not there before: without a commit it goes again.
    made: bool,
    _lock: Lock,
}

impl Folder {
    /// Makes a folder and holds it. It is no index before the first commit. What a first build left that was interrupted is
    /// no hindrance; anything else is.
    pub fn create(path: &Path, disk: Arc<dyn Disk>) -> Result<Self, Error> {
        let failed = |source| Error::Write { what: path.display().to_string(), source };
        let exists = || Error::Exists { path: path.to_owned() };
        let created = make(path);
        let made = created.is_ok();
        match created {
            Ok(()) => disk.sync_folder(parent(path)).map_err(failed)?,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(exists()),
            Err(e) => return Err(failed(e)),
        }
        if !unfinished(path)? {
            return Err(exists());
        }
        let mut folder = Self::hold(path, disk)?;
        folder.made = made;
        // another writer may have come first, and gone
        if folder.generation > 0 { Err(exists()) } else { Ok(folder) }
    }

    /// Holds a folder that has a commit, if nobody else does, and removes what its manifest does not name.
    pub fn lock(path: &Path, disk: Arc<dyn Disk>) -> Result<Self, Error> {
        // a manifest may come yet, from a copy that is still running: nothing is touched without one
        if path.join(MANIFEST).is_file() {
            return Self::hold(path, disk);
        }
        Err(Error::NoIndex { path: path.to_owned() })
    }

    fn hold(path: &Path, disk: Arc<dyn Disk>) -> Result<Self, Error> {
        let lock = Lock::take(path, LOCK)?;
        let (generation, next, files) = match read(path)? {
            Some(text) => {
                let manifest = Manifest::<IgnoredAny>::decode(&path.join(MANIFEST), &text)?;
                (manifest.generation, manifest.next, manifest.files)
            }
            None => (0, 1, Vec::new()),
        };
        let named = files.iter().map(|file| file.name.clone()).collect();
        let mut folder = Self { path: path.to_owned(), disk, generation, next, files, named, made: false, _lock: lock };
        folder.tidy()?;
        Ok(folder)
    }

    /// Removes rubbish, and goes on with numbers that none of it has: what cannot be removed is not in the way.
    fn tidy(&mut self) -> Result<(), Error> {
        let rubbish = self.rubbish()?;
        let highest = rubbish.iter().filter_map(|name| number_of(name)).max();
        self.next = self.next.max(highest.map_or(0, |number| number + 1));
        if !rubbish.is_empty() {
            // a commit may have failed when its manifest was in place but not yet durable: the old one must not come back
            // after its files have gone
            self.disk.sync_folder(&self.path).map_err(|source| self.failed(source))?;
            self.remove(rubbish);
        }
        Ok(())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the last commit, or of the last that was tried; 0 if this is no index yet.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The files of the last commit, in its order.
    pub fn files(&self) -> &[SegmentFile] {
        &self.files
    }

    /// A name for a new file. No name is given twice. Extensions are of one to eight small letters.
    pub fn next_name(&mut self, extension: &str) -> String {
        self.next += 1;
        name_of(self.next - 1, extension)
    }

    /// A new segment under a new name.
    pub fn segment(&mut self) -> Result<SegmentWriter, Error> {
        let name = self.next_name("seg");
        SegmentWriter::create(&*self.disk, &self.path.join(name))
    }

    /// Makes these files and `meta` the index, in one step, and removes the files that are no longer part of it. Gives the number of
    /// the commit. After an error the index is what it was; or, if the very last step failed, what it should have become.
    pub fn commit<M: Serialize>(&mut self, files: Vec<SegmentFile>, meta: &M) -> Result<u64, Error> {
        // a number that failed is not used again: two manifests never share one
        self.generation += 1;
        let manifest = Manifest::new(self.generation, self.next, files, meta);
        if let Some(name) = manifest.wrong_name() {
            return Err(self.failed(io::Error::new(io::ErrorKind::InvalidInput, format!("no name of ours: {name}"))));
        }
        let text = manifest.encode().map_err(|error| self.failed(error.into()))?;
        let names: BTreeSet<String> = manifest.files.iter().map(|file| file.name.clone()).collect();
        self.named.extend(names.iter().cloned());
        self.replace(&text).map_err(|source| self.failed(source))?;
        let before = std::mem::replace(&mut self.named, names);
        self.files = manifest.files;
        self.remove(before.difference(&self.named).cloned().collect());
        Ok(self.generation)
    }

    /// First all that is new is on the disk, then the manifest that names it.
    fn replace(&self, text: &str) -> io::Result<()> {
        let (new, current) = (self.path.join(NEW), self.path.join(MANIFEST));
        if new.symlink_metadata().is_ok() {
            self.disk.remove(&new)?;
        }
        let mut file = self.disk.create(&new)?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        file.sync()?;
        drop(file);
        self.disk.sync_folder(&self.path)?;
        self.disk.rename(&new, &current)?;
        self.disk.sync_folder(&self.path)
    }

    /// Files with names of ours that no manifest names.
    fn rubbish(&self) -> Result<Vec<String>, Error> {
        let mut names = names(&self.path)?;
        names.retain(|name| (number_of(name).is_some() || name == NEW) && !self.named.contains(name));
        names.sort_unstable();
        Ok(names)
    }

    /// What cannot be removed now is rubbish the next time too.
    fn remove(&self, names: Vec<String>) {
        for name in names {
            let _ = self.disk.remove(&self.path.join(name));
        }
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { what: self.path.display().to_string(), source }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Ok(rubbish) = self.rubbish() {
            self.remove(rubbish);
        }
        // the lock tells that what is beside it is ours: it goes last
        let alone = names(&self.path).is_ok_and(|names| names == [LOCK]);
        if self.made && alone && self.disk.remove(&self.path.join(LOCK)).is_ok() {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// The manifest of a folder, if it has one.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let path = path.join(MANIFEST);
    match fs::read(&path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(Error::Read { what: path.display().to_string(), source }),
    }
}

/// What is in a folder.
pub(crate) fn names(path: &Path) -> Result<Vec<String>, Error> {
    let entries = fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect::<io::Result<_>>()
    });
    entries.map_err(|source| Error::Read { what: path.display().to_string(), source })
}

/// Makes a folder with a lock file in it, in one step: a process that is killed leaves no empty folder, which the next one would take for a
/// user's. Where a file system cannot rename without replacing, there are two steps.
fn make(path: &Path) -> io::Result<()> {
    let mut fresh = tempfile::Builder::new();
    // a temporary folder is private by default
    #[cfg(unix)]
    fresh.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let Ok(fresh) = fresh.prefix(PREFIX).tempdir_in(parent(path)) else { return fs::create_dir(path) };
    fs::File::create(fresh.path().join(LOCK))?;
    match rename::new(fresh.path(), path) {
        Ok(()) => {
            let _ = fresh.keep();
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::Unsupported => fs::create_dir(path),
        Err(error) => Err(error),
    }
}

/// Whether a folder is empty, or holds what remains of a first build that did not reach its commit. A folder of somebody else has
/// no lock.
fn unfinished(path: &Path) -> Result<bool, Error> {
    let names = names(path)?;
    let ours = |name: &String| number_of(name).is_some() || name == NEW || name == LOCK;
    Ok(names.is_empty() || names.iter().all(ours) && names.iter().any(|name| name == LOCK))
}
