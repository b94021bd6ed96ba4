//! `Index`: what is kept on disk, for answers without a scan.

use crate::errors::Failure;
use crate::inputs::{Fields, Inputs};
use crate::options::{self, request, watcher};
use crate::running;
use lookalike::Index as FoundIndex;
use lookalike::index::{ChangeSummary, ChangesOptions, HoldersOptions, IndexWriter, LostOptions, Query};
use lookalike::{Error, Input};
use lookalike_cli::request::Request;
use lookalike_report::write_json;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Sketches of documents on disk. Everything is a dictionary, as the command says it with --json.
///
/// >>> import lookalike, tempfile
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> fox = "the quick brown fox jumps over the lazy dog and then sleeps in the sun"
/// >>> index = lookalike.Index.build(folder.name + "/pages", {"faq.html": fox}, w=3)
/// >>> [seen["url"] for match in index.query(fox + " again")["matches"] for seen in match["seen"]]
/// ['faq.html']
///
/// Keywords of `build`, `add` and `query`: `print(lookalike.keywords("index build"))`, and so on.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct Index {
    path: PathBuf,
    key: String,
    /// None when it was closed.
    open: Mutex<Option<Arc<FoundIndex>>>,
}

#[pymethods]
impl Index {
    /// Opens an index.
    #[new]
    #[pyo3(signature = (path, *, key=None))]
    fn new(py: Python<'_>, path: PathBuf, key: Option<&str>) -> PyResult<Self> {
        let key = options::key(key);
        let index = running::run(py, None, |_, _| Ok(FoundIndex::open(&path, &key)?))?;
        Ok(Self { path, key, open: Mutex::new(Some(Arc::new(index))) })
    }

    /// The same as `Index(path)`.
    #[staticmethod]
    #[pyo3(signature = (path, *, key=None))]
    fn open(py: Python<'_>, path: PathBuf, key: Option<&str>) -> PyResult<Self> {
        Self::new(py, path, key)
    }

    /// Makes a new index of documents, and opens it.
    #[staticmethod]
    #[pyo3(signature = (path, *data, **options))]
    fn build(
        py: Python<'_>,
        path: PathBuf,
        data: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let fields = Fields::of(options)?;
        let (_, key) = change(py, &path, "index build", (data, &fields), options, |request| {
            let ((lens, corpus), sweep) = (request.index()?, request.sweep());
            Ok(Box::new(move |writer, inputs| writer.corpus(corpus).build(lens, inputs, sweep.as_deref())))
        })?;
        Self::new(py, path, Some(&key))
    }

    /// Adds documents, or new versions of them.
    #[pyo3(signature = (*data, **options))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let index = self.opened()?;
        // a document that has no id would take the place of another
        let fields = Fields { must_have_ids: true, ..Fields::of(options)? };
        let options = options.map_or_else(|| Ok(PyDict::new(py)), Bound::copy)?;
        if !self.key.is_empty() && !options.contains("key")? {
            options.set_item("key", &self.key)?;
        }
        let (summary, _) = change(py, &self.path, "index add", (data, &fields), Some(&options), |request| {
            let (required, corpus, sweep) = (request.required(&index)?, request.added(&index), request.sweep());
            Ok(Box::new(move |writer, inputs| required.of(writer.corpus(corpus)).add(inputs, sweep.as_deref())))
        })?;
        self.reopen(py)?;
        dictionary(py, &summary)
    }

    /// Removes documents by their names.
    #[pyo3(signature = (names, *, sweep=None))]
    fn remove<'py>(&self, py: Python<'py>, names: Vec<String>, sweep: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.opened()?;
        let summary = running::run(py, None, |progress, cancel| {
            let writer = IndexWriter::new(&self.path).key(&self.key).progress(progress).cancel(cancel);
            Ok(writer.remove(&names, sweep)?)
        })?;
        self.reopen(py)?;
        dictionary(py, &summary)
    }

    /// What is like a text, or bytes of a file; or like what the index knows by a name: `url=`.
    #[pyo3(signature = (text=None, *, url=None, **options))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        text: Option<Question>,
        url: Option<&str>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (index, request) = (self.opened()?, self.request(py, "--url=-", options)?);
        let asked = request.query(&index).map_err(|error| Failure::from(error).into_py_err(py))?;
        let question = Question::of(text.as_ref(), url)?;
        let found = py.detach(|| index.query(&question, &asked));
        dictionary(py, &found.map_err(|error| Failure::from(error).into_py_err(py))?)
    }

    /// The same for many documents, in their order. What has no answer has the reason.
    #[pyo3(signature = (*data, **options))]
    fn query_many<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let watcher = watcher(py, options)?;
        let mut inputs = Inputs::new(data, &Fields::of(options)?)?;
        let (index, request) = (self.opened()?, self.request(py, "--batch=-", options)?);
        let asked = request.query(&index).map_err(|error| Failure::from(error).into_py_err(py))?;
        let (corpus, threads) = (request.options().corpus, request.options().resources.threads);
        let (taken, raised) = (inputs.take(), inputs.raised.clone());
        let lines = running::run(py, watcher.as_ref(), |_, cancel| {
            let mut lines: Vec<String> = Vec::new();
            raised.stops(cancel);
            let done = index.query_many(taken, &corpus, &asked, threads, cancel, &mut |outcome| {
                lines.push(match &outcome.result {
                    Ok(found) => json(found).unwrap_or_default(),
                    Err(skip) => json(&Unanswered { query: &skip.id, error: &skip.reason }).unwrap_or_default(),
                });
                Ok(())
            });
            raised.check()?;
            done?;
            Ok(lines)
        })?;
        let loads = py.import("json")?.getattr("loads")?;
        lines.iter().map(|line| loads.call1((line,))).collect()
    }

    /// Where the content of a URL lives now.
    #[pyo3(signature = (url, *, at=None, contained=None, limit=None))]
    fn lost<'py>(
        &self,
        py: Python<'py>,
        url: &str,
        at: Option<String>,
        contained: Option<f64>,
        limit: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let usual = LostOptions::default();
        let options =
            LostOptions { at, least: contained.unwrap_or(usual.least), limit: limit.unwrap_or(usual.limit), ..usual };
        let index = self.opened()?;
        let found = py.detach(|| index.lost(url, &options));
        dictionary(py, &found.map_err(|error| Failure::from(error).into_py_err(py))?)
    }

    /// Everyone who holds a text, or what a URL had, or a part of it.
    #[pyo3(signature = (text=None, *, url=None, contained=None))]
    fn holders<'py>(
        &self,
        py: Python<'py>,
        text: Option<Question>,
        url: Option<&str>,
        contained: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let usual = HoldersOptions::default();
        let options = HoldersOptions { least: contained.unwrap_or(usual.least), ..usual };
        let question = Question::of(text.as_ref(), url)?;
        let index = self.opened()?;
        let found = py.detach(|| index.holders(&question, &options));
        dictionary(py, &found.map_err(|error| Failure::from(error).into_py_err(py))?)
    }

    /// How pages change, move and die from sweep to sweep.
    #[pyo3(signature = (*, threshold=None))]
    fn changes<'py>(&self, py: Python<'py>, threshold: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let options = ChangesOptions { threshold: threshold.unwrap_or(DEFAULT_CHANGED) };
        let index = self.opened()?;
        let found = py.detach(|| index.changes(&options));
        dictionary(py, &found.map_err(|error| Failure::from(error).into_py_err(py))?)
    }

    /// What it holds.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.opened()?.info().map_err(|error| Failure::from(error).into_py_err(py))?;
        dictionary(py, &info)
    }

    /// How documents became what is kept of them.
    #[getter]
    fn recipe(&self) -> PyResult<String> {
        Ok(self.opened()?.recipe().to_string())
    }

    /// Lets go of it. Asking it afterwards is an error.
    fn close(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("<lookalike.Index: {}>", self.path.display())
    }
}

/// A document that is asked for.
#[derive(FromPyObject)]
enum Question {
    Text(String),
    Bytes(Vec<u8>),
}

impl Question {
    /// What is asked for: a document, or a name.
    fn of<'a>(document: Option<&'a Self>, url: Option<&'a str>) -> PyResult<Query<'a>> {
        match (document, url) {
            (Some(Self::Text(text)), None) => Ok(Query::Text { id: "query", text }),
            (Some(Self::Bytes(bytes)), None) => Ok(Query::Bytes { id: "query", bytes }),
            (None, Some(url)) => Ok(Query::Url(url)),
            _ => Err(PyValueError::new_err("expected a text or bytes, or url=: one of the two")),
        }
    }
}

#[derive(Serialize)]
struct Unanswered<'a> {
    query: &'a str,
    error: &'a str,
}

impl Index {
    fn opened(&self) -> PyResult<Arc<FoundIndex>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| PyValueError::new_err("the index is closed; open it again with Index(path)"))
    }

    fn reopen(&self, py: Python<'_>) -> PyResult<()> {
        let index = running::run(py, None, |_, _| Ok(FoundIndex::open(&self.path, &self.key)?))?;
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(index));
        Ok(())
    }

    /// What is asked, beside the one question that the command would be given.
    fn request(&self, py: Python<'_>, question: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Request> {
        let request = request(py, "query", &[question, &self.path.display().to_string()], options)?;
        let has_key = options.map_or(Ok(false), |options| options.contains("key"))?;
        if has_key && request.key() != self.key {
            return Err(PyValueError::new_err(
                "key: the index was opened with another; give it when you open the index: Index(path, key=)",
            ));
        }
        Ok(request)
    }
}

/// Least resemblance of a page that died and one that was born, for a move: as the command has it.
const DEFAULT_CHANGED: f64 = 0.5;

/// A change of an index that is ready to be made.
type Change = Box<dyn FnOnce(IndexWriter<'_>, Vec<Input>) -> Result<ChangeSummary, Error> + Send>;

/// Changes an index; gives what was done, and the key.
fn change(
    py: Python<'_>,
    path: &Path,
    verb: &str,
    (data, fields): (&Bound<'_, PyTuple>, &Fields),
    options: Option<&Bound<'_, PyDict>>,
    prepare: impl FnOnce(&Request) -> anyhow::Result<Change>,
) -> PyResult<(ChangeSummary, String)> {
    let watcher = watcher(py, options)?;
    let mut inputs = Inputs::new(data, fields)?;
    let request = request(py, verb, &[&path.display().to_string(), "."], options)?;
    let key = request.key();
    let (resources, taken, raised) = (request.options().resources, inputs.take(), inputs.raised.clone());
    let change = prepare(&request).map_err(|error| Failure::from(error).into_py_err(py))?;
    let summary = running::run(py, watcher.as_ref(), |progress, cancel| {
        raised.stops(cancel);
        let writer = IndexWriter::new(path).key(&key).resources(resources).progress(progress).cancel(cancel);
        let done = change(writer, taken);
        raised.check()?;
        Ok(done?)
    })?;
    Ok((summary, key))
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    let mut out = Vec::new();
    write_json(&mut out, value)?;
    Ok(String::from_utf8(out)?)
}

fn dictionary<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = json(value).map_err(|failure| failure.into_py_err(py))?;
    py.import("json")?.call_method1("loads", (json,))
}
