//! Every pair, one a row: CSV, TSV or NDJSON.

use crate::csv::io_error;
use lookalike::PairRow;
use std::io::{self, Write};
use std::path::Path;

/// How pairs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairForm {
    /// Comma-separated, with a header.
    Csv,
    /// Tab-separated, with a header.
    Tsv,
    /// One JSON object a line.
    Ndjson,
}

impl PairForm {
    /// By the file's extension: `.csv`, `.tsv`, anything else NDJSON.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|e| e.to_str()) {
            Some("csv") => Self::Csv,
            Some("tsv") => Self::Tsv,
            _ => Self::Ndjson,
        }
    }
}

/// Writes pairs as they come.
pub struct PairWriter<'a> {
    form: Form<'a>,
    more: More,
}

/// Columns beside those that every table has.
#[derive(Clone, Copy)]
enum More {
    Nothing,
    Interval,
    CommonBytes,
}

enum Form<'a> {
    Table(Box<csv::Writer<&'a mut dyn Write>>),
    Lines(&'a mut dyn Write),
}

impl<'a> PairWriter<'a> {
    /// Begins a file; estimates have two columns more, the ends of the resemblance's interval.
    pub fn new(out: &'a mut dyn Write, form: PairForm, estimate: bool) -> io::Result<Self> {
        Self::begin(out, form, if estimate { More::Interval } else { More::Nothing })
    }

    /// Begins a file of pairs that were found by their chunks; a column more tells how many bytes they have in common.
    pub fn for_chunks(out: &'a mut dyn Write, form: PairForm) -> io::Result<Self> {
        Self::begin(out, form, More::CommonBytes)
    }

    fn begin(out: &'a mut dyn Write, form: PairForm, more: More) -> io::Result<Self> {
        let header = ["a", "b", "resemblance", "a_in_b", "b_in_a"];
        let further: &[&str] = match more {
            More::Nothing => &[],
            More::Interval => &["low", "high"],
            More::CommonBytes => &["common_bytes"],
        };
        let form = match form {
            PairForm::Ndjson => Form::Lines(out),
            PairForm::Csv | PairForm::Tsv => {
                let delimiter = if form == PairForm::Csv { b',' } else { b'\t' };
                let mut table = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
                table.write_record(header.iter().chain(further)).map_err(io_error)?;
                Form::Table(Box::new(table))
            }
        };
        Ok(Self { form, more })
    }

    /// Writes one pair.
    pub fn write(&mut self, pair: &PairRow) -> io::Result<()> {
        match &mut self.form {
            Form::Table(table) => {
                let numbers = [pair.resemblance, pair.a_in_b, pair.b_in_a].map(|n| n.to_string());
                let further = match self.more {
                    More::Nothing => Vec::new(),
                    More::Interval => pair.interval.unwrap_or([pair.resemblance; 2]).map(|n| n.to_string()).to_vec(),
                    More::CommonBytes => vec![pair.common_bytes.map_or_else(String::new, |n| n.to_string())],
                };
                table.write_record([&pair.a, &pair.b].into_iter().chain(&numbers).chain(&further)).map_err(io_error)
            }
            Form::Lines(out) => {
                serde_json::to_writer(&mut **out, pair)?;
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
