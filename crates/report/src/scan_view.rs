//! What a page asks of a scan. A scan that was made up answers the same in tests.

use lookalike::report::Report;
use lookalike::{ComparedPair, DocumentView, Error, Scan, Text};

/// A finished scan as a page sees it.
pub trait ScanView: Sync {
    /// What was found.
    fn report(&self) -> &Report;

    /// The least resemblance (of the chunks lens: the least share of the smaller) of which every pair was looked for.
    fn explored(&self) -> Result<f64, Error>;

    /// What is known of a document, by its number.
    fn view(&self, document: u32) -> Result<DocumentView, Error>;

    /// The text of a document; none if it is no longer what it was.
    fn text(&self, document: u32) -> Result<Option<Text>, Error>;

    /// Calls `each` with every pair that was compared, links or not.
    fn compared(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error>;

    /// These documents in the order in which they are offered as representatives.
    fn ranked(&self, documents: Vec<u32>) -> Result<Vec<u32>, Error>;
}

impl ScanView for Scan {
    fn report(&self) -> &Report {
        self.report()
    }

    fn explored(&self) -> Result<f64, Error> {
        self.explored()
    }

    fn view(&self, document: u32) -> Result<DocumentView, Error> {
        self.view(document)
    }

    fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        self.text(document)
    }

    fn compared(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        self.compared(each)
    }

    fn ranked(&self, documents: Vec<u32>) -> Result<Vec<u32>, Error> {
        self.ranked(documents)
    }
}
