//! The first phase: every document is read once, and its text taken out once, for all lenses.

use crate::Error;
use crate::compare::{CloseScratch, KnownWords, MAX_DETAILED_BYTES, PairComparer};
use crate::lens::simhash::reading::Fingerprints;
use crate::report::Skip;
use crate::run::Session;
use crate::run::catalogue::{Entry, encode_body};
use crate::run::duplicates::{ContentKey, DuplicateGroups};
use crate::run::filing::Filing;
use crate::run::memory::ReadCost;
use crate::run::parsers::TOO_MUCH_MEMORY;
use crate::run::reading::{Outcome, read_all};
use crate::run::scan::ReadDocuments;
use bytemuck::{Pod, Zeroable};
use lookalike_core::lens::Lens;
use lookalike_corpus::{Body, Corpus, Document};
use lookalike_extract::Format;
use lookalike_store::{ExternalSort, Records};
use std::borrow::Cow;

/// A document has a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct FeaturePosting {
    pub feature: u64,
    pub document: u32,
    /// Of a chunk its bytes; else 0.
    pub length: u16,
    /// The lens, by its place in [`Lens::ALL`].
    pub lens: u16,
}

/// What reading leaves beside the catalogue, in which the size of a document is its words: 0 if it has no text.
pub struct AllFeatures {
    /// By feature, then by document.
    pub postings: Records<FeaturePosting>,
    pub fingerprints: Fingerprints<u64>,
    /// By document.
    pub bytes: Vec<u32>,
}

/// A document on its way to the catalogue.
struct ReadDocument {
    entry: Entry,
    words: u32,
    fingerprint: u64,
    /// Feature, length, lens.
    features: Vec<(u64, u16, Lens)>,
    body: Option<Vec<u8>>,
    /// Why its text was not read, where more memory would have helped: only its bytes are compared.
    unread: Option<String>,
}

/// Bytes that are kept in memory of each document: places, size, fingerprint, rank.
const MEMORY_PER_DOCUMENT: u64 = 112;
/// Bytes of memory that a byte of a document takes at most while it is read: most bytes of code may be tokens.
const MEMORY_PER_BYTE: u64 = 48;
/// The same of a document that is too large to be looked at closely.
const MEMORY_PER_LARGE_BYTE: u64 = 8;

pub(super) fn read(
    session: &Session<'_>,
    corpus: &Corpus,
    comparer: &PairComparer,
) -> Result<ReadDocuments<AllFeatures>, Error> {
    let mut filing = Filing::new(session)?;
    let mut contents = ExternalSort::new(&session.space, "the identities", session.share(8));
    let mut postings = ExternalSort::new(&session.space, "the features", session.share(4));
    let (mut fingerprints, mut bytes) = (Vec::new(), Vec::new());
    let of = |document: &Document<'_>| {
        let length = document.body.len();
        let per_byte = if length <= MAX_DETAILED_BYTES { MEMORY_PER_BYTE } else { MEMORY_PER_LARGE_BYTE };
        length * per_byte + comparer.extractor.memory(&document.id, &document.body)
    };
    let cost = ReadCost { most: MEMORY_PER_BYTE, of: &of };
    let worker = || {
        let mut reader = Reader {
            comparer,
            text: String::new(),
            sketch: comparer.sketcher.scratch(),
            close: CloseScratch::default(),
        };
        move |document: Document<'_>| reader.read(document)
    };
    read_all(session, corpus, &cost, worker, |outcome| {
        let ReadDocument { entry, words, fingerprint, features, body, unread } = match outcome {
            Outcome::Document(document) => document,
            Outcome::Skipped(skip) => {
                filing.skip(skip);
                return Ok(());
            }
        };
        if (1..comparer.min_words()).contains(&words) {
            filing.skip(Skip::too_little(&entry.id, words, comparer.min_words()));
        }
        if let Some(reason) = unread {
            filing.skip(Skip::because(entry.id.clone(), reason));
        }
        let content = entry.content;
        bytes.push(u32::try_from(entry.bytes).unwrap_or(u32::MAX));
        let document = filing.add(entry, (words, content as u32), &[], body.as_deref())?;
        fingerprints.push(fingerprint);
        for (feature, length, lens) in features {
            postings.push(FeaturePosting { feature, document, length, lens: lens as u16 })?;
        }
        Ok(contents.push(ContentKey::new(content, document))?)
    })?;
    let catalogue = filing.finish(session, MEMORY_PER_DOCUMENT)?;
    let duplicates = DuplicateGroups::find(&catalogue, &session.order, &contents.finish()?)?;
    let categories = vec![0; fingerprints.len()];
    let fingerprints = Fingerprints { read: fingerprints.len(), fingerprints, categories, empty: 0 };
    let features = AllFeatures { postings: postings.finish()?, fingerprints, bytes };
    Ok(ReadDocuments { catalogue, duplicates, features })
}

/// Reads documents on one thread.
struct Reader<'a> {
    comparer: &'a PairComparer,
    text: String,
    sketch: crate::lens::shingles::sketcher::SketchScratch,
    close: CloseScratch,
}

impl Reader<'_> {
    fn read(&mut self, Document { id, body, place, .. }: Document<'_>) -> Outcome<ReadDocument> {
        let id = id.into_owned();
        let Some(bytes) = body.as_bytes().filter(|bytes| !bytes.is_empty()) else {
            let reason =
                if body.as_bytes().is_some() { "empty" } else { "features: only the shingles lens takes them" };
            return Outcome::Skipped(Skip::because(id, reason.into()));
        };
        let mut features = Vec::new();
        for (hash, length) in self.comparer.chunks.lengths(bytes) {
            features.push((hash as u64, u16::try_from(length).unwrap_or(u16::MAX), Lens::Chunks));
        }
        let (mut text, mut unread) = (std::mem::take(&mut self.text), None);
        let KnownWords { count: words, lexical, fingerprint } =
            match self.comparer.extractor.text(&id, &body, &mut text) {
                Ok(visible) => self.words(&id, &body, (visible.text, visible.format), &mut features),
                Err(reason) => {
                    unread = Some(reason).filter(|reason| reason.starts_with(TOO_MUCH_MEMORY));
                    KnownWords::default()
                }
            };
        self.text = text;
        // what a document has twice is one feature of it
        features.sort_unstable();
        features.dedup_by_key(|feature| feature.0);
        let (bytes, content) = (body.len(), body.content_id());
        let body = (!place.is_readable()).then(|| encode_body(&body));
        let entry = Entry { id, bytes, content, lexical, place, body: None };
        Outcome::Document(ReadDocument { entry, words, fingerprint, features, body, unread })
    }

    /// The features of a text, and what is known of its words.
    fn words(
        &mut self,
        id: &str,
        body: &Body<'_>,
        (text, format): (&str, Format),
        features: &mut Vec<(u64, u16, Lens)>,
    ) -> KnownWords {
        let Self { comparer, sketch, close, .. } = self;
        let Ok(sketched) = comparer.sketcher.sketch(id, &Body::Text(Cow::Borrowed(text)), sketch) else {
            return KnownWords::default();
        };
        let known = KnownWords { count: sketched.words, lexical: sketched.lexical, fingerprint: 0 };
        features.extend(sketched.sketch.features.iter().map(|feature| (*feature, 0, Lens::Shingles)));
        if body.len() > MAX_DETAILED_BYTES {
            return known;
        }
        let each = |fingerprint| features.push((fingerprint, 0, Lens::Passages));
        let fingerprint = comparer.close.fingerprints(id, body, (text, format), close, each);
        // without a fingerprint there are too few words for the lens
        fingerprint.map_or_else(|_| KnownWords::default(), |fingerprint| KnownWords { fingerprint, ..known })
    }
}
