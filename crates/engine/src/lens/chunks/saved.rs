//! A saved run: a folder with `run.json` (what was asked, and what was left out) and `documents.lka` (an exchange file).

use crate::Error;
use crate::lens::chunks::exchange;
use crate::lens::chunks::reading::ChunkCounts;
use crate::report::Report;
use crate::run::documents::Documents;
use crate::run::exchange::Names;
use crate::run::saved::Manifest;
use lookalike_store::{Spool, atomic};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What `run.json` says beside what all lenses say.
#[derive(Serialize, Deserialize)]
pub struct ChunkRunContents {
    pub max_df: f64,
    pub pair_max_df: u32,
    /// By document: what the user wants to keep, if that comes before the length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<u64>>,
}

/// Keeps a run in a new folder. A document frequency is a share of all documents, and for pairs a number.
pub fn save(
    (max_df, pair_max_df): (f64, u32),
    counts: ChunkCounts,
    report: &Report,
    documents: &Documents,
    path: &Path,
) -> Result<(), Error> {
    let preferences = documents.order.preferences(&documents.catalogue)?;
    let contents = ChunkRunContents { max_df, pair_max_df, preferences };
    atomic::folder(path, |folder| {
        let recipe = &report.head.recipe;
        let spool = Spool::create(&folder.join("documents.lka"))?;
        exchange::write(spool, &documents.catalogue, counts, recipe, (Names::Plain, ""))?;
        Manifest::of(report, contents).write(folder)
    })
}
