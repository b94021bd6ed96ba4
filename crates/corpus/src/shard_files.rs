//! The shards of a corpus, numbered, and how many records each has.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::file;
use crate::skipped::Reason;

/// The most shards that stay open; a list may name more than a process may open.
const MAX_OPEN_FILES: usize = 64;

/// The records of a shard that were read, whether they are documents or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardRecords {
    /// All of them; lines of JSONL count, blank ones too.
    pub all: u64,
    /// Of those, blank lines.
    pub blank: u64,
}

/// The shards, numbered in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct ShardFiles(Mutex<ShardFilesState>);

#[derive(Debug, Default)]
struct ShardFilesState {
    paths: Vec<PathBuf>,
    numbers: HashMap<PathBuf, u32>,
    /// The records of each shard that were read, by its number.
    records: Vec<ShardRecords>,
    /// In the order of their last use.
    open: Vec<(u32, Arc<File>)>,
}

impl ShardFiles {
    fn state(&self) -> std::sync::MutexGuard<'_, ShardFilesState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of this file; the same one whenever it is asked for.
    pub(crate) fn number(&self, path: &Path) -> u32 {
        let state = &mut *self.state();
        if let Some(&number) = state.numbers.get(path) {
            return number;
        }
        let number = state.paths.len() as u32;
        state.paths.push(path.to_owned());
        state.records.push(ShardRecords::default());
        state.numbers.insert(path.to_owned(), number);
        number
    }

    /// The number of this file, if it has one.
    pub(crate) fn find(&self, path: &Path) -> Option<u32> {
        self.state().numbers.get(path).copied()
    }

    /// Counts records of a shard that were read.
    pub(crate) fn add_records(&self, number: u32, more: ShardRecords) {
        if let Some(count) = self.state().records.get_mut(number as usize) {
            count.all += more.all;
            count.blank += more.blank;
        }
    }

    /// The records of one shard that were read.
    pub(crate) fn records_of(&self, number: u32) -> ShardRecords {
        self.state().records.get(number as usize).copied().unwrap_or_default()
    }

    /// Sets the number of records that were read of a shard.
    pub(crate) fn set_records(&self, number: u32, records: ShardRecords) {
        if let Some(count) = self.state().records.get_mut(number as usize) {
            *count = records;
        }
    }

    /// Forgets how many records were read.
    pub(crate) fn reset_records(&self) {
        self.state().records.fill(ShardRecords::default());
    }

    /// The records that were read, by the numbers of the shards.
    pub(crate) fn records(&self) -> Vec<ShardRecords> {
        self.state().records.clone()
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.state().paths.clone()
    }

    pub(crate) fn path(&self, number: u32) -> Option<PathBuf> {
        self.state().paths.get(number as usize).cloned()
    }

    /// The open file, opened if need be.
    pub(crate) fn file(&self, number: u32, path: &Path) -> Result<Arc<File>, Reason> {
        let mut state = self.state();
        if let Some(at) = state.open.iter().position(|&(open, _)| open == number) {
            let found = state.open.remove(at);
            let file = Arc::clone(&found.1);
            state.open.push(found);
            return Ok(file);
        }
        let file = Arc::new(file::open(path)?.0);
        if state.open.len() >= MAX_OPEN_FILES {
            state.open.remove(0);
        }
        state.open.push((number, Arc::clone(&file)));
        Ok(file)
    }
}
