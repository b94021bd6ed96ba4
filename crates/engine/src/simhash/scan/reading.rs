//! The first phase: every document is read once and becomes a fingerprint.

use crate::Error;
use crate::pipeline::Session;
use crate::pipeline::catalogue::{Catalogue, Entry, encode_body};
use crate::pipeline::equivalents::Equivalents;
use crate::pipeline::filing::Filing;
use crate::pipeline::identical::{Content, identical};
use crate::pipeline::reading::{Outcome, read_all};
use crate::report::Skip;
use crate::simhash::front::{Front, Scratch};
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::{Corpus, Document, Item, Place, hash128};
use lookalike_store::ExternalSort;

/// What the first phase leaves: the size of a document in the catalogue is its words, and it has no sketch.
pub(super) struct Documents<F> {
    pub(super) catalogue: Catalogue,
    /// Identical documents of the same category.
    pub(super) equivalents: Equivalents,
    /// The fingerprint of each document.
    pub(super) fingerprints: Vec<F>,
    /// A hash of its category; 0 for all that have none.
    pub(super) categories: Vec<u64>,
}

/// A document on its way to the catalogue.
enum Read<F> {
    Made { entry: Entry, words: u32, fingerprint: F, category: u64, body: Option<Vec<u8>> },
    Skipped(Skip),
}

impl<F: Send> Outcome for Read<F> {
    fn id(&self) -> &str {
        match self {
            Self::Made { entry, .. } => &entry.id,
            Self::Skipped(skip) => &skip.id,
        }
    }

    fn skipped(skip: Skip) -> Self {
        Self::Skipped(skip)
    }
}

/// Reads everything.
pub(super) fn read<F: FingerprintBits>(
    session: &Session<'_>,
    corpus: &Corpus,
    front: &Front,
) -> Result<Documents<F>, Error> {
    let mut filing = Filing::new(session)?;
    let mut contents = ExternalSort::new(&session.space, "the identities", session.share(8));
    let (mut fingerprints, mut categories) = (Vec::new(), Vec::new());
    let worker = || {
        let mut scratch = Scratch::<F>::default();
        move |item: Item<'_>| make(front, &mut scratch, item)
    };
    read_all(session, corpus, worker, |read| {
        let (entry, words, fingerprint, category, body) = match read {
            Read::Made { entry, words, fingerprint, category, body } => (entry, words, fingerprint, category, body),
            Read::Skipped(skip) => {
                filing.skip(skip);
                return Ok(());
            }
        };
        let content = entry.content;
        let document = filing.add(entry, (words, content as u32), &[], body.as_deref())?;
        fingerprints.push(fingerprint);
        categories.push(category);
        Ok(contents.push(Content::new(of_category(content, category), document))?)
    })?;
    let catalogue = filing.finish()?;
    let equivalents = identical(&catalogue, &contents.finish()?)?;
    Ok(Documents { catalogue, equivalents, fingerprints, categories })
}

fn make<F: FingerprintBits>(front: &Front, scratch: &mut Scratch<F>, item: Item<'_>) -> Read<F> {
    let Document { id, category, body, place } = match item {
        Item::Document(document) => document,
        Item::Skipped(skipped) => return Read::Skipped(skipped.into()),
    };
    let id = id.into_owned();
    match front.fingerprint(&id, &body, scratch) {
        Ok(fingerprint) => {
            let (bytes, content) = (body.len(), body.content_id());
            let body = (place == Place::Stream).then(|| encode_body(&body));
            let category = category.map_or(0, |category| hash(category.as_bytes()));
            let entry = Entry { id, bytes, content, lexical: 0, place, body: None };
            Read::Made { entry, words: scratch.words(), fingerprint, category, body }
        }
        Err(reason) => Read::Skipped(Skip::because(id, reason)),
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
