//! The end of a log: many threads append, and one of them writes for all that wait.

use super::files::{ClosedLog, LogFiles, Replay};
use super::frame::{FILE_HEADER, encode};
use crate::{Disk, DiskFile, Error};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How a log is written.
#[derive(Clone, Copy, Debug)]
pub struct LogOptions {
    /// Whether what is acknowledged survives a power cut. Otherwise it survives the end of the process.
    pub sync: bool,
    /// Bytes of a file after which another one begins.
    pub max_file: u64,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self { sync: true, max_file: u64::MAX }
    }
}

/// The end of a log. One process writes a log at a time: its owner holds a lock.
#[derive(Debug)]
pub struct Log {
    files: LogFiles,
    disk: Arc<dyn Disk>,
    options: LogOptions,
    state: Mutex<LogState>,
    written: Condvar,
}

#[derive(Debug)]
struct LogState {
    /// Records that are not written yet.
    group: Vec<u8>,
    /// The number of the last record that was appended, and of the last that is safe.
    appended: u64,
    safe: u64,
    /// A thread is writing.
    writing: bool,
    /// The file that is written; none if the next group begins another one.
    file: Option<OpenFile>,
    /// The number of that file, or of the next.
    number: u64,
    /// The file is to be closed when the group that is being written is done.
    rotate: bool,
    closed: Vec<ClosedLog>,
    failed: Option<Failure>,
}

#[derive(Debug)]
struct OpenFile {
    file: Box<dyn DiskFile>,
    /// Its length: everything in it was acknowledged.
    bytes: u64,
}

/// A group that could not be written.
struct WriteFailure {
    error: io::Error,
    after: AfterFailure,
}

/// The file after a failure.
enum AfterFailure {
    /// It is as it was before the group.
    Cut(OpenFile),
    /// A part of the group may still be in it, behind this many bytes that were acknowledged.
    Left(u64),
    /// It could not be made, or held nothing and was removed.
    Gone,
}

/// Why nothing is written any more.
#[derive(Debug)]
struct Failure {
    what: String,
    error: io::Error,
}

impl Failure {
    /// An error for each thread that waits.
    fn error(&self) -> Error {
        let source = match self.error.raw_os_error() {
            Some(number) => io::Error::from_raw_os_error(number),
            None => io::Error::new(self.error.kind(), self.error.to_string()),
        };
        Error::Write { what: self.what.clone(), source }
    }
}

impl Log {
    /// Continues after what was replayed, in a new file. No file is made before the first record. Files that hold nothing any more are
    /// removed.
    pub fn new(files: LogFiles, disk: Arc<dyn Disk>, options: LogOptions, replay: &Replay) -> Result<Self, Error> {
        if !replay.obsolete.is_empty() {
            // what makes them obsolete must not disappear after them
            let failed = |source| Error::Write { what: files.folder().display().to_string(), source };
            disk.sync_folder(files.folder()).map_err(failed)?;
        }
        for file in &replay.obsolete {
            // a file that cannot be removed now is obsolete the next time too
            let _ = put_away(&files, &*disk, file);
        }
        let state = LogState {
            group: Vec::new(),
            appended: replay.last,
            safe: replay.last,
            writing: false,
            file: None,
            number: replay.next,
            rotate: false,
            closed: replay.needed.clone(),
            failed: None,
        };
        Ok(Self { files, disk, options, state: Mutex::new(state), written: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files.
    pub fn files(&self) -> &LogFiles {
        &self.files
    }

    /// Appends a record of at most [`MAX_RECORD`](crate::MAX_RECORD) bytes, and returns its number. It is safe when [`Log::wait`] says so.
    pub fn append(&self, record: &[u8]) -> u64 {
        let mut state = self.state();
        state.appended += 1;
        let sequence = state.appended;
        encode(&mut state.group, sequence, record);
        sequence
    }

    /// The number of the last record that is safe.
    pub fn safe(&self) -> u64 {
        self.state().safe
    }

    /// Why nothing is written any more.
    pub fn failed(&self) -> Option<Error> {
        self.state().failed.as_ref().map(Failure::error)
    }

    /// Returns when a record and all before it are safe. The first thread that waits writes for all. After a failure no record becomes safe
    /// until [`Log::recover`].
    pub fn wait(&self, sequence: u64) -> Result<(), Error> {
        let mut state = self.state();
        loop {
            if state.safe >= sequence {
                return Ok(());
            }
            if let Some(failure) = &state.failed {
                return Err(failure.error());
            }
            state = if state.writing { self.wait_for_writer(state) } else { self.write_group(state) };
        }
    }

    fn wait_for_writer<'a>(&'a self, state: MutexGuard<'a, LogState>) -> MutexGuard<'a, LogState> {
        self.written.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when all that was appended is safe.
    pub fn flush(&self) -> Result<(), Error> {
        let last = self.state().appended;
        self.wait(last)
    }

    /// Drops what was appended and did not become safe, and writes again: its numbers are given again. For a caller that has answered all
    /// who waited.
    pub fn recover(&self) {
        let mut state = self.state();
        while state.writing {
            state = self.wait_for_writer(state);
        }
        state.group.clear();
        state.appended = state.safe;
        state.failed = None;
    }

    /// Closes the file, at the latest when the group that is being written is done.
    pub fn rotate(&self) {
        let mut state = self.state();
        if state.writing {
            state.rotate = true;
        } else {
            state.close_file();
        }
    }

    /// Closes the file, and returns all closed files, the oldest first.
    pub fn close_files(&self) -> Vec<ClosedLog> {
        let mut state = self.state();
        while state.writing {
            state = self.wait_for_writer(state);
        }
        state.close_file();
        state.closed.clone()
    }

    /// Keeps a closed file when it is done, because a part of it could not be read.
    pub fn mark_damaged(&self, number: u64) {
        let mut state = self.state();
        state.closed.iter_mut().filter(|closed| closed.number == number).for_each(|closed| closed.damaged = true);
    }

    /// Removes the closed files whose records are all done, the oldest first. A file that is damaged or torn is not removed but gets another
    /// name. When a file cannot be removed, it and all younger ones stay.
    pub fn retire(&self, done: u64) -> io::Result<()> {
        let closed: Vec<ClosedLog> = self.state().closed.clone();
        for file in closed.into_iter().take_while(|closed| closed.last <= done) {
            put_away(&self.files, &*self.disk, &file)?;
            // a younger file must not disappear before this one
            if self.options.sync {
                self.disk.sync_folder(self.files.folder())?;
            }
            self.state().closed.retain(|closed| closed.number != file.number);
        }
        Ok(())
    }

    /// Writes what has piled up.
    fn write_group<'a>(&'a self, mut state: MutexGuard<'a, LogState>) -> MutexGuard<'a, LogState> {
        state.writing = true;
        let (first, last, number) = (state.safe + 1, state.appended, state.number);
        let group = std::mem::take(&mut state.group);
        let file = state.file.take();
        drop(state);
        let result = self.write(file, number, &group, first);
        let mut state = self.state();
        state.writing = false;
        match result {
            Ok(file) => {
                let is_full = file.bytes >= self.options.max_file;
                (state.file, state.safe) = (Some(file), last);
                if is_full || state.rotate {
                    state.close_file();
                }
            }
            Err(WriteFailure { error, after }) => {
                state.failed = Some(Failure { what: self.files.path(number).display().to_string(), error });
                match after {
                    AfterFailure::Cut(file) => state.file = Some(file),
                    AfterFailure::Gone => state.number += 1,
                    AfterFailure::Left(bytes) => {
                        state.file = None;
                        let last = state.safe;
                        state.closed.push(ClosedLog { number, last, bytes, damaged: false, torn: false });
                        state.number += 1;
                    }
                }
            }
        }
        state.rotate = false;
        self.written.notify_all();
        state
    }

    fn write(&self, file: Option<OpenFile>, number: u64, group: &[u8], first: u64) -> Result<OpenFile, WriteFailure> {
        let mut open = match file {
            Some(file) => file,
            None => self.begin(number, first).map_err(|error| WriteFailure { error, after: AfterFailure::Gone })?,
        };
        let Err(error) = self.write_synced(&mut *open.file, group) else {
            return Ok(OpenFile { bytes: open.bytes + group.len() as u64, ..open });
        };
        // The group was never acknowledged, and must not be read as if it had been. If it cannot be cut off, the header of the next file
        // says so.
        let after = match open.file.cut(open.bytes) {
            Ok(()) => AfterFailure::Cut(open),
            Err(_) if open.bytes == FILE_HEADER as u64 && self.disk.remove(&self.files.path(number)).is_ok() => {
                AfterFailure::Gone
            }
            Err(_) => AfterFailure::Left(open.bytes),
        };
        Err(WriteFailure { error, after })
    }

    fn write_synced(&self, file: &mut dyn DiskFile, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)?;
        file.flush()?;
        if self.options.sync { file.sync_data() } else { Ok(()) }
    }

    /// A new file, whose name is safe too. If that fails, the file is removed.
    fn begin(&self, number: u64, first: u64) -> io::Result<OpenFile> {
        let path = self.files.path(number);
        let mut file = self.disk.create(&path)?;
        let mut write = || {
            file.write_all(bytemuck::bytes_of(&self.files.header(first)))?;
            file.flush()?;
            if self.options.sync {
                file.sync()?;
                self.disk.sync_folder(self.files.folder())?;
            }
            Ok(())
        };
        match write() {
            Ok(()) => Ok(OpenFile { file, bytes: FILE_HEADER as u64 }),
            Err(error) => {
                let _ = self.disk.remove(&path);
                Err(error)
            }
        }
    }
}

/// Removes a file whose records are done; one of which a part could not be read gets another name.
fn put_away(files: &LogFiles, disk: &dyn Disk, file: &ClosedLog) -> io::Result<()> {
    let path = files.path(file.number);
    match (file.damaged, file.torn) {
        (true, _) => disk.rename(&path, &files.path_aside(file.number, "damaged")),
        (false, true) => disk.rename(&path, &files.path_aside(file.number, "torn")),
        (false, false) => disk.remove(&path),
    }
}

impl LogState {
    /// Closes the file, if it has records.
    fn close_file(&mut self) {
        if self.file.as_ref().is_some_and(|open| open.bytes > FILE_HEADER as u64)
            && let Some(OpenFile { bytes, .. }) = self.file.take()
        {
            self.closed.push(ClosedLog { number: self.number, last: self.safe, bytes, damaged: false, torn: false });
            self.number += 1;
        }
    }
}
