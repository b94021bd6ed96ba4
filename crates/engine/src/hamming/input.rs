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

/// Some fingerprints that follow on each other in a file, and whose they are.
#[derive(Default)]
pub(super) struct Taken<F> {
    pub(super) prints: Vec<F>,
    /// Empty where the file gives none.
    ids: Vec<u64>,
    /// The row of the first.
    first: u64,
}

impl<F: Print> Taken<F> {
    /// Takes the next ones instead; 0 at the end.
    pub(super) fn next(&mut self, file: &mut Prints<F>) -> Result<usize, Error> {
        self.first = file.row();
        Ok(file.next_batch(&mut self.prints, &mut self.ids)?)
    }

    /// Whose one is: the number of its row, where the file does not say.
    pub(super) fn id(&self, at: usize) -> u64 {
        self.ids.get(at).copied().unwrap_or(self.first + at as u64)
    }

    /// All of them.
    pub(super) fn entries(&self) -> impl Iterator<Item = (F, u64)> + '_ {
        self.prints.iter().enumerate().map(|(at, print)| (*print, self.id(at)))
    }
}

/// Fingerprints that several threads take in turns, so many at a time.
pub(super) struct Shared<F: Print>(Mutex<Prints<F>>);

impl<F: Print> Shared<F> {
    pub(super) fn new(prints: Prints<F>) -> Self {
        Self(Mutex::new(prints))
    }

    /// Takes the next ones; 0 at the end.
    pub(super) fn next(&self, taken: &mut Taken<F>) -> Result<usize, Error> {
        taken.next(&mut self.0.lock().expect("no reader panics with the lock"))
    }

    pub(super) fn into_inner(self) -> Prints<F> {
        self.0.into_inner().expect("no reader panics with the lock")
    }
}
