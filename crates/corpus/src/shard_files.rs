//! The shards of a corpus, numbered.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::file;
use crate::skipped::Reason;

/// So many shards stay open; a list may name more than a process may open.
const MAX_OPEN_FILES: usize = 64;

/// The shards, numbered in the order they were met.
#[derive(Debug, Default)]
pub(crate) struct ShardFiles(Mutex<ShardFilesState>);

#[derive(Debug, Default)]
struct ShardFilesState {
    paths: Vec<PathBuf>,
    numbers: HashMap<PathBuf, u32>,
    /// Used last comes last.
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
        state.numbers.insert(path.to_owned(), number);
        number
    }

    /// The number of this file, if it has one.
    pub(crate) fn find(&self, path: &Path) -> Option<u32> {
        self.state().numbers.get(path).copied()
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
