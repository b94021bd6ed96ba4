//! The features of documents as they were first read, in a spill file: who verifies need not read the documents and take them apart again.
//! What takes more disk than there is to spare is read again.

use crate::Error;
use lookalike_store::{SharedSpool, TempSpace};
use std::sync::Arc;

/// A part of the disk that is free: others spill too.
const DISK_SHARE: u64 = 4;
/// A part of the memory, where the spill folder is in memory itself, or nobody knows.
const MEMORY_SHARE: u64 = 8;

/// A spool for the features of the documents of a scan that has so much memory.
pub fn feature_spool(space: &Arc<TempSpace>, memory: u64) -> Result<Arc<SharedSpool>, Error> {
    let room = space.free_disk().map_or(memory / MEMORY_SHARE, |free| free / DISK_SHARE);
    Ok(SharedSpool::spill(space, "the features", room)?)
}

/// The features of documents, for who knows how many each has.
pub struct SpooledFeatures {
    spool: Arc<SharedSpool>,
    /// By document.
    places: Vec<u64>,
}

impl SpooledFeatures {
    /// Where no features of a document are.
    pub const NO_PLACE: u64 = u64::MAX;

    /// Features that were all written, by the places of the documents.
    pub fn new(spool: Arc<SharedSpool>, places: Vec<u64>) -> Result<Self, Error> {
        spool.check()?;
        Ok(Self { spool, places })
    }

    /// The features of a document in the order of its text, repeats included; none if they are not here.
    pub fn read(&self, document: u32, count: usize) -> Result<Option<Vec<u64>>, Error> {
        let place = self.places[document as usize];
        (place != Self::NO_PLACE).then(|| Ok(self.spool.read(place, count)?)).transpose()
    }
}
