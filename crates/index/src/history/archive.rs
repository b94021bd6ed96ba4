//! What the questions about time need of an index. A small archive in memory answers the same in tests.

use crate::Error;
use crate::answers::{Answer, QueryOptions, Sweep};
use lookalike_core::sketch::PairEstimate;

/// A URL with one observation after the other: the moment (a place in the list of sweeps) and the document.
pub(crate) type History = [(u32, u32)];

/// Reads observations and sketches. Numbers of documents and moments are only good within one archive.
pub(crate) trait Archive: Sync {
    /// The sweeps by date; what was added without a date comes first.
    fn sweeps(&self) -> &[Sweep];

    /// The observations of a URL, oldest first; none if it was never seen.
    fn find(&self, url: &str) -> Result<Vec<(u32, u32)>, Error>;

    /// The content id of a document.
    fn content(&self, document: u32) -> Result<String, Error>;

    /// How two documents relate, estimated from their sketches.
    fn resemblance(&self, a: u32, b: u32) -> Result<PairEstimate, Error>;

    /// Documents that have something in common with this one; itself is among them.
    fn query_document(&self, document: u32, options: &QueryOptions) -> Result<Answer, Error>;

    /// Every URL once, with its observations, oldest first.
    fn for_each_history(&self, visit: &mut dyn FnMut(&str, &History) -> Result<(), Error>) -> Result<(), Error>;

    /// The representative of the document's cluster.
    fn cluster(&self, document: u32) -> Result<u32, Error>;

    /// The date of a moment.
    fn date(&self, moment: u32) -> Option<String> {
        self.sweeps().get(moment as usize).and_then(|sweep| sweep.date.clone())
    }

    /// The last sweep of all.
    fn present(&self) -> u32 {
        self.sweeps().len().saturating_sub(1) as u32
    }
}
