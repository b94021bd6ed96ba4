//! Reading a whole file of fingerprints.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_hamming::FingerprintBits;
use lookalike_hamming::file::{FileError, FileOptions, FileProblem, FingerprintReader, IdKind};

/// All that a file holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Read<P> {
    pub(crate) fingerprints: Vec<P>,
    pub(crate) ids: Vec<u64>,
    pub(crate) names: Vec<(u64, String)>,
    pub(crate) kind: IdKind,
}

pub(crate) fn read<P: FingerprintBits>(path: &Path, options: &FileOptions) -> Result<Read<P>, FileError> {
    FingerprintReader::open(path, options).and_then(read_all)
}

pub(crate) fn read_all<P: FingerprintBits>(mut source: FingerprintReader<P>) -> Result<Read<P>, FileError> {
    let (mut fingerprints, mut ids) = (Vec::new(), Vec::new());
    let (mut batch, mut batch_ids) = (vec![P::ZERO; 3], vec![1]);
    loop {
        let before = source.row();
        let count = source.next_batch(&mut batch, &mut batch_ids)?;
        assert_eq!((batch.len(), source.row() - before), (count, count as u64));
        assert_eq!(batch_ids.len(), if source.has_ids() { count } else { 0 });
        if count == 0 {
            break;
        }
        fingerprints.extend_from_slice(&batch);
        ids.extend_from_slice(&batch_ids);
    }
    assert_eq!(source.next_batch(&mut batch, &mut batch_ids)?, 0, "the end stays the end");
    let rows = source.first_row()..source.row();
    let kind = source.ids();
    let names = source.into_names();
    let names =
        names.iter().flat_map(|names| rows.clone().filter_map(|row| Some((row, names.text(row)?.into_owned()))));
    Ok(Read { fingerprints, ids, names: names.collect(), kind })
}

pub(crate) fn problem(error: FileError) -> FileProblem {
    *error.problem
}

/// A file with this content.
pub(crate) fn at(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}
