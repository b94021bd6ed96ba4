//! The first phase: every document is read once and becomes a fingerprint.

use crate::Error;
use crate::lens::shingles::sketching::conceal;
use crate::lens::simhash::fingerprinter::{FingerprintScratch, Fingerprinter};
use crate::report::Skip;
use crate::run::Session;
use crate::run::catalogue::Entry;
use crate::run::catalogue::encode_body;
use crate::run::duplicates::ContentKey;
use crate::run::duplicates::DuplicateGroups;
use crate::run::filing::Filing;
use crate::run::memory::{ReadCost, read_bytes};
use crate::run::reading::{Outcome, read_all};
use crate::run::scan::ReadDocuments;
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::{Corpus, Document, hash128};
use lookalike_store::ExternalSort;

/// The fingerprints of documents. In the catalogue the size of a document is its words, and it has no sketch.
pub struct Fingerprints<F> {
    /// By document.
    pub fingerprints: Vec<F>,
    /// By document: a hash of its category; 0 for all that have none.
    pub categories: Vec<u64>,
    /// Documents that were read. Those after them come from exchange files, and have in place of their content id what conceals it.
    pub read: usize,
    /// Documents without a word that counts.
    pub empty: u64,
}

/// Bytes that are kept in memory of each document: places, size, fingerprint, category, node.
const MEMORY_PER_DOCUMENT: u64 = 96;
/// The kind of a skip: nothing in it.
const EMPTY: &str = "empty";

/// A document on its way to the catalogue.
pub struct FingerprintedDocument<F> {
    pub entry: Entry,
    pub words: u32,
    pub fingerprint: F,
    pub category: u64,
    pub body: Option<Vec<u8>>,
}

/// Collects what is read. What has fewer words is listed: it has too little text.
pub struct FingerprintCollector<F> {
    filing: Filing,
    contents: ExternalSort<ContentKey>,
    features: Fingerprints<F>,
    min_words: u32,
}

impl<F: FingerprintBits> FingerprintCollector<F> {
    pub fn new(session: &Session<'_>, min_words: u32) -> Result<Self, Error> {
        let contents = ExternalSort::new(&session.space, "the identities", session.share(8));
        let features = Fingerprints { fingerprints: Vec::new(), categories: Vec::new(), read: 0, empty: 0 };
        Ok(Self { filing: Filing::new(session)?, contents, features, min_words })
    }

    /// Takes a document; what conceals its content id, or the content id itself, tells identical ones.
    fn file(&mut self, document: FingerprintedDocument<F>, identity: u128) -> Result<(), Error> {
        let FingerprintedDocument { entry, words, fingerprint, category, body } = document;
        if words < self.min_words {
            self.filing.skip(Skip::too_little(&entry.id, words, self.min_words));
        }
        let document = self.filing.add(entry, (words, identity as u32), &[], body.as_deref())?;
        self.features.fingerprints.push(fingerprint);
        self.features.categories.push(category);
        Ok(self.contents.push(ContentKey::new(of_category(identity, category), document))?)
    }

    /// Takes a document of an exchange file, whose content id is concealed already.
    pub fn take_exchanged(&mut self, document: FingerprintedDocument<F>) -> Result<(), Error> {
        let identity = document.entry.content;
        self.file(document, identity)
    }

    /// Documents without a word that were counted elsewhere.
    pub fn take_empty(&mut self, empty: u64) {
        self.features.empty = self.features.empty.saturating_add(empty);
    }

    pub fn finish(self, session: &Session<'_>) -> Result<ReadDocuments<Fingerprints<F>>, Error> {
        let catalogue = self.filing.finish(session, MEMORY_PER_DOCUMENT)?;
        let duplicates = DuplicateGroups::find(&catalogue, &session.order, &self.contents.finish()?)?;
        Ok(ReadDocuments { catalogue, duplicates, features: self.features })
    }
}

/// Reads everything. Bodies that cannot be read again are kept if they are needed later.
pub fn read<F: FingerprintBits>(
    session: &Session<'_>,
    corpus: &Corpus,
    fingerprinter: &Fingerprinter,
    keep_bodies: bool,
    collector: &mut FingerprintCollector<F>,
) -> Result<(), Error> {
    let worker = || {
        let mut scratch = FingerprintScratch::<F>::default();
        move |document: Document<'_>| make(fingerprinter, keep_bodies, &mut scratch, document)
    };
    let of = |document: &Document<'_>| read_bytes(document) + fingerprinter.memory(&document.id, &document.body);
    let cost = ReadCost { most: fingerprinter.most_memory(), of: &of };
    let key = &session.options.key;
    read_all(session, corpus, &cost, worker, |outcome| match outcome {
        Outcome::Document(document) => {
            collector.features.read += 1;
            let identity = conceal(document.entry.content, key);
            collector.file(document, identity)
        }
        Outcome::Skipped(skip) => {
            collector.take_empty(u64::from(skip.kind == EMPTY));
            collector.filing.skip(skip);
            Ok(())
        }
    })
}

fn make<F: FingerprintBits>(
    fingerprinter: &Fingerprinter,
    keep_bodies: bool,
    scratch: &mut FingerprintScratch<F>,
    Document { id, category, body, place, .. }: Document<'_>,
) -> Outcome<FingerprintedDocument<F>> {
    let id = id.into_owned();
    match fingerprinter.fingerprint(&id, &body, scratch) {
        Ok(fingerprint) => {
            let (bytes, content) = (body.len(), body.content_id());
            let body = (keep_bodies && !place.is_readable()).then(|| encode_body(&body));
            let category = category.map_or(0, |category| hash(category.as_bytes()));
            let entry = Entry { id, bytes, content, lexical: 0, place, body: None };
            let words = scratch.words();
            Outcome::Document(FingerprintedDocument { entry, words, fingerprint, category, body })
        }
        Err(reason) => Outcome::Skipped(Skip::because(id, reason)),
    }
}

/// What tells a category from others; never 0.
fn hash(category: &[u8]) -> u64 {
    (hash128(&blake3::hash(category)) as u64).max(1)
}

/// What identical documents of one category have in common.
fn of_category(content: u128, category: u64) -> u128 {
    if category == 0 {
        return content;
    }
    hash128(&blake3::Hasher::new().update(&content.to_le_bytes()).update(&category.to_le_bytes()).finalize())
}
