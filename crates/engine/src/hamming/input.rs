//! A file of fingerprints that is read once or several times, and what its rows are called.

use crate::Error;
use lookalike_corpus::prints::{Ids, Keep, Names, Options, Print, Prints};
use std::path::PathBuf;
use std::sync::Mutex;

/// A file of fingerprints.
#[derive(Clone, Debug)]
pub struct PrintFile {
    /// Where it is; `-` for standard input, which can be read once only.
    pub path: PathBuf,
    /// What is known about it.
    pub options: Options,
}

impl PrintFile {
    /// A file that tells by its name and content what it is.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), options: Options::default() }
    }

    /// Opens it, without the names of its rows.
    pub(super) fn open<F: Print>(&self) -> Result<Prints<F>, Error> {
        let keep = if self.is_stream() { Keep::All } else { Keep::None };
        Ok(Prints::open(&self.path, &Options { keep, ..self.options.clone() })?)
    }

    pub(super) fn is_stream(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// What these rows are called: names are read again for those that are needed.
    pub(super) fn whose<F: Print>(&self, ids: Ids, read: Option<Names>, rows: Vec<u64>) -> Result<Whose, Error> {
        if ids != Ids::Names || read.as_ref().is_some_and(|names| !names.is_empty()) {
            return Ok(Whose(read));
        }
        let options = Options { keep: Keep::Rows(rows), ..self.options.clone() };
        let mut file: Prints<F> = Prints::open(&self.path, &options)?;
        let (mut prints, mut ids) = (Vec::new(), Vec::new());
        while file.next_batch(&mut prints, &mut ids)? > 0 {}
        Ok(Whose(file.into_names()))
    }
}

/// What rows are called: by numbers, or by the names that the file gives them.
#[derive(Debug, Default)]
pub struct Whose(Option<Names>);

impl Whose {
    /// The name of an id.
    pub fn name(&self, id: u64) -> String {
        let name = self.0.as_ref().and_then(|names| names.text(id));
        name.map_or_else(|| id.to_string(), std::borrow::Cow::into_owned)
    }
}

/// The next fingerprints of a file and their ids, which are row numbers where it gives none; 0 at the end.
pub(super) fn next_with_ids<F: Print>(
    file: &mut Prints<F>,
    prints: &mut Vec<F>,
    ids: &mut Vec<u64>,
) -> Result<usize, Error> {
    let first = file.row();
    let read = file.next_batch(prints, ids)?;
    if ids.is_empty() {
        ids.extend(first..first + read as u64);
    }
    Ok(read)
}

/// Fingerprints that several threads take in turns, so many at a time.
pub(super) struct Shared<F: Print>(Mutex<Prints<F>>);

impl<F: Print> Shared<F> {
    pub(super) fn new(prints: Prints<F>) -> Self {
        Self(Mutex::new(prints))
    }

    /// The next fingerprints and their ids; none at the end.
    pub(super) fn next(&self, prints: &mut Vec<F>, ids: &mut Vec<u64>) -> Result<usize, Error> {
        next_with_ids(&mut self.0.lock().expect("no reader panics with the lock"), prints, ids)
    }

    pub(super) fn into_inner(self) -> Prints<F> {
        self.0.into_inner().expect("no reader panics with the lock")
    }
}
