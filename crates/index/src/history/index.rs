//! What an open index answers about the past.

use crate::history::archive::{Archive, History};
use crate::history::changes::{Changes, ChangesOptions};
use crate::history::collapse::{CollapseResult, collapse};
use crate::history::find_lost::lost;
use crate::history::holders::{Holders, HoldersOptions, holders};
use crate::history::lost::{LostOptions, LostResult};
use crate::history::redirects::{Redirect, redirects};
use crate::history::tally::changes;
use crate::info::Sweep;
use crate::query::index::Index;
use crate::search::{Matches, Query, QueryOptions, ShingleMatch};
use lookalike_core::sketch::PairEstimate;
use lookalike_engine::Error;

impl Index {
    /// The last content that was seen under a URL, and where it lives now. Needs an index of shingles, as the other questions about the past.
    pub fn lost(&self, url: &str, options: &LostOptions) -> Result<LostResult, Error> {
        self.lens.shingles()?;
        lost(self, url, options)
    }

    /// The redirect map: calls `each` with every URL that is not in the last sweep, and where its content lives now.
    pub fn redirects(
        &self,
        options: &LostOptions,
        each: &mut dyn FnMut(Redirect) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.lens.shingles()?;
        redirects(self, options, each)
    }

    /// How pages changed from sweep to sweep.
    pub fn changes(&self, options: &ChangesOptions) -> Result<Changes, Error> {
        self.lens.shingles()?;
        changes(self, options)
    }

    /// Puts results that are nearly the same, best first, under the best of them.
    pub fn collapse(&self, ranked: impl IntoIterator<Item = String>) -> Result<CollapseResult, Error> {
        self.lens.shingles()?;
        collapse(self, ranked)
    }

    /// Everyone who holds a document or a part of it.
    pub fn holders(&self, query: &Query<'_>, options: &HoldersOptions) -> Result<Holders, Error> {
        self.lens.shingles()?;
        Ok(holders(&self.query(query, &options.query())?, options))
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

    fn related(&self, document: u32, options: &QueryOptions) -> Result<Vec<ShingleMatch>, Error> {
        Ok(match self.query(&Query::Document(document), options)?.matches {
            Matches::Shingles(found) => found.matches,
            Matches::Simhash(_) | Matches::Passages(_) | Matches::Chunks(_) => Vec::new(),
        })
    }

    fn for_each_history(&self, visit: &mut dyn FnMut(&str, &History) -> Result<(), Error>) -> Result<(), Error> {
        self.for_each_history(visit)
    }

    fn cluster(&self, document: u32) -> Result<u32, Error> {
        self.cluster(document)
    }
}
