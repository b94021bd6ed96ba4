//! A file of fingerprints that is read once or several times, and what its rows are called.

use super::error::FileError;
use super::layout::NameSelection;
use super::layout::{FileOptions, IdKind};
use super::names::Names;
use super::reader::FingerprintReader;
use lookalike_core::bits::FingerprintBits;
use std::path::PathBuf;
use std::sync::Mutex;

/// A file of fingerprints.
#[derive(Clone, Debug)]
pub struct FingerprintFile {
    /// Where it is; `-` for standard input, which can be read once only.
    pub path: PathBuf,
    /// What is known about it.
    pub options: FileOptions,
}

impl FingerprintFile {
    /// A file that tells by its name and content what it is.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), options: FileOptions::default() }
    }

    /// Opens it, without the names of its rows.
    pub(crate) fn open<F: FingerprintBits>(&self) -> Result<FingerprintReader<F>, FileError> {
        let keep = if self.is_stream() { NameSelection::All } else { NameSelection::None };
        FingerprintReader::open(&self.path, &FileOptions { keep, ..self.options.clone() })
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// What these rows are called: names are read again for those that are needed.
    pub(crate) fn id_names<F: FingerprintBits>(
        &self,
        ids: IdKind,
        read: Option<Names>,
        rows: Vec<u64>,
    ) -> Result<IdNames, FileError> {
        if ids != IdKind::Names || read.as_ref().is_some_and(|names| !names.is_empty()) {
            return Ok(IdNames(read));
        }
        let options = FileOptions { keep: NameSelection::Rows(rows), ..self.options.clone() };
        let mut file: FingerprintReader<F> = FingerprintReader::open(&self.path, &options)?;
        let (mut fingerprints, mut ids) = (Vec::new(), Vec::new());
        while file.next_batch(&mut fingerprints, &mut ids)? > 0 {}
        Ok(IdNames(file.into_names()))
    }
}

/// What rows are called: by numbers, or by the names that the file gives them.
#[derive(Debug, Default)]
pub struct IdNames(Option<Names>);

impl IdNames {
    /// The name of an id.
    pub fn name(&self, id: u64) -> String {
        let name = self.0.as_ref().and_then(|names| names.text(id));
        name.map_or_else(|| id.to_string(), std::borrow::Cow::into_owned)
    }
}

/// Fingerprints that follow on each other in a file, and their ids.
#[derive(Default)]
pub(crate) struct RecordBatch<F> {
    pub(crate) fingerprints: Vec<F>,
    /// Empty where the file gives none.
    ids: Vec<u64>,
    /// The row of the first.
    first: u64,
    /// What is read last, where several readings make a batch.
    last: (Vec<F>, Vec<u64>),
}

impl<F: FingerprintBits> RecordBatch<F> {
    /// Takes the next ones instead; 0 at the end.
    pub(crate) fn next(&mut self, file: &mut FingerprintReader<F>) -> Result<usize, FileError> {
        self.next_many(file, 0)
    }

    /// Takes the next ones instead, as many or more unless the file ends; 0 at the end.
    fn next_many(&mut self, file: &mut FingerprintReader<F>, at_least: usize) -> Result<usize, FileError> {
        self.first = file.row();
        file.next_large(&mut self.fingerprints, &mut self.ids, at_least)?;
        let (fingerprints, ids) = &mut self.last;
        while !self.fingerprints.is_empty()
            && self.fingerprints.len() < at_least
            && file.next_batch(fingerprints, ids)? > 0
        {
            self.fingerprints.extend_from_slice(fingerprints);
            self.ids.extend_from_slice(ids);
        }
        Ok(self.fingerprints.len())
    }

    /// The id of one: the number of its row, where the file does not say.
    pub(crate) fn id(&self, at: usize) -> u64 {
        self.ids.get(at).copied().unwrap_or(self.first + at as u64)
    }

    /// All of them.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (F, u64)> + '_ {
        self.fingerprints.iter().enumerate().map(|(at, fingerprint)| (*fingerprint, self.id(at)))
    }
}

/// Fingerprints that several threads take in turns, so many at a time.
pub(crate) struct SharedReader<F: FingerprintBits>(Mutex<FingerprintReader<F>>);

impl<F: FingerprintBits> SharedReader<F> {
    pub(crate) fn new(fingerprints: FingerprintReader<F>) -> Self {
        Self(Mutex::new(fingerprints))
    }

    /// Takes the next ones, so many or more unless the file ends; 0 at the end.
    pub(crate) fn next(&self, taken: &mut RecordBatch<F>, at_least: usize) -> Result<usize, FileError> {
        taken.next_many(&mut self.0.lock().expect("no reader panics with the lock"), at_least)
    }

    pub(crate) fn into_inner(self) -> FingerprintReader<F> {
        self.0.into_inner().expect("no reader panics with the lock")
    }
}
