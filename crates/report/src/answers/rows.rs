//! Answers of many rows, written as they come: for people, as CSV, or as one JSON object with a list.

use crate::csv::{guarded, io_error};
use crate::pairs::PairForm;
use lookalike::report::SCHEMA;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// For people, with colours.
    Text,
    /// Comma-separated, with a header.
    Csv,
    /// Tab-separated, with a header.
    Tsv,
    /// One JSON object, with a list.
    Json,
    /// One JSON object a line.
    Ndjson,
}

impl RowForm {
    /// By the file's extension, as pairs are written.
    pub fn of_file(path: &Path) -> Self {
        match PairForm::of(path) {
            PairForm::Csv => Self::Csv,
            PairForm::Tsv => Self::Tsv,
            PairForm::Ndjson => Self::Ndjson,
        }
    }
}

/// A row of an answer.
pub trait Row: Serialize {
    /// What the list is called in JSON.
    const LIST: &'static str;
    /// The columns of a table, apart by spaces.
    const COLUMNS: &'static str;

    /// The cells of a table.
    fn cells(&self) -> Vec<String>;

    /// Writes it for people, in a line.
    fn show(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes rows one after the other, and holds none.
pub struct RowWriter<'a> {
    out: Target<'a>,
    form: RowForm,
    rows: u64,
}

enum Target<'a> {
    Table(Box<csv::Writer<&'a mut dyn Write>>),
    Other(&'a mut dyn Write),
}

impl<'a> RowWriter<'a> {
    /// Begins rows of one kind.
    pub fn new<R: Row>(out: &'a mut dyn Write, form: RowForm) -> io::Result<Self> {
        let delimiter = match form {
            RowForm::Csv => b',',
            RowForm::Tsv => b'\t',
            RowForm::Json => {
                let program = env!("CARGO_PKG_VERSION");
                write!(out, "{{\"schema\":{SCHEMA},\"lookalike\":\"{program}\",\"{}\":[", R::LIST)?;
                return Ok(Self { out: Target::Other(out), form, rows: 0 });
            }
            RowForm::Text | RowForm::Ndjson => return Ok(Self { out: Target::Other(out), form, rows: 0 }),
        };
        let mut table = csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(out);
        table.write_record(R::COLUMNS.split(' ')).map_err(io_error)?;
        Ok(Self { out: Target::Table(Box::new(table)), form, rows: 0 })
    }

    /// Writes a row.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.rows += 1;
        match &mut self.out {
            Target::Table(table) => {
                table.write_record(row.cells().iter().map(|cell| guarded(cell).into_owned())).map_err(io_error)
            }
            Target::Other(out) if self.form == RowForm::Text => row.show(*out),
            Target::Other(out) => {
                if self.form == RowForm::Json {
                    out.write_all(if self.rows == 1 { b"\n" } else { b",\n" })?;
                }
                serde_json::to_writer(&mut **out, row)?;
                if self.form == RowForm::Ndjson { out.write_all(b"\n") } else { Ok(()) }
            }
        }
    }

    /// Ends them; gives their number.
    pub fn finish(mut self) -> io::Result<u64> {
        match &mut self.out {
            Target::Table(table) => table.flush()?,
            Target::Other(out) if self.form == RowForm::Json => out.write_all(b"]}\n")?,
            Target::Other(out) => out.flush()?,
        }
        Ok(self.rows)
    }
}

/// A cell that may be empty.
pub(super) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
