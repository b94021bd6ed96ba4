//! Reads the records of a corpus whose text is to be cut.

use crate::Error;
use lookalike_corpus::{Body, Corpus, Document, Place, ShardFormat};
use lookalike_engine::Error as EngineError;
use lookalike_engine::report::Skip;
use lookalike_engine::run::catalogue::{Catalogue, Entry, encode_body};
use lookalike_engine::run::duplicates::DuplicateGroups;
use lookalike_engine::run::filing::Filing;
use lookalike_engine::run::memory::{ReadCost, read_bytes};
use lookalike_engine::run::origins::OriginCollector;
use lookalike_engine::run::reading::{Outcome, read_all};
use lookalike_engine::run::session::Session;
use lookalike_engine::run::steps;
use lookalike_store::{Error as StoreError, Unit};
use std::borrow::Cow;

/// Bytes that are kept in memory of each document: places, size, source, its cuts.
const MEMORY_PER_DOCUMENT: u64 = 64;

/// The words of the largest text that can be worked on: places of words share a number with the document's.
pub(crate) const MAX_WORDS: u32 = 1 << 31;

/// What is made of the text of each document.
pub(crate) struct TextReader<F> {
    /// Makes a worker: it tells the words of a text and what else is to be known.
    pub(crate) worker: F,
    /// Bytes of memory that this takes for a byte of text at most.
    pub(crate) cost: u64,
}

/// Where a document stands among those of a corpus, for who decides what stays. Documents that must stay come first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    pub(crate) document: u32,
    pub(crate) must_stay: bool,
}

impl Rank {
    /// As a number of 33 bits with the same order.
    pub(crate) fn number(self) -> u64 {
        u64::from(!self.must_stay) << 32 | u64::from(self.document)
    }

    pub(crate) fn of_number(number: u64) -> Self {
        Self { document: number as u32, must_stay: number >> 32 & 1 == 0 }
    }
}

/// A document on its way from a worker to the catalogue.
struct ReadText<T> {
    entry: Entry,
    words: u32,
    made: T,
    body: Option<Vec<u8>>,
    category: Option<String>,
    rank: Option<String>,
}

/// What becomes of a document in a worker.
enum Read<T> {
    Text(Box<ReadText<T>>),
    /// It is no text in a record.
    NoRecord(String),
}

/// The catalogue of a corpus, if its reading is finished.
pub(crate) fn known_catalogue(session: &Session<'_>, corpus: &Corpus) -> Result<Option<Catalogue>, Error> {
    let Some(work) = &session.work else { return Ok(None) };
    Ok(steps::load_read(session, work, corpus)?.map(|(catalogue, _)| catalogue))
}

/// Keeps that reading is finished: everything else that it made is kept before.
pub(crate) fn keep_catalogue(session: &Session<'_>, corpus: &Corpus, catalogue: &Catalogue) -> Result<(), Error> {
    if let Some(work) = &session.work {
        steps::save_read(work, corpus, catalogue, &DuplicateGroups::new(catalogue.len(), Vec::new()))?;
    }
    Ok(())
}

/// Reads all documents; `each` is called with what was made of every one, in order.
pub(crate) fn read_texts<T: Send, W: FnMut(&str) -> (u64, T)>(
    session: &Session<'_>,
    corpus: &Corpus,
    reader: &TextReader<impl Fn() -> W + Sync>,
    mut each: impl FnMut(Rank, T) -> Result<(), StoreError>,
) -> Result<Catalogue, Error> {
    let mut filing = Filing::new(session)?;
    let mut origins = OriginCollector::new(session.options);
    let mut no_record = None;
    let mut cuttable = None;
    let cost = ReadCost {
        most: 3 + reader.cost,
        of: &|document| read_bytes(document) + reader.cost.saturating_mul(document.body.len()),
    };
    let worker = || {
        let mut worker = (reader.worker)();
        move |document: Document<'_>| read_text(document, &mut worker)
    };
    let read = session.phase("read", Unit::Bytes, corpus.total_bytes(), |_| {
        read_all(session, corpus, &cost, worker, |outcome| {
            let text = match outcome {
                Outcome::Skipped(skip) => {
                    filing.skip(skip);
                    return Ok(());
                }
                Outcome::Document(Read::NoRecord(id)) => {
                    no_record = Some(id);
                    return Err(EngineError::Cancelled);
                }
                Outcome::Document(Read::Text(text)) => *text,
            };
            let ReadText { entry, words, made, body, category, rank } = text;
            // neighbours are of the same shard
            let shard = entry.place.record().map(|(shard, _)| shard);
            if cuttable != Some(shard) && shard.is_some_and(|shard| !is_cuttable(corpus, shard)) {
                no_record = Some(entry.id);
                return Err(EngineError::Cancelled);
            }
            cuttable = Some(shard);
            origins.push(corpus, &entry.id, &entry.place, category.as_deref(), rank.as_deref());
            let tie_break = entry.content as u32;
            let document = filing.add(entry, (words, tie_break), &[], body.as_deref())?;
            Ok(each(Rank { document, must_stay: origins.is_last_fixed() }, made)?)
        })
    });
    match (read, no_record) {
        (_, Some(id)) => Err(Error::NotCuttable { id }),
        (Err(error), None) => Err(error.into()),
        (Ok(()), None) => {
            let filed = filing.finish(session, MEMORY_PER_DOCUMENT)?;
            Ok(Catalogue { origins: origins.finish(session.options)?, ..filed })
        }
    }
}

/// Whether records of this shard can be written with another text.
fn is_cuttable(corpus: &Corpus, shard: u32) -> bool {
    let format = corpus.sources().get(shard as usize).and_then(|path| ShardFormat::of_name(path));
    matches!(
        format,
        Some(ShardFormat::Jsonl | ShardFormat::Csv | ShardFormat::Tsv | ShardFormat::Parquet | ShardFormat::Arrow)
    )
}

fn read_text<T>(
    Document { id, body, place, category, rank, .. }: Document<'_>,
    worker: &mut impl FnMut(&str) -> (u64, T),
) -> Outcome<Read<T>> {
    let is_record = matches!(place, Place::Line { .. } | Place::Row { .. } | Place::Stream);
    let Some(text) = (if let Body::Text(text) = &body { Some(text) } else { None }).filter(|_| is_record) else {
        return Outcome::Document(Read::NoRecord(id.into_owned()));
    };
    let (words, made) = worker(text);
    let skip = |reason: &str| Outcome::Skipped(Skip::because(id.clone().into_owned(), reason.into()));
    if words == 0 {
        return skip(if text.is_empty() { "empty" } else { "empty: no words in it" });
    }
    if words >= u64::from(MAX_WORDS) {
        return skip("too many words: at most 2 147 483 647 can be told apart");
    }
    let kept = (!place.is_readable()).then(|| encode_body(&body));
    let (bytes, content) = (body.len(), body.content_id());
    let entry = Entry { id: id.into_owned(), bytes, content, lexical: 0, place, body: None };
    let (category, rank) = (category.map(Cow::into_owned), rank.map(Cow::into_owned));
    Outcome::Document(Read::Text(Box::new(ReadText { entry, words: words as u32, made, body: kept, category, rank })))
}
