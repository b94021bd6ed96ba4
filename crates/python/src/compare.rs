//! `compare`: two documents by all lenses, or by one.

use crate::errors::Failure;
use crate::options::request;
use lookalike_report::write_answer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;

/// Compares two texts, or the files of two paths (`pathlib.Path`), and gives what the command says with --json.
///
/// >>> import lookalike
/// >>> found = lookalike.compare("one two three four five six", "one two three four five seven", w=2)
/// >>> round(found["resemblance"], 2)
/// 0.67
/// >>> found["relation"]
/// 'version'
///
/// Keywords: `print(lookalike.keywords("compare"))`.
#[pyfunction]
#[pyo3(name = "compare", signature = (a, b, **options))]
pub(crate) fn compare_documents<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (document("a", a)?, document("b", b)?);
    let request = request(py, "compare", &["a", "b"], options)?;
    let asked = request.compare().map_err(|error| Failure::from(error).into_py_err(py))?;
    let json = py
        .detach(|| -> Result<String, Failure> {
            let compared = match (&a, &b) {
                (Document::File(a), Document::File(b)) => asked.files(a, b)?,
                (Document::Text(a), Document::Text(b)) => asked.texts(a, b)?,
                (a, b) => return Err(two_kinds(a, b).into()),
            };
            let mut out = Vec::new();
            write_answer(&mut out, &compared.view(0), true)?;
            Ok(String::from_utf8(out)?)
        })
        .map_err(|failure| failure.into_py_err(py))?;
    py.import("json")?.call_method1("loads", (json,))
}

/// A text is compared as it is; a path is read.
enum Document {
    Text(String),
    File(PathBuf),
}

impl Document {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::File(_) => "a path",
        }
    }
}

fn document(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Document> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str().map(|text| Document::Text(text.to_owned())).map_err(|_| {
            PyValueError::new_err(format!(
                "{name}: expected Unicode, found a lone surrogate; replace it with .encode('utf-8', 'replace').decode()"
            ))
        });
    }
    if given.hasattr("__fspath__")? {
        return given.extract().map(Document::File);
    }
    let kind = given.get_type();
    Err(PyTypeError::new_err(format!("{name}: expected a text, or a path as pathlib.Path, found {kind}")))
}

/// How a file is read depends on what it is; of a text that is not known.
fn two_kinds(a: &Document, b: &Document) -> PyErr {
    let (a, b) = (a.kind(), b.kind());
    PyTypeError::new_err(format!(
        "expected two texts or two paths, found {a} and {b}; read the file first, or write the text to one"
    ))
}
