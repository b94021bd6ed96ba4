//! A copy of an index folder while its writer goes on.
//!
//! Beside the files of its manifest a folder has files that grow (a log, a journal, names) and may hold other index folders. What is copied is
//! what the folder was at one moment: the manifest is the same before and after all that stands beside it was copied, so nothing went from a log
//! into a segment meanwhile. Files that grow may be cut anywhere: what was acknowledged before is in them.

use crate::manifest::{LOCK, MANIFEST, Manifest, NEW, number_of};
use crate::{Error, atomic, folder};
use serde::de::IgnoredAny;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often the writer may commit while its folder is copied.
const TRIES: u64 = 100;

/// Copies an index folder to a new one. Files that never change again are linked where that is possible, so it takes hardly any time or room.
/// `last` are files that others refer to, and that only grow: they are copied after all others.
pub fn copy_folder(from: &Path, to: &Path, last: &[&str]) -> Result<(), Error> {
    for tried in 1.. {
        let marks = nested_marks(from)?;
        // nothing is waited for while the writer goes on: the disk comes last
        let copied = atomic::folder(to, |new| copy_once(from, new, last).and_then(|()| sync_all(new)));
        match copied {
            Ok(()) if nested_marks(from)? == marks => return Ok(()),
            // a folder within was committed or removed: it may be there twice now, or not at all
            Ok(()) => fs::remove_dir_all(to).map_err(|source| write_error(to, source))?,
            Err(Error::Changing { .. }) => {}
            Err(error) => return Err(error),
        }
        if tried == TRIES {
            break;
        }
        thread::sleep(Duration::from_millis(tried));
    }
    Err(Error::Changing { path: from.to_owned() })
}

fn copy_once(from: &Path, to: &Path, last: &[&str]) -> Result<(), Error> {
    let text = manifest(from)?;
    let mut names = names(from)?;
    names.retain(|name| number_of(name).is_none() && ![MANIFEST, NEW, LOCK].contains(&name.as_str()));
    let (after, before): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| last.contains(&name.as_str()));
    for name in before {
        copy_beside(&from.join(&name), &to.join(&name), last)?;
    }
    let changing = || Error::Changing { path: from.to_owned() };
    if manifest(from)? != text {
        return Err(changing());
    }
    for file in Manifest::<IgnoredAny>::decode(&from.join(MANIFEST), &text)?.files {
        let (source, target) = (from.join(&file.name), to.join(&file.name));
        let linked = fs::hard_link(&source, &target);
        match linked.or_else(|_| copy_file(&source, &target)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound && manifest(from)? != text => return Err(changing()),
            Err(error) => return Err(write_error(&target, error)),
        }
    }
    for name in after {
        copy_beside(&from.join(&name), &to.join(&name), last)?;
    }
    // it is an index from now on
    let target = to.join(MANIFEST);
    fs::write(&target, &text).map_err(|source| write_error(&target, source))
}

/// A file or folder that stands beside those of the manifest.
fn copy_beside(from: &Path, to: &Path, last: &[&str]) -> Result<(), Error> {
    if !from.is_dir() {
        return match copy_file(from, to) {
            // all of it is in segments by now: those of this manifest, or of the next, and then it is copied again
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result.map_err(|source| write_error(to, source)),
        };
    }
    fs::create_dir(to).map_err(|source| write_error(to, source))?;
    if from.join(MANIFEST).is_file() {
        return copy_once(from, to, last);
    }
    names(from)?.iter().try_for_each(|name| copy_beside(&from.join(name), &to.join(name), last))
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(drop)
}

/// A folder and all that is in it is on the disk.
fn sync_all(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        names(path)?.iter().try_for_each(|name| sync_all(&path.join(name)))?;
    }
    File::open(path).and_then(|file| file.sync_all()).map_err(|source| write_error(path, source))
}

/// The index folders within one, and the files that tell what became of them.
fn nested_marks(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut marks = Vec::new();
    let mut folders = vec![(path.to_owned(), false)];
    while let Some((folder, is_nested)) = folders.pop() {
        for name in names(&folder)? {
            let entry = folder.join(&name);
            if entry.is_dir() {
                let is_index = entry.join(MANIFEST).is_file();
                marks.extend(is_index.then(|| entry.clone()));
                folders.push((entry, is_nested || is_index));
            } else if is_nested && !name.contains(|letter: char| letter.is_ascii_digit()) && name != NEW {
                marks.push(entry);
            }
        }
    }
    marks.sort_unstable();
    Ok(marks)
}

fn manifest(path: &Path) -> Result<Vec<u8>, Error> {
    folder::read(path)?.ok_or_else(|| Error::NoIndex { path: path.to_owned() })
}

/// What is in a folder; nothing if it has gone.
fn names(path: &Path) -> Result<Vec<String>, Error> {
    match folder::names(path) {
        Err(Error::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        names => names,
    }
}

fn write_error(path: &Path, source: io::Error) -> Error {
    Error::Write { what: path.display().to_string(), source }
}
