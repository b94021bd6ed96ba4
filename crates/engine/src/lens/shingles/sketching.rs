//! Phase one: every document is read once and sketched.

use crate::Error;
use crate::lens::shingles::sketcher::{SketchScratch, Sketched, Sketcher};
use crate::report::Skip;
use crate::report::shingles::Frame;
use crate::run::Session;
use crate::run::catalogue::{Catalogue, Entry, decode_sketch, encode_body, encode_sketch};
use crate::run::duplicates::{DuplicateGroups, WordsKey};
use crate::run::feature_spool::{SpooledFeatures, feature_spool};
use crate::run::filing::Filing;
use crate::run::inputs::Inputs;
use crate::run::memory::{ReadCost, text_bytes};
use crate::run::origins::OriginCollector;
use crate::run::packed_postings::{PackedParts, PackedPostings};
use crate::run::read_log::{KeptDocument, ReadLog, put_bytes, put_text, take_bytes, take_text};
use crate::run::reading::{Filer, Outcome, Unkept, read_files};
use lookalike_corpus::{Corpus, Document, InputFile, KeptFile, Place, hash128, put_varint, take_varint};
use lookalike_store::{ExternalSort, SharedSpool};
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes that are kept in memory of each document: places, size, level, rank.
pub const MEMORY_PER_DOCUMENT: u64 = 72;

/// Bytes of postings that wait in memory for the last document, at most: each is read back once, in long pieces, which takes less time than
/// the memory is worth.
const MAX_POSTINGS_HELD: usize = 96 << 20;

/// A document on its way from a worker to the catalogue.
pub struct SketchedDocument {
    pub id: String,
    pub place: Place,
    pub sketched: Sketched,
    pub body: Option<Vec<u8>>,
    /// Where its body is kept.
    pub body_place: Option<u64>,
    /// What the corpus says of its source and its rank.
    pub category: Option<String>,
    pub rank: Option<String>,
}

impl KeptDocument for SketchedDocument {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { id, place, sketched, body_place, category, rank, .. } = self;
        let Sketched { bytes, content, identity, lexical, words, left_out, shingles, unordered, .. } = *sketched;
        let entry = Entry { id: id.clone(), bytes, content, lexical, place: place.clone(), body: *body_place };
        let mut buffer = Vec::new();
        entry.encode(&mut buffer);
        put_bytes(&buffer, out);
        encode_sketch(&sketched.sketch, &mut buffer);
        put_bytes(&buffer, out);
        put_bytes(&identity.to_le_bytes(), out);
        for number in [u64::from(words), left_out, u64::from(shingles), unordered, u64::from(sketched.too_little)] {
            put_varint(number, out);
        }
        put_text(category.as_deref(), out);
        put_text(rank.as_deref(), out);
    }

    fn decode(mut bytes: &[u8]) -> Option<Self> {
        let from = &mut bytes;
        let Entry { id, bytes, content, lexical, place, body } = Entry::decode(take_bytes(from)?)?;
        let sketch = decode_sketch(take_bytes(from)?);
        let identity = u128::from_le_bytes(take_bytes(from)?.try_into().ok()?);
        let words = u32::try_from(take_varint(from)?).ok()?;
        let left_out = take_varint(from)?;
        let shingles = u32::try_from(take_varint(from)?).ok()?;
        let (unordered, too_little) = (take_varint(from)?, take_varint(from)? == 1);
        let (category, rank) = (take_text(from)?, take_text(from)?);
        let sketched = Sketched {
            bytes,
            content,
            identity,
            lexical,
            words,
            left_out,
            shingles,
            unordered,
            sketch,
            too_little,
            // these were in a spill file
            features: None,
        };
        from.is_empty().then_some(Self { id, place, sketched, body: None, body_place: body, category, rank })
    }

    fn place(&mut self) -> &mut Place {
        &mut self.place
    }
}

/// Reads and sketches a corpus. Where documents will be compared, what cannot be read again is kept.
pub fn sketch_corpus(
    session: &Session<'_>,
    sketcher: &Sketcher,
    corpus: &Corpus,
    keep_bodies: bool,
    collector: &mut SketchCollector,
) -> Result<(), Error> {
    let key = &session.options.key;
    let spool = collector.features.as_ref().map(|(spool, _)| Arc::clone(spool));
    let mut filer = SketchFiler { collector, corpus, key };
    let read = read_sketched(session, sketcher, corpus, (keep_bodies, spool.as_ref()), &mut filer);
    if read.is_err() {
        // a stopped run keeps every file that it has finished; its own error is the one to report
        let _ = collector.save_log();
    }
    read
}

/// Files what is read, and keeps the files that are finished.
struct SketchFiler<'a> {
    collector: &'a mut SketchCollector,
    corpus: &'a Corpus,
    key: &'a str,
}

impl Filer<SketchedDocument> for SketchFiler<'_> {
    fn kept_files(&mut self) -> Option<Vec<KeptFile>> {
        self.collector.log.as_mut().map(ReadLog::kept_files)
    }

    fn file(&mut self, mut outcome: Outcome<SketchedDocument>, is_followed: bool) -> Result<(), Error> {
        if let Outcome::Document(SketchedDocument { sketched, .. }) = &mut outcome {
            sketched.identity = conceal(sketched.content, self.key);
        }
        self.collector.keep(&mut outcome, is_followed)?;
        self.collector.take(self.corpus, outcome)
    }

    fn end(&mut self, file: InputFile) -> Result<(), Error> {
        let SketchCollector { log, filing, .. } = &mut *self.collector;
        log.as_mut().map_or(Ok(()), |log| log.end(self.corpus, file, filing.bodies()))
    }

    fn replay(&mut self, file: &InputFile, inputs: &Inputs<'_>) -> Result<(), Error> {
        let Some(log) = self.collector.log.take() else { return Ok(()) };
        let replayed = log.replay(self.corpus, file, |outcome: Outcome<SketchedDocument>| {
            let outcome = match outcome {
                Outcome::Skipped(skip) => Outcome::Skipped(inputs.skip(skip)),
                Outcome::Document(document) => {
                    inputs.mark_kept(&document.id, &document.place);
                    Outcome::Document(document)
                }
            };
            self.collector.take(self.corpus, outcome)
        });
        self.collector.log = Some(log);
        replayed
    }
}

/// Calls `each` with what becomes of every document, in the order of reading. Features are written to a spool, if there is one.
pub fn for_each_sketched(
    session: &Session<'_>,
    sketcher: &Sketcher,
    corpus: &Corpus,
    (keep_bodies, features): (bool, Option<&Arc<SharedSpool>>),
    each: impl FnMut(Outcome<SketchedDocument>) -> Result<(), Error>,
) -> Result<(), Error> {
    read_sketched(session, sketcher, corpus, (keep_bodies, features), &mut Unkept(each))
}

fn read_sketched(
    session: &Session<'_>,
    sketcher: &Sketcher,
    corpus: &Corpus,
    (keep_bodies, features): (bool, Option<&Arc<SharedSpool>>),
    filer: &mut impl Filer<SketchedDocument>,
) -> Result<(), Error> {
    let worker = || {
        let scratch = sketcher.scratch();
        let mut scratch = match features {
            Some(spool) => scratch.with_features(spool),
            None => scratch,
        };
        move |document: Document<'_>| sketch_document(sketcher, keep_bodies, &mut scratch, document)
    };
    let cost = ReadCost { most: 3, of: &|document| text_bytes(&sketcher.extractor, document) };
    read_files(session, corpus, &cost, worker, filer)
}

/// What tells identical documents of several owners: with a key, nothing that could be found by guessing the content.
pub fn conceal(content: u128, key: &str) -> u128 {
    if key.is_empty() {
        return content;
    }
    let key = blake3::derive_key("lookalike 2026 concealed content ids v1", key.as_bytes());
    hash128(&blake3::keyed_hash(&key, &content.to_le_bytes()))
}

/// Collects what is read.
pub struct SketchCollector {
    filing: Filing,
    /// Keeps what is finished, in a run that can go on.
    log: Option<ReadLog>,
    identities: ExternalSort<WordsKey>,
    /// The features of all documents, if anybody looks for pairs.
    postings: Option<PackedPostings>,
    /// The features of all documents and where they are, if documents are compared.
    features: Option<(Arc<SharedSpool>, Vec<u64>)>,
    buffer: Vec<u8>,
    unsampled: u64,
    frame: Frame,
    min_words: u32,
    origins: OriginCollector,
}

impl SketchCollector {
    pub fn new(session: &Session<'_>, min_words: u32) -> Result<Self, Error> {
        Self::after(session, min_words, None)
    }

    /// For a run that can go on: what a stopped run kept is not read again.
    pub fn after(session: &Session<'_>, min_words: u32, log: Option<ReadLog>) -> Result<Self, Error> {
        let identities = ExternalSort::new(&session.space, "the identities", session.share(8));
        Ok(Self {
            filing: Filing::after(session, log.as_ref())?,
            log,
            identities,
            postings: None,
            features: None,
            buffer: Vec::new(),
            unsampled: 0,
            frame: Frame::default(),
            min_words,
            origins: OriginCollector::new(session.options),
        })
    }

    /// The same for who looks for pairs: postings are collected too.
    #[must_use]
    pub fn with_postings(self, session: &Session<'_>) -> Self {
        // beside documents on their way, their identities, and what is kept of each
        let held = session.share(16).min(MAX_POSTINGS_HELD);
        Self { postings: Some(PackedPostings::new(&session.space, held)), ..self }
    }

    /// The same for who compares documents.
    pub fn with_features(self, session: &Session<'_>) -> Result<Self, Error> {
        let spool = feature_spool(&session.space, session.options.resources.memory)?;
        Ok(Self { features: Some((spool, Vec::new())), ..self })
    }

    /// The postings, if they were collected. No document comes behind this.
    pub fn take_postings(&mut self) -> Result<Option<PackedParts>, Error> {
        self.postings.take().map(PackedPostings::finish).transpose()
    }

    pub fn finish(mut self, session: &Session<'_>) -> Result<(Catalogue, DuplicateGroups), Error> {
        if let Err(error) = self.origins.check(session.options) {
            // with other names the next run goes on from here; its own error is the one to report
            let _ = self.save_log();
            return Err(error);
        }
        let filed = self.filing.finish(session, MEMORY_PER_DOCUMENT)?;
        let origins = self.origins.finish();
        let features = self.features.map(|(spool, places)| SpooledFeatures::new(spool, places)).transpose()?;
        let catalogue = Catalogue { features, unsampled: self.unsampled, frame: self.frame, origins, ..filed };
        let duplicates = DuplicateGroups::find(&catalogue, &session.order, &self.identities.finish()?)?;
        Ok((catalogue, duplicates))
    }

    /// Keeps what is read of a file that is followed. The body of a document then has its place.
    fn keep(&mut self, outcome: &mut Outcome<SketchedDocument>, is_followed: bool) -> Result<(), Error> {
        let Some(log) = self.log.as_mut().filter(|_| is_followed) else { return Ok(()) };
        match outcome {
            Outcome::Skipped(skip) => log.skip(skip),
            Outcome::Document(document) => {
                let body = document.body.take();
                document.body_place = body.map(|body| self.filing.keep_body(&body)).transpose()?;
                log.document(document)
            }
        }
    }

    /// Makes sure that the next run can go on after the file that was finished last.
    fn save_log(&mut self) -> Result<(), Error> {
        let Self { log, filing, .. } = self;
        log.as_mut().map_or(Ok(()), |log| log.save(filing.bodies()))
    }

    pub fn take(&mut self, corpus: &Corpus, outcome: Outcome<SketchedDocument>) -> Result<(), Error> {
        let SketchedDocument { id, place, sketched, body, body_place, category, rank } = match outcome {
            Outcome::Document(document) => document,
            Outcome::Skipped(skip) => {
                self.filing.skip(skip);
                return Ok(());
            }
        };
        if let Some(skip) = sketched.too_little(&id, self.min_words) {
            self.filing.skip(skip);
        }
        let Sketched { bytes, content, lexical, shingles, ref sketch, too_little, .. } = sketched;
        encode_sketch(sketch, &mut self.buffer);
        self.unsampled += u64::from(sketch.features.is_empty() && !too_little);
        self.frame.pages += u64::from(sketched.left_out > 0);
        self.frame.bytes += sketched.left_out;
        self.origins.push(corpus, &id, &place, category.as_deref(), rank.as_deref());
        let entry = Entry { id, bytes, content, lexical, place, body: body_place };
        let document = self.filing.add(entry, (shingles, sketched.identity as u32), &self.buffer, body.as_deref())?;
        if let Some((_, places)) = &mut self.features {
            places.push(sketched.features.unwrap_or(SpooledFeatures::NO_PLACE));
        }
        if let Some(postings) = &mut self.postings {
            sketch.features.iter().try_for_each(|feature| postings.push(*feature, document))?;
        }
        let key = WordsKey {
            shingles: sketched.unordered,
            lexical: [(lexical >> 64) as u64, lexical as u64],
            content: (sketched.identity >> 64) as u64,
            document: u64::from(document),
        };
        Ok(self.identities.push(key)?)
    }
}

fn sketch_document(
    sketcher: &Sketcher,
    keep_bodies: bool,
    scratch: &mut SketchScratch,
    Document { id, body, place, category, rank, .. }: Document<'_>,
) -> Outcome<SketchedDocument> {
    match sketcher.sketch(&id, &body, scratch) {
        Ok(sketched) => {
            let body = (keep_bodies && !place.is_readable()).then(|| encode_body(&body));
            let (category, rank) = (category.map(Cow::into_owned), rank.map(Cow::into_owned));
            let id = id.into_owned();
            Outcome::Document(SketchedDocument { id, place, sketched, body, body_place: None, category, rank })
        }
        Err(reason) => Outcome::Skipped(Skip::because(id.into_owned(), reason)),
    }
}
