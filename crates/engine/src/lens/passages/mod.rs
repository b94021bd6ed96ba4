//! The passages lens: who copied what from whom (Schleimer, Wilkerson, Aiken 2003).
//!
//! Every file becomes tokens (`tokenizer.rs`), base code is taken out (`base.rs`), winnowing selects fingerprints (`reading.rs`). Files are
//! grouped into submissions (`cohort.rs`). Fingerprints that two share make them candidates (`lists.rs`, `join.rs`); candidates that may
//! be similar enough are compared token by token (`streams.rs`, `pairs.rs`). What similarities mean in this cohort is estimated
//! (`calibrate.rs`), and the most similar pairs are told with their passages (`tell.rs`). `run.rs` is all of that in order.

pub(crate) mod base;
mod calibrate;
mod cohort;
pub(crate) mod details;
pub(crate) mod family;
pub(crate) mod tokenizer;
mod info;
mod join;
pub(crate) mod frequencies;
mod options;
mod pairs;
pub(crate) mod reading;
mod run;
mod stats;
pub(crate) mod streams;
mod submissions;
mod report_builder;
#[cfg(test)]
mod tests;
pub(crate) mod weighing;

pub use crate::report::passages::{
    COPIES_SCHEMA, Calibration, CalibrationRow, CommonPassage, Passages, CopyCluster, FamilyRecipe, Ignored, Pair,
    RankRow, Rules, Shared, SourceFile, Stretch, Submission, WinnowStats, ZeroMod,
};
pub use options::{Cohort, PassagesInputs, PassagesOptions, MaxDf, Reading};
pub use run::{PassageScan, PairNumbers, ShownFile, copies};
