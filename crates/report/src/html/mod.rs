//! HTML: one file that draws itself. What it carries is described in `web/js/types.js`.

mod changes;
mod chunks;
mod comparison;
mod data;
mod listing;
mod pairs;
mod passages;
mod plot;
#[cfg(test)]
mod tests;
mod texts;
mod tidy;

pub use changes::write_changes_html;

use crate::page::{HtmlOptions, PageSource, PageSubject};
use crate::renderer::{Renderer, Source};
use data::ScanData;
use listing::Listing;
use lookalike::{Error, OptionName};
use lookalike_web::{Page, write_page};
use std::io::{self, Write};
use texts::{Texts, pack};

/// One file that draws itself.
pub(crate) struct Html;

impl Renderer for Html {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let wanted = || io::Error::new(io::ErrorKind::InvalidInput, "a page needs the documents of its report");
        let PageSource { subject, options } = source.page.ok_or_else(wanted)?;
        HtmlPage::new(subject, options).map_err(io::Error::other)?.write(out)
    }
}

/// A page, ready to be written.
pub struct HtmlPage {
    title: String,
    data: Vec<u8>,
    texts: Texts,
}

impl HtmlPage {
    /// Reads what the page needs.
    pub fn new(subject: PageSubject<'_>, options: &HtmlOptions<'_>) -> Result<Self, Error> {
        match subject {
            PageSubject::Scan(scan) => {
                let listing = Listing::new(scan)?;
                let texts = Texts::of_scan(scan, &listing, options.embed_limit)?;
                let data = pack(&ScanData::new(scan, &listing, &texts.places, options));
                Ok(Self { title: title(&options.inputs), data, texts })
            }
            PageSubject::Comparison(comparison) => {
                let texts = Texts::of_comparison(comparison);
                let data = pack(&comparison::data(comparison, &texts.places, options.made));
                Ok(Self { title: title(&[comparison.a.id.clone(), comparison.b.id.clone()]), data, texts })
            }
            PageSubject::Passages(report, files) => {
                let section = report
                    .passages()
                    .ok_or(Error::NotOfLens { what: OptionName::Submissions, lens: report.head.lens })?;
                let contents = passages::Contents::new(section);
                let texts = contents.texts(section, files, options.embed_limit)?;
                let data = pack(&passages::PassageData::new(report, &contents, &texts.places, options));
                Ok(Self { title: title(&options.inputs), data, texts })
            }
        }
    }

    /// Writes the file.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let texts = |out: &mut dyn Write| self.texts.blocks.iter().try_for_each(|b| out.write_all(b.as_bytes()));
        write_page(out, &Page { title: &self.title, data: &self.data, texts: &texts })
    }
}

fn title(names: &[String]) -> String {
    format!("{} · lookalike", crate::clean(&names.join(", ")))
}
