//! What `copies` found, in every form but the page: a terminal, rows, SARIF, and what winnowing selected.

mod csv;
mod left_out;
mod names;
mod pairs;
mod passages;
mod sarif;
mod stats;
mod summary;
mod table;
mod terminal;

pub use csv::write_copies_csv;
pub use pairs::CopyPairWriter;
pub use sarif::write_copies_sarif;
pub use stats::write_copies_stats;
pub use terminal::{CopiesShown, write_copies};

use lookalike::copies::Copies;
use std::io::{self, Write};

/// The whole report as one JSON object; `docs/copies-schema.md` describes it.
pub fn write_copies_json(out: &mut dyn Write, report: &Copies) -> io::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    out.write_all(b"\n")
}
