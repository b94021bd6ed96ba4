//! A saved run of fingerprints, clustered again. Since all of them are there, any distance will do.

use crate::Error;
use crate::lens::simhash::engine::SimhashEngine;
use crate::lens::simhash::exchange;
use crate::lens::simhash::options::SimhashOptions;
use crate::lens::simhash::reading::FingerprintCollector;
use crate::lens::simhash::saved::{DOCUMENTS_NAME, SimhashRunContents};
use crate::progress::{Cancel, Silent};
use crate::report::Report;
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::options::ScanOptions;
use crate::run::order::RepresentativeOrder;
use crate::run::saved::Manifest;
use crate::run::scan::{ReadDocuments, link_and_report};
use crate::run::text_extractor::TextExtractor;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::lens::Lens;
use lookalike_core::simhash::SimhashRecipe;
use lookalike_corpus::Corpus;
use std::path::Path;
use std::sync::Arc;

/// Clusters a saved run again; `change` says with which distance, linkage and length ratio. The originals are not needed.
pub fn recluster(run: &Path, change: impl FnOnce(&mut SimhashOptions)) -> Result<Report, Error> {
    let Manifest { recipe, policy, skipped, contents, .. } = Manifest::<SimhashRunContents>::read(run, Lens::Simhash)?;
    let SimhashRunContents { distance, min_words, length_ratio, max_df, category, preferences } = contents;
    let recipe: SimhashRecipe = recipe.parse()?;
    let mut options = SimhashOptions {
        distance,
        min_words,
        length_ratio,
        max_df,
        linkage: policy.linkage,
        ..SimhashOptions::new(recipe.clone())
    };
    change(&mut options);
    options.check()?;
    let mut scan = ScanOptions::default();
    scan.corpus.category_field = category;
    let cancel = Cancel::default();
    let mut session = Session::new(&scan, &Silent, &cancel)?;
    session.order = Arc::new(RepresentativeOrder::saved(preferences));
    let report = scan.resources.pool()?.install(|| match recipe.bits {
        128 => cluster::<u128>(&session, run, &options, &recipe),
        _ => cluster::<u64>(&session, run, &options, &recipe),
    });
    report.map(|mut report| {
        report.skipped = skipped;
        report.head.phases = Vec::new();
        report
    })
}

fn cluster<F: FingerprintBits>(
    session: &Session<'_>,
    run: &Path,
    options: &SimhashOptions,
    recipe: &SimhashRecipe,
) -> Result<Report, Error> {
    let mut collector = FingerprintCollector::<F>::new(session, options.min_words)?;
    exchange::read(&run.join(DOCUMENTS_NAME), None, &recipe.to_string(), session.cancel, &mut collector)?;
    let ReadDocuments { catalogue, duplicates, features } = collector.finish(session)?;
    let corpus = Corpus::open(Vec::new(), session.options.corpus.clone())?;
    let documents = Documents::new(session, corpus, TextExtractor::default(), (catalogue, duplicates))?;
    let engine = SimhashEngine::<F>::of_saved(options, recipe.clone(), "")?;
    Ok(link_and_report(&engine, session, documents, features)?.report)
}
