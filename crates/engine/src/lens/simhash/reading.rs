//! The first phase: every document is read once and becomes a fingerprint.

use crate::Error;
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
}

/// Bytes that are kept in memory of each document: places, size, fingerprint, category, node.
const MEMORY_PER_DOCUMENT: u64 = 96;

/// A document on its way to the catalogue.
struct FingerprintedDocument<F> {
    entry: Entry,
    words: u32,
    fingerprint: F,
    category: u64,
    body: Option<Vec<u8>>,
}

/// Reads everything. Bodies that cannot be read again are kept if they are needed later. What has fewer words is listed: it has too
/// little text.
pub fn read<F: FingerprintBits>(
    session: &Session<'_>,
    corpus: &Corpus,
    fingerprinter: &Fingerprinter,
    keep_bodies: bool,
    min_words: u32,
) -> Result<ReadDocuments<Fingerprints<F>>, Error> {
    let mut filing = Filing::new(session)?;
    let mut contents = ExternalSort::new(&session.space, "the identities", session.share(8));
    let (mut fingerprints, mut categories) = (Vec::new(), Vec::new());
    let worker = || {
        let mut scratch = FingerprintScratch::<F>::default();
        move |document: Document<'_>| make(fingerprinter, keep_bodies, &mut scratch, document)
    };
    let of = |document: &Document<'_>| read_bytes(document) + fingerprinter.memory(&document.id, &document.body);
    let cost = ReadCost { most: fingerprinter.most_memory(), of: &of };
    read_all(session, corpus, &cost, worker, |outcome| {
        let FingerprintedDocument { entry, words, fingerprint, category, body } = match outcome {
            Outcome::Document(document) => document,
            Outcome::Skipped(skip) => {
                filing.skip(skip);
                return Ok(());
            }
        };
        let content = entry.content;
        if words < min_words {
            filing.skip(Skip::too_little(&entry.id, words, min_words));
        }
        let document = filing.add(entry, (words, content as u32), &[], body.as_deref())?;
        fingerprints.push(fingerprint);
        categories.push(category);
        Ok(contents.push(ContentKey::new(of_category(content, category), document))?)
    })?;
    let catalogue = filing.finish(session, MEMORY_PER_DOCUMENT)?;
    let duplicates = DuplicateGroups::find(&catalogue, &session.order, &contents.finish()?)?;
    Ok(ReadDocuments { catalogue, duplicates, features: Fingerprints { fingerprints, categories } })
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
