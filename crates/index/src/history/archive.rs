//! What the questions about time need of an index. A small archive in memory answers the same in tests.

use crate::info::Sweep;
use crate::search::{QueryOptions, ShingleMatch};
use lookalike_core::sketch::PairEstimate;
use lookalike_engine::Error;

/// A URL with one observation after the other: the sweep (its place in the list of sweeps) and the document.
pub(crate) type History = [(u32, u32)];

/// Reads observations and sketches. Numbers of documents and indices of sweeps are only good within one archive.
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
    fn related(&self, document: u32, options: &QueryOptions) -> Result<Vec<ShingleMatch>, Error>;

    /// Every URL once, with its observations, oldest first.
    fn for_each_history(&self, visit: &mut dyn FnMut(&str, &History) -> Result<(), Error>) -> Result<(), Error>;

    /// The representative of the document's cluster.
    fn cluster(&self, document: u32) -> Result<u32, Error>;

    /// The date of a sweep.
    fn date(&self, sweep_index: u32) -> Option<String> {
        self.sweeps().get(sweep_index as usize).and_then(|sweep| sweep.date.clone())
    }

    /// The last sweep that was read as a whole: who was seen in it or later is there.
    fn present(&self) -> u32 {
        Sweep::present(self.sweeps())
    }
}
