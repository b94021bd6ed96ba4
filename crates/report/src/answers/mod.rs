//! What the other questions are answered with: two documents, an index and its history, fingerprints, templates, actions.
//!
//! An answer implements [`Show`]; its JSON form comes from its type.

#[cfg(unix)]
mod actions;
mod calibration;
mod changes;
mod collapse;
mod comparison;
mod cuts;
mod dedup;
mod entries;
mod evidence;
mod exchange;
mod fingerprints;
mod holders;
mod index;
mod lost;
mod plan;
mod query;
mod redirects;
mod rows;
mod show;
mod templates;

pub use calibration::CalibrationView;
pub use changes::write_changes_csv;
pub use collapse::write_collapsed_text;
pub use comparison::{ComparisonView, ShingleComparisonView};
pub use cuts::CutView;
pub use dedup::DedupView;
pub(crate) use evidence::{evidence_lines, evidence_of};
pub use exchange::ExchangeFile;
pub use fingerprints::{
    FingerprintMatches, NEAR_SHOWN, write_batch, write_batch_json, write_near, write_near_json, write_near_pairs,
};
pub use holders::write_holders_csv;
pub use index::{IndexChange, IndexCheck, IndexSnapshot};
pub use plan::DesignPlan;
pub use rows::{Row, RowForm, RowWriter};
pub use show::{Show, write_answer};
pub use templates::TemplateChange;
