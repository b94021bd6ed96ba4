//! What an index knows, name by name.

use crate::info::Sweep;
use crate::query::index::Index;
use lookalike_engine::Error;
use serde::Serialize;

/// A URL or id of an index, with the document that it had last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexEntry {
    /// The URL or id.
    pub url: String,
    /// The content id of its document.
    pub content: String,
    /// The size of the document.
    pub bytes: u64,
    /// When the URL was first seen; none if that has no date.
    pub first: Option<String>,
    /// When it was last seen.
    pub last: Option<String>,
    /// That was in the last sweep.
    pub current: bool,
    /// How often it was seen.
    pub observations: u64,
    /// How often its document was another than the one before.
    pub changes: u64,
}

impl Index {
    /// A name with its observations, as [`for_each_history`](Self::for_each_history) gives them; none if there are none.
    pub fn entry(&self, url: &str, history: &[(u32, u32)]) -> Result<Option<IndexEntry>, Error> {
        let (Some(first), Some(last)) = (history.first(), history.last()) else { return Ok(None) };
        let sweeps = self.sweeps();
        let date = |sweep_index: u32| sweeps.get(sweep_index as usize).and_then(|sweep| sweep.date.clone());
        Ok(Some(IndexEntry {
            url: url.to_owned(),
            content: self.content(last.1)?,
            bytes: self.snapshot.segments.record(last.1)?.bytes,
            first: date(first.0),
            last: date(last.0),
            current: last.0 >= Sweep::present(sweeps),
            observations: history.len() as u64,
            changes: history.windows(2).filter(|pair| pair[0].1 != pair[1].1).count() as u64,
        }))
    }
}
