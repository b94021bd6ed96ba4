//! The journal of an index: one thread appends for all requests that wait, and answers when the changes are on the disk.
//!
//! ```text
//! journal/log-000001            a log of changes, removed when they are in the index
//! journal/log-000001.refused    changes that the index did not take, as lines of a batch
//! journal/log-000001.damaged    a file of which a part could not be read
//! journal/log-000001.torn       a file that ended with an incomplete record
//! ```

use super::record::Record;
use crate::error::Error;
use crate::problem::Problem;
use lookalike::StoreError;
use lookalike::log::{ClosedLog, Log, LogDamage, LogFiles, LogOptions, MAX_RECORD, RealDisk, Replay};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Records that are written together, at most.
const MAX_GROUP: usize = 4096;
/// Bytes of a file after which another one begins, and of the files that are folded together.
const MAX_FILE: u64 = 64 << 20;
/// Reasons of refusals that are remembered for requests that wait, beside those of the last round.
const MAX_REASONS: usize = 4096;

/// A record, and the channel for its number.
pub(super) type Append = (Record, oneshot::Sender<Result<u64, Problem>>);

pub(super) struct Journal {
    log: Log,
    state: Mutex<JournalState>,
    /// Something was appended, or it is time to stop.
    pub(super) changed: Condvar,
}

#[derive(Default)]
pub(super) struct JournalState {
    /// The number of the last record that is in the index, or was refused by it.
    pub(super) folded: u64,
    /// Names with changes that are not in the index, and the number of the last one.
    pending: BTreeMap<String, (u64, &'static str)>,
    /// Why the index did not take a record: the last ones.
    reasons: BTreeMap<u64, String>,
    /// Records in all files of refused ones.
    refused: u64,
    damage: Vec<LogDamage>,
    /// Records that are missing in files of earlier processes.
    aside: u64,
    pub(super) stop: bool,
}

impl JournalState {
    /// Remembers why records of a round were refused: of the newest round all reasons, and of those before as many as there is room for.
    fn remember(&mut self, refused: BTreeMap<u64, String>) {
        let first = refused.keys().next().copied().unwrap_or(u64::MAX);
        self.reasons.extend(refused);
        while self.reasons.len() > MAX_REASONS
            && self.reasons.first_key_value().is_some_and(|(oldest, _)| *oldest < first)
        {
            self.reasons.pop_first();
        }
    }
}

/// Changes that are folded together, with their numbers.
pub(super) struct Round {
    /// The number of the oldest file.
    file: u64,
    /// The number of the last record.
    pub(super) last: u64,
    pub(super) records: Vec<(u64, Record)>,
}

impl Journal {
    /// Opens the journal of an index, which the caller has locked, and continues it.
    pub(super) fn open(index: &Path) -> Result<Arc<Self>, Error> {
        let folder = index.join("journal");
        let failed = |source| Error::System { what: format!("cannot use {}", folder.display()), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let mut state = JournalState::default();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("refused") => state.refused += lines(&fs::read(&path).map_err(failed)?),
                // the format before
                Some("log") => {
                    let what = path.display().to_string();
                    return Err(lookalike::Error::from(StoreError::Format { what, expected: 2, found: 1 }).into());
                }
                _ => {}
            }
        }
        let files = LogFiles::new(&folder, "log", *b"journal\0");
        let replay = files.replay(None, |record| {
            let change = decode(record.body)?;
            state.pending.insert(change.id().to_owned(), (record.sequence, change.verb()));
            Ok(())
        });
        let replay = replay.map_err(lookalike::Error::from)?;
        report(&replay);
        state.folded = replay.before;
        state.damage.clone_from(&replay.damage);
        state.aside = replay.aside;
        let options = LogOptions { sync: true, max_file: MAX_FILE };
        let log = Log::new(files, Arc::new(RealDisk), options, &replay).map_err(lookalike::Error::from)?;
        Ok(Arc::new(Self { log, state: Mutex::new(state), changed: Condvar::new() }))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, JournalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The change of a name that is safe, and not in the index yet.
    pub(super) fn pending(&self, id: &str) -> Option<&'static str> {
        self.state().pending.get(id).map(|(_, verb)| *verb)
    }

    /// Changes that are safe, and not in the index yet.
    pub(super) fn backlog(&self) -> u64 {
        self.log.safe().saturating_sub(self.state().folded)
    }

    /// Whether all changes are in the index.
    pub(super) fn is_folded(&self, state: &JournalState) -> bool {
        self.log.safe() <= state.folded
    }

    /// Why the index did not take a record, if it did not.
    pub(super) fn reason(&self, number: u64) -> Option<String> {
        self.state().reasons.get(&number).cloned()
    }

    /// Records that the index did not take, in all files.
    pub(super) fn refused(&self) -> u64 {
        self.state().refused
    }

    /// Records that could not be read.
    pub(super) fn missing(&self) -> u64 {
        let state = self.state();
        state.aside + state.damage.iter().map(|damage| damage.missing).sum::<u64>()
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
            for (reply, answer) in self.append(group) {
                // a request that no longer waits needs no answer
                let _ = reply.send(answer);
            }
        }
    }

    /// Appends records; returns the number of each when all are safe.
    #[expect(clippy::type_complexity, reason = "a reply and its answer")]
    fn append(&self, group: Vec<Append>) -> Vec<(oneshot::Sender<Result<u64, Problem>>, Result<u64, Problem>)> {
        let (mut answers, mut appended) = (Vec::with_capacity(group.len()), Vec::new());
        for (record, reply) in group {
            let answer = match serde_json::to_vec(&record) {
                Ok(body) if body.len() > MAX_RECORD => Err(Problem::too_large(MAX_RECORD as u64)),
                Ok(body) => {
                    let number = self.log.append(&body);
                    appended.push((record, number));
                    Ok(number)
                }
                Err(error) => Err(Problem::internal(&error)),
            };
            answers.push((reply, answer));
        }
        let last = appended.last().map_or(0, |(_, number)| *number);
        if let Err(error) = self.log.wait(last) {
            // no other thread appends: this group failed
            self.log.recover();
            let problem = Problem::from(error);
            for (_, answer) in answers.iter_mut().filter(|(_, answer)| answer.is_ok()) {
                *answer = Err(problem.clone());
            }
            return answers;
        }
        let mut state = self.state();
        for (record, number) in appended {
            state.pending.insert(record.id().to_owned(), (number, record.verb()));
        }
        drop(state);
        self.changed.notify_all();
        answers
    }

    /// Closes the file that is written, and reads the oldest files; none if there is nothing to do.
    pub(super) fn round(&self) -> Result<Option<Round>, StoreError> {
        let closed = self.log.close_files();
        let mut bytes = 0;
        let chosen = closed.iter().take_while(|file| {
            let before = bytes;
            bytes += file.bytes;
            before == 0 || bytes <= MAX_FILE
        });
        let chosen: Vec<ClosedLog> = chosen.copied().collect();
        let (Some(first), Some(last)) = (chosen.first(), chosen.last()) else { return Ok(None) };
        let mut round = Round { file: first.number, last: last.last, records: Vec::new() };
        let folded = self.state().folded;
        let replay = self.log.files().replay_closed(&chosen, Some(folded), |record| {
            round.records.push((record.sequence, decode(record.body)?));
            Ok(())
        })?;
        let mut state = self.state();
        for damage in replay.damage {
            self.log.mark_damaged(damage.file);
            if !state.damage.iter().any(|known| (known.file, known.offset) == (damage.file, damage.offset)) {
                tracing::error!("{damage}");
                state.damage.push(damage);
            }
        }
        Ok(Some(round))
    }

    /// Keeps records that the index did not take, for a reason that remains, in a file of their own.
    pub(super) fn set_aside(&self, round: &Round, refused: &BTreeMap<u64, String>) -> Result<(), StoreError> {
        if refused.is_empty() {
            return Ok(());
        }
        let path = self.log.files().path_aside(round.file, "refused");
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        let mut text = Vec::new();
        for (number, record) in &round.records {
            if let Some(reason) = refused.get(number) {
                tracing::error!(document = record.id(), reason, file = %path.display(), "the index does not take a change; it is set aside");
                serde_json::to_writer(&mut text, record).map_err(|error| failed(error.into()))?;
                text.push(b'\n');
            }
        }
        lookalike::atomic::write(&path, |out| out.write_all(&text).map_err(failed))
    }

    /// A round is in the index, but for what was refused and set aside.
    pub(super) fn done(&self, round: &Round, refused: BTreeMap<u64, String>) -> Result<(), StoreError> {
        let folder = self.log.files().folder().display().to_string();
        self.log.retire(round.last).map_err(|source| StoreError::Write { what: folder, source })?;
        let mut state = self.state();
        state.refused += refused.len() as u64;
        state.remember(refused);
        state.folded = state.folded.max(round.last);
        let folded = state.folded;
        state.pending.retain(|_, (last, _)| *last > folded);
        Ok(())
    }
}

fn decode(body: &[u8]) -> Result<Record, String> {
    serde_json::from_slice(body)
        .map_err(|error| format!("expected a change of an index, found something else: {error}"))
}

fn lines(text: &[u8]) -> u64 {
    text.split(|byte| *byte == b'\n').count() as u64 - 1
}

/// Logs what was not read.
pub(crate) fn report(replay: &Replay) {
    for damage in &replay.damage {
        tracing::error!("{damage}; the file is kept, and everything else in it is used");
    }
    for (path, bytes) in &replay.torn {
        tracing::warn!(file = %path.display(), bytes, "a log ends with an incomplete record: it was never acknowledged, unless the disk lost a part of the file; the file is kept");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All who wait for a round are answered with their reason, however many there are.
    #[test]
    fn the_reasons_of_a_round_are_remembered() {
        let mut state = JournalState::default();
        let many = |from: u64, to: u64| (from..to).map(|number| (number, "why".to_owned())).collect();
        state.remember(many(1, 10));
        state.remember(many(10, 10_000));
        assert_eq!((state.reasons.len(), state.reasons.first_key_value().map(|(first, _)| *first)), (9990, Some(10)));
        state.remember(many(10_000, 10_001));
        assert_eq!((state.reasons.len(), state.reasons.contains_key(&10_000)), (MAX_REASONS, true));
    }
}
