//! The numbers of every pair, one a row: CSV, TSV or NDJSON.

use crate::csv::io_error;
use crate::pairs::PairForm;
use lookalike::copies::{Copies, PairNumbers};
use serde::Serialize;
use std::io::{self, Write};

const HEADER: [&str; 7] = ["a", "b", "similarity", "share_a", "share_b", "overlap", "longest"];

/// Writes pairs as they come.
pub struct CopyPairWriter<'a> {
    report: &'a Copies,
    form: Form<'a>,
}

enum Form<'a> {
    Table(Box<csv::Writer<&'a mut dyn Write>>),
    Lines(&'a mut dyn Write),
}

/// A pair with names in place of places.
#[derive(Serialize)]
struct Row<'a> {
    a: &'a str,
    b: &'a str,
    similarity: f64,
    share_a: f64,
    share_b: f64,
    overlap: u64,
    longest: u64,
}

impl<'a> CopyPairWriter<'a> {
    /// Begins a file; the report has the names.
    pub fn new(out: &'a mut dyn Write, form: PairForm, report: &'a Copies) -> io::Result<Self> {
        let form = match form {
            PairForm::Ndjson => Form::Lines(out),
            PairForm::Csv | PairForm::Tsv => {
                let delimiter = if form == PairForm::Csv { b',' } else { b'\t' };
                let table = csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(out);
                let mut table = Box::new(table);
                table.write_record(HEADER).map_err(io_error)?;
                Form::Table(table)
            }
        };
        Ok(Self { report, form })
    }

    /// Writes one pair.
    pub fn write(&mut self, pair: &PairNumbers) -> io::Result<()> {
        let name = |at: u32| self.report.submissions[at as usize].name.as_str();
        let PairNumbers { a, b, similarity, share_a, share_b, overlap, longest } = *pair;
        let row = Row { a: name(a), b: name(b), similarity, share_a, share_b, overlap, longest };
        match &mut self.form {
            Form::Table(table) => table.serialize(&row).map_err(io_error),
            Form::Lines(out) => {
                serde_json::to_writer(&mut **out, &row)?;
                out.write_all(b"\n")
            }
        }
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<()> {
        match self.form {
            Form::Table(mut table) => table.flush(),
            Form::Lines(out) => out.flush(),
        }
    }
}
