//! The files of a log, and what can be read from them.

use super::frame::{FILE_HEADER, FileHeader, Part, scan};
use crate::{Error, folder};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files of one log: `NAME-000001`, `NAME-000002` and so on in one folder. An index folder does not take such a name for one of its
/// own files, which it would tidy away.
#[derive(Clone, Debug)]
pub struct LogFiles {
    folder: PathBuf,
    name: &'static str,
    kind: [u8; 8],
}

/// A record of a log.
#[derive(Clone, Copy, Debug)]
pub struct LogRecord<'a> {
    /// The number of its file, and its place there.
    pub file: u64,
    /// See [`LogRecord::file`].
    pub offset: u64,
    /// Its number in the log. Records that were acknowledged have consecutive numbers.
    pub sequence: u64,
    /// Its content.
    pub body: &'a [u8],
}

/// A stretch of a log file that is no record, or a place where records are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogDamage {
    /// The file.
    pub path: PathBuf,
    /// The number of the file.
    pub file: u64,
    /// Where the damage begins.
    pub offset: u64,
    /// Bytes that are no record; 0 where records are missing between others.
    pub bytes: u64,
    /// Records that are missing: as many as their numbers tell, or 1 if neither a record nor a file follows.
    pub missing: u64,
    /// The record is intact, and its reader did not accept it for this reason.
    pub reason: Option<String>,
}

impl LogDamage {
    /// What is wrong, without the place.
    pub fn found(&self) -> String {
        let missing = match self.missing {
            0 => "no record is missing".to_owned(),
            1 => "1 record is missing".to_owned(),
            missing => format!("{missing} records are missing"),
        };
        match &self.reason {
            Some(reason) => format!("{reason}; {missing}"),
            None if self.bytes == 0 => missing,
            None => format!("{} bytes are no intact record, {missing}", self.bytes),
        }
    }
}

impl fmt::Display for LogDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is damaged at byte {}: {}", self.path.display(), self.offset, self.found())
    }
}

impl From<LogDamage> for Error {
    fn from(damage: LogDamage) -> Self {
        Self::Damaged { what: damage.path.display().to_string(), offset: damage.offset, found: damage.found() }
    }
}

/// A file of a log that is no longer written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedLog {
    /// Its number.
    pub number: u64,
    /// The number of the last record in it or before it.
    pub last: u64,
    /// Its length.
    pub bytes: u64,
    /// A part of it could not be read. Such a file is never removed.
    pub damaged: bool,
}

/// What was read from a log.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The number that precedes the first record; then that of the last record.
    pub before: u64,
    /// See [`Replay::before`].
    pub last: u64,
    /// Files with records that are not done.
    pub needed: Vec<ClosedLog>,
    /// Files without any, which are not damaged either.
    pub obsolete: Vec<u64>,
    /// A file number above that of any file, also of those that were set aside.
    pub next: u64,
    /// Everything that was skipped.
    pub damage: Vec<LogDamage>,
    /// Files with an incomplete record at the end, which was never acknowledged, and its bytes.
    pub torn: Vec<(PathBuf, u64)>,
}

impl Replay {
    /// Records that are missing.
    pub fn missing(&self) -> u64 {
        self.damage.iter().map(|damage| damage.missing).sum()
    }
}

impl LogFiles {
    /// The files in a folder that begin with a name. The kind is stored in each file, and files of another kind are refused.
    pub fn new(folder: &Path, name: &'static str, kind: [u8; 8]) -> Self {
        Self { folder: folder.to_owned(), name, kind }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file.
    pub fn path(&self, number: u64) -> PathBuf {
        self.folder.join(self.file_name(number))
    }

    /// The path of a file that is kept aside, `damaged` or `refused`.
    pub fn path_aside(&self, number: u64, why: &str) -> PathBuf {
        self.folder.join(format!("{}.{why}", self.file_name(number)))
    }

    fn file_name(&self, number: u64) -> String {
        format!("{}-{number:06}", self.name)
    }

    pub(super) fn header(&self, first: u64) -> FileHeader {
        FileHeader::new(self.kind, first)
    }

    /// The numbers of the files, and of those that are kept aside, in order; and which of the two.
    fn list(&self) -> Result<Vec<(u64, bool)>, Error> {
        let mut numbers = Vec::new();
        for name in folder::names(&self.folder)? {
            let Some(rest) = name.strip_prefix(self.name).and_then(|rest| rest.strip_prefix('-')) else { continue };
            let (digits, aside) = rest.split_once('.').map_or((rest, false), |(digits, _)| (digits, true));
            let number = digits.parse().ok().filter(|number| format!("{number:06}") == digits);
            numbers.extend(number.map(|number| (number, aside)));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The lengths of all files, by number: other lengths mean that something was appended.
    pub fn lengths(&self) -> Result<Vec<(u64, u64)>, Error> {
        let mut lengths = Vec::new();
        for (number, aside) in self.list()? {
            if !aside && let Ok(file) = fs::metadata(self.path(number)) {
                lengths.push((number, file.len()));
            }
        }
        Ok(lengths)
    }

    /// Reads all records after the one with the number `done`, in order; without it, all. See [`LogFiles::replay_some`].
    pub fn replay(
        &self,
        done: Option<u64>,
        each: impl FnMut(LogRecord<'_>) -> Result<(), String>,
    ) -> Result<Replay, Error> {
        self.replay_some(|_| true, done, each)
    }

    /// Reads the records of some files. What is damaged is skipped and reported, and so is a record that `each` does not accept. Nothing on
    /// the disk is changed. Records that a later file says were never acknowledged are left out.
    pub fn replay_some(
        &self,
        wanted: impl Fn(u64) -> bool,
        done: Option<u64>,
        mut each: impl FnMut(LogRecord<'_>) -> Result<(), String>,
    ) -> Result<Replay, Error> {
        let list = self.list()?;
        let next = list.last().map_or(1, |(number, _)| number + 1);
        let mut numbers: Vec<u64> = list.into_iter().filter(|(_, aside)| !aside).map(|(number, _)| number).collect();
        let ends = self.ends(&numbers)?;
        let mut reading = Reading { last: done, pending: None, replay: Replay { next, ..Replay::default() } };
        let mut before = done;
        numbers.retain(|number| wanted(*number));
        for number in numbers {
            let path = self.path(number);
            let bytes = fs::read(&path).map_err(|source| read_error(&path, source))?;
            let damaged_before = reading.replay.damage.len();
            let mut records = 0;
            let end = ends.iter().filter(|(file, _)| *file > number).map(|(_, first)| *first).min();
            if let Some(header) = self.checked_header(&path, &bytes)? {
                reading.reach(header.first, |missing| LogDamage {
                    path: path.clone(),
                    file: number,
                    offset: 16,
                    bytes: 0,
                    missing,
                    reason: None,
                });
            }
            before = before.or(reading.last);
            let (parts, torn) = scan(&bytes);
            for part in parts {
                let damage = |offset: usize, bytes: usize, missing, reason| LogDamage {
                    path: path.clone(),
                    file: number,
                    offset: offset as u64,
                    bytes: bytes as u64,
                    missing,
                    reason,
                };
                match part {
                    Part::Damage { offset, bytes } => reading.damaged(damage(offset, bytes, 1, None)),
                    Part::Record { sequence, .. } if end.is_some_and(|end| sequence >= end) => {}
                    Part::Record { offset, sequence, body } => {
                        let is_new = reading.last.is_none_or(|last| sequence > last);
                        reading.reach(sequence, |missing| damage(offset, 0, missing, None));
                        before = before.or(reading.last);
                        if is_new {
                            reading.last = Some(sequence);
                            records += 1;
                            if let Err(reason) = each(LogRecord { file: number, offset: offset as u64, sequence, body })
                            {
                                reading.replay.damage.push(damage(offset, body.len(), 1, Some(reason)));
                            }
                        }
                    }
                }
            }
            if torn > 0 {
                reading.replay.torn.push((path, torn as u64));
            }
            let damaged = reading.replay.damage.len() > damaged_before;
            if records > 0 || damaged {
                let last = reading.last.unwrap_or(0);
                let closed = ClosedLog { number, last, bytes: bytes.len() as u64, damaged };
                reading.replay.needed.push(closed);
            } else {
                reading.replay.obsolete.push(number);
            }
        }
        let Reading { last, pending, mut replay } = reading;
        // the number of a record that is missing at the end is not given again
        replay.last = last.unwrap_or(0) + u64::from(pending.is_some());
        if let Some(file) = replay.needed.last_mut().filter(|_| pending.is_some()) {
            file.last = replay.last;
        }
        replay.before = before.unwrap_or(replay.last);
        Ok(replay)
    }

    /// The header of a file; none if it is damaged.
    fn checked_header(&self, path: &Path, bytes: &[u8]) -> Result<Option<FileHeader>, Error> {
        let Some(header) = FileHeader::of(bytes) else { return Ok(None) };
        let what = || path.display().to_string();
        if let Some(found) = header.other_version() {
            return Err(Error::Format { what: what(), expected: 2, found });
        }
        if header.kind != self.kind {
            let found = format!("expected a log of kind {:?}, found {:?}", text(self.kind), text(header.kind));
            return Err(Error::Damaged { what: what(), offset: 8, found });
        }
        Ok(Some(header))
    }

    /// For each file whose header is intact, the number of the first record in it.
    fn ends(&self, numbers: &[u64]) -> Result<Vec<(u64, u64)>, Error> {
        let mut ends = Vec::new();
        for number in numbers {
            let path = self.path(*number);
            let mut bytes = Vec::new();
            let read = File::open(&path).and_then(|file| file.take(FILE_HEADER as u64).read_to_end(&mut bytes));
            read.map_err(|source| read_error(&path, source))?;
            ends.extend(self.checked_header(&path, &bytes)?.map(|header| (*number, header.first)));
        }
        Ok(ends)
    }
}

/// A log on its way from one file to the next.
struct Reading {
    /// The last number that is known; none before the first.
    last: Option<u64>,
    /// Damage of which it is not known yet how many records it cost: its place in the list.
    pending: Option<usize>,
    replay: Replay,
}

impl Reading {
    fn damaged(&mut self, damage: LogDamage) {
        self.pending = Some(self.replay.damage.len());
        self.replay.damage.push(damage);
    }

    /// The next record has this number: those between the last one and it are missing. `gap` describes that where no damage was found.
    fn reach(&mut self, sequence: u64, gap: impl FnOnce(u64) -> LogDamage) {
        let missing = self.last.map(|last| sequence.saturating_sub(last.saturating_add(1)));
        match (self.pending.take(), missing) {
            (Some(place), Some(missing)) => self.replay.damage[place].missing = missing,
            // only the header of the first file is damaged
            (Some(place), None) if self.replay.damage[place].bytes == FILE_HEADER as u64 => {
                self.replay.damage[place].missing = 0;
            }
            (None, Some(missing)) if missing > 0 => self.replay.damage.push(gap(missing)),
            _ => {}
        }
        self.last = self.last.max(Some(sequence.saturating_sub(1)));
    }
}

fn text(kind: [u8; 8]) -> String {
    String::from_utf8_lossy(&kind).trim_end_matches('\0').to_owned()
}

fn read_error(path: &Path, source: io::Error) -> Error {
    Error::Read { what: path.display().to_string(), source }
}
