//! Questions about the past, asked of an open index.

pub(crate) mod archive;
pub(crate) mod changes;
pub(crate) mod collapse;
#[cfg(test)]
mod fake;
pub(crate) mod holders;
mod lifetimes;
pub(crate) mod lost;
mod rank;
pub(crate) mod role;
mod search;
mod split;
mod tally;
mod url;

use crate::Error;
use crate::answers::{Answer, QueryOptions, Sweep};
use crate::query::reader::Index;
use crate::history::archive::{Archive, History};
use crate::history::changes::{Changes, ChangesOptions, changes};
use crate::history::collapse::{Collapsed, collapse};
use crate::history::lost::{Lost, LostOptions, lost};
use lookalike_core::sketch::PairEstimate;

impl Index {
    /// The last content that was seen under a URL, and where it lives now.
    pub fn lost(&self, url: &str, options: &LostOptions) -> Result<Lost, Error> {
        lost(self, url, options)
    }

    /// How pages changed from sweep to sweep.
    pub fn changes(&self, options: &ChangesOptions) -> Result<Changes, Error> {
        changes(self, options)
    }

    /// Puts results that are nearly the same, best first, under the best of them.
    pub fn collapse(&self, ranked: impl IntoIterator<Item = String>) -> Result<Collapsed, Error> {
        collapse(self, ranked)
    }
}

impl Archive for Index {
    fn sweeps(&self) -> &[Sweep] {
        self.sweeps()
    }

    fn find(&self, url: &str) -> Result<Vec<(u32, u32)>, Error> {
        self.find(url)
    }

    fn content(&self, document: u32) -> Result<String, Error> {
        self.content(document)
    }

    fn resemblance(&self, a: u32, b: u32) -> Result<PairEstimate, Error> {
        self.resemblance(a, b)
    }

    fn query_document(&self, document: u32, options: &QueryOptions) -> Result<Answer, Error> {
        self.query_document(document, options)
    }

    fn for_each_history(&self, visit: &mut dyn FnMut(&str, &History) -> Result<(), Error>) -> Result<(), Error> {
        self.for_each_history(visit)
    }

    fn cluster(&self, document: u32) -> Result<u32, Error> {
        self.cluster(document)
    }
}
