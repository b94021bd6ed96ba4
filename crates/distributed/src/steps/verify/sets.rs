//! The feature sets of one cell: in memory as long as there is room, then in a temporary file.

use crate::Error;
use crate::sample::{decode_features, encode_features};
use lookalike_core::sets::Overlap;
use lookalike_store::{Spool, SpoolReader, TempSpace};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

const NAME: &str = "the feature sets";

enum Place {
    Memory(Arc<[u64]>),
    Disk(u64),
}

/// Sets are put in first, and compared then.
pub(super) struct SetStore {
    budget: usize,
    held: usize,
    temp: Option<PathBuf>,
    sets: FxHashMap<i64, Place>,
    writer: Option<Spool>,
    reader: Option<SpoolReader>,
    /// The first set of the pair before: pairs of one document follow each other.
    first: Option<(i64, Arc<[u64]>)>,
}

impl SetStore {
    pub(super) fn new(budget: usize, temp: Option<PathBuf>) -> Self {
        Self { budget, held: 0, temp, sets: FxHashMap::default(), writer: None, reader: None, first: None }
    }

    /// Forgets all sets.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.budget, self.temp.take());
    }

    pub(super) fn insert(&mut self, document: i64, set: Vec<u64>) -> Result<(), Error> {
        let bytes = set.len() * size_of::<u64>();
        let place = if self.held + bytes <= self.budget {
            self.held += bytes;
            Place::Memory(set.into())
        } else {
            if self.writer.is_none() {
                let space = Arc::new(TempSpace::new(self.temp.as_deref())?);
                self.writer = Some(Spool::spill(&space, NAME)?);
            }
            let writer = self.writer.as_mut().expect("made above");
            Place::Disk(writer.append(&encode_features(&set))?)
        };
        if self.sets.insert(document, place).is_some() {
            return Err(Error::Repeated { document });
        }
        Ok(())
    }

    fn get(&mut self, document: i64) -> Result<Arc<[u64]>, Error> {
        match self.sets.get(&document) {
            None => Err(Error::MissingDocument { document }),
            Some(Place::Memory(set)) => Ok(Arc::clone(set)),
            Some(Place::Disk(place)) => {
                if let Some(writer) = self.writer.take() {
                    self.reader = Some(writer.finish()?);
                }
                let mut record = Vec::new();
                let reader = self.reader.as_ref().ok_or(Error::MissingDocument { document })?;
                reader.read(*place, &mut record)?;
                Ok(decode_features(&record).ok_or(Error::Damaged { name: NAME })?.into())
            }
        }
    }

    pub(super) fn overlap(&mut self, a: i64, b: i64) -> Result<Overlap, Error> {
        let first = match self.first.take() {
            Some((document, set)) if document == a => set,
            _ => self.get(a)?,
        };
        let overlap = Overlap::of(&first, &self.get(b)?);
        self.first = Some((a, first));
        Ok(overlap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_disk_as_in_memory() {
        let sets: Vec<Vec<u64>> = (0..8u64).map(|at| (at..at + 20).collect()).collect();
        for budget in [0, 500, 1 << 20] {
            let mut store = SetStore::new(budget, None);
            for round in 0..2 {
                for (at, set) in (0..).zip(&sets) {
                    store.insert(at, set.clone()).unwrap();
                }
                for (a, b) in [(0u8, 1u8), (0, 7), (3, 3), (7, 2)] {
                    let expected = Overlap::of(&sets[usize::from(a)], &sets[usize::from(b)]);
                    assert_eq!(store.overlap(a.into(), b.into()).unwrap(), expected, "{budget}, round {round}");
                }
                store.clear();
            }
            assert!(matches!(store.overlap(1, 2), Err(Error::MissingDocument { document: 1 })));
            store.insert(5, Vec::new()).unwrap();
            assert!(matches!(store.insert(5, Vec::new()), Err(Error::Repeated { document: 5 })));
        }
    }
}
