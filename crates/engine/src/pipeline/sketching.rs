//! Phase one: every document is read once and sketched. One thread cuts the work, many do it, one files the results in order.

use super::catalogue::{Catalogue, Entry, encode_body, encode_sketch};
use super::equivalents::{Equivalents, Identity};
use super::{Session, equivalents};
use crate::Error;
use crate::front::{FrontEnd, Sketched};
use crate::report::Skip;
use lookalike_core::fingerprint::Fingerprinter;
use lookalike_corpus::{Batch, Corpus, Document, Item, Place};
use lookalike_store::{ExternalSort, Spool};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What the first phase leaves.
pub(crate) struct SketchPhase {
    pub(crate) catalogue: Catalogue,
    pub(crate) equivalents: Equivalents,
}

/// A document or a skip, on its way from a worker to the catalogue.
enum Outcome {
    Sketched { id: String, place: Place, sketched: Sketched, body: Option<Vec<u8>> },
    Skipped(Skip),
}

impl Outcome {
    fn id(&self) -> &str {
        match self {
            Self::Sketched { id, .. } => id,
            Self::Skipped(skip) => &skip.id,
        }
    }
}

pub(crate) fn sketch_all(session: &Session<'_>, corpus: &Corpus) -> Result<SketchPhase, Error> {
    let mut filing = Filing::new(session)?;
    let workers = rayon::current_num_threads();
    let in_flight = workers * 4;
    // a ticket for every batch between the reader and the catalogue: one slow batch cannot pile up the rest
    let (give_ticket, take_ticket) = sync_channel(in_flight);
    (0..in_flight).for_each(|_| give_ticket.send(()).expect("room for all tickets"));
    let (to_workers, from_reader) = sync_channel::<(u64, Box<dyn Batch>)>(in_flight);
    let (to_filing, from_workers) = sync_channel::<(u64, u64, Vec<Outcome>)>(in_flight);
    let from_reader = Mutex::new(from_reader);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || cut(session.cancel, corpus, &take_ticket, &to_workers));
        for _ in 0..workers {
            let (to_filing, from_reader) = (to_filing.clone(), &from_reader);
            let (front, keep_bodies) = (&session.front, !session.options.estimate);
            scope.spawn(move || work(front, keep_bodies, from_reader, &to_filing));
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
                    result = outcomes.into_iter().try_for_each(|outcome| filing.file(outcome));
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
    session.cancel.check()?;
    let (catalogue, identities) = filing.finish()?;
    let equivalents = equivalents::find(&catalogue, &identities.finish()?)?;
    Ok(SketchPhase { catalogue, equivalents })
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

fn work(
    front: &FrontEnd,
    keep_bodies: bool,
    batches: &Mutex<Receiver<(u64, Box<dyn Batch>)>>,
    to_filing: &SyncSender<(u64, u64, Vec<Outcome>)>,
) {
    let mut scratch = front.scratch();
    loop {
        let received = batches.lock().expect("no worker panics with the lock").recv();
        let Ok((number, batch)) = received else { return };
        let bytes = batch.bytes();
        let mut outcomes = Vec::new();
        // a panic is a bug of ours; it must cost a batch, not leave the scan waiting for one that never comes
        let read = std::panic::AssertUnwindSafe(|| {
            batch.read(&mut |item| outcomes.push(sketch_item(front, keep_bodies, &mut scratch, item)));
        });
        if std::panic::catch_unwind(read).is_err() {
            scratch = front.scratch();
            let reason = "internal error in what follows this document; please report it".to_owned();
            let id = outcomes.last().map_or("the first of a batch", Outcome::id).to_owned();
            outcomes.push(Outcome::Skipped(Skip { id, reason, kind: "internal error".into(), damage: true }));
        }
        if to_filing.send((number, bytes, outcomes)).is_err() {
            return;
        }
    }
}

fn sketch_item(front: &FrontEnd, keep_bodies: bool, scratch: &mut crate::front::Scratch, item: Item<'_>) -> Outcome {
    let Document { id, body, place } = match item {
        Item::Document(document) => document,
        Item::Skipped(skipped) => return Outcome::Skipped(skipped.into()),
    };
    match front.sketch(&id, &body, scratch) {
        Ok(sketched) => {
            let body = (keep_bodies && place == Place::Stream).then(|| encode_body(&body));
            Outcome::Sketched { id: id.into_owned(), place, sketched, body }
        }
        Err(reason) => {
            let kind = reason.split([':', '(']).next().unwrap_or_default().trim().to_owned();
            Outcome::Skipped(Skip { id: id.into_owned(), reason, kind, damage: false })
        }
    }
}

/// Files outcomes into spools, in the order of reading.
struct Filing {
    entries: Spool,
    entry_places: Vec<u64>,
    sketches: Spool,
    sketch_places: Vec<u64>,
    bodies: Spool,
    sizes: Vec<u32>,
    salts: Vec<u32>,
    bytes: u64,
    unsampled: u64,
    skipped: Vec<Skip>,
    identities: ExternalSort<Identity>,
    /// Hashes of all ids, to notice those that occur twice.
    ids: ExternalSort<u64>,
    hash: Fingerprinter,
    buffer: Vec<u8>,
}

impl Filing {
    fn new(session: &Session<'_>) -> Result<Self, Error> {
        Ok(Self {
            entries: Spool::spill(&session.space, "the catalogue")?,
            entry_places: Vec::new(),
            sketches: Spool::spill(&session.space, "the sketches")?,
            sketch_places: Vec::new(),
            bodies: Spool::spill(&session.space, "the documents")?,
            sizes: Vec::new(),
            salts: Vec::new(),
            bytes: 0,
            unsampled: 0,
            skipped: Vec::new(),
            identities: ExternalSort::new(&session.space, "the identities", session.share(8)),
            ids: ExternalSort::new(&session.space, "the ids", session.share(32)),
            hash: Fingerprinter::default(),
            buffer: Vec::new(),
        })
    }

    fn file(&mut self, outcome: Outcome) -> Result<(), Error> {
        let (id, place, sketched, body) = match outcome {
            Outcome::Skipped(skip) => {
                self.skipped.push(skip);
                return Ok(());
            }
            Outcome::Sketched { id, place, sketched, body } => (id, place, sketched, body),
        };
        let document = self.sizes.len();
        if document >= u32::MAX as usize - 1 {
            return Err(Error::Options("more than 4,294,967,294 documents: scan them in parts".into()));
        }
        self.ids.push(self.hash.word(id.as_bytes()))?;
        let body = body.map(|body| self.bodies.append(&body)).transpose()?;
        self.identities.push(Identity::new(&sketched, document as u32))?;
        let Sketched { bytes, content, lexical, shingles, sketch, .. } = sketched;
        Entry { id, bytes, content, lexical, place, body }.encode(&mut self.buffer);
        self.entry_places.push(self.entries.append(&self.buffer)?);
        encode_sketch(&sketch, &mut self.buffer);
        self.sketch_places.push(self.sketches.append(&self.buffer)?);
        self.sizes.push(shingles);
        self.salts.push(content as u32);
        self.bytes += bytes;
        self.unsampled += u64::from(sketch.features.is_empty());
        Ok(())
    }

    fn finish(self) -> Result<(Catalogue, ExternalSort<Identity>), Error> {
        let bodies = self.bodies.finish()?;
        let (mut repeated_ids, mut last) = (0, None);
        for id in self.ids.finish()?.iter() {
            let id = id?;
            repeated_ids += u64::from(last == Some(id));
            last = Some(id);
        }
        let catalogue = Catalogue {
            entries: self.entries.finish()?,
            entry_places: self.entry_places,
            sketches: self.sketches.finish()?,
            sketch_places: self.sketch_places,
            bodies: (!bodies.is_empty()).then_some(bodies),
            sizes: self.sizes,
            salts: self.salts,
            bytes: self.bytes,
            repeated_ids,
            unsampled: self.unsampled,
            skipped: self.skipped,
        };
        Ok((catalogue, self.identities))
    }
}
