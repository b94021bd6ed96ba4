//! HTML: one file that draws itself. What it carries is described in `web/js/types.js`.

mod calibration;
mod changes;
mod chunks;
mod comparison;
mod data;
mod dedup;
mod json_string;
mod lines;
mod listing;
mod packer;
mod pairs;
mod passages;
mod plot;
mod relations;
#[cfg(test)]
mod tests;
mod texts;
mod tidy;

pub use changes::write_changes_html;
pub use dedup::{DedupPage, write_dedup_html};

use crate::page::{HtmlOptions, PageSource, PageSubject};
use crate::renderer::{Renderer, Source};
use crate::units::count;
use data::ScanData;
use listing::Listing;
use lookalike::{Error, OptionName};
use lookalike_web::{Opening, Page, PageWriter};
use packer::pack;
use std::io::{self, Write};
use texts::TextWriter;

/// One file that draws itself.
pub(crate) struct Html;

impl Renderer for Html {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let wanted = || io::Error::new(io::ErrorKind::InvalidInput, "a page needs the documents of its report");
        let PageSource { subject, options } = source.page.ok_or_else(wanted)?;
        write_html(subject, options, out).map_err(|error| match error {
            HtmlError::Documents(error) => io::Error::other(error),
            HtmlError::Write(error) => error,
        })
    }
}

/// Why a page was not written.
#[derive(Debug, thiserror::Error)]
pub enum HtmlError {
    /// What it shows could not be read.
    #[error(transparent)]
    Documents(#[from] Error),
    /// It could not be written itself.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes a page, and reads what it needs meanwhile: texts are not held.
pub fn write_html(subject: PageSubject<'_>, options: &HtmlOptions<'_>, out: &mut dyn Write) -> Result<(), HtmlError> {
    let written = write_page(subject, options, out);
    if let Some(progress) = options.progress {
        progress.end();
    }
    written
}

fn write_page(subject: PageSubject<'_>, options: &HtmlOptions<'_>, out: &mut dyn Write) -> Result<(), HtmlError> {
    match subject {
        PageSubject::Scan(scan) => {
            let head = &scan.report().head;
            let counts = [count(head.documents, "document"), count(head.summary.clusters, "cluster")];
            let mut page = begin(out, Page::Scan, &options.inputs, &counts)?;
            let listing = Listing::new(scan)?;
            let texts = TextWriter::write_scan(scan, &listing, options, &mut page)?;
            page.finish(|out| pack(&ScanData::new(scan, &listing, &texts, options), out))?;
        }
        PageSubject::Comparison(comparison, all) => {
            let names = [comparison.a.id.clone(), comparison.b.id.clone()];
            let mut page = begin(out, Page::Scan, &names, &["side by side".to_owned()])?;
            let texts = TextWriter::write_comparison(comparison, &mut page)?;
            page.finish(|out| pack(&comparison::data(comparison, all, &texts, options.made), out))?;
        }
        PageSubject::Passages(report, files) => {
            let wrong = Error::not_of(OptionName::Submissions, report.head.lens);
            let section = report.passages().ok_or(wrong)?;
            let counts = [
                count(section.submissions.len() as u64, "submission"),
                count(section.pairs.len() as u64, "pair"),
                count(section.clusters.len() as u64, "cluster"),
            ];
            let mut page = begin(out, Page::Copies, &options.inputs, &counts)?;
            let contents = passages::Contents::new(section);
            let texts = contents.texts(section, files, options, &mut page)?;
            page.finish(|out| pack(&passages::PassageData::new(report, &contents, &texts, options), out))?;
        }
        PageSubject::Calibration(run, dedup) => {
            let counts = [count(run.calibration.sample.len() as u64, "pair") + " to judge"];
            let mut page = begin(out, Page::Calibration, &options.inputs, &counts)?;
            let contents = calibration::contents(&run.calibration);
            let texts = calibration::texts(run, &contents, options, &mut page)?;
            page.finish(|out| pack(&calibration::data(run, (&contents, &texts), options, dedup), out))?;
        }
    }
    Ok(())
}

/// Begins a page with what shows of it at once.
fn begin<'a>(out: &'a mut dyn Write, page: Page, names: &[String], counts: &[String]) -> io::Result<PageWriter<'a>> {
    let (title, all) = (title(names), names.join(", "));
    // names of people may be in the name of a folder, and the reader may have hidden them
    let heading = if page == Page::Copies { "Copies".into() } else { crate::clean(&all) };
    PageWriter::begin(out, page, &Opening { title: &title, heading: &heading, counts: &counts.join(" · ") })
}

fn title(names: &[String]) -> String {
    format!("{} · lookalike", crate::clean(&names.join(", ")))
}
