//! Errors of the engine as exceptions with fields. The classes are in `lookalike/errors.py`.

use lookalike::dedup::Error as DedupError;
use lookalike::hamming::Error as HammingError;
use lookalike::hamming::file::FileProblem;
use lookalike::{CorpusError, Error, IndexError, StoreError};
use lookalike_cli::request::{self, Usage};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io;
use std::path::Path;

/// Why something did not work.
pub(crate) struct Failure(anyhow::Error);

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// What an exception has beside its message.
#[derive(Default)]
struct Fields {
    class: &'static str,
    path: Option<String>,
    expected: Option<String>,
    found: Option<String>,
}

impl Fields {
    fn of(class: &'static str) -> Self {
        Self { class, ..Self::default() }
    }

    fn path(self, path: &Path) -> Self {
        Self { path: Some(path.display().to_string()), ..self }
    }

    fn expected(self, expected: &dyn ToString, found: &dyn ToString) -> Self {
        Self { expected: Some(expected.to_string()), found: Some(found.to_string()), ..self }
    }
}

impl Failure {
    /// The exception.
    pub(crate) fn into_py_err(self, py: Python<'_>) -> PyErr {
        let error = match self.0.downcast::<PyErr>() {
            // raised by an iterator or a callback of the user's
            Ok(error) => return error,
            Err(error) => error,
        };
        let fields = fields(&error);
        let message = keywords(&request::describe(&error));
        exception(py, &fields, &message).unwrap_or_else(|error| error)
    }
}

fn exception(py: Python<'_>, fields: &Fields, message: &str) -> PyResult<PyErr> {
    let class = py.import("lookalike.errors")?.getattr(fields.class)?;
    let given = PyDict::new(py);
    for (name, value) in [("path", &fields.path), ("expected", &fields.expected), ("found", &fields.found)] {
        given.set_item(name, value)?;
    }
    Ok(PyErr::from_value(class.call((message,), Some(&given))?))
}

fn fields(error: &anyhow::Error) -> Fields {
    let known = known_fields(error);
    if known.class != GENERAL {
        return known;
    }
    // what the system said is at the end of the chain
    let kind = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    match kind {
        Some(io::ErrorKind::NotFound) => Fields { class: "NotFound", ..known },
        Some(io::ErrorKind::AlreadyExists) => Fields { class: "AlreadyExists", ..known },
        _ => known,
    }
}

/// Where nothing more is known.
const GENERAL: &str = "LookalikeError";

fn known_fields(error: &anyhow::Error) -> Fields {
    // what the command says itself is about what was asked
    if error.is::<Usage>() || error.is::<String>() || error.is::<&str>() {
        return Fields::of("WrongOption");
    }
    if let Some(error) = error.downcast_ref() {
        return of_library(error);
    }
    if let Some(error) = error.downcast_ref() {
        return of_store(error);
    }
    match error.downcast_ref() {
        Some(DedupError::Engine(error)) => return of_library(error),
        Some(DedupError::Store(error)) => return of_store(error),
        Some(DedupError::NoDocuments { .. }) => return Fields::of("WrongInput"),
        Some(DedupError::Exists { path }) => return Fields::of("AlreadyExists").path(path),
        Some(DedupError::Foreign { partial, .. }) => return Fields::of("AlreadyExists").path(partial),
        Some(DedupError::NotUpdated { source, .. }) => return of_library(source),
        Some(DedupError::Damaged { id, .. }) => return Fields { path: Some(id.clone()), ..Fields::of("DamagedFile") },
        Some(DedupError::WrongOption { expected, found, .. }) => {
            return Fields::of("WrongOption").expected(expected, found);
        }
        _ => {}
    }
    match error.downcast_ref() {
        Some(HammingError::Store(error)) => of_store(error),
        Some(HammingError::File(error)) if matches!(*error.problem, FileProblem::Unreadable(_)) => {
            Fields::of("NotFound").path(Path::new(&error.file))
        }
        Some(HammingError::File(error)) => Fields::of("WrongInput").path(Path::new(&error.file)),
        Some(HammingError::Distance { .. } | HammingError::StoreDistance { .. }) => Fields::of("WrongOption"),
        _ => Fields::of(GENERAL),
    }
}

fn of_library(error: &Error) -> Fields {
    match error {
        Error::Store(error) => of_store(error),
        Error::Corpus(CorpusError::Missing { path, .. }) => {
            Fields { path: Some(path.clone()), ..Fields::of("NotFound") }
        }
        Error::Corpus(_) => Fields::of("WrongInput"),
        Error::OutOfRange { expected, found, .. } => Fields::of("WrongOption").expected(expected, found),
        Error::UnknownSource { .. }
        | Error::Conflict(..)
        | Error::Needs(..)
        | Error::Glob { .. }
        | Error::Recipe(_)
        | Error::Core(_) => Fields::of("WrongOption"),
        Error::WrongRecipe { path, expected, found } => {
            Fields::of("RecipeMismatch").path(path).expected(expected, found)
        }
        Error::WrongKey { recipe } => Fields { expected: Some(recipe.clone()), ..Fields::of("RecipeMismatch") },
        Error::Index { path, reason } => match reason {
            IndexError::UnknownName { .. } | IndexError::Empty => Fields::of("NotFound").path(path),
            IndexError::Damaged(_) => Fields::of("DamagedFile").path(path),
            IndexError::Recipe(_) | IndexError::WrongVersion { .. } => Fields::of("RecipeMismatch").path(path),
            _ => Fields::of(GENERAL).path(path),
        },
        _ => Fields::of(GENERAL),
    }
}

fn of_store(error: &StoreError) -> Fields {
    match error {
        StoreError::Damaged { what, found, .. } => {
            Fields { path: Some(what.clone()), found: Some(found.clone()), ..Fields::of("DamagedFile") }
        }
        StoreError::NoIndex { path, .. } => Fields::of("NotFound").path(path),
        StoreError::Exists { path } => Fields::of("AlreadyExists").path(path),
        StoreError::Locked { path } => Fields::of("Locked").path(path),
        StoreError::Memory { .. } | StoreError::Threads { .. } => Fields::of("WrongOption"),
        _ => Fields::of(GENERAL),
    }
}

/// Documents that are not what was said of them.
pub(crate) fn wrong_input(py: Python<'_>, message: &str, expected: &str, found: &str) -> PyErr {
    exception(py, &Fields::of("WrongInput").expected(&expected, &found), message).unwrap_or_else(|error| error)
}

/// A message in the words of Python: what is a flag there is a keyword here.
pub(crate) fn keywords(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, after) = rest.split_at(at);
        let name = after[2..].split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().unwrap_or_default();
        let is_flag = name.starts_with(|c: char| c.is_ascii_lowercase()) && !before.ends_with('-');
        out.push_str(before);
        out.push_str(&if is_flag { name.replace('-', "_") } else { "--".to_owned() });
        rest = &after[2 + if is_flag { name.len() } else { 0 }..];
    }
    out += rest;
    for (typed, called) in CALLS {
        out = out.replace(typed, called);
    }
    out
}

/// Commands that messages advise, as calls.
const CALLS: [(&str, &str); 3] = [
    ("lookalike index build", "Index.build()"),
    ("lookalike scan save", "Report.save()"),
    ("lookalike copies", "copies()"),
];
