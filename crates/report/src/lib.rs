//! Reports and answers in every form. All is written to any [`std::io::Write`]; nothing prints by itself.
//!
//! A report has forms: [`FORMS`] lists them, each is a [`Renderer`] in a file of its own. Answers to other questions are shown as text or
//! JSON: [`Show`].
//!
//! Names and texts of documents are hostile: what goes to a terminal passes through [`clean`].

// what only workbooks use
#![cfg_attr(not(feature = "xlsx"), allow(dead_code))]

mod answers;
mod attributes;
mod clean;
mod csv;
mod fdupes;
mod forms;
mod hints;
mod html;
mod identical;
mod json;
mod page;
mod pairs;
mod renderer;
mod sarif;
mod scan_view;
mod section;
mod style;
mod submission;
mod table;
mod terminal;
mod units;
mod words;
#[cfg(feature = "xlsx")]
mod xlsx;

pub use answers::{
    CalibrationView, ComparisonView, CutView, DedupView, DesignPlan, ExchangeFile, FingerprintMatches, IndexChange,
    IndexCheck, IndexSnapshot, NEAR_SHOWN, Row, RowForm, RowWriter, ShingleComparisonView, Show, TemplateChange,
    write_answer, write_batch, write_batch_json, write_changes_csv, write_collapsed_text, write_holders_csv,
    write_near, write_near_json, write_near_pairs,
};
pub use attributes::{Attributes, FileAttributes};
pub use clean::clean;
pub use forms::{FORMS, Form};
pub use hints::command_line;
pub use html::{DedupPage, HtmlError, write_changes_html, write_dedup_html, write_html};
pub use json::{write_json, write_versioned_json};
pub use page::{HtmlOptions, PageSource, PageSubject, SubmissionFiles};
pub use pairs::{PairForm, PairWriter, SubmissionPairWriter};
pub use renderer::{Explain, Renderer, Shown, Source};
pub use scan_view::ScanView;
pub use section::Findings;
pub use table::Table;
pub use units::{bytes, commas};
pub use words::kinds;
