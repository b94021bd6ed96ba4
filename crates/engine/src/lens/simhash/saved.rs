//! A saved run of fingerprints: `run.json` (what was asked, and what was left out) and `documents.lka` (an exchange file).

use crate::Error;
use crate::error::OptionName;
use crate::lens::simhash::exchange;
use crate::lens::simhash::options::SimhashOptions;
use crate::lens::simhash::reading::Fingerprints;
use crate::report::{Report, Section};
use crate::run::documents::Documents;
use crate::run::exchange::Names;
use crate::run::saved::Manifest;
use lookalike_core::bits::FingerprintBits;
use lookalike_store::{Spool, atomic};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub const DOCUMENTS_NAME: &str = "documents.lka";

/// What `run.json` says beside what all lenses say.
#[derive(Serialize, Deserialize)]
pub struct SimhashRunContents {
    pub distance: u32,
    pub min_words: u32,
    pub length_ratio: Option<f64>,
    pub max_df: Option<u64>,
    pub category: Option<String>,
    /// By document: what the user wants to keep, if that comes before the length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<u64>>,
}

/// Keeps a run in a new folder. What was verified was counted on the documents, which a run does not have.
pub fn save<F: FingerprintBits>(
    options: &SimhashOptions,
    fingerprints: &Fingerprints<F>,
    (report, documents): (&Report, &Documents),
    key: &str,
    path: &Path,
) -> Result<(), Error> {
    if options.verify.is_some() {
        return Err(Error::Conflict(OptionName::SavedRun, OptionName::Verify));
    }
    let category = match &report.section {
        Section::Simhash(section) => section.category.clone(),
        _ => None,
    };
    let SimhashOptions { distance, min_words, length_ratio, max_df, .. } = *options;
    let preferences = documents.order.preferences(&documents.catalogue)?;
    let contents = SimhashRunContents { distance, min_words, length_ratio, max_df, category, preferences };
    atomic::folder(path, |folder| {
        let spool = Spool::create(&folder.join(DOCUMENTS_NAME))?;
        let recipe = &report.head.recipe;
        exchange::write(spool, &documents.catalogue, fingerprints, recipe, (Names::Plain, key))?;
        Manifest::of(report, contents).write(folder)
    })
}
