//! What is asked of a run.

use crate::contamination::ContaminationOptions;
use crate::cut::Granularity;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::{ScanOptions, ShinglesOptions, corpus_options};
use std::path::PathBuf;

/// The field means word 5-grams and a resemblance of 0.8.
const DEFAULT_WORDS: usize = 5;
const DEFAULT_THRESHOLD: f64 = 0.8;

/// Everything that decides what is removed and what is written.
#[derive(Clone)]
#[non_exhaustive]
pub struct DedupOptions {
    /// What is removed: documents, or pieces of them.
    pub granularity: Granularity,
    /// How documents are compared.
    pub shingles: ShinglesOptions,
    /// What is read, who stays, and what the run may use.
    pub scan: ScanOptions,
    /// The preset that was applied, by its name.
    pub like: Option<&'static str>,
    /// Indexes of documents that are there already: what is in them, or like what is in them, goes.
    pub against: Vec<PathBuf>,
    /// An index that what stays is added to when all is written; made if it is not there.
    pub update: Option<PathBuf>,
    /// Benchmarks whose items are looked for in the documents.
    pub contamination: ContaminationOptions,
    /// Write every record, with what is known of it in fields of its own, instead of leaving out duplicates.
    pub annotate: bool,
    /// Records that are damaged stay as they are, instead of ending the run.
    pub allow_damaged: bool,
    /// Go on with a run that was stopped.
    pub resume: bool,
}

impl Default for DedupOptions {
    /// Word 5-grams, resemblance from 0.8, whole documents: text that very many share counts too.
    fn default() -> Self {
        let mut scan = ScanOptions::default();
        scan.corpus = corpus_options(Lens::Shingles);
        scan.corpus.archives = true;
        scan.by_source = true;
        let shingles = ShinglesOptions {
            policy: Policy { threshold: DEFAULT_THRESHOLD, ..Policy::default() },
            include_boilerplate: true,
            ..ShinglesOptions::new(ShingleRecipe::words(DEFAULT_WORDS))
        };
        Self {
            granularity: Granularity::Documents,
            shingles,
            scan,
            like: None,
            against: Vec::new(),
            update: None,
            contamination: ContaminationOptions::default(),
            annotate: false,
            allow_damaged: false,
            resume: false,
        }
    }
}
