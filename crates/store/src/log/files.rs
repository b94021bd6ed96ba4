//! The files of a log, and what can be read from them.

use super::frame::{FILE_HEADER, FileHeader, Part, scan};
use crate::{Error, folder};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The place of the number of the first record in a file.
const FIRST: usize = 16;

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
    /// It ends with an incomplete record. It is not removed either: the disk may have lost the rest of the file.
    pub torn: bool,
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
    pub obsolete: Vec<ClosedLog>,
    /// A file number above that of any file, also of those that were set aside.
    pub next: u64,
    /// Everything that was skipped.
    pub damage: Vec<LogDamage>,
    /// Files with an incomplete record at the end, and its bytes. It was never acknowledged, unless the disk lost a part of the file.
    pub torn: Vec<(PathBuf, u64)>,
    /// Records that are missing in files that were set aside as damaged.
    pub aside: u64,
}

impl Replay {
    /// Records that are missing, in files that were set aside too.
    pub fn missing(&self) -> u64 {
        self.aside + self.damage.iter().map(|damage| damage.missing).sum::<u64>()
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

    /// The path of a file that is kept aside, `damaged`, `torn` or `refused`.
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

    /// Reads all records after the one with the number `done`, in order; without it, all. What is damaged is skipped and reported, and so is
    /// a record that `each` does not accept. Nothing on the disk is changed. Records that a later file says were never acknowledged are left
    /// out.
    pub fn replay(
        &self,
        done: Option<u64>,
        each: impl FnMut(LogRecord<'_>) -> Result<(), String>,
    ) -> Result<Replay, Error> {
        let list = self.list()?;
        let next = list.last().map_or(1, |(number, _)| number + 1);
        let numbers: Vec<u64> = list.into_iter().filter(|(_, aside)| !aside).map(|(number, _)| number).collect();
        let mut replay = self.replay_files(&numbers, |_| u64::MAX, done, each)?;
        (replay.next, replay.aside) = (next, self.missing_aside()?);
        Ok(replay)
    }

    /// As [`LogFiles::replay`], of some files, and of each only as much as was acknowledged.
    pub fn replay_closed(
        &self,
        closed: &[ClosedLog],
        done: Option<u64>,
        each: impl FnMut(LogRecord<'_>) -> Result<(), String>,
    ) -> Result<Replay, Error> {
        let numbers: Vec<u64> = closed.iter().map(|file| file.number).collect();
        let bytes = |number| closed.iter().find(|file| file.number == number).map_or(0, |file| file.bytes);
        self.replay_files(&numbers, bytes, done, each)
    }

    fn replay_files(
        &self,
        numbers: &[u64],
        acknowledged: impl Fn(u64) -> u64,
        done: Option<u64>,
        mut each: impl FnMut(LogRecord<'_>) -> Result<(), String>,
    ) -> Result<Replay, Error> {
        let ends = self.ends(numbers)?;
        let mut reading = Reading { last: done, before: done, ..Reading::default() };
        for &number in numbers {
            let path = self.path(number);
            let mut bytes = fs::read(&path).map_err(|source| read_error(&path, source))?;
            bytes.truncate(usize::try_from(acknowledged(number)).unwrap_or(usize::MAX));
            let header = self.checked_header(&path, &bytes)?;
            let end = ends.iter().filter(|(file, _)| *file > number).map(|(_, first)| *first).min();
            reading.file(LogFile { path: &path, number, bytes: &bytes, header, end }, &mut each);
        }
        Ok(reading.finish())
    }

    /// Records that are missing in files that were set aside as damaged, as far as each tells by itself.
    fn missing_aside(&self) -> Result<u64, Error> {
        let mut missing = 0;
        for (number, aside) in self.list()? {
            let path = self.path_aside(number, "damaged");
            if aside && path.is_file() {
                let bytes = fs::read(&path).map_err(|source| read_error(&path, source))?;
                let header = self.checked_header(&path, &bytes)?;
                let mut reading = Reading::default();
                reading.file(LogFile { path: &path, number, bytes: &bytes, header, end: None }, &mut |_| Ok(()));
                missing += reading.finish().missing();
            }
        }
        Ok(missing)
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

/// A file that is read.
#[derive(Clone, Copy)]
struct LogFile<'a> {
    path: &'a Path,
    number: u64,
    bytes: &'a [u8],
    /// None if it is damaged.
    header: Option<FileHeader>,
    /// Records from this number on were never acknowledged.
    end: Option<u64>,
}

/// A log on its way from one file to the next.
#[derive(Default)]
struct Reading {
    /// The last number that is known; none before the first.
    last: Option<u64>,
    /// The number that precedes the first record.
    before: Option<u64>,
    /// Damage of which it is not known yet how many records it cost: its place in the list.
    pending: Option<usize>,
    replay: Replay,
}

impl Reading {
    /// Reads a file.
    fn file(&mut self, file: LogFile<'_>, each: &mut impl FnMut(LogRecord<'_>) -> Result<(), String>) {
        let LogFile { path, number, bytes, header, end } = file;
        let damage = |offset: usize, bytes: usize, missing, reason| LogDamage {
            path: path.to_owned(),
            file: number,
            offset: offset as u64,
            bytes: bytes as u64,
            missing,
            reason,
        };
        let (damaged_before, mut records) = (self.replay.damage.len(), 0);
        if let Some(header) = header {
            self.reach(header.first, |missing| damage(FIRST, 0, missing, None));
        }
        let (parts, torn) = scan(bytes);
        for part in parts {
            match part {
                Part::Damage { offset, bytes } => self.damaged(damage(offset, bytes, 1, None)),
                Part::Record { sequence, .. } if end.is_some_and(|end| sequence >= end) => {}
                Part::Record { offset, sequence, body } => {
                    let is_new = self.last.is_none_or(|last| sequence > last);
                    self.reach(sequence, |missing| damage(offset, 0, missing, None));
                    if is_new {
                        self.last = Some(sequence);
                        records += 1;
                        if let Err(reason) = each(LogRecord { file: number, offset: offset as u64, sequence, body }) {
                            self.replay.damage.push(damage(offset, body.len(), 1, Some(reason)));
                        }
                    }
                }
            }
        }
        if torn > 0 {
            self.replay.torn.push((path.to_owned(), torn as u64));
        }
        let damaged = self.replay.damage.len() > damaged_before;
        let (last, bytes) = (self.last.unwrap_or(0), bytes.len() as u64);
        let closed = ClosedLog { number, last, bytes, damaged, torn: torn > 0 };
        let list = if records > 0 || damaged { &mut self.replay.needed } else { &mut self.replay.obsolete };
        list.push(closed);
    }

    fn finish(self) -> Replay {
        let Self { last, before, pending, mut replay } = self;
        // the number of a record that is missing at the end is not given again
        replay.last = last.unwrap_or(0) + u64::from(pending.is_some());
        if let Some(file) = replay.needed.last_mut().filter(|_| pending.is_some()) {
            file.last = replay.last;
        }
        replay.before = before.unwrap_or(replay.last);
        replay
    }

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
        self.before = self.before.or(self.last);
    }
}

fn text(kind: [u8; 8]) -> String {
    String::from_utf8_lossy(&kind).trim_end_matches('\0').to_owned()
}

fn read_error(path: &Path, source: io::Error) -> Error {
    Error::Read { what: path.display().to_string(), source }
}
