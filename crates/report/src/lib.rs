//! Renderers of a report. One file for each form; all write to any [`std::io::Write`] and none prints by itself.
//!
//! Names and texts of documents are hostile: what goes to a terminal passes through [`clean`].

mod clean;
mod comparison;
mod csv;
mod html;
mod json;
mod pairs;
mod stats;
mod terminal;
mod units;

pub use clean::clean;
pub use comparison::write_comparison;
pub use csv::write_csv;
pub use html::{HtmlOptions, HtmlPage};
pub use json::{write_comparison_json, write_json, write_ndjson};
pub use pairs::{PairForm, PairWriter};
pub use stats::write_stats;
pub use terminal::{Shown, write_terminal};
