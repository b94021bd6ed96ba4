//! The journal of an index: one thread appends for all that wait, and answers when it is on the disk.

use super::record::Record;
use crate::error::Error;
use crate::groups::{decode, encode};
use crate::problem::Problem;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Records that are written together, at most.
const MAX_GROUP: usize = 4096;
/// Bytes of a file from which on another begins: so much is folded at once.
const MAX_FILE: u64 = 64 << 20;

/// A record, and who waits for its number.
pub(super) type Append = (Record, oneshot::Sender<Result<u64, Problem>>);

pub(super) struct Journal {
    folder: PathBuf,
    state: Mutex<JournalState>,
    /// Something was appended, or it is over.
    pub(super) changed: Condvar,
}

#[derive(Default)]
pub(super) struct JournalState {
    /// The file that is written, and its bytes; none if the next group is to begin another.
    file: Option<(File, u64)>,
    /// Its number, or that of the next.
    number: u64,
    /// The last record that is on the disk, and the last that is in the index.
    pub(super) appended: u64,
    pub(super) folded: u64,
    /// Names with changes that are not in the index, and the number of the last one.
    pending: BTreeMap<String, (u64, &'static str)>,
    pub(super) stop: bool,
}

/// A file of the journal that is to be folded.
pub(super) struct ClosedFile {
    pub(super) path: PathBuf,
    pub(super) records: Vec<Record>,
}

impl Journal {
    /// Goes on after what is there.
    pub(super) fn open(index: &Path) -> Result<Arc<Self>, Error> {
        let folder = index.join("journal");
        let failed = |source| Error::System { what: format!("cannot use {}", folder.display()), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let numbers = numbers(&folder).map_err(failed)?;
        let mut state = JournalState { number: numbers.last().map_or(1, |last| last + 1), ..JournalState::default() };
        for number in &numbers {
            let path = folder.join(name_of(*number));
            let (records, torn) = decode::<Record>(&fs::read(&path).map_err(failed)?);
            if torn > 0 {
                tracing::warn!(file = %path.display(), bytes = torn, "the end of the journal was never acknowledged, and is left out");
            }
            for record in records {
                state.appended += 1;
                state.pending.insert(record.id().to_owned(), (state.appended, record.verb()));
            }
        }
        Ok(Arc::new(Self { folder, state: Mutex::new(state), changed: Condvar::new() }))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, JournalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to become of a name.
    pub(super) fn pending(&self, id: &str) -> Option<&'static str> {
        self.state().pending.get(id).map(|(_, verb)| *verb)
    }

    /// Starts the thread that appends.
    pub(super) fn start(self: &Arc<Self>) -> Result<(Sender<Append>, JoinHandle<()>), Error> {
        let (sender, work) = mpsc::channel();
        let journal = Arc::clone(self);
        let thread = thread::Builder::new().name("journal".into()).spawn(move || journal.run(&work));
        Ok((sender, thread.map_err(|source| Error::System { what: "cannot start a thread".into(), source })?))
    }

    fn run(&self, work: &Receiver<Append>) {
        while let Ok(first) = work.recv() {
            let group: Vec<Append> = [first].into_iter().chain(work.try_iter().take(MAX_GROUP - 1)).collect();
            let written = self.append(group.iter().map(|(record, _)| record));
            for (at, (_, reply)) in group.into_iter().enumerate() {
                // who does not wait any more does not need it
                let _ = reply.send(match &written {
                    Ok(first) => Ok(first + at as u64),
                    Err(error) => Err(Problem::of_io(error)),
                });
            }
        }
    }

    /// Appends a group; gives the number of its first record when all are safe.
    pub(super) fn append<'a>(&self, records: impl Iterator<Item = &'a Record> + Clone) -> io::Result<u64> {
        let group = encode(records.clone())?;
        let mut state = self.state();
        let (mut file, bytes) = match state.file.take() {
            Some(open) => open,
            None => (self.begin(state.number)?, 0),
        };
        if let Err(error) = file.write_all(&group).and_then(|()| file.sync_data()) {
            // what stands after a torn group would not be found again
            state.number += 1;
            return Err(error);
        }
        let bytes = bytes + group.len() as u64;
        if bytes < MAX_FILE {
            state.file = Some((file, bytes));
        } else {
            state.number += 1;
        }
        let first = state.appended + 1;
        for record in records {
            state.appended += 1;
            let last = (state.appended, record.verb());
            state.pending.insert(record.id().to_owned(), last);
        }
        drop(state);
        self.changed.notify_all();
        Ok(first)
    }

    /// A new file, whose name is safe too.
    fn begin(&self, number: u64) -> io::Result<File> {
        let file = OpenOptions::new().create(true).append(true).open(self.folder.join(name_of(number)))?;
        File::open(&self.folder)?.sync_all()?;
        Ok(file)
    }

    /// The oldest file, closed; none if there is none.
    pub(super) fn oldest(&self) -> io::Result<Option<ClosedFile>> {
        let Some(number) = numbers(&self.folder)?.first().copied() else { return Ok(None) };
        let mut state = self.state();
        if number == state.number {
            state.file = None;
            state.number += 1;
        }
        drop(state);
        let path = self.folder.join(name_of(number));
        let records = decode(&fs::read(&path)?).0;
        Ok(Some(ClosedFile { path, records }))
    }

    /// A file is in the index.
    pub(super) fn done(&self, file: &ClosedFile) -> io::Result<()> {
        fs::remove_file(&file.path)?;
        self.settle(file);
        Ok(())
    }

    /// A file that the index does not take, for a reason that will not go away, is kept under another name.
    pub(super) fn set_aside(&self, file: &ClosedFile) -> io::Result<()> {
        fs::rename(&file.path, file.path.with_extension("refused"))?;
        self.settle(file);
        Ok(())
    }

    fn settle(&self, file: &ClosedFile) {
        let mut state = self.state();
        state.folded += file.records.len() as u64;
        let folded = state.folded;
        state.pending.retain(|_, (last, _)| *last > folded);
    }
}

fn name_of(number: u64) -> String {
    format!("{number:06}.log")
}

/// The files of the journal, in order.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".log")).and_then(|number| number.parse().ok());
        numbers.extend(number.filter(|number| name.to_str() == Some(&name_of(*number))));
    }
    numbers.sort_unstable();
    Ok(numbers)
}
