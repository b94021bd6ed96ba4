//! Reads a corpus and tells the fingerprint of each document, in the order of reading.

use crate::lens::simhash::fingerprinter::{FingerprintScratch, Fingerprinter};
use crate::lens::simhash::options::SimhashOptions;
use crate::progress::{Cancel, Progress, Unit};
use crate::report::Skip;
use crate::run::Session;
use crate::run::memory::{ReadCost, read_bytes};
use crate::run::options::ScanOptions;
use crate::run::reading::{Outcome, read_on};
use crate::run::session::reading;
use crate::{Error, Input};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::recipe::SimhashRecipe;
use lookalike_corpus::{Body, Corpus, Document};
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

/// Calls `each` with every document that has a fingerprint, in the order of reading and on this thread. `F` has as many bits as the recipe says.
pub fn fingerprint<F: FingerprintBits>(
    inputs: Vec<Input>,
    scan: &ScanOptions,
    options: &SimhashOptions,
    (progress, cancel): (&dyn Progress, &Cancel),
    mut each: impl FnMut(DocumentFingerprint<F>) -> Result<(), Error>,
) -> Result<FingerprintSummary, Error> {
    if F::WIDTH != options.recipe.bits {
        return Err(Error::WrongWidth { expected: options.recipe.bits, found: F::WIDTH });
    }
    let corpus = Corpus::open(inputs, reading(scan))?;
    let session = Session::new(scan, progress, cancel)?;
    let fingerprinter = Fingerprinter::new(&options.recipe, &scan.key, options.idf.clone())?;
    let worker = || {
        let mut scratch = FingerprintScratch::<F>::default();
        let fingerprinter = &fingerprinter;
        move |id: &str, body: &Body<'_>| fingerprinter.fingerprint(id, body, &mut scratch)
    };
    let of = |document: &Document<'_>| read_bytes(document) + fingerprinter.memory(&document.id, &document.body);
    let cost = ReadCost { most: fingerprinter.most_memory(), of: &of };
    for_each(&session, &corpus, (fingerprinter.recipe(), &cost), worker, |id, bytes, fingerprint| {
        each(DocumentFingerprint { id, bytes, fingerprint })
    })
}

/// Calls `each` with what workers make of every document, in the order of reading; what they make nothing of is skipped.
pub fn for_each<T: Send, W: FnMut(&str, &Body<'_>) -> Result<T, String>>(
    session: &Session<'_>,
    corpus: &Corpus,
    (recipe, cost): (&SimhashRecipe, &ReadCost<'_>),
    worker: impl Fn() -> W + Sync,
    mut each: impl FnMut(String, u64, T) -> Result<(), Error>,
) -> Result<FingerprintSummary, Error> {
    let (documents, bytes, empty) = (0, 0, 0);
    let mut summary = FingerprintSummary { recipe: recipe.to_string(), documents, bytes, empty, skipped: Vec::new() };
    let workers = match session.options.resources.threads {
        0 => std::thread::available_parallelism().map_or(1, Into::into),
        threads => threads,
    };
    let worker = || {
        let mut make = worker();
        move |Document { id, body, .. }: Document<'_>| match make(&id, &body) {
            Ok(features) => Outcome::Document((id.into_owned(), body.len(), features)),
            Err(reason) => Outcome::Skipped(Skip::because(id.into_owned(), reason)),
        }
    };
    session.phase("read", Unit::Bytes, corpus.total_bytes(), |_| {
        read_on(workers, session, corpus, cost, worker, |outcome| match outcome {
            Outcome::Document((id, bytes, features)) => {
                summary.documents += 1;
                summary.bytes += bytes;
                each(id, bytes, features)
            }
            Outcome::Skipped(skip) => {
                summary.empty += u64::from(skip.kind == "empty");
                summary.skipped.push(skip);
                Ok(())
            }
        })
    })?;
    Ok(summary)
}
