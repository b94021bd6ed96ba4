//! The folder of a run that is not finished: what is written so far, and what its steps have made. It gets the name of the result when all of
//! it is there.

use crate::Error;
use crate::layout::{Layout, shown};
use lookalike_store::{Error as StoreError, WorkFolder};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const RUN: &str = "run";
const STAMPS: &str = "stamps";

/// A result that is being made.
#[derive(Debug)]
pub(crate) struct RunFolder {
    out: PathBuf,
    partial: PathBuf,
    work: WorkFolder,
    /// Held while the run is under way.
    _lock: File,
}

/// What a run was asked for, by name: a run goes on only if it is asked for the same.
pub(crate) type Asked = Vec<(String, String)>;

/// A file as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// As the user knows it.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    /// Nanoseconds since 1970.
    pub(crate) modified: u128,
}

impl Stamp {
    /// Of a file as it is now.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let read = |source| StoreError::Read { what: shown(path), source };
        let metadata = fs::metadata(path).map_err(read)?;
        let modified =
            metadata.modified().map_err(read)?.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        Ok(Self { path: shown(path), bytes: metadata.len(), modified })
    }
}

impl RunFolder {
    /// A new folder, or the one that a stopped run left.
    pub(crate) fn open(out: &Path, asked: &Asked, resume: bool) -> Result<Self, Error> {
        if out.symlink_metadata().is_ok() {
            return Err(Error::Exists { path: out.to_owned() });
        }
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = out.with_file_name(name);
        let is_old = partial.is_dir();
        let work = WorkFolder::open(&partial.join("work"))?;
        let lock = lock(&partial.join("work").join("lock"), &partial)?;
        let known = if is_old { work.finished_step::<Asked>(RUN)? } else { None };
        match known {
            Some(_) if !resume => return Err(Error::Stopped { out: out.to_owned(), partial }),
            Some(known) => check(&partial, &known, asked)?,
            None => work.finish_step(RUN, asked.clone())?,
        }
        Ok(Self { out: out.to_owned(), partial, work, _lock: lock })
    }

    /// For the steps of the engine.
    pub(crate) fn work(&self) -> &WorkFolder {
        &self.work
    }

    /// Where files of the result go until it is finished.
    pub(crate) fn path(&self) -> &Path {
        &self.partial
    }

    /// Remembers the inputs as they are, or makes sure that they still are what they were.
    pub(crate) fn check_inputs(&self, layout: &Layout) -> Result<(), Error> {
        let now =
            layout.files().iter().map(|file| Stamp::of(&file.from)).collect::<Result<Vec<Stamp>, StoreError>>()?;
        let Some(then) = self.work.finished_step::<Vec<Stamp>>(STAMPS)? else {
            return Ok(self.work.finish_step(STAMPS, now)?);
        };
        match then.iter().zip(&now).find(|(then, now)| then != now) {
            None if then.len() == now.len() => Ok(()),
            changed => {
                let path = changed.map_or_else(|| shown(&self.partial), |(_, now)| now.path.clone());
                let reason = "it changed since the run was begun".to_owned();
                Err(Error::Damaged { id: path, reason })
            }
        }
    }

    /// The result is complete: it gets its name.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let failed = |path: &Path, source| StoreError::Write { what: path.display().to_string(), source };
        self.work.remove(RUN)?;
        fs::rename(&self.partial, &self.out).map_err(|source| failed(&self.out, source))?;
        Ok(())
    }

    /// Leaves nothing behind, unless the run could go on from a step that is finished.
    pub(crate) fn abandon(self, goes_on: bool) {
        if !goes_on || !self.work.path().join("read.step").exists() {
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

fn lock(path: &Path, partial: &Path) -> Result<File, Error> {
    let failed = |source| StoreError::Write { what: path.display().to_string(), source };
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(StoreError::Locked { path: partial.to_owned() }.into()),
    }
}

fn check(partial: &Path, known: &Asked, asked: &Asked) -> Result<(), Error> {
    for ((name, found), (_, expected)) in known.iter().zip(asked) {
        if found != expected {
            let (what, found, expected) = (name.clone(), found.clone(), expected.clone());
            return Err(Error::OtherRun { partial: partial.to_owned(), what, found, expected });
        }
    }
    Ok(())
}
