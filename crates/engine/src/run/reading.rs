//! Reads a corpus on all threads: one thread cuts the work, many do it, one files the results in order.

use crate::Error;
use crate::report::Skip;
use crate::run::Session;
use crate::run::inputs::Inputs;
use crate::run::memory::{Permit, ReadCost};
use crate::run::origins::check_sources;
use crate::run::session::{MAX_DOCUMENT, UNITS_SHARE};
use lookalike_corpus::{Batch, Corpus, Document, InputFile, Item, KeptFile, Part, Reader, Reason, Skipped};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What became of a document, on its way from a worker to whoever files it.
pub enum Outcome<T> {
    Document(T),
    Skipped(Skip),
}

/// A batch on its way to a worker, with its number and the memory that it takes.
type Admitted = (u64, Box<dyn Batch>, Permit);
/// What became of it: its number, its bytes, its documents.
type Finished<T> = (u64, u64, Vec<Result<Outcome<T>, Error>>, Permit, Part);

/// Takes what reading makes of documents, in the order of reading.
pub trait Filer<T> {
    /// The files that need not be read again; none if no files are kept.
    fn kept_files(&mut self) -> Option<Vec<KeptFile>>;

    /// Takes a document or something that is not read. `is_followed`: it is of a file whose end will be told.
    fn file(&mut self, outcome: Outcome<T>, is_followed: bool) -> Result<(), Error>;

    /// A file ends, and all of it was taken.
    fn end(&mut self, file: InputFile) -> Result<(), Error>;

    /// The documents of a file that is not read again have their turn. `inputs` is told of each.
    fn replay(&mut self, file: &InputFile, inputs: &Inputs<'_>) -> Result<(), Error>;
}

/// Takes everything and keeps no file.
pub struct Unkept<F>(pub F);

impl<T, F: FnMut(Outcome<T>) -> Result<(), Error>> Filer<T> for Unkept<F> {
    fn kept_files(&mut self) -> Option<Vec<KeptFile>> {
        None
    }

    fn file(&mut self, outcome: Outcome<T>, _: bool) -> Result<(), Error> {
        (self.0)(outcome)
    }

    fn end(&mut self, _: InputFile) -> Result<(), Error> {
        Ok(())
    }

    fn replay(&mut self, _: &InputFile, _: &Inputs<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// Calls `file` with what workers make of each document, in the order of reading. `worker` makes a worker, with buffers of its own.
///
/// As many documents are on their way as the memory allows by what they cost. A document that takes more than there is ends the run.
pub fn read_all<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    session: &Session<'_>,
    corpus: &Corpus,
    cost: &ReadCost<'_>,
    worker: impl Fn() -> W + Sync,
    file: impl FnMut(Outcome<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    read_on(rayon::current_num_threads(), session, corpus, cost, worker, file)
}

/// The same for a run that keeps the files that it has finished.
pub fn read_files<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    session: &Session<'_>,
    corpus: &Corpus,
    cost: &ReadCost<'_>,
    worker: impl Fn() -> W + Sync,
    filer: &mut impl Filer<T>,
) -> Result<(), Error> {
    read_with(rayon::current_num_threads(), session, corpus, cost, worker, filer)
}

/// The same with so many workers, outside of any pool: what `file` writes to may belong to this thread.
pub fn read_on<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    workers: usize,
    session: &Session<'_>,
    corpus: &Corpus,
    cost: &ReadCost<'_>,
    worker: impl Fn() -> W + Sync,
    file: impl FnMut(Outcome<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    read_with(workers, session, corpus, cost, worker, &mut Unkept(file))
}

fn read_with<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    workers: usize,
    session: &Session<'_>,
    corpus: &Corpus,
    cost: &ReadCost<'_>,
    worker: impl Fn() -> W + Sync,
    filer: &mut impl Filer<T>,
) -> Result<(), Error> {
    check_names(session, corpus)?;
    let in_flight = workers * 4;
    // a ticket for every batch between the reader and the catalogue: one slow batch cannot pile up the rest
    let (give_ticket, take_ticket) = sync_channel(in_flight);
    (0..in_flight).for_each(|_| give_ticket.send(()).expect("room for all tickets"));
    let (to_workers, from_reader) = sync_channel::<Admitted>(in_flight);
    let (to_filing, from_workers) = sync_channel::<Finished<T>>(in_flight);
    let from_reader = Mutex::new(from_reader);
    let inputs = Inputs::new(corpus);
    let reader = match filer.kept_files() {
        Some(kept) => corpus.following_reader(kept),
        None => corpus.reader(),
    };
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || cut(session, reader, cost.most, &take_ticket, &to_workers));
        for _ in 0..workers {
            let (to_filing, from_reader, worker, inputs) = (to_filing.clone(), &from_reader, &worker, &inputs);
            scope.spawn(move || work(session, inputs, cost, worker, from_reader, &to_filing));
        }
        drop(to_filing);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        // even after an error all results are taken, so that no thread waits for ever
        for (number, bytes, outcomes, permit, part) in from_workers {
            waiting.insert(number, (bytes, outcomes, permit, part));
            while let Some((bytes, outcomes, permit, part)) = waiting.remove(&next) {
                if result.is_ok() {
                    result = file_batch(filer, &inputs, part, outcomes);
                    if result.is_err() {
                        session.cancel.cancel();
                    }
                }
                session.progress.advance(bytes);
                next += 1;
                drop(permit);
                let _ = give_ticket.send(());
            }
        }
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        result.and(read)
    })?;
    session.cancel.check()?;
    corpus.check_ids()?;
    inputs.finish().into_iter().try_for_each(|skip| filer.file(Outcome::Skipped(skip), false))
}

/// Files a batch, by the part of a file that it is.
fn file_batch<T>(
    filer: &mut impl Filer<T>,
    inputs: &Inputs<'_>,
    part: Part,
    outcomes: Vec<Result<Outcome<T>, Error>>,
) -> Result<(), Error> {
    // a file is one document, unless reading it has failed in an unknown way
    let part = if matches!(&part, Part::Whole(files) if files.len() != outcomes.len()) { Part::None } else { part };
    let is_followed = matches!(part, Part::Inside | Part::Whole(_));
    let mut files = if let Part::Whole(files) = &part { files.clone() } else { Vec::new() }.into_iter();
    for outcome in outcomes {
        let outcome = match outcome? {
            Outcome::Skipped(skip) => Outcome::Skipped(inputs.skip(skip)),
            document @ Outcome::Document(_) => document,
        };
        filer.file(outcome, is_followed)?;
        if let Some(file) = files.next() {
            filer.end(file)?;
        }
    }
    match part {
        Part::End(file) => filer.end(file),
        Part::Kept(file) => filer.replay(&file, inputs),
        Part::None | Part::Inside | Part::Whole(_) => Ok(()),
    }
}

/// Checks the names of fields and sources that the user gave against the first records, before anything is read.
fn check_names(session: &Session<'_>, corpus: &Corpus) -> Result<(), Error> {
    for missing in corpus.check_fields(false)? {
        session.progress.note(&missing.to_string());
    }
    match corpus.names() {
        Some(names) if session.options.corpus.category_field.is_none() => check_sources(session.options, &names),
        _ => Ok(()),
    }
}

/// The reader's thread: batches in order, each with its number. Memory is given in that order too, so the next to be filed always has its.
fn cut(
    session: &Session<'_>,
    mut reader: Box<dyn Reader>,
    cost: u64,
    tickets: &Receiver<()>,
    to_workers: &SyncSender<Admitted>,
) -> Result<(), Error> {
    let mut number = 0;
    while !session.cancel.is_cancelled() && tickets.recv().is_ok() {
        // what is cut out of a stream is in memory before its size is known
        session.memory.wait();
        let Some(batch) = reader.next() else { break };
        let batch = batch?;
        let permit = session.memory.take(batch.size().saturating_mul(cost));
        if to_workers.send((number, batch, permit)).is_err() {
            break;
        }
        number += 1;
    }
    Ok(())
}

fn work<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    session: &Session<'_>,
    inputs: &Inputs<'_>,
    cost: &ReadCost<'_>,
    make: &impl Fn() -> W,
    batches: &Mutex<Receiver<Admitted>>,
    to_filing: &SyncSender<Finished<T>>,
) {
    let mut worker = make();
    let mut seen: Option<String> = None;
    loop {
        let received = batches.lock().expect("no worker panics with the lock").recv();
        let Ok((number, batch, permit)) = received else { return };
        let (bytes, part) = (batch.bytes(), batch.part());
        let large = batch.size().saturating_mul(cost.most) > session.memory.limit();
        let mut outcomes = Vec::new();
        let mut id = "the first of a batch".to_owned();
        // a panic is a bug of ours; it must cost a batch, not leave the scan waiting for one that never comes
        let read = std::panic::AssertUnwindSafe(|| {
            batch.read(&mut |item| {
                outcomes.push(match item {
                    Item::Document(document) => {
                        document.id.as_ref().clone_into(&mut id);
                        let input = inputs.of(&document);
                        let allowed = session.options.resources.memory;
                        let read = cost.admit(&document, allowed, &session.parsing).map(|_permit| worker(document));
                        if let Some(input) = input.filter(|input| seen.as_ref() != Some(input))
                            && matches!(read, Ok(Outcome::Document(_)))
                        {
                            inputs.mark(input.clone());
                            seen = Some(input);
                        }
                        read
                    }
                    Item::Skipped(skipped) => skip(session, cost.most, skipped),
                });
            });
        });
        if std::panic::catch_unwind(read).is_err() {
            worker = make();
            let reason = "internal error in this document or what follows it; please report it".to_owned();
            outcomes.push(Ok(Outcome::Skipped(Skip { id, reason, kind: "internal error".into(), damage: true })));
        }
        if large {
            // its buffers are as large
            worker = make();
        }
        if to_filing.send((number, bytes, outcomes, permit, part)).is_err() {
            return;
        }
    }
}

/// What becomes of something that was not read: it is listed, unless the user wants it and only memory is missing.
fn skip<T>(session: &Session<'_>, cost: u64, mut skipped: Skipped) -> Result<Outcome<T>, Error> {
    if let Reason::Memory { bytes, .. } = skipped.reason {
        let (needed, allowed) = (bytes.saturating_mul(UNITS_SHARE), session.options.resources.memory);
        return Err(Error::DocumentMemory { id: skipped.id, bytes, needed, allowed });
    }
    let lookalike_corpus::Options { min_size, max_size, .. } = session.options.corpus;
    let largest = max_size.min(MAX_DOCUMENT);
    if let Reason::TooLarge { bytes, limit } = &mut skipped.reason {
        if (min_size..=largest).contains(bytes) {
            let (needed, allowed) = (bytes.saturating_mul(cost), session.options.resources.memory);
            return Err(Error::DocumentMemory { id: skipped.id, bytes: *bytes, needed, allowed });
        }
        // the limit that counts, not that of the memory
        *limit = largest;
    }
    Ok(Outcome::Skipped(skipped.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use crate::run::options::ScanOptions;
    use crate::run::session::reading;
    use lookalike_store::{Cancel, Resources, Silent};

    /// Reads files of these sizes in so much memory, each byte of which costs three: how many were read, and the most that was taken.
    fn read(memory: u64, sizes: &[usize]) -> (Result<usize, Error>, u64) {
        let folder = tempfile::tempdir().unwrap();
        for (at, size) in sizes.iter().enumerate() {
            std::fs::write(folder.path().join(format!("{at:03}")), vec![b'a'; *size]).unwrap();
        }
        let resources = Resources { memory, threads: 4, ..Resources::default() };
        let options = ScanOptions { resources, ..ScanOptions::default() };
        let cancel = Cancel::default();
        let session = Session::new(&options, &Silent, &cancel).unwrap();
        let corpus = Corpus::open(vec![Input::Path(folder.path().to_owned())], reading(&options)).unwrap();
        let cost = ReadCost { most: 3, of: &|document| document.body.len() * 3 };
        let mut seen = 0;
        let worker = || |document: Document<'_>| Outcome::Document(document.body.len());
        let result = read_on(4, &session, &corpus, &cost, worker, |outcome| {
            let Outcome::Document(size) = outcome else { panic!("nothing is skipped") };
            assert_eq!(size as usize, sizes[seen], "in order");
            seen += 1;
            Ok(())
        });
        (result.map(|()| seen), session.memory.peak())
    }

    #[test]
    fn as_many_bytes_are_on_their_way_as_there_is_memory_for() {
        let sizes: Vec<usize> = (0..60).map(|at| 1000 + at * 7919 % 300_000).collect();
        let (read, peak) = read(8 << 20, &sizes);
        assert_eq!(read.unwrap(), sizes.len());
        assert!(peak <= 2 << 20, "a quarter of the memory: {peak}");
    }

    #[test]
    fn a_large_document_is_alone() {
        let (read, peak) = read(8 << 20, &[300_000, 300_000, 2_000_000, 300_000, 300_000]);
        assert_eq!(read.unwrap(), 5);
        assert!((3 * 2_000_000..3 * 2_700_000).contains(&peak), "with the small ones of its batch at most: {peak}");
    }

    #[test]
    fn what_takes_more_than_there_is_ends_the_run() {
        for size in [3_000_000, 9_000_000] {
            let (read, _) = read(8 << 20, &[1000, size, 1000]);
            let Err(Error::DocumentMemory { id, bytes, needed, allowed }) = read else { panic!("{read:?}") };
            assert!(id.ends_with("001"));
            assert_eq!((bytes, needed, allowed), (size as u64, 3 * size as u64, 8 << 20));
        }
    }
}
