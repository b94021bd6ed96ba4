//! A form of a report is one type that implements [`Renderer`], and one row of [`FORMS`].

use crate::csv::Csv;
use crate::fdupes::Fdupes;
use crate::html::{Html, PageSource};
use crate::json::{Json, Ndjson};
use crate::sarif::Sarif;
use crate::section::Findings;
use crate::table::Table;
use crate::terminal::Terminal;
use crate::xlsx::Xlsx;
use lookalike::ShownFile;
use lookalike::{Differences, Error};
use std::io::{self, Write};

/// Every form in which a report can be written. A new form is a new file and a row here.
pub const FORMS: &[Form] = &[
    Form { name: "terminal", about: "For people: a summary, then the largest clusters or pairs", renderer: &Terminal },
    Form { name: "json", about: "One JSON object", renderer: &Json },
    Form { name: "ndjson", about: "One JSON object a line: the scan, then its lists", renderer: &Ndjson },
    Form { name: "csv", about: "A row for each document in a cluster, or for each pair", renderer: &Csv },
    Form { name: "xlsx", about: "A spreadsheet: clusters as rows that expand, sort and filter", renderer: &Xlsx },
    Form { name: "html", about: "A page to look at, and to decide on", renderer: &Html },
    Form { name: "sarif", about: "SARIF 2.1.0: a result for each passage", renderer: &Sarif },
    Form { name: "fdupes", about: "Sets of identical files, as fdupes prints them", renderer: &Fdupes },
];

/// A row of [`FORMS`].
#[derive(Clone, Copy)]
pub struct Form {
    /// How it is asked for.
    pub name: &'static str,
    /// What it is, for a list of forms.
    pub about: &'static str,
    /// What writes it.
    pub renderer: &'static dyn Renderer,
}

impl Form {
    /// The form of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMS.iter().find(|form| form.name == name)
    }
}

/// Writes a report in one form.
pub trait Renderer: Sync {
    /// Writes it. Nothing is printed that is not written to `out`.
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Whether a report of this kind has such a form.
    fn supports(&self, _findings: Findings<'_>) -> bool {
        true
    }

    /// Whether it is written for people, with colours: the caller strips them where they are not wanted.
    fn is_coloured(&self) -> bool {
        false
    }
}

/// Tells what differs between two documents, by their places in the catalogue.
pub type Explain<'a> = dyn Fn(u32, u32) -> Option<Differences> + 'a;

/// The files of a submission as they are shown; none where one has changed since.
pub type SubmissionFiles<'a> = dyn Fn(usize) -> Result<Vec<Option<ShownFile>>, Error> + 'a;

/// How much of a report a terminal shows; the rest is counted.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Clusters or pairs.
    pub top: usize,
    /// Members of a cluster.
    pub members: usize,
    /// Of the pairs, those whose passages are listed.
    pub explained: usize,
    /// Passages of such a pair.
    pub passages: usize,
}

impl Shown {
    /// So many clusters or pairs, and passages of the first three pairs.
    pub fn top(top: usize) -> Self {
        Self { top, members: 10, explained: top.min(3), passages: 5 }
    }
}

/// A report, and the ways back to its documents that some forms need. What is not given is left out of the form.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// What was found.
    pub findings: Findings<'a>,
    /// How much a terminal shows.
    pub shown: Shown,
    /// What differs between two documents.
    pub explain: Option<&'a Explain<'a>>,
    /// The texts of submissions.
    pub files: Option<&'a SubmissionFiles<'a>>,
    /// What a page shows beside the report.
    pub page: Option<PageSource<'a>>,
}

impl<'a> Source<'a> {
    /// The report alone.
    pub fn new(findings: impl Into<Findings<'a>>) -> Self {
        Self { findings: findings.into(), shown: Shown::top(20), explain: None, files: None, page: None }
    }

    /// The report as one table, whatever the lens: a row for each document in a cluster, or for each pair of submissions.
    pub fn table(&self) -> Table<'a> {
        Table::new(self.findings)
    }
}

/// The answer of a form that this lens does not have.
pub(crate) fn unsupported(form: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("this lens has no report of the form {form}"))
}
