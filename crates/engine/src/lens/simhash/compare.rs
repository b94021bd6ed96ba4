//! Two documents by their fingerprints.

use crate::Error;
use crate::lens::simhash::fingerprinter::{FingerprintScratch, Fingerprinter};
use crate::lens::simhash::options::SimhashOptions;
use crate::report::SCHEMA;
use crate::run::document::read_document;
use crate::run::parsers;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::lens::Lens;
use lookalike_corpus::Body;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// How far two documents are from each other.
#[derive(Clone, Debug, Serialize)]
pub struct FingerprintComparison {
    /// Version of this form.
    pub schema: u32,
    /// Version of the program.
    pub lookalike: &'static str,
    /// The lens.
    pub lens: Lens,
    /// How documents became fingerprints.
    pub recipe: String,
    /// The first document.
    pub a: Fingerprinted,
    /// The second document.
    pub b: Fingerprinted,
    /// They have the same bytes.
    pub identical: bool,
    /// In how many bits the fingerprints differ.
    pub distance: u32,
    /// The greatest distance at which they are near.
    pub max_distance: u32,
    /// The distance is at most that. Whether the documents resemble is another question.
    pub near: bool,
}

/// A document and its fingerprint.
#[derive(Clone, Debug, Serialize)]
pub struct Fingerprinted {
    /// Its name.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its words.
    pub words: u32,
    /// Its fingerprint in hexadecimal digits.
    pub fingerprint: String,
}

/// Compares two documents of at most `max_size` bytes, in so much `memory`; `-` is standard input.
pub fn compare(
    a: &Path,
    b: &Path,
    options: &SimhashOptions,
    key: &str,
    (max_size, memory): (u64, u64),
) -> Result<FingerprintComparison, Error> {
    let read = |path: &Path| read_document(path, max_size, memory);
    compare_bodies(|| read(a), || read(b), options, key, memory)
}

/// Compares two texts, which are called `a` and `b`.
pub fn compare_texts(
    a: &str,
    b: &str,
    options: &SimhashOptions,
    key: &str,
    memory: u64,
) -> Result<FingerprintComparison, Error> {
    let named = |id: &str, text| Ok((id.to_owned(), Body::Text(Cow::Borrowed(text))));
    compare_bodies(|| named("a", a), || named("b", b), options, key, memory)
}

/// Compares two documents, one read after the other.
pub fn compare_bodies<'a>(
    a: impl FnOnce() -> Result<(String, Body<'a>), Error>,
    b: impl FnOnce() -> Result<(String, Body<'a>), Error>,
    options: &SimhashOptions,
    key: &str,
    memory: u64,
) -> Result<FingerprintComparison, Error> {
    options.check()?;
    parsers::limit_memory(memory);
    match options.recipe.bits {
        128 => compare_as::<u128>(a, b, options, key, memory),
        _ => compare_as::<u64>(a, b, options, key, memory),
    }
}

fn compare_as<'a, F: FingerprintBits>(
    a: impl FnOnce() -> Result<(String, Body<'a>), Error>,
    b: impl FnOnce() -> Result<(String, Body<'a>), Error>,
    options: &SimhashOptions,
    key: &str,
    memory: u64,
) -> Result<FingerprintComparison, Error> {
    let fingerprinter = Fingerprinter::new(&options.recipe, key, options.idf.clone())?;
    let mut scratch = FingerprintScratch::<F>::default();
    let width = F::WIDTH as usize / 4;
    let mut side = |(id, body): (String, Body<'_>)| {
        let needed = body.len() + fingerprinter.memory(&id, &body);
        if needed > memory {
            return Err(Error::DocumentMemory { id, bytes: body.len(), needed, allowed: memory });
        }
        let fingerprint = fingerprinter.fingerprint(&id, &body, &mut scratch);
        let fingerprint = fingerprint.map_err(|reason| Error::Document { id: id.clone(), reason })?;
        let (bytes, content) = (body.len(), body.content_id());
        let digits = format!("{fingerprint:0width$x}");
        let side = Fingerprinted { id, bytes, words: scratch.words(), fingerprint: digits };
        Ok::<_, Error>((side, fingerprint, content))
    };
    let (a, fingerprint_a, content_a) = side(a()?)?;
    let (b, fingerprint_b, content_b) = side(b()?)?;
    let distance = (fingerprint_a ^ fingerprint_b).ones();
    Ok(FingerprintComparison {
        schema: SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        lens: Lens::Simhash,
        recipe: fingerprinter.recipe().to_string(),
        a,
        b,
        identical: content_a == content_b,
        distance,
        max_distance: options.distance,
        near: distance <= options.distance,
    })
}
