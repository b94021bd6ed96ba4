//! Queries in dense neighbourhoods are deferred until all others are answered. Then each different fingerprint is searched for once, however
//! often it came.

use super::partition::TableSelector;
use crate::error::Error;
use lookalike_core::bits::FingerprintBits;
use lookalike_store::{ExternalSort, TempSpace};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// High half, low half, which tables, id.
pub(super) type DeferredEntry = [u64; 4];

/// Ids that are in memory at once; for more with the same fingerprint, it is searched for again.
const MAX_IDS_AT_ONCE: usize = 1 << 20;

/// Fingerprints that were deferred.
pub(super) struct DeferredQueries(Mutex<ExternalSort<DeferredEntry>>);

impl DeferredQueries {
    pub(super) fn new(space: &Arc<TempSpace>, memory: u64) -> Self {
        Self(Mutex::new(ExternalSort::new(space, "deferred fingerprints", (memory / 8) as usize)))
    }

    pub(super) fn entry<F: FingerprintBits>(fingerprint: F, selector: TableSelector, id: u64) -> DeferredEntry {
        let [high, low] = fingerprint.halves();
        [high, low, if let TableSelector::One(table) = selector { table as u64 + 1 } else { 0 }, id]
    }

    pub(super) fn append(&self, entries: &mut Vec<DeferredEntry>) -> Result<(), Error> {
        if !entries.is_empty() {
            let mut sort = self.0.lock().expect("no panic with the lock");
            entries.drain(..).try_for_each(|entry| sort.push(entry))?;
        }
        Ok(())
    }

    /// Calls `each` with every different fingerprint, the tables to search and its ids in order, from several threads.
    pub(super) fn each<F: FingerprintBits>(
        self,
        each: impl Fn(F, TableSelector, &[u64]) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let sort = self.0.into_inner().expect("no panic with the lock");
        let mut entries = sort.merged()?;
        let (mut ids, mut groups) = (Vec::new(), Vec::<([u64; 3], usize)>::new());
        loop {
            let next = entries.next().transpose()?;
            if ids.len() == MAX_IDS_AT_ONCE || next.is_none() {
                let ends = groups.iter().skip(1).map(|(_, start)| *start).chain([ids.len()]);
                let parts: Vec<_> = groups.iter().zip(ends).map(|((of, start), end)| (of, &ids[*start..end])).collect();
                parts.into_par_iter().try_for_each(|(&[high, low, selector], ids)| {
                    let selector =
                        selector.checked_sub(1).map_or(TableSelector::All, |table| TableSelector::One(table as usize));
                    each(F::from_halves([high, low]), selector, ids)
                })?;
                ids.clear();
                groups.clear();
            }
            let Some([high, low, selector, id]) = next else { return Ok(()) };
            if groups.last().is_none_or(|(of, _)| *of != [high, low, selector]) {
                groups.push(([high, low, selector], ids.len()));
            }
            ids.push(id);
        }
    }
}
