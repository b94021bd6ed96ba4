//! The log: many threads append, one of them writes for all that wait; and what was acknowledged is read back.

use super::record::{FILE_HEADER, FileHeader, GROUP_HEADER, GroupHeader, Record, records_sum};
use lookalike_core::bits::FingerprintBits;
use lookalike_store::{Disk, DiskFile, Error};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

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
pub(super) struct ClosedLog {
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
    state: Mutex<LogState>,
    written: Condvar,
}

#[derive(Debug)]
struct LogState {
    /// Room for a header, then records that are not written yet.
    group: Vec<u8>,
    /// The last operation that was appended, and the last that was written.
    appended: u64,
    safe: u64,
    /// A thread is writing.
    writing: bool,
    /// The file that is written; none if the next group is to begin another.
    file: Option<Box<dyn DiskFile>>,
    number: u64,
    rotate: bool,
    old: Vec<ClosedLog>,
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
        old: Vec<ClosedLog>,
    ) -> Self {
        let state = LogState {
            group: vec![0; GROUP_HEADER],
            appended: last,
            safe: last,
            writing: false,
            file: None,
            number,
            rotate: false,
            old,
            failed: None,
        };
        Self { folder: folder.to_owned(), disk, sync, width, state: Mutex::new(state), written: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number that the next operation gets. The caller holds all others off.
    pub(super) fn append<F: FingerprintBits>(&self, record: &Record<F>) -> u64 {
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
    pub(super) fn rotate(&self) {
        self.state().rotate = true;
    }

    /// Returns when an operation and all before it are safe. The first that waits writes for all.
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
            state = self.write_group(state);
        }
    }

    /// Returns when all that was appended is safe.
    pub(super) fn flush(&self) -> Result<(), String> {
        let last = self.state().appended;
        self.wait(last)
    }

    /// Writes what has piled up.
    fn write_group<'a>(&'a self, mut state: MutexGuard<'a, LogState>) -> MutexGuard<'a, LogState> {
        state.writing = true;
        let (first, last) = (state.safe + 1, state.appended);
        let group = std::mem::replace(&mut state.group, vec![0; GROUP_HEADER]);
        let mut file = state.file.take();
        if std::mem::take(&mut state.rotate) && file.take().is_some() {
            let old = ClosedLog { number: state.number, last: state.safe };
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
    pub(super) fn remove_until(&self, done: u64) {
        let mut state = self.state();
        let (gone, old) = state.old.drain(..).partition(|old: &ClosedLog| old.last <= done);
        state.old = old;
        drop(state);
        for ClosedLog { number, .. } in gone {
            // what cannot be removed now is read over and removed when the folder is opened again
            let _ = self.disk.remove(&self.folder.join(name_of(number)));
        }
    }
}

/// What the log held.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LogReplay {
    /// The last operation, in the log or in the levels.
    pub(super) last: u64,
    /// Files with operations that are in no level.
    pub(super) needed: Vec<ClosedLog>,
    /// Files without any.
    pub(super) obsolete: Vec<u64>,
    /// A number above that of any file.
    pub(super) next: u64,
}

/// Gives every operation after `done` to `each`, in order.
///
/// The beginning of a group at the end of a file is what a process left that ended while it wrote; after a power cut, zeros may stand
/// for what did not reach the disk. It was not acknowledged. All else that does not fit is damage, and so is an operation that is
/// missing.
pub(super) fn replay<F: FingerprintBits>(
    folder: &Path,
    done: u64,
    mut each: impl FnMut(u64, Record<F>) -> Result<(), String>,
) -> Result<LogReplay, Error> {
    let mut replayed = LogReplay { last: done, needed: Vec::new(), obsolete: Vec::new(), next: 1 };
    for number in numbers(folder)? {
        replayed.next = number + 1;
        let path = folder.join(name_of(number));
        let bytes = fs::read(&path).map_err(|source| Error::Read { what: path.display().to_string(), source })?;
        let before = replayed.last;
        read(&bytes, &mut replayed.last, &mut each).map_err(|(offset, found)| Error::Damaged {
            what: path.display().to_string(),
            offset: offset as u64,
            found,
        })?;
        if replayed.last > before {
            replayed.needed.push(ClosedLog { number, last: replayed.last });
        } else {
            replayed.obsolete.push(number);
        }
    }
    Ok(replayed)
}

/// The files of the log, in order.
fn numbers(folder: &Path) -> Result<Vec<u64>, Error> {
    let names = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let names = names.map_err(|source| Error::Read { what: folder.display().to_string(), source })?;
    let mut numbers: Vec<u64> =
        names.iter().filter_map(|entry| number_of(&entry.file_name().to_string_lossy())).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// One file; `last` is the last operation that is known.
fn read<F: FingerprintBits>(
    bytes: &[u8],
    last: &mut u64,
    each: &mut impl FnMut(u64, Record<F>) -> Result<(), String>,
) -> Result<(), (usize, String)> {
    let Some(header) = bytes.get(..FILE_HEADER).filter(|_| !unwritten(bytes)) else { return Ok(()) };
    let header: FileHeader = bytemuck::pod_read_unaligned(header);
    if !header.is_whole() && unwritten(&bytes[FILE_HEADER..]) {
        return Ok(());
    }
    if !header.is_whole() {
        return Err((0, "expected the beginning of a log, found something else".into()));
    }
    if header.width != u64::from(F::WIDTH) {
        return Err((8, format!("expected fingerprints of {} bits, found {}", F::WIDTH, header.width)));
    }
    missing(*last, header.first).map_err(|found| (16, found))?;
    let mut at = FILE_HEADER;
    while at < bytes.len() && !unwritten(&bytes[at..]) {
        let Some(header) = bytes.get(at..at + GROUP_HEADER) else { return Ok(()) };
        let header: GroupHeader = bytemuck::pod_read_unaligned(header);
        // no record is all zeros
        if !header.is_whole() && unwritten(&bytes[at + GROUP_HEADER..]) {
            return Ok(());
        }
        if !header.is_whole() {
            return Err((at, "expected the beginning of a group, found something else".into()));
        }
        missing(*last, header.first).map_err(|found| (at, found))?;
        let start = at + GROUP_HEADER;
        let Some(records) = bytes.get(start..start + header.bytes as usize) else { return Ok(()) };
        let sum = records_sum(records, header.first);
        let last_record = records.len().saturating_sub(Record::<F>::BYTES);
        if sum != header.records && !records.is_empty() && unwritten(&bytes[start + last_record..]) {
            return Ok(());
        }
        if sum != header.records || records.len() % Record::<F>::BYTES != 0 {
            return Err((start, format!("expected records with checksum {:016x}, found {sum:016x}", header.records)));
        }
        for (number, record) in records.chunks_exact(Record::<F>::BYTES).enumerate() {
            let sequence = header.first.saturating_add(number as u64);
            if sequence <= *last {
                continue;
            }
            let place = start + number * Record::<F>::BYTES;
            let record = Record::decode(record).ok_or_else(|| (place, "an operation that is not known".to_owned()))?;
            each(sequence, record).map_err(|found| (place, found))?;
            *last = sequence;
        }
        at = start + records.len();
    }
    Ok(())
}

/// Room that was made and never written to, as some file systems leave it at a power cut.
fn unwritten(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Operations follow on each other: a file that was cut or is not there leaves a gap.
fn missing(last: u64, first: u64) -> Result<(), String> {
    if first > last.saturating_add(1) {
        return Err(format!("expected operation {} or one before, found {first}", last.saturating_add(1)));
    }
    Ok(())
}
