//! What a search is asked for.

use crate::error::Error;
use lookalike_core::hamming::MAX_DISTANCE;
use lookalike_store::Resources;

/// What a batch or the pairs of a file are asked.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The greatest distance: bits in which two fingerprints may differ.
    pub distance: u32,
    /// How many are listed of what is near one fingerprint, the nearest first; all are counted.
    pub limit: Option<u64>,
    /// Whether all pairs of a file are kept to be listed. Clusters need few of them where very many are near each other.
    pub keep_pairs: bool,
    /// Memory, threads, folder for spill files.
    pub resources: Resources,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { distance: 3, limit: None, keep_pairs: false, resources: Resources::default() }
    }
}

/// Refuses a distance that nothing is made for.
pub fn check_distance(distance: u32) -> Result<(), Error> {
    if distance > MAX_DISTANCE {
        return Err(Error::Distance { found: distance, max: MAX_DISTANCE });
    }
    Ok(())
}
