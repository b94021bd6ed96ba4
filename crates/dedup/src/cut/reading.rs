//! Reads the records of a corpus whose text is to be cut.

use crate::Error;
use lookalike_corpus::{Body, Corpus, Document, InputFile, KeptFile, Place, ShardFormat, put_varint, take_varint};
use lookalike_engine::Error as EngineError;
use lookalike_engine::report::Skip;
use lookalike_engine::run::catalogue::{Catalogue, Entry, encode_body};
use lookalike_engine::run::duplicates::DuplicateGroups;
use lookalike_engine::run::filing::Filing;
use lookalike_engine::run::inputs::Inputs;
use lookalike_engine::run::memory::{ReadCost, read_bytes};
use lookalike_engine::run::origins::OriginCollector;
use lookalike_engine::run::read_log::{KeptDocument, ReadLog, put_bytes, put_text, take_bytes, take_text};
use lookalike_engine::run::reading::{Filer, Outcome, read_files};
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
    /// Makes a worker, which counts the words of a text and makes its pieces or fingerprints.
    pub(crate) worker: F,
    /// Bytes of memory that this takes for a byte of text at most.
    pub(crate) cost: u64,
}

/// The rank of a document in a corpus. Documents that must stay rank first.
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

/// Reads all documents; `each` is called with what was made of every one, in order. In a folder, files that are finished are kept.
pub(crate) fn read_texts<T: KeptText + Send, W: FnMut(&str) -> (u64, T)>(
    session: &Session<'_>,
    corpus: &Corpus,
    reader: &TextReader<impl Fn() -> W + Sync>,
    each: impl FnMut(Rank, T) -> Result<(), StoreError>,
) -> Result<Catalogue, Error> {
    let cost = ReadCost {
        most: 3 + reader.cost,
        of: &|document| read_bytes(document) + reader.cost.saturating_mul(document.body.len()),
    };
    let worker = || {
        let mut worker = (reader.worker)();
        move |document: Document<'_>| read_text(document, &mut worker)
    };
    let log = ReadLog::open(session)?;
    let filing = Filing::after(session, log.as_ref())?;
    let origins = OriginCollector::new(session.options);
    let mut filer = TextFiler { corpus, log, filing, origins, each, no_record: None, cuttable: None };
    let read = session
        .phase("read", Unit::Bytes, corpus.total_bytes(), |_| read_files(session, corpus, &cost, worker, &mut filer));
    let TextFiler { mut log, mut filing, origins, no_record, .. } = filer;
    match (read, no_record) {
        (_, Some(id)) => Err(Error::NotCuttable { id }),
        (Err(error), None) => {
            // a stopped run keeps every file that it has finished; its own error is the one to report
            let _ = log.as_mut().map(|log| log.save(filing.bodies()));
            Err(error.into())
        }
        (Ok(()), None) => {
            let filed = filing.finish(session, MEMORY_PER_DOCUMENT)?;
            origins.check(session.options)?;
            Ok(Catalogue { origins: origins.finish(), ..filed })
        }
    }
}

/// Files texts, and keeps the files that are finished.
struct TextFiler<'a, F> {
    corpus: &'a Corpus,
    log: Option<ReadLog>,
    filing: Filing,
    origins: OriginCollector,
    each: F,
    /// A document that is no record with a text.
    no_record: Option<String>,
    /// The shard of the last document, which can be cut; none before the first document.
    #[expect(clippy::option_option, reason = "the inner one is the shard, which single files do not have")]
    cuttable: Option<Option<u32>>,
}

impl<F> TextFiler<'_, F> {
    fn take<T>(&mut self, outcome: Outcome<ReadText<T>>) -> Result<(), EngineError>
    where
        F: FnMut(Rank, T) -> Result<(), StoreError>,
    {
        let text = match outcome {
            Outcome::Skipped(skip) => {
                self.filing.skip(skip);
                return Ok(());
            }
            Outcome::Document(text) => text,
        };
        let ReadText { entry, words, made, body, category, rank } = text;
        // neighbours are of the same shard
        let shard = entry.place.record().map(|(shard, _)| shard);
        if self.cuttable != Some(shard) && shard.is_some_and(|shard| !is_cuttable(self.corpus, shard)) {
            self.no_record = Some(entry.id);
            return Err(EngineError::Cancelled);
        }
        self.cuttable = Some(shard);
        self.origins.push(self.corpus, &entry.id, &entry.place, category.as_deref(), rank.as_deref());
        let tie_break = entry.content as u32;
        let document = self.filing.add(entry, (words, tie_break), &[], body.as_deref())?;
        Ok((self.each)(Rank { document, must_stay: self.origins.is_last_fixed() }, made)?)
    }
}

impl<T: KeptText, F: FnMut(Rank, T) -> Result<(), StoreError>> Filer<Read<T>> for TextFiler<'_, F> {
    fn kept_files(&mut self) -> Option<Vec<KeptFile>> {
        self.log.as_mut().map(ReadLog::kept_files)
    }

    fn file(&mut self, outcome: Outcome<Read<T>>, is_followed: bool) -> Result<(), EngineError> {
        let mut outcome = match outcome {
            Outcome::Skipped(skip) => Outcome::Skipped(skip),
            Outcome::Document(Read::Text(text)) => Outcome::Document(*text),
            Outcome::Document(Read::NoRecord(id)) => {
                self.no_record = Some(id);
                return Err(EngineError::Cancelled);
            }
        };
        if let Some(log) = self.log.as_mut().filter(|_| is_followed) {
            match &mut outcome {
                Outcome::Skipped(skip) => log.skip(skip)?,
                Outcome::Document(text) => {
                    if let Some(body) = text.body.take() {
                        text.entry.body = Some(self.filing.keep_body(&body)?);
                    }
                    log.document(text)?;
                }
            }
        }
        self.take(outcome)
    }

    fn end(&mut self, file: InputFile) -> Result<(), EngineError> {
        self.log.as_mut().map_or(Ok(()), |log| log.end(self.corpus, file, self.filing.bodies()))
    }

    fn replay(&mut self, file: &InputFile, inputs: &Inputs<'_>) -> Result<(), EngineError> {
        let Some(log) = self.log.take() else { return Ok(()) };
        let replayed = log.replay(self.corpus, file, |outcome: Outcome<ReadText<T>>| {
            let outcome = match outcome {
                Outcome::Skipped(skip) => Outcome::Skipped(inputs.skip(skip)),
                Outcome::Document(text) => {
                    inputs.mark_kept(&text.entry.id, &text.entry.place);
                    Outcome::Document(text)
                }
            };
            self.take(outcome)
        });
        self.log = Some(log);
        replayed
    }
}

/// What is made of a text, as bytes.
pub(crate) trait KeptText: Sized {
    /// Appends it.
    fn encode(&self, out: &mut Vec<u8>);
    /// Takes it from the beginning of these bytes.
    fn decode(from: &mut &[u8]) -> Option<Self>;
}

impl<T: KeptText> KeptDocument for ReadText<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        let mut entry = Vec::new();
        self.entry.encode(&mut entry);
        put_bytes(&entry, out);
        put_varint(u64::from(self.words), out);
        put_text(self.category.as_deref(), out);
        put_text(self.rank.as_deref(), out);
        self.made.encode(out);
    }

    fn decode(mut bytes: &[u8]) -> Option<Self> {
        let from = &mut bytes;
        let entry = Entry::decode(take_bytes(from)?)?;
        let words = u32::try_from(take_varint(from)?).ok()?;
        let (category, rank) = (take_text(from)?, take_text(from)?);
        let made = T::decode(from)?;
        from.is_empty().then_some(Self { entry, words, made, body: None, category, rank })
    }

    fn place(&mut self) -> &mut Place {
        &mut self.entry.place
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
