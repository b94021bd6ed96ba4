//! A workbook for people who clean up with a spreadsheet: clusters and sets of identical files as rows that expand, sort and filter.

mod about;
mod clusters;
mod files;
mod sheet;
mod templates;

#[cfg(test)]
mod tests;

use crate::attributes::Attributes;
use crate::identical::sets;
use crate::renderer::{Renderer, Source, unsupported};
use crate::section::Findings;
use lookalike::report::Report;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};
use sheet::{Limits, Sheet};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

const LIMITS: Limits = Limits { rows: 1_048_575, text: 32_767, folded: 100_000 };

/// The workbook. Equal reports give equal bytes.
pub(crate) struct Xlsx;

impl Renderer for Xlsx {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Findings::Clusters(report) = source.findings else { return Err(unsupported("xlsx")) };
        let workbook = catch_unwind(AssertUnwindSafe(|| workbook(report, source.attributes, LIMITS)));
        // the library panics if it cannot write its temporary file
        let full = |_| {
            io::Error::other("the file for temporary rows failed; is there room in the folder for temporary files?")
        };
        out.write_all(&workbook.map_err(full)?.map_err(io_error)?)
    }
}

/// The library's error, or the one behind it.
fn io_error(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

fn workbook(report: &Report, attributes: Option<&Attributes<'_>>, limits: Limits) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    // a date is asked for; that of the program's own time would make every file another
    let properties = DocProperties::new()
        .set_title("Documents that look alike")
        .set_comment(format!("lookalike {}", report.head.lookalike))
        .set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?);
    workbook.set_properties(&properties);
    let attributes = attributes.filter(|_| report.chunks().is_some());
    let mut done = Vec::new();
    let clusters = report.clusters.iter().map(|cluster| 1 + cluster.members.len()).sum();
    done.push(Sheet::fill(&mut workbook, "Clusters", clusters, limits, |sheet| {
        clusters::fill(sheet, report, attributes)
    })?);
    let identical = sets(report).map(|set| set.files.len()).sum();
    done.push(Sheet::fill(&mut workbook, "Identical", identical, limits, |sheet| {
        files::fill_identical(sheet, report, attributes)
    })?);
    if let Some(chunks) = report.chunks() {
        let folders = &chunks.folders;
        let fill = |sheet: &mut Sheet<'_>| files::fill_folders(sheet, folders);
        done.push(Sheet::fill(&mut workbook, "Folders", folders.len(), limits, fill)?);
    }
    done.push(Sheet::fill(&mut workbook, "Templates", 0, limits, |sheet| templates::fill(sheet, report))?);
    Sheet::fill(&mut workbook, "About", 0, LIMITS, |sheet| about::fill(sheet, report, &done))?;
    workbook.save_to_buffer()
}
