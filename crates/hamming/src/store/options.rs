//! How a store is kept.

use crate::error::Error;
use crate::options::check_distance;
use lookalike_core::hamming::Design;
use std::path::Path;

/// How a store is kept.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// The greatest distance that will be asked for, at most 7. A store that exists keeps the one it was made with.
    pub distance: u32,
    /// The design of all levels; by default the fastest for the size of each.
    pub design: Option<Design>,
    /// Whether what was acknowledged survives a power cut. Without, it survives whatever ends the process, and the machine does not
    /// wait for its disk.
    pub sync: bool,
    /// Changes that are collected in memory before they become a level.
    pub memtable: usize,
    /// Bytes of memory for merging levels.
    pub memory: usize,
    /// Whether levels are written and merged by threads of their own, rather than by the callers.
    pub background: bool,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { distance: 3, design: None, sync: true, memtable: 1 << 16, memory: 256 << 20, background: true }
    }
}

impl StoreOptions {
    /// Refuses options that have no meaning.
    pub(super) fn check(&self) -> Result<(), Error> {
        check_distance(self.distance)?;
        match self.design {
            Some(design) if design.radii(self.distance).is_none() => {
                Err(Error::Design { design, distance: self.distance })
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a distance that a store was not made for.
pub(super) fn check_store_distance(path: &Path, max: u32, found: u32) -> Result<(), Error> {
    if found > max {
        return Err(Error::StoreDistance { path: path.to_owned(), found, max });
    }
    Ok(())
}
