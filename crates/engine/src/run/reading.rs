//! Reads a corpus on all threads: one thread cuts the work, many do it, one files the results in order.

use crate::Error;
use crate::report::Skip;
use crate::run::Session;
use lookalike_corpus::{Batch, Corpus, Document, Item, Reason, Skipped};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What became of a document, on its way from a worker to whoever files it.
pub enum Outcome<T> {
    Document(T),
    Skipped(Skip),
}

/// Calls `file` with what workers make of each document, in the order of reading. `worker` makes a worker, with buffers of its own.
pub fn read_all<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    session: &Session<'_>,
    corpus: &Corpus,
    worker: impl Fn() -> W + Sync,
    file: impl FnMut(Outcome<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    read_on(rayon::current_num_threads(), session, corpus, worker, file)
}

/// The same with so many workers, outside of any pool: what `file` writes to may belong to this thread.
pub fn read_on<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    workers: usize,
    session: &Session<'_>,
    corpus: &Corpus,
    worker: impl Fn() -> W + Sync,
    mut file: impl FnMut(Outcome<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    let in_flight = workers * 4;
    // a ticket for every batch between the reader and the catalogue: one slow batch cannot pile up the rest
    let (give_ticket, take_ticket) = sync_channel(in_flight);
    (0..in_flight).for_each(|_| give_ticket.send(()).expect("room for all tickets"));
    let (to_workers, from_reader) = sync_channel::<(u64, Box<dyn Batch>)>(in_flight);
    let (to_filing, from_workers) = sync_channel::<(u64, u64, Vec<Outcome<T>>)>(in_flight);
    let from_reader = Mutex::new(from_reader);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || cut(session.cancel, corpus, &take_ticket, &to_workers));
        for _ in 0..workers {
            let (to_filing, from_reader, worker) = (to_filing.clone(), &from_reader, &worker);
            scope.spawn(move || work(corpus, worker, from_reader, &to_filing));
        }
        drop(to_filing);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        // even after an error all results are taken, so that no thread waits for ever
        for (number, bytes, outcomes) in from_workers {
            waiting.insert(number, (bytes, outcomes));
            while let Some((bytes, outcomes)) = waiting.remove(&next) {
                if result.is_ok() {
                    result = outcomes.into_iter().try_for_each(&mut file);
                    if result.is_err() {
                        session.cancel.cancel();
                    }
                }
                session.progress.advance(bytes);
                next += 1;
                let _ = give_ticket.send(());
            }
        }
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        result.and(read)
    })?;
    Ok(session.cancel.check()?)
}

/// The reader's thread: batches in order, each with its number.
fn cut(
    cancel: &crate::Cancel,
    corpus: &Corpus,
    tickets: &Receiver<()>,
    to_workers: &SyncSender<(u64, Box<dyn Batch>)>,
) -> Result<(), Error> {
    let mut reader = corpus.reader();
    let mut number = 0;
    while !cancel.is_cancelled() && tickets.recv().is_ok() {
        let Some(batch) = reader.next() else { break };
        if to_workers.send((number, batch?)).is_err() {
            break;
        }
        number += 1;
    }
    Ok(())
}

fn work<T: Send, W: FnMut(Document<'_>) -> Outcome<T>>(
    corpus: &Corpus,
    make: &impl Fn() -> W,
    batches: &Mutex<Receiver<(u64, Box<dyn Batch>)>>,
    to_filing: &SyncSender<(u64, u64, Vec<Outcome<T>>)>,
) {
    let mut worker = make();
    loop {
        let received = batches.lock().expect("no worker panics with the lock").recv();
        let Ok((number, batch)) = received else { return };
        let bytes = batch.bytes();
        let mut outcomes = Vec::new();
        let mut id = "the first of a batch".to_owned();
        // a panic is a bug of ours; it must cost a batch, not leave the scan waiting for one that never comes
        let read = std::panic::AssertUnwindSafe(|| {
            batch.read(&mut |item| {
                outcomes.push(match item {
                    Item::Document(document) => {
                        document.id.as_ref().clone_into(&mut id);
                        worker(document)
                    }
                    Item::Skipped(skipped) => Outcome::Skipped(skip(corpus, skipped)),
                });
            });
        });
        if std::panic::catch_unwind(read).is_err() {
            worker = make();
            let reason = "internal error in this document or what follows it; please report it".to_owned();
            outcomes.push(Outcome::Skipped(Skip { id, reason, kind: "internal error".into(), damage: true }));
        }
        if to_filing.send((number, bytes, outcomes)).is_err() {
            return;
        }
    }
}

/// What was named and cannot be read is missing as what is damaged is; what lies in a folder may be somebody else's business.
fn skip(corpus: &Corpus, skipped: Skipped) -> Skip {
    let is_missing = matches!(skipped.reason, Reason::Unreadable(_)) && corpus.is_named(&skipped.id);
    let skip = Skip::from(skipped);
    Skip { damage: skip.damage || is_missing, ..skip }
}
