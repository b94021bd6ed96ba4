//! HTML: one file that draws itself. What it carries is described in `web/js/types.js`.

mod changes;
mod chunks;
mod comparison;
mod copies;
mod data;
mod listing;
mod pairs;
mod plot;
#[cfg(test)]
mod tests;
mod texts;
mod tidy;

pub use changes::write_changes_html;

use data::Data;
use flate2::Compression;
use flate2::write::GzEncoder;
use listing::Listing;
use lookalike::copies::{Copies, ShownFile};
use lookalike::{Comparison, Decision, Error, Viewed};
use lookalike_web::{Page, write_page};
use serde::Serialize;
use std::io::{self, Write};
use texts::Texts;

/// What a page says beside what was found.
#[derive(Clone, Debug)]
pub struct HtmlOptions<'a> {
    /// What was scanned.
    pub inputs: Vec<String>,
    /// Where that is, for telling one place from another: only a hash of it goes into the page.
    pub place: Vec<String>,
    /// What to write on a command line to scan it again.
    pub command: Vec<String>,
    /// When, in seconds since 1970.
    pub made: u64,
    /// Bytes of the file that the texts of documents may take.
    pub embed_limit: u64,
    /// What was decided before.
    pub decisions: &'a [Decision],
}

/// A page, ready to be written.
pub struct HtmlPage {
    title: String,
    data: Vec<u8>,
    texts: Texts,
}

impl HtmlPage {
    /// The report of a scan. Needs a scan with `all_pairs`.
    pub fn of_scan(scan: &dyn Viewed, options: &HtmlOptions<'_>) -> Result<Self, Error> {
        let listing = Listing::new(scan)?;
        let texts = Texts::of_scan(scan, &listing, options.embed_limit)?;
        let data = pack(&Data::new(scan, &listing, &texts.places, options));
        Ok(Self { title: title(&options.inputs), data, texts })
    }

    /// Two documents side by side.
    pub fn of_comparison(comparison: &Comparison, made: u64) -> Self {
        let texts = Texts::of_comparison(comparison);
        let data = pack(&comparison::data(comparison, &texts.places, made));
        Self { title: title(&[comparison.a.id.clone(), comparison.b.id.clone()]), data, texts }
    }

    /// Who copied what. `files` gives the files of a submission as they are shown; their texts go into the page as far as there is room, those
    /// of the most similar pairs first.
    pub fn of_copies(
        report: &Copies,
        files: &dyn Fn(usize) -> Result<Vec<Option<ShownFile>>, Error>,
        options: &HtmlOptions<'_>,
    ) -> Result<Self, Error> {
        let contents = copies::Contents::new(report);
        let texts = contents.texts(report, files, options.embed_limit)?;
        let data = pack(&copies::Data::new(report, &contents, &texts.places, options));
        Ok(Self { title: title(&options.inputs), data, texts })
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

/// JSON, packed.
fn pack(value: &impl Serialize) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut packed, value).expect("plain data into memory");
    packed.finish().expect("into memory")
}
