//! HTML: one file that draws itself. What it carries is described in `web/js/types.js`.

mod calibration;
mod changes;
mod chunks;
mod comparison;
mod data;
mod dedup;
mod listing;
mod pairs;
mod passages;
mod plot;
#[cfg(test)]
mod tests;
mod texts;
mod tidy;

pub use changes::write_changes_html;
pub use dedup::{DedupPage, write_dedup_html};

use crate::page::{HtmlOptions, PageSource, PageSubject};
use crate::renderer::{Renderer, Source};
use data::ScanData;
use listing::Listing;
use lookalike::{Error, OptionName};
use lookalike_web::PageWriter;
use std::io::{self, Write};
use texts::{TextWriter, pack};

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
            let mut page = PageWriter::begin(out, &title(&options.inputs))?;
            let listing = Listing::new(scan)?;
            let texts = TextWriter::write_scan(scan, &listing, options, &mut page)?;
            page.finish(|out| pack(&ScanData::new(scan, &listing, &texts, options), out))?;
        }
        PageSubject::Comparison(comparison, all) => {
            let mut page = PageWriter::begin(out, &title(&[comparison.a.id.clone(), comparison.b.id.clone()]))?;
            let texts = TextWriter::write_comparison(comparison, &mut page)?;
            page.finish(|out| pack(&comparison::data(comparison, all, &texts, options.made), out))?;
        }
        PageSubject::Passages(report, files) => {
            let wrong = Error::NotOfLens { what: OptionName::Submissions, lens: report.head.lens };
            let section = report.passages().ok_or(wrong)?;
            let mut page = PageWriter::begin(out, &title(&options.inputs))?;
            let contents = passages::Contents::new(section);
            let texts = contents.texts(section, files, options, &mut page)?;
            page.finish(|out| pack(&passages::PassageData::new(report, &contents, &texts, options), out))?;
        }
        PageSubject::Calibration(run, dedup) => {
            let mut page = PageWriter::begin(out, &title(&options.inputs))?;
            let contents = calibration::contents(&run.calibration);
            let texts = calibration::texts(run, &contents, options, &mut page)?;
            page.finish(|out| pack(&calibration::data(run, (&contents, &texts), options, dedup), out))?;
        }
    }
    Ok(())
}

fn title(names: &[String]) -> String {
    format!("{} · lookalike", crate::clean(&names.join(", ")))
}
