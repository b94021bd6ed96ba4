//! The folder of a run that is not finished: the result as far as it is written, and the finished steps. The result gets its name when it is
//! complete; the folder is removed when nothing is left to do.

use crate::Error;
use crate::layout::{Layout, shown};
use lookalike_corpus::{RESULT_MARKER, is_result};
use lookalike_engine::run::read_log::ReadSoFar;
use lookalike_engine::run::steps;
use lookalike_store::{Error as StoreError, WorkFolder, atomic};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const RUN: &str = "run";
const STAMPS: &str = "stamps";
const WORK: &str = "work";
const RESULT: &str = "result";
const LOCK: &str = "lock";
/// Options whose names of sources are compared with those of documents when everything was read.
const SOURCE_OPTIONS: [&str; 2] = ["drop_only_from", "keep"];

/// A result that is being made.
#[derive(Debug)]
pub(crate) struct RunFolder {
    out: PathBuf,
    partial: PathBuf,
    work: WorkFolder,
    /// Held while the run is under way.
    _lock: File,
}

/// The options of a run, by name. A stopped run is continued only with equal options.
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

/// The folder of an unfinished run, beside the result.
pub(crate) fn partial(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    out.with_file_name(name)
}

/// The paths that belong to a run, which are no inputs.
pub(crate) fn own_paths(out: &Path) -> [PathBuf; 2] {
    [out.to_owned(), partial(out)]
}

impl RunFolder {
    /// A new folder, or the one that a stopped run left. A folder without the record of a run is never touched.
    pub(crate) fn open(out: &Path, asked: &Asked, resume: bool) -> Result<Self, Error> {
        let partial = partial(out);
        let exists = |path: &Path| path.symlink_metadata().is_ok();
        // a complete result may still wait for its index
        let is_published = || is_result(out) && is_run_folder(&partial) && !exists(&partial.join(RESULT));
        if exists(out) && !(resume && is_published()) {
            return Err(Error::Exists { path: out.to_owned() });
        }
        if !exists(&partial) {
            match create(&partial, asked) {
                Ok(lock) => {
                    let work = WorkFolder::existing(&partial.join(WORK));
                    return Ok(Self { out: out.to_owned(), partial, work, _lock: lock });
                }
                // another run was faster
                Err(_) if exists(&partial) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if !is_run_folder(&partial) {
            return Err(Error::Foreign { out: out.to_owned(), partial });
        }
        let work = WorkFolder::existing(&partial.join(WORK));
        let known = match work.finished_step::<Asked>(RUN) {
            Ok(Some(known)) => known,
            Ok(None) | Err(StoreError::Damaged { .. }) => {
                return Err(Error::Foreign { out: out.to_owned(), partial });
            }
            Err(error) => return Err(error.into()),
        };
        let lock = lock(&partial)?;
        if !resume {
            return Err(Error::Stopped { out: out.to_owned(), partial });
        }
        check(&partial, &known, asked, !steps::has_read(&work))?;
        if known != *asked {
            work.finish_step(RUN, asked.clone())?;
        }
        // a complete result that was removed is written again
        let result = partial.join(RESULT);
        if !exists(out) && !exists(&result) {
            make_result(&result)?;
        }
        Ok(Self { out: out.to_owned(), partial, work, _lock: lock })
    }

    /// For the steps of the engine.
    pub(crate) fn work(&self) -> &WorkFolder {
        &self.work
    }

    /// The place of the result until it is complete.
    pub(crate) fn path(&self) -> PathBuf {
        self.partial.join(RESULT)
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

    /// Whether the result is complete and has its name.
    pub(crate) fn is_published(&self) -> bool {
        is_result(&self.out) && !self.path().exists()
    }

    /// The result is complete: it gets its name.
    pub(crate) fn publish(&self) -> Result<(), Error> {
        if self.is_published() {
            return Ok(());
        }
        atomic::rename_new(&self.path(), &self.out).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::Exists { path: self.out.clone() },
            _ => StoreError::Write { what: self.out.display().to_string(), source }.into(),
        })
    }

    /// Removes the folder: nothing is left to do.
    pub(crate) fn remove(self) -> Result<(), Error> {
        Ok(atomic::remove_folder(&self.partial)?)
    }

    /// After an error: keeps the folder if a run can go on from it, and removes it otherwise.
    pub(crate) fn abandon(self, goes_on: bool) {
        if !goes_on || kept(&self.work).is_none() {
            let _ = self.remove();
        }
    }
}

/// The part of a stopped run that the next run does not repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptRun {
    /// Some input files were read.
    Files {
        /// How many.
        files: u64,
        /// The last of them.
        last: String,
    },
    /// All inputs were read; the next run repeats the step that was stopped.
    Steps,
}

/// The kept part of a stopped run into `out`.
pub fn kept_run(out: &Path) -> Option<KeptRun> {
    let partial = partial(out);
    is_run_folder(&partial).then(|| kept(&WorkFolder::existing(&partial.join(WORK)))).flatten()
}

fn kept(work: &WorkFolder) -> Option<KeptRun> {
    if steps::has_read(work) {
        return Some(KeptRun::Steps);
    }
    ReadSoFar::of(work).map(|so_far| KeptRun::Files { files: so_far.files(), last: so_far.last })
}

/// Makes the folder of a new run. It appears with its record, its lock and its marker, or not at all.
fn create(partial: &Path, asked: &Asked) -> Result<File, StoreError> {
    let failed = |source| StoreError::Write { what: partial.display().to_string(), source };
    fs::create_dir_all(atomic::parent(partial)).map_err(failed)?;
    let mut held = None;
    atomic::folder(partial, |folder| {
        let work = WorkFolder::open(&folder.join(WORK))?;
        make_result(&folder.join(RESULT))?;
        let file = File::create_new(folder.join(WORK).join(LOCK)).map_err(failed)?;
        file.try_lock().map_err(|error| failed(error.into()))?;
        held = Some(file);
        work.finish_step(RUN, asked.clone())
    })?;
    Ok(held.expect("the folder was filled"))
}

/// Makes the folder of a result, with its marker.
fn make_result(result: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::Write { what: result.display().to_string(), source };
    let (marker, text) = RESULT_MARKER;
    fs::create_dir(result).and_then(|()| fs::write(result.join(marker), text)).map_err(failed)
}

/// Whether this is the folder of a run, and no link to one.
fn is_run_folder(partial: &Path) -> bool {
    let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    let record = partial.join(WORK).join(format!("{RUN}.step"));
    let result = partial.join(RESULT);
    is_folder(partial)
        && is_folder(&partial.join(WORK))
        && (is_folder(&result) || result.symlink_metadata().is_err())
        && record.symlink_metadata().is_ok_and(|found| found.is_file())
}

fn lock(partial: &Path) -> Result<File, Error> {
    let path = partial.join(WORK).join(LOCK);
    let failed = |source| StoreError::Write { what: path.display().to_string(), source };
    let file = File::options().write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(StoreError::Locked { path: partial.to_owned() }.into()),
    }
}

/// Checks that a run is asked what it was begun with. Until everything was read, sources may get other names: a name that no document has is
/// noticed then at the latest, and what was read counts.
fn check(partial: &Path, known: &Asked, asked: &Asked, is_reading: bool) -> Result<(), Error> {
    for ((name, found), (_, expected)) in known.iter().zip(asked) {
        let is_free = is_reading && SOURCE_OPTIONS.contains(&name.as_str());
        if found != expected && !is_free {
            let (what, found, expected) = (name.clone(), found.clone(), expected.clone());
            return Err(Error::OtherRun { partial: partial.to_owned(), what, found, expected });
        }
    }
    Ok(())
}
