//! Fingerprints and who is near them.
//!
//! * [`batch`]: every fingerprint of one file that is near one of another, each pair once.
//! * [`near`]: every pair of one file, and its clusters.
//! * [`kept`]: Hamming tables in a segment.
//! * [`online`]: insert, look up, check and insert, delete, from many threads; what was acknowledged survives whatever ends the process.

mod batch;
mod input;
pub mod kept;
mod near;
pub mod online;
mod pieces;
#[cfg(test)]
mod tests;

pub use batch::{Batch, Pair, batch};
pub use input::{PrintFile, Whose};
pub use lookalike_core::bits::Bits;
pub use lookalike_core::hamming::{Design, MAX_DISTANCE, plan};
pub use lookalike_corpus::prints::{Digits, Ids, Layout, Options as FileOptions, Print, Prints, PrintsWriter};
pub(crate) use near::each_near;
pub use near::{Near, NearCluster, NearMember, near};

use crate::Error;
use std::path::PathBuf;

/// What a batch or the pairs of a file are asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The greatest distance.
    pub k: u32,
    /// How many are listed of what is near one fingerprint, the nearest first; all are counted.
    pub limit: Option<u64>,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// Folder for spill files.
    pub tmp: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 3, limit: None, memory: crate::default_memory(), threads: 0, tmp: None }
    }
}

/// The high and the low half of a fingerprint of any width: they sort as it does.
pub(crate) fn halves<F: Print>(print: F) -> [u64; 2] {
    [if F::WIDTH > 64 { (print >> 64).low() } else { 0 }, print.low()]
}

/// The fingerprint of two halves.
pub(crate) fn of_halves<F: Print>([high, low]: [u64; 2]) -> F {
    F::from_words(&[low, high][..F::WORDS])
}

/// Refuses a distance that nothing is made for.
pub(crate) fn possible(k: u32) -> Result<(), Error> {
    if k > MAX_DISTANCE {
        return Err(Error::Options(format!("-k: expected a distance of at most {MAX_DISTANCE}, found {k}")));
    }
    Ok(())
}
