//! Counts how many documents of a corpus have each feature.
//!
//! The count is exact, whatever the memory: features go through an external sort, equal ones come out side by side. Only the table at
//! the end is bounded, by leaving out what is rare.

use crate::lens::simhash::fingerprint::FingerprintSummary;
use crate::lens::simhash::fingerprint::for_each;
use crate::lens::simhash::fingerprinter::{FingerprintScratch, Fingerprinter};
use crate::lens::simhash::options::SimhashOptions;
use crate::lens::simhash::options::keyed;
use crate::lens::simhash::table;
use crate::progress::{Cancel, Progress, Unit};
use crate::run::Session;
use crate::run::memory::{ReadCost, read_bytes};
use crate::run::options::ScanOptions;
use crate::run::session::reading;
use crate::{Error, Input};
use lookalike_core::simhash::IdfBuilder;
use lookalike_corpus::{Body, Corpus, Document};
use lookalike_store::ExternalSort;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::Path;

/// A new table of document frequencies.
#[derive(Clone, Debug, Serialize)]
pub struct IdfSummary {
    /// Its name in recipes.
    pub idf: String,
    /// Features in it.
    pub features: u64,
    /// Features of all documents, those left out included.
    pub found: u64,
    /// What features weigh that are not in it.
    pub unlisted: u8,
    /// What was read; its recipe is that of the features.
    #[serde(flatten)]
    pub read: FingerprintSummary,
}

/// Counts and writes a table of at most `limit` features. Bits, weight and table of the recipe are not looked at.
pub fn count(
    inputs: Vec<Input>,
    scan: &ScanOptions,
    options: &SimhashOptions,
    (limit, out): (usize, &Path),
    (progress, cancel): (&dyn Progress, &Cancel),
) -> Result<IdfSummary, Error> {
    let recipe = keyed(options.recipe.features(), &scan.key);
    let options = SimhashOptions { recipe, idf: None, ..options.clone() };
    let corpus = Corpus::open(inputs, reading(scan))?;
    let session = Session::new(scan, progress, cancel)?;
    let (mut builder, mut found) = (IdfBuilder::new(limit), 0);
    let read = frequencies(&session, &corpus, &options, false, |feature, documents| {
        builder.add(feature, documents);
        found += 1;
    })?;
    if read.documents == 0 {
        return Err(Error::NoDocuments);
    }
    let (listed, unlisted) = builder.finish(read.documents);
    let idf = table::write(out, &options.recipe, read.documents, &listed, unlisted)?;
    Ok(IdfSummary { idf, features: listed.len() as u64, found, unlisted, read })
}

/// Calls `each` with every feature of a corpus, in ascending order, and how many documents have it. With `once`, identical documents are
/// counted as one.
pub fn frequencies(
    session: &Session<'_>,
    corpus: &Corpus,
    options: &SimhashOptions,
    once: bool,
    mut each: impl FnMut(u64, u64),
) -> Result<FingerprintSummary, Error> {
    let key = &session.options.key;
    let fingerprinter = Fingerprinter::new(&options.recipe, key, options.idf.clone())?;
    let mut features = ExternalSort::<u64>::new(&session.space, "the features", session.share(3));
    let worker = || {
        let mut scratch = FingerprintScratch::default();
        let fingerprinter = &fingerprinter;
        move |id: &str, body: &Body<'_>| {
            let content = if once { body.content_id() } else { 0 };
            fingerprinter.features(id, body, &mut scratch).map(|features| (content, features.to_vec()))
        }
    };
    let mut seen = FxHashSet::default();
    let remembered = fingerprinter.remembered_memory();
    let of = |document: &Document<'_>| {
        read_bytes(document) + fingerprinter.memory(&document.id, &document.body) + document.body.len() * remembered
    };
    let cost = ReadCost { most: fingerprinter.most_memory() + remembered, of: &of };
    let read = for_each(session, corpus, (&options.recipe, &cost), worker, |_, _, (content, found)| {
        if once && !seen.insert(content) {
            return Ok(());
        }
        Ok(found.into_iter().try_for_each(|feature| features.push(feature))?)
    })?;
    session.phase("count", Unit::Documents, None, |_| {
        let mut same = (0, 0);
        for feature in features.finish()?.iter() {
            let feature = feature?;
            if same.1 > 0 && same.0 == feature {
                same.1 += 1;
                continue;
            }
            session.cancel.check()?;
            if same.1 > 0 {
                each(same.0, same.1);
            }
            same = (feature, 1);
        }
        if same.1 > 0 {
            each(same.0, same.1);
        }
        Ok(())
    })?;
    Ok(read)
}
