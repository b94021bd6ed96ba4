//! `compare`: two documents, exactly.

use crate::errors::Failure;
use crate::options::request;
use lookalike::{compare, compare_texts};
use lookalike_report::{ComparisonView, write_answer};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// Compares two texts, or the files of two paths (`pathlib.Path`), and gives what the command says with --json.
#[pyfunction]
#[pyo3(name = "compare", signature = (a, b, **options))]
pub(crate) fn compare_documents<'py>(
    py: Python<'py>,
    a: Document,
    b: Document,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = request(py, "compare", &["a", "b"], options)?;
    let asked = request.compare().map_err(|error| Failure::from(error).into_py_err(py))?;
    let json = py
        .detach(|| -> Result<String, Failure> {
            let comparison = match (&a, &b) {
                (Document::File(a), Document::File(b)) => compare(a, b, &asked)?,
                (Document::Text(a), Document::Text(b)) => compare_texts(a, b, &asked)?,
                (Document::File(file), Document::Text(text)) => compare_texts(&read(file)?, text, &asked)?,
                (Document::Text(text), Document::File(file)) => compare_texts(text, &read(file)?, &asked)?,
            };
            let mut out = Vec::new();
            write_answer(&mut out, &ComparisonView { comparison: &comparison, top: 20 }, true)?;
            Ok(String::from_utf8(out)?)
        })
        .map_err(|failure| failure.into_py_err(py))?;
    py.import("json")?.call_method1("loads", (json,))
}

/// A text is compared as it is; a path is read.
#[derive(FromPyObject)]
pub(crate) enum Document {
    Text(String),
    File(PathBuf),
}

fn read(file: &PathBuf) -> Result<String, Failure> {
    let failed = |error| anyhow::anyhow!("{}: cannot be read: {error}", file.display());
    Ok(String::from_utf8_lossy(&std::fs::read(file).map_err(failed)?).into_owned())
}
