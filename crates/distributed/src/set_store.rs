//! What documents of a partition are compared by, as numbers: in memory as long as there is room, then in a temporary file.

use crate::Error;
use crate::sample::{decode_features, encode_features};
use lookalike_store::{Spool, SpoolReader, TempSpace};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

const NAME: &str = "the sets of documents";

enum Place {
    Memory(Arc<[u64]>),
    Disk(u64),
}

/// Sets are put in first, and read then.
pub(crate) struct SetStore {
    budget: usize,
    held: usize,
    temp: Option<PathBuf>,
    sets: FxHashMap<i64, Place>,
    writer: Option<Spool>,
    reader: Option<SpoolReader>,
}

impl SetStore {
    pub(crate) fn new(budget: usize, temp: Option<PathBuf>) -> Self {
        Self { budget, held: 0, temp, sets: FxHashMap::default(), writer: None, reader: None }
    }

    pub(crate) fn contains(&self, document: i64) -> bool {
        self.sets.contains_key(&document)
    }

    pub(crate) fn insert(&mut self, document: i64, set: Vec<u64>) -> Result<(), Error> {
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

    pub(crate) fn get(&mut self, document: i64) -> Result<Arc<[u64]>, Error> {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_disk_as_in_memory() {
        let sets: Vec<Vec<u64>> = (0..8u64).map(|at| (at..at + 20).collect()).collect();
        for budget in [0, 500, 1 << 20] {
            let mut store = SetStore::new(budget, None);
            for (at, set) in (0..).zip(&sets) {
                store.insert(at, set.clone()).unwrap();
            }
            for at in [0u8, 7, 3, 3, 0] {
                assert_eq!(*store.get(at.into()).unwrap(), sets[usize::from(at)], "{budget}");
            }
            assert!(matches!(store.get(8), Err(Error::MissingDocument { document: 8 })));
            assert!(store.contains(5) && !store.contains(8));
            assert!(matches!(store.insert(5, Vec::new()), Err(Error::Repeated { document: 5 })));
        }
    }
}
