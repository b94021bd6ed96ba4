//! Reads a corpus and tells the fingerprint of each document, in the order of reading.

use super::Options;
use super::front::{Front, Scratch};
use crate::pipeline::Session;
use crate::pipeline::reading::{Outcome, read_on};
use crate::progress::{Cancel, Progress, Unit};
use crate::report::Skip;
use crate::scan::reading;
use crate::{Error, Input};
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::{Body, Corpus, Item};
use serde::Serialize;

/// A document and its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFingerprint<F> {
    /// The document.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its fingerprint.
    pub fingerprint: F,
}

/// What was read.
#[derive(Clone, Debug, Serialize)]
pub struct FingerprintSummary {
    /// How fingerprints were made.
    pub recipe: String,
    /// Documents with a fingerprint.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents without a word that counts: they have no fingerprint, or all of them would be copies of each other.
    pub empty: u64,
    /// What was left out, the empty ones included, and why.
    pub skipped: Vec<Skip>,
}

/// What became of a document, on its way from a worker.
pub(super) enum Read<T> {
    Made { id: String, bytes: u64, made: T },
    Skipped(Skip),
}

impl<T: Send> Outcome for Read<T> {
    fn id(&self) -> &str {
        match self {
            Self::Made { id, .. } => id,
            Self::Skipped(skip) => &skip.id,
        }
    }

    fn skipped(skip: Skip) -> Self {
        Self::Skipped(skip)
    }
}

/// Calls `each` with every document that has a fingerprint, in the order of reading and on this thread. `F` has as many bits as the recipe says.
pub fn fingerprint<F: FingerprintBits>(
    inputs: Vec<Input>,
    options: &Options,
    progress: &dyn Progress,
    cancel: &Cancel,
    mut each: impl FnMut(DocumentFingerprint<F>) -> Result<(), Error>,
) -> Result<FingerprintSummary, Error> {
    assert_eq!(F::WIDTH, options.recipe.bits, "the recipe tells how wide fingerprints are");
    let corpus = Corpus::open(inputs, reading(&options.scan))?;
    let session = Session::new(&options.scan, progress, cancel)?;
    let front = Front::new(options)?;
    let worker = || {
        let mut scratch = Scratch::<F>::default();
        let front = &front;
        move |id: &str, body: &Body<'_>| front.fingerprint(id, body, &mut scratch)
    };
    for_each(&session, &corpus, options, worker, |id, bytes, fingerprint| {
        each(DocumentFingerprint { id, bytes, fingerprint })
    })
}

/// Calls `each` with what workers make of every document, in the order of reading; what they make nothing of is skipped.
pub(super) fn for_each<T: Send, W: FnMut(&str, &Body<'_>) -> Result<T, String>>(
    session: &Session<'_>,
    corpus: &Corpus,
    options: &Options,
    worker: impl Fn() -> W + Sync,
    mut each: impl FnMut(String, u64, T) -> Result<(), Error>,
) -> Result<FingerprintSummary, Error> {
    let (documents, bytes, empty) = (0, 0, 0);
    let mut summary =
        FingerprintSummary { recipe: options.recipe.to_string(), documents, bytes, empty, skipped: Vec::new() };
    let workers = match options.scan.threads {
        0 => std::thread::available_parallelism().map_or(1, Into::into),
        threads => threads,
    };
    let worker = || {
        let mut make = worker();
        move |item: Item<'_>| match item {
            Item::Skipped(skipped) => Read::Skipped(skipped.into()),
            Item::Document(document) => match make(&document.id, &document.body) {
                Ok(made) => Read::Made { bytes: document.body.len(), id: document.id.into_owned(), made },
                Err(reason) => Read::Skipped(Skip::because(document.id.into_owned(), reason)),
            },
        }
    };
    session.phase("read", Unit::Bytes, corpus.total_bytes(), |_| {
        read_on(workers, session, corpus, worker, |read| match read {
            Read::Made { id, bytes, made } => {
                summary.documents += 1;
                summary.bytes += bytes;
                each(id, bytes, made)
            }
            Read::Skipped(skip) => {
                summary.empty += u64::from(skip.kind == "empty");
                summary.skipped.push(skip);
                Ok(())
            }
        })
    })?;
    Ok(summary)
}
