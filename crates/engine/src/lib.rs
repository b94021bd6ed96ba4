//! The engine of lookalike: reports, the shared floor of all scans, and the four lenses.
//!
//! `report` (data) ← `run` (what all lenses share) ← `lens` (what each does in its own manner) ← [`Scanner`]. Programs use the facade crate
//! `lookalike`; `index` and the facade see what is public here.

#![allow(missing_docs, reason = "an inner crate, read with its source; the facade documents what programs use")]
#![allow(clippy::len_without_is_empty, clippy::return_self_not_must_use, reason = "what only this house calls")]

pub mod all;
pub mod compare;
mod error;
pub mod lens;
pub mod report;
pub mod run;
mod scanner;

pub use all::AllOptions;
pub use error::{Error, ExchangeError, IndexError, OptionName, SavedRunError, TemplateError};
pub use lens::chunks::options::ChunksOptions;
pub use lens::passages::options::PassagesOptions;
pub use lens::shingles::options::ShinglesOptions;
pub use lens::simhash::options::SimhashOptions;
pub use lookalike_corpus::{Input, Options as CorpusOptions};
pub use lookalike_store::{Cancel, Progress, Resources, Silent, Unit};
pub use report::Report;
pub use run::options::{Keep, ScanOptions};
pub use scanner::{LensOptions, Scan, Scanner, corpus_options, recluster};

pub(crate) use lookalike_store::progress;

#[cfg(test)]
mod testing;
