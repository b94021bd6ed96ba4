//! Writes the log: many threads append, one of them writes for all who wait.

use super::record::{FileHeader, GROUP_HEADER, GroupHeader, Record};
use crate::hamming::Print;
use lookalike_store::{Disk, DiskFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The name of a file of the log. The folder of an index does not take it for one of its own, which it would tidy away.
pub(super) fn name_of(number: u64) -> String {
    format!("log-{number:06}")
}

/// The number of a file of the log, spelled as we spell it.
pub(super) fn number_of(name: &str) -> Option<u64> {
    let number = name.strip_prefix("log-")?.parse().ok()?;
    (name_of(number) == name).then_some(number)
}

/// A file of the log that is no longer written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Old {
    pub(super) number: u64,
    /// The last operation in it.
    pub(super) last: u64,
}

/// The end of the log.
#[derive(Debug)]
pub(super) struct Log {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// Whether to wait until what was written would survive a power cut.
    sync: bool,
    width: u32,
    state: Mutex<State>,
    written: Condvar,
}

#[derive(Debug)]
struct State {
    /// Room for a header, then records that nobody has written yet.
    group: Vec<u8>,
    /// The last operation that was appended, and the last that was written.
    appended: u64,
    safe: u64,
    /// Somebody writes.
    writing: bool,
    /// The file that is written; none if the next group is to begin another.
    file: Option<Box<dyn DiskFile>>,
    number: u64,
    turn: bool,
    old: Vec<Old>,
    failed: Option<String>,
}

impl Log {
    /// Goes on after the operation `last`, in a file with a number above that of any other. Nothing is made before the first operation.
    pub(super) fn new(
        folder: &Path,
        disk: Arc<dyn Disk>,
        sync: bool,
        width: u32,
        last: u64,
        number: u64,
        old: Vec<Old>,
    ) -> Self {
        let state = State {
            group: vec![0; GROUP_HEADER],
            appended: last,
            safe: last,
            writing: false,
            file: None,
            number,
            turn: false,
            old,
            failed: None,
        };
        Self { folder: folder.to_owned(), disk, sync, width, state: Mutex::new(state), written: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number that the next operation gets. Who appends holds all others off.
    pub(super) fn append<F: Print>(&self, record: &Record<F>) -> u64 {
        let mut state = self.state();
        record.encode(&mut state.group);
        state.appended += 1;
        state.appended
    }

    /// Why nothing is written any more.
    pub(super) fn failed(&self) -> Option<String> {
        self.state().failed.clone()
    }

    /// Begins another file with the next group.
    pub(super) fn turn(&self) {
        self.state().turn = true;
    }

    /// Returns when an operation and all before it are safe. The first who comes writes for all.
    pub(super) fn wait(&self, sequence: u64) -> Result<(), String> {
        let mut state = self.state();
        loop {
            if state.safe >= sequence {
                return Ok(());
            }
            if let Some(reason) = &state.failed {
                return Err(reason.clone());
            }
            if state.writing {
                state = self.written.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state = self.lead(state);
        }
    }

    /// Returns when all that was appended is safe.
    pub(super) fn settle(&self) -> Result<(), String> {
        let last = self.state().appended;
        self.wait(last)
    }

    /// Writes what has piled up.
    fn lead<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.writing = true;
        let (first, last) = (state.safe + 1, state.appended);
        let group = std::mem::replace(&mut state.group, vec![0; GROUP_HEADER]);
        let mut file = state.file.take();
        if std::mem::take(&mut state.turn) && file.take().is_some() {
            let old = Old { number: state.number, last: state.safe };
            state.old.push(old);
            state.number += 1;
        }
        let number = state.number;
        drop(state);
        let result = self.write(file, number, group, first);
        let mut state = self.state();
        state.writing = false;
        match result {
            Ok(file) => (state.file, state.safe) = (Some(file), last),
            Err(error) => {
                let path = self.folder.join(name_of(number));
                state.failed = Some(format!(
                    "the log {} cannot be written: {error}; nothing after it is kept: make room, then open again",
                    path.display()
                ));
            }
        }
        self.written.notify_all();
        state
    }

    fn write(
        &self,
        file: Option<Box<dyn DiskFile>>,
        number: u64,
        mut group: Vec<u8>,
        first: u64,
    ) -> io::Result<Box<dyn DiskFile>> {
        let mut file = match file {
            Some(file) => file,
            None => self.begin(number, first)?,
        };
        let header = GroupHeader::new(&group[GROUP_HEADER..], first);
        group[..GROUP_HEADER].copy_from_slice(bytemuck::bytes_of(&header));
        file.write_all(&group)?;
        file.flush()?;
        if self.sync {
            file.sync_data()?;
        }
        Ok(file)
    }

    /// A new file, whose name is safe too.
    fn begin(&self, number: u64, first: u64) -> io::Result<Box<dyn DiskFile>> {
        let mut file = self.disk.create(&self.folder.join(name_of(number)))?;
        file.write_all(bytemuck::bytes_of(&FileHeader::new(self.width, first)))?;
        file.flush()?;
        if self.sync {
            file.sync()?;
            self.disk.sync_folder(&self.folder)?;
        }
        Ok(file)
    }

    /// Removes files whose operations are all elsewhere, up to the operation `done`.
    pub(super) fn forget(&self, done: u64) {
        let mut state = self.state();
        let (gone, old) = state.old.drain(..).partition(|old: &Old| old.last <= done);
        state.old = old;
        drop(state);
        for Old { number, .. } in gone {
            // what cannot be removed now is read over and removed when the folder is opened again
            let _ = self.disk.remove(&self.folder.join(name_of(number)));
        }
    }
}
