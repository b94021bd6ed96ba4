//! What an index has already: such documents go, and the old ids are told.

use crate::options::DedupOptions;
use lookalike_corpus::{Error as CorpusError, id_of};
use lookalike_engine::Error;
use lookalike_engine::report::cluster::Class;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::run::documents::Documents;
use lookalike_index::{Index, IndexedCopy, LookUp};
use lookalike_store::WorkFolder;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Documents of the index that each document is compared with, those that are nearest by their sketches.
const MAX_COMPARED: usize = 8;
/// Features of the smallest sample of a document that is not known in full.
const SMALLEST_SAMPLE: f64 = 50.0;

/// A document that an index has, or one that is like it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownCopy {
    /// The document that goes, by its number.
    pub document: u32,
    /// The index.
    pub index: String,
    /// The id of the old document, as the index saw it last.
    pub id: String,
    /// How the two relate.
    pub class: Class,
    /// How much they resemble each other.
    pub resemblance: f64,
    /// How much of the new one is in the old, if that is known.
    pub containment: Option<f64>,
    /// How much of the old one is in the new, if that is known.
    pub contained_by: Option<f64>,
    /// Counted on both documents; otherwise the old one cannot be read any more, and the numbers are estimates from the sketches.
    pub verified: bool,
}

/// Makes sure, before anything is read, that the indexes and benchmarks of a run can be used.
pub(crate) fn check(options: &DedupOptions) -> Result<(), Error> {
    let update = options.update.iter().filter(|index| index.exists());
    for index in options.against.iter().chain(update) {
        Index::open(index, &options.scan.key)?.check_recipe(&options.shingles.recipe.to_string())?;
    }
    for benchmark in &options.contamination.benchmarks {
        let missing = |source| CorpusError::Missing { path: id_of(benchmark).into_owned(), source };
        benchmark.metadata().map_err(missing)?;
    }
    Ok(())
}

/// Looks all documents up in the indexes, or takes what was found before.
pub(crate) fn find(
    options: &DedupOptions,
    documents: &Documents,
    work: Option<&WorkFolder>,
) -> Result<Vec<KnownCopy>, Error> {
    const STEP: &str = "against";
    if options.against.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(known) = work.map(|work| work.finished_step(STEP)).transpose()?.flatten() {
        return Ok(known);
    }
    let mut known: Vec<KnownCopy> = Vec::new();
    for path in &options.against {
        known.extend(find_in(options, documents, path)?);
    }
    // of several indexes the first that is named
    known.sort_by_key(|copy| copy.document);
    known.dedup_by_key(|copy| copy.document);
    known.retain(|copy| !documents.catalogue.origins.is_fixed(copy.document));
    if let Some(work) = work {
        work.finish_step(STEP, known.clone())?;
    }
    Ok(known)
}

fn find_in(options: &DedupOptions, documents: &Documents, path: &Path) -> Result<Vec<KnownCopy>, Error> {
    let index = Index::open(path, &options.scan.key)?;
    index.check_recipe(&options.shingles.recipe.to_string())?;
    let policy = options.shingles.policy;
    let slack = |share: f64| (share - 3.0 * (share * (1.0 - share) / SMALLEST_SAMPLE).sqrt()).max(0.05);
    let asked = LookUp {
        // what is counted decides; sketches may say less
        policy: Policy { threshold: slack(policy.threshold), contained: policy.contained.map(slack), ..policy },
        include_boilerplate: options.shingles.include_boilerplate,
        estimate: false,
        limit: MAX_COMPARED,
    };
    let name = path.display().to_string();
    let known = index.look_up(documents, &asked)?.into_iter().filter_map(|(document, copy)| {
        let index = name.clone();
        match copy {
            IndexedCopy::Known(known) => Some(KnownCopy {
                document,
                index,
                id: known.url,
                class: Class::Identical,
                resemblance: 1.0,
                containment: Some(1.0),
                contained_by: Some(1.0),
                verified: true,
            }),
            IndexedCopy::Touching(touching) => {
                let estimated = |estimate: Option<lookalike_core::sketch::Estimate>| estimate.map(|e| e.value);
                let (resemblance, containment, contained_by) = match touching.verified {
                    Some(counted) => {
                        (counted.resemblance, Some(counted.query_in_document), Some(counted.document_in_query))
                    }
                    None => {
                        (touching.resemblance.value, estimated(touching.new_in_known), estimated(touching.known_in_new))
                    }
                };
                let is_near = resemblance >= policy.threshold;
                let is_inside = policy.contained.is_some_and(|least| containment.is_some_and(|share| share >= least));
                let class = match touching.class {
                    exact @ (Class::Identical | Class::Lexical | Class::Shingle) => exact,
                    _ if is_near => Class::Near,
                    _ => Class::Contained,
                };
                let verified = touching.verified.is_some();
                let id = touching.url;
                (is_near || is_inside).then_some(KnownCopy {
                    document,
                    index,
                    id,
                    class,
                    resemblance,
                    containment,
                    contained_by,
                    verified,
                })
            }
        }
    });
    Ok(known.collect())
}
