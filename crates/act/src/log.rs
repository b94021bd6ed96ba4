//! The log: what is about to be done, and that it was done. One JSON object a line.
//!
//! A line with the intent is on the disk before anything is touched. Whatever ends the process, the log then names the file, the kept
//! one and every temporary name, and what is there under them tells how far it came ([`crate::rollback`]).

use crate::error::Error;
use crate::file_system::{FileAttributes, FileSystem};
use crate::options::{ActOptions, ActionKind};
use crate::paths::{is_temporary, is_temporary_beside, is_whole};
use lookalike_store::atomic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The bits of a mode by which a program runs as its owner or group.
const SET_ID: u32 = 0o6000;

/// Version of these lines.
const FORMAT_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
enum Record {
    /// A run begins. The first line of every log is one.
    Run {
        format: u32,
        lookalike: String,
        action: ActionKind,
        report: String,
        /// Seconds since 1970, for people.
        time: u64,
    },
    /// This is about to be done.
    Intent(Intent),
    /// It is done.
    Done { n: u64 },
    /// It is as if it had never been done: taken back, or undone.
    Back { n: u64 },
    /// It is about to be undone; a copy is made under this name.
    Undo {
        n: u64,
        #[serde(with = "path")]
        temporary: PathBuf,
    },
}

/// What is about to be done to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Intent {
    /// Its number, unique in the log.
    pub(crate) n: u64,
    pub(crate) action: ActionKind,
    /// The duplicate. All paths are whole.
    #[serde(with = "path")]
    pub(crate) path: PathBuf,
    /// The file that stays.
    #[serde(with = "path")]
    pub(crate) kept: PathBuf,
    /// The name under which the duplicate waits until all is well, in the same folder.
    #[serde(with = "path")]
    pub(crate) temporary: PathBuf,
    /// What the symbolic link says.
    #[serde(with = "path::maybe", default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<PathBuf>,
    /// Where the duplicate is moved to.
    #[serde(with = "path::maybe", default, skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<PathBuf>,
    /// The name under which it is copied, if it is moved to another device.
    #[serde(with = "path::maybe", default, skip_serializing_if = "Option::is_none")]
    pub(crate) copy: Option<PathBuf>,
    /// What the duplicate was, so that it can be made again.
    pub(crate) bytes: u64,
    pub(crate) modified: i64,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// BLAKE3 of its content.
    pub(crate) content: String,
    /// It need not have the content of the kept file: people decided that it is a duplicate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) near: bool,
}

impl Intent {
    /// The rights of a copy. No copy runs as its owner or group: a log is a file that others may have written.
    pub(crate) fn attributes(&self) -> FileAttributes {
        FileAttributes { mode: self.mode & !SET_ID, uid: self.uid, gid: self.gid }
    }

    /// Whether all names are such as act writes them: whole, and temporary ones beside what they stand for. Nothing else is ever removed.
    fn has_own_names(&self) -> bool {
        let all = [Some(&self.path), Some(&self.kept), self.to.as_ref()].into_iter().flatten();
        let are_whole = all.clone().all(|path| is_whole(path) && !is_temporary(path));
        let copy_is_beside = match (&self.copy, &self.to) {
            (Some(copy), Some(to)) => is_temporary_beside(copy, to),
            (Some(copy), None) if self.action == ActionKind::Reflink => {
                is_temporary_beside(copy, &self.path) && *copy != self.temporary
            }
            (copy, _) => copy.is_none(),
        };
        are_whole
            && self.path != self.kept
            && self.to.as_ref().is_none_or(|to| *to != self.path && *to != self.kept)
            && is_temporary_beside(&self.temporary, &self.path)
            && copy_is_beside
    }
}

/// How far an action of the log has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ActionState {
    /// It was begun; nobody knows how it ended.
    Begun,
    Done,
    /// Undoing it was begun.
    Undoing(PathBuf),
}

/// An action of the log that was not taken back.
#[derive(Clone, Debug)]
pub(crate) struct LogEntry {
    pub(crate) intent: Intent,
    pub(crate) state: ActionState,
}

/// A log that is open for writing. One process at a time.
pub(crate) struct Log<'a> {
    files: &'a dyn FileSystem,
    file: File,
    path: PathBuf,
    next: u64,
    broken: Option<String>,
}

/// What a log says.
pub(crate) struct LogContents {
    /// What was not taken back, by number.
    pub(crate) entries: BTreeMap<u64, LogEntry>,
    /// Bytes of complete lines; what comes after them is a line that was never finished.
    complete_bytes: u64,
    next: u64,
    is_empty: bool,
}

/// Reads a log; an empty one if there is none and none is needed.
pub(crate) fn read(path: &Path, needed: bool) -> Result<LogContents, Error> {
    match File::open(path) {
        Ok(mut file) => LogContents::read(&mut file, path),
        Err(e) if e.kind() == io::ErrorKind::NotFound && !needed => Ok(LogContents::empty()),
        Err(source) => Err(Error::ReadLog { path: path.to_owned(), source }),
    }
}

/// Whether this is a piece of the first line of a log.
fn is_cut_off_head(line: &[u8]) -> bool {
    const FIRST: &[u8] = br#"{"record":"run","#;
    !line.ends_with(b"\n") && (line.starts_with(FIRST) || FIRST.starts_with(line))
}

impl LogContents {
    fn empty() -> Self {
        Self { entries: BTreeMap::new(), complete_bytes: 0, next: 1, is_empty: true }
    }

    fn read(file: &mut File, path: &Path) -> Result<Self, Error> {
        let status = file.metadata().map_err(|source| Error::ReadLog { path: path.to_owned(), source })?;
        if status.uid() != rustix::process::geteuid().as_raw() {
            return Err(Error::ForeignLog { path: path.to_owned(), owner: status.uid() });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|source| Error::ReadLog { path: path.to_owned(), source })?;
        let mut contents = Self::empty();
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        for (at, line) in lines.iter().enumerate() {
            match serde_json::from_slice(line) {
                Ok(record) if line.ends_with(b"\n") => contents.add(record, path)?,
                // the process or the machine ended within this line: what it announces was not begun
                _ if at + 1 == lines.len() && (!contents.is_empty || is_cut_off_head(line)) => break,
                _ if contents.is_empty => return Err(Error::NotALog { path: path.to_owned() }),
                _ => return Err(Error::DamagedLog { path: path.to_owned(), line: at + 1 }),
            }
            contents.complete_bytes += line.len() as u64;
        }
        Ok(contents)
    }

    fn add(&mut self, record: Record, path: &Path) -> Result<(), Error> {
        let path = || path.to_owned();
        let unknown = |n: u64| Error::UnknownAction { path: path(), n };
        match record {
            Record::Run { format: found, .. } if found > FORMAT_VERSION => {
                return Err(Error::UnsupportedLog { path: path(), found, supported: FORMAT_VERSION });
            }
            Record::Run { .. } => self.is_empty = false,
            _ if self.is_empty => return Err(Error::NotALog { path: path() }),
            Record::Intent(intent) if !intent.has_own_names() => {
                return Err(Error::ForeignNames { path: path(), n: intent.n });
            }
            Record::Intent(intent) => {
                self.next = self.next.max(intent.n.saturating_add(1));
                self.entries.insert(intent.n, LogEntry { intent, state: ActionState::Begun });
            }
            Record::Done { n } => self.entries.get_mut(&n).ok_or_else(|| unknown(n))?.state = ActionState::Done,
            Record::Undo { n, temporary } => {
                let entry = self.entries.get_mut(&n).ok_or_else(|| unknown(n))?;
                if !is_temporary_beside(&temporary, &entry.intent.path) {
                    return Err(Error::ForeignNames { path: path(), n });
                }
                entry.state = ActionState::Undoing(temporary);
            }
            Record::Back { n } => {
                self.entries.remove(&n).ok_or_else(|| unknown(n))?;
            }
        }
        Ok(())
    }
}

impl<'a> Log<'a> {
    /// Opens a log for writing, or makes one unless it must be there.
    pub(crate) fn open(files: &'a dyn FileSystem, path: &Path, needed: bool) -> Result<(Self, LogContents), Error> {
        let error = |source| Error::WriteLog { path: path.to_owned(), source };
        let mut options = File::options();
        let mut file = options.read(true).write(true).create(!needed).truncate(false).open(path).map_err(error)?;
        if !file.metadata().map_err(error)?.is_file() {
            return Err(Error::NotALog { path: path.to_owned() });
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::LogInUse { path: path.to_owned() }),
            Err(TryLockError::Error(e)) => return Err(error(e)),
        }
        let contents = LogContents::read(&mut file, path)?;
        file.set_len(contents.complete_bytes).and_then(|()| file.seek(SeekFrom::End(0))).map_err(error)?;
        files.sync_folder(atomic::parent(path)).map_err(error)?;
        let log = Self { files, file, path: path.to_owned(), next: contents.next, broken: None };
        Ok((log, contents))
    }

    /// Writes that a run begins.
    pub(crate) fn begin(&mut self, options: &ActOptions, report: &str) {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.append(&Record::Run {
            format: FORMAT_VERSION,
            lookalike: env!("CARGO_PKG_VERSION").to_owned(),
            action: options.action.kind(),
            report: report.to_owned(),
            time,
        });
    }

    /// Writes what is about to be done, with its number, and returns when that would survive a power cut.
    pub(crate) fn intend(&mut self, intent: &mut Intent) -> Result<(), String> {
        intent.n = self.next;
        self.next += 1;
        self.append(&Record::Intent(intent.clone()));
        self.sync()
    }

    /// Writes that it is done. The next intent makes sure that this survives a power cut, or the end.
    pub(crate) fn done(&mut self, n: u64) {
        self.append(&Record::Done { n });
    }

    /// Writes that it is as if it had never been done.
    pub(crate) fn back(&mut self, n: u64) {
        self.append(&Record::Back { n });
    }

    /// Writes what is about to be undone, and returns when that would survive a power cut.
    pub(crate) fn undo(&mut self, n: u64, temporary: &Path) -> Result<(), String> {
        self.append(&Record::Undo { n, temporary: temporary.to_owned() });
        self.sync()
    }

    /// Once a line could not be written, none is any more: nothing may follow a line that is cut off.
    fn append(&mut self, record: &Record) {
        if self.broken.is_none() {
            let line = serde_json::to_vec(record).map_err(io::Error::from);
            let written = line.and_then(|mut line| {
                line.push(b'\n');
                self.files.write(&mut self.file, &line)
            });
            self.note(written);
        }
    }

    /// Returns when all that was written would survive a power cut.
    pub(crate) fn sync(&mut self) -> Result<(), String> {
        if self.broken.is_none() {
            let synced = self.files.sync(&self.file);
            self.note(synced);
        }
        self.broken.clone().map_or(Ok(()), Err)
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(e) = result {
            let path = self.path.display();
            self.broken = Some(format!("cannot write the log {path}: {e}; without it nothing more is done"));
        }
    }

    /// Why nothing more may be done, if the log could not be written.
    pub(crate) fn broken(&self) -> Option<String> {
        self.broken.clone()
    }
}

/// Paths in JSON: bytes that are no UTF-8 are escaped as in ids.
mod path {
    use lookalike_corpus::{id_of, path_of};
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::{Path, PathBuf};

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&id_of(path))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(path_of(&String::deserialize(from)?))
    }

    pub(super) mod maybe {
        use super::{Deserialize, Deserializer, PathBuf, Serializer, id_of, path_of};

        #[expect(clippy::ref_option, reason = "serde asks for it")]
        pub(in super::super) fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
            match path {
                Some(path) => to.serialize_some(&id_of(path)),
                None => to.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
            Ok(Option::<String>::deserialize(from)?.as_deref().map(path_of))
        }
    }
}
