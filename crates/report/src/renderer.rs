//! What every form of a report is: a [`Renderer`] of a [`Source`].

use crate::attributes::Attributes;
use crate::page::{PageSource, SubmissionFiles};
use crate::section::Findings;
use crate::table::Table;
use lookalike::Differences;
use std::io::{self, Write};
use std::path::Path;

/// Writes a report in one form.
pub trait Renderer: Sync {
    /// Writes it to `out`. Fails with [`io::ErrorKind::Unsupported`] if a report of its lens has no such form.
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Whether it is written for people, with colours: the caller strips them where they are not wanted.
    fn is_coloured(&self) -> bool {
        false
    }
}

/// Tells what differs between two documents, by their places in the catalogue.
pub type Explain<'a> = dyn Fn(u32, u32) -> Option<Differences> + 'a;

/// Columns that a name has at least.
const MIN_NAME: usize = 16;

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
    /// Columns of a line; none where lines may have any length.
    pub columns: Option<usize>,
}

impl Shown {
    /// So many clusters or pairs, and passages of the first three pairs.
    pub fn top(top: usize) -> Self {
        Self { top, members: 10, explained: top.min(3), passages: 5, columns: None }
    }

    /// Columns that are left behind so many; no name is cut to less than is needed to tell it from others.
    pub(crate) fn room(&self, used: usize) -> usize {
        self.columns.map_or(usize::MAX, |columns| columns.saturating_sub(used).max(MIN_NAME))
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
    /// Owner, age and permissions of files, for tables.
    pub attributes: Option<&'a Attributes<'a>>,
    /// The folder in which the run is kept, for commands that begin with it.
    pub run: Option<&'a Path>,
    /// The texts of submissions.
    pub files: Option<&'a SubmissionFiles<'a>>,
    /// What a page shows beside the report.
    pub page: Option<PageSource<'a>>,
}

impl<'a> Source<'a> {
    /// The report alone.
    pub fn new(findings: impl Into<Findings<'a>>) -> Self {
        Self {
            findings: findings.into(),
            shown: Shown::top(20),
            explain: None,
            attributes: None,
            run: None,
            files: None,
            page: None,
        }
    }

    /// The report as one table, whatever the lens: a row for each document in a cluster, or for each pair of submissions.
    pub fn table(&self) -> Table<'a> {
        Table::new(self.findings, self.attributes)
    }
}

/// The answer of a form that this lens does not have.
pub(crate) fn unsupported(form: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("this lens has no report of the form {form}"))
}
