//! What crowds together is set aside until all has passed by. Then each different fingerprint is asked about once, however often it came.

use crate::Error;
use crate::hamming::pieces::Which;
use crate::hamming::{Print, halves, of_halves};
use lookalike_store::{ExternalSort, TempSpace};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// High half, low half, which tables, id.
pub(super) type Entry = [u64; 4];

/// Ids that are in memory at once; of more with the same fingerprint, it is asked about again.
const TOGETHER: usize = 1 << 20;

/// Fingerprints that were set aside.
pub(super) struct Aside(Mutex<ExternalSort<Entry>>);

impl Aside {
    pub(super) fn new(space: &Arc<TempSpace>, memory: u64) -> Self {
        Self(Mutex::new(ExternalSort::new(space, "the crowded fingerprints", (memory / 8) as usize)))
    }

    pub(super) fn entry<F: Print>(print: F, which: Which, id: u64) -> Entry {
        let [high, low] = halves(print);
        [high, low, if let Which::One(table) = which { table as u64 + 1 } else { 0 }, id]
    }

    pub(super) fn take(&self, entries: &mut Vec<Entry>) -> Result<(), Error> {
        if !entries.is_empty() {
            let mut sort = self.0.lock().expect("no panic with the lock");
            entries.drain(..).try_for_each(|entry| sort.push(entry))?;
        }
        Ok(())
    }

    /// Calls `each` with every different fingerprint, the tables to ask and its ids in order, from several threads.
    pub(super) fn each<F: Print>(
        self,
        each: impl Fn(F, Which, &[u64]) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let sort = self.0.into_inner().expect("no panic with the lock");
        let mut entries = sort.merged()?;
        let (mut ids, mut groups) = (Vec::new(), Vec::<([u64; 3], usize)>::new());
        loop {
            let next = entries.next().transpose()?;
            if ids.len() == TOGETHER || next.is_none() {
                let ends = groups.iter().skip(1).map(|(_, start)| *start).chain([ids.len()]);
                let parts: Vec<_> = groups.iter().zip(ends).map(|((of, start), end)| (of, &ids[*start..end])).collect();
                parts.into_par_iter().try_for_each(|(&[high, low, which], ids)| {
                    let which = which.checked_sub(1).map_or(Which::All, |table| Which::One(table as usize));
                    each(of_halves([high, low]), which, ids)
                })?;
                ids.clear();
                groups.clear();
            }
            let Some([high, low, which, id]) = next else { return Ok(()) };
            if groups.last().is_none_or(|(of, _)| *of != [high, low, which]) {
                groups.push(([high, low, which], ids.len()));
            }
            ids.push(id);
        }
    }
}
