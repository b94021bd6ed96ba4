//! Every pair, one a row: CSV, TSV or NDJSON.

use crate::csv::{guarded, io_error};
use crate::json::write_json;
use crate::renderer::unsupported;
use lookalike::PairNumbers;
use lookalike::report::Passages;
use lookalike::report::{PairRow, Report};
use serde::Serialize;
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

/// A file of pairs, whatever they are.
enum Rows<'a> {
    Table(Box<csv::Writer<&'a mut dyn Write>>),
    Lines(&'a mut dyn Write),
}

impl<'a> Rows<'a> {
    fn new(out: &'a mut dyn Write, form: PairForm, header: &[&str]) -> io::Result<Self> {
        let delimiter = match form {
            PairForm::Csv => b',',
            PairForm::Tsv => b'\t',
            PairForm::Ndjson => return Ok(Self::Lines(out)),
        };
        let mut table = csv::WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(out);
        table.write_record(header).map_err(io_error)?;
        Ok(Self::Table(Box::new(table)))
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Table(mut table) => table.flush(),
            Self::Lines(out) => out.flush(),
        }
    }
}

/// A column beside those that every table of pairs of documents has.
struct FurtherColumn {
    name: &'static str,
    value: fn(&PairRow) -> Option<String>,
}

const INTERVAL: &[FurtherColumn] = &[
    FurtherColumn { name: "low", value: |pair| Some(interval(pair)[0].to_string()) },
    FurtherColumn { name: "high", value: |pair| Some(interval(pair)[1].to_string()) },
];

const SHARED_BYTES: &[FurtherColumn] =
    &[FurtherColumn { name: "shared_bytes", value: |pair| pair.shared_bytes.map(|n| n.to_string()) }];

fn interval(pair: &PairRow) -> [f64; 2] {
    pair.interval.unwrap_or([pair.resemblance; 2])
}

/// Writes pairs of documents as they come.
pub struct PairWriter<'a> {
    rows: Rows<'a>,
    further: &'static [FurtherColumn],
}

impl<'a> PairWriter<'a> {
    /// Begins a file. Of the chunks lens it has shared bytes; of estimates it has the ends of the resemblance's interval.
    pub fn new(out: &'a mut dyn Write, form: PairForm, report: &Report) -> io::Result<Self> {
        let further = if report.chunks().is_some() {
            SHARED_BYTES
        } else if report.is_estimate() {
            INTERVAL
        } else {
            &[]
        };
        let mut header = vec!["a", "b", "resemblance", "a_in_b", "b_in_a"];
        header.extend(further.iter().map(|column| column.name));
        Ok(Self { rows: Rows::new(out, form, &header)?, further })
    }

    /// Writes one pair.
    pub fn write(&mut self, pair: &PairRow) -> io::Result<()> {
        match &mut self.rows {
            Rows::Table(table) => {
                let numbers = [pair.resemblance, pair.a_in_b, pair.b_in_a].map(|n| n.to_string());
                let further: Vec<String> = self.further.iter().map(|c| (c.value)(pair).unwrap_or_default()).collect();
                let ids = [&pair.a, &pair.b].map(|id| guarded(id).into_owned());
                table.write_record(ids.iter().chain(&numbers).chain(&further)).map_err(io_error)
            }
            Rows::Lines(out) => write_json(*out, pair),
        }
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}

/// Writes the numbers of pairs of submissions as they come.
pub struct SubmissionPairWriter<'a> {
    report: &'a Passages,
    rows: Rows<'a>,
}

/// A pair with names in place of numbers.
#[derive(Serialize)]
struct SubmissionPair<'a> {
    a: &'a str,
    b: &'a str,
    similarity: f64,
    share_a: f64,
    share_b: f64,
    overlap: u64,
    longest: u64,
}

impl<'a> SubmissionPairWriter<'a> {
    /// Begins a file; the report has the names.
    pub fn new(out: &'a mut dyn Write, form: PairForm, report: &'a Report) -> io::Result<Self> {
        let report = report.passages().ok_or_else(|| unsupported("pairs of submissions"))?;
        let header = ["a", "b", "similarity", "share_a", "share_b", "overlap", "longest"];
        Ok(Self { report, rows: Rows::new(out, form, &header)? })
    }

    /// Writes one pair.
    pub fn write(&mut self, pair: &PairNumbers) -> io::Result<()> {
        let name = |at: u32| self.report.submissions[at as usize].name.as_str();
        let PairNumbers { a, b, similarity, share_a, share_b, overlap, longest } = *pair;
        let row = |a, b| SubmissionPair { a, b, similarity, share_a, share_b, overlap, longest };
        match &mut self.rows {
            Rows::Table(table) => table.serialize(row(&guarded(name(a)), &guarded(name(b)))).map_err(io_error),
            Rows::Lines(out) => write_json(*out, &row(name(a), name(b))),
        }
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}
