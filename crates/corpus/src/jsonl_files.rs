//! The JSONL files of a corpus, whose lines can be read again.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::file;
use crate::skipped::Reason;

/// `.json.gz` and `.json.zst` are here because C4, Dolma and others ship JSONL under these names; a single JSON
/// document is hardly ever compressed.
const JSONL_SUFFIXES: [&str; 8] =
    [".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".jsonl.zst", ".ndjson.zst", ".json.zst"];

/// Whether a file of this name holds one document a line, if it is named itself or `Options::shards` says so.
pub(crate) fn is_jsonl(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase();
    JSONL_SUFFIXES.iter().any(|suffix| name.ends_with(suffix.as_bytes()))
}

/// So many JSONL files stay open; a list may name more than a process may open.
const MAX_OPEN_FILES: usize = 64;

/// The JSONL files, numbered in the order they were met.
#[derive(Debug, Default)]
pub(crate) struct JsonlFiles(Mutex<JsonlFilesState>);

#[derive(Debug, Default)]
struct JsonlFilesState {
    paths: Vec<PathBuf>,
    numbers: HashMap<PathBuf, u32>,
    /// Used last comes last.
    open: Vec<(u32, Arc<File>)>,
}

impl JsonlFiles {
    fn state(&self) -> std::sync::MutexGuard<'_, JsonlFilesState> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jsonl() {
        for name in ["a.jsonl", "x/A.JSONL.GZ", "c4.00000-of-01024.json.gz", "b.ndjson.zst"] {
            assert!(is_jsonl(Path::new(name)), "{name}");
        }
        for name in ["a.json", "a.txt.gz", "jsonl", "a.jsonl/b", "a.jsonl.bak", "/"] {
            assert!(!is_jsonl(Path::new(name)), "{name}");
        }
    }
}
