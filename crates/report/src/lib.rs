//! Renderers of a report. One file for each form; all write to any [`std::io::Write`] and none prints by itself.
//!
//! Names and texts of documents are hostile: what goes to a terminal passes through [`clean`].

#[cfg(unix)]
mod acted;
mod against;
mod changes;
mod chunks;
mod clean;
mod collapse;
mod comparison;
mod copies;
mod csv;
mod fdupes;
mod hamming;
mod holders;
mod holders_csv;
mod html;
mod index_change;
mod index_info;
mod json;
mod lost;
mod pairs;
mod query;
mod query_passages;
mod query_simhash;
mod sets;
mod shares;
mod simhash;
mod stats;
mod terminal;
mod units;
mod versioned;
mod xlsx;

#[cfg(unix)]
pub use acted::{write_acted, write_acted_json, write_undone, write_undone_json};
pub use changes::{write_changes, write_changes_csv, write_changes_json};
pub use chunks::{write_marked, write_sketched, write_template, write_template_list, write_unmarked};
pub use clean::clean;
pub use collapse::{write_collapsed, write_collapsed_json, write_collapsed_text};
pub use comparison::write_comparison;
pub use copies::{
    CopiesShown, CopyPairWriter, write_copies, write_copies_csv, write_copies_json, write_copies_sarif,
    write_copies_stats,
};
pub use csv::write_csv;
pub use fdupes::write_fdupes;
pub use hamming::{
    write_batch, write_batch_json, write_built, write_found, write_found_json, write_near, write_near_json,
    write_near_pairs, write_plan, write_plan_json,
};
pub use holders::{write_holders, write_holders_json};
pub use holders_csv::write_holders_csv;
pub use html::{HtmlOptions, HtmlPage, write_changes_html};
pub use index_change::{write_changed, write_changed_json, write_checked, write_checked_json};
pub use index_info::{write_info, write_info_json};
pub use json::{write_comparison_json, write_json, write_ndjson};
pub use lost::{write_lost, write_lost_json};
pub use pairs::{PairForm, PairWriter};
pub use query::{write_answer, write_answer_json};
pub use query_passages::{write_passages, write_passages_json};
pub use query_simhash::{write_seen, write_seen_json};
pub use simhash::{write_distance, write_distance_json};
pub use stats::write_stats;
pub use terminal::{Shown, write_terminal};
pub use versioned::write_versioned;
pub use xlsx::write_xlsx;
