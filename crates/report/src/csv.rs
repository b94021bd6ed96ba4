//! CSV: the table of a report.

use crate::renderer::{Renderer, Source};
use std::borrow::Cow;
use std::io::{self, Write};

/// A row for each document in a cluster, or for each pair of submissions.
pub(crate) struct Csv;

impl Renderer for Csv {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let table = source.table();
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(&table.header).map_err(io_error)?;
        for row in table.rows {
            rows.write_record(row.iter().map(|value| guarded(value).into_owned())).map_err(io_error)?;
        }
        rows.flush()
    }
}

/// The error behind an error of the CSV writer: a closed pipe must be known as one.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A cell that no spreadsheet takes for a formula: ids and names are written by others. An apostrophe in front says that it is text.
pub(crate) fn guarded(cell: &str) -> Cow<'_, str> {
    let is_formula = cell.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r']);
    let is_number = || cell.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if is_formula && !(is_number() && cell.parse::<f64>().is_ok()) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn formulas_are_text() {
        for cell in
            ["=1+1", "+1+1", "-cmd|' /C calc'!A0", "@sum(a1)", "\t=1", "\r=1", "'=1", "''-x", "-", "-1-1", "+1e"]
        {
            assert_eq!(guarded(cell), format!("'{cell}"));
        }
        for cell in ["", "a=1", "'a", "-1", "-0.25", "+1e-7", "1", "https://a.example/=1"] {
            assert_eq!(guarded(cell), cell);
        }
    }
}
