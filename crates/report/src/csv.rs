//! CSV: the table of a report.

use crate::renderer::{Renderer, Source};
use std::io::{self, Write};

/// A row for each document in a cluster, or for each pair of submissions.
pub(crate) struct Csv;

impl Renderer for Csv {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let table = source.table();
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(&table.header).map_err(io_error)?;
        for row in table.rows {
            rows.write_record(row.iter().map(|value| value.as_bytes())).map_err(io_error)?;
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
