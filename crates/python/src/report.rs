//! `scan`, `copies`, `recluster`, and what they find.

use crate::errors::Failure;
use crate::inputs::{Fields, Inputs};
use crate::options::{request, switch, watcher};
use crate::running;
use crate::table::{Cell, Table, TableBuilder};
use lookalike::report::{Cluster, Report as FoundReport};
use lookalike::{Scan, Scanner};
use lookalike_cli::request::write_report_page;
use lookalike_report::{Form, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a scan found. Tables are Arrow by capsule; numbers are exact unless an estimate was asked for.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct Report {
    found: Mutex<Found>,
    names: Vec<String>,
    /// Whether all pairs were asked for.
    has_pairs: bool,
    /// The page that was written last.
    page: Mutex<Option<PathBuf>>,
}

/// The documents are at hand after a scan, and not after a saved run was clustered again.
enum Found {
    Scan(Box<Scan>),
    Report(Box<FoundReport>),
}

impl Found {
    fn report(&self) -> &FoundReport {
        match self {
            Self::Scan(scan) => scan.report(),
            Self::Report(report) => report,
        }
    }
}

/// Finds documents that are nearly the same.
///
/// >>> import lookalike
/// >>> fox = "the quick brown fox jumps over the lazy dog and then sleeps in the sun"
/// >>> report = lookalike.scan([("old", fox), ("new", fox + " again"), ("other", "a text of its own")], w=3, threshold=0.8)
/// >>> report.documents
/// 3
/// >>> [(row["id"], row["duplicate_of"]) for row in report.duplicates().to_pylist()]
/// [('old', 'new')]
///
/// Keywords are the flags of the command `lookalike scan`, with underscores; `print(lookalike.keywords("scan"))` lists them. Of its own
/// it has `pairs=True`, for all pairs, and `progress=`: True, False, or a function that is told how far the work is.
#[pyfunction]
#[pyo3(signature = (*data, **options))]
pub(crate) fn scan(py: Python<'_>, data: &Bound<'_, PyTuple>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
    by(py, "scan", data, options)
}

/// Finds copied passages between submissions: of a folder with one file or folder for each, or of texts by name.
///
/// >>> import lookalike
/// >>> essay = " ".join(f"word{n}" for n in range(200))
/// >>> report = lookalike.copies({"anna": essay, "bert": essay + " and an end of his own", "carla": "something else entirely"})
/// >>> [(pair["a"], pair["b"]) for pair in report.pairs().to_pylist()]
/// [('anna', 'bert')]
///
/// Keywords are the flags of the command `lookalike copies`: `print(lookalike.keywords("copies"))`.
#[pyfunction]
#[pyo3(signature = (*data, **options))]
pub(crate) fn copies(
    py: Python<'_>,
    data: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Report> {
    by(py, "copies", data, options)
}

fn by(py: Python<'_>, verb: &str, data: &Bound<'_, PyTuple>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
    let watcher = watcher(py, options)?;
    let pairs = switch(options, "pairs")?;
    let mut inputs = Inputs::new(data, &Fields::of(options)?)?;
    let names = inputs.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    // what is read is given apart; the line needs something to read
    let words: Vec<&str> = if names.is_empty() { vec!["."] } else { names.iter().map(String::as_str).collect() };
    let request = request(py, verb, &words, options)?;
    let (lens, asked) = match verb {
        "copies" => request.copies(),
        _ => request.scan(pairs),
    }
    .map_err(|error| Failure::from(error).into_py_err(py))?;
    let against = request.against().map_err(|error| Failure::from(error).into_py_err(py))?;
    let (taken, raised) = (inputs.take(), inputs.raised.clone());
    let scan = running::run(py, watcher.as_ref(), |progress, cancel| {
        raised.stops(cancel);
        let done = Scanner::new(lens).options(asked).progress(progress).cancel(cancel).run(taken);
        raised.check()?;
        let mut scan = done?;
        if let Some(index) = &against {
            index.mark_known(&mut scan)?;
        }
        Ok(scan)
    })?;
    Ok(Report::new(Found::Scan(Box::new(scan)), names, pairs || verb == "copies"))
}

/// Clusters a saved run again, with a higher threshold or another linkage.
///
/// >>> import lookalike, tempfile
/// >>> fox = "the quick brown fox jumps over the lazy dog and then sleeps in the sun"
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> report = lookalike.scan({"old": fox, "new": fox + " again"}, w=3, threshold=0.5, pairs=True)
/// >>> report.save(folder.name + "/run")
/// >>> len(lookalike.recluster(folder.name + "/run", threshold=0.99).duplicates())
/// 0
///
/// Keywords: `print(lookalike.keywords("recluster"))`.
#[pyfunction]
#[pyo3(signature = (run, **options))]
pub(crate) fn recluster(py: Python<'_>, run: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<Report> {
    let name = run.display().to_string();
    let request = request(py, "recluster", &[&name], options)?;
    let report = py.detach(|| request.recluster()).map_err(|error| Failure::from(error).into_py_err(py))?;
    Ok(Report::new(Found::Report(Box::new(report)), vec![name], false))
}

impl Report {
    fn new(found: Found, names: Vec<String>, has_pairs: bool) -> Self {
        Self { found: Mutex::new(found), names, has_pairs, page: Mutex::default() }
    }

    /// Waits without the interpreter's lock: another thread may need that to let go of this one.
    fn found(&self, py: Python<'_>) -> MutexGuard<'_, Found> {
        self.found.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn scan<T>(&self, py: Python<'_>, what: &str, with: impl FnOnce(&Scan) -> PyResult<T>) -> PyResult<T> {
        match &*self.found(py) {
            Found::Scan(scan) => with(scan),
            Found::Report(_) => Err(PyValueError::new_err(format!(
                "{what} needs the documents, which a saved run has not; scan them again"
            ))),
        }
    }
}

#[pymethods]
impl Report {
    /// The documents of all clusters, a row each: the representative first, then its members.
    #[getter]
    fn clusters(&self, py: Python<'_>) -> PyResult<Table> {
        const NAMES: &[&str] =
            &["cluster", "id", "role", "class", "resemblance", "containment", "contained_by", "bytes", "distance"];
        let found = self.found(py);
        let mut rows = TableBuilder::new(NAMES, "ntttsssni");
        for cluster in &found.report().clusters {
            let Cluster { id, representative, bytes, members, .. } = cluster;
            rows.push([
                Cell::Number(Some(*id)),
                Cell::Text(Some(representative)),
                Cell::Text(Some("representative")),
                Cell::Text(None),
                Cell::Share(None),
                Cell::Share(None),
                Cell::Share(None),
                Cell::Number(Some(*bytes)),
                Cell::Small(None),
            ]);
            for member in members {
                rows.push([
                    Cell::Number(Some(*id)),
                    Cell::Text(Some(&member.id)),
                    Cell::Text(Some("member")),
                    Cell::Text(Some(member.class.name())),
                    Cell::Share(member.resemblance),
                    Cell::Share(member.containment),
                    Cell::Share(member.contained_by),
                    Cell::Number(Some(member.bytes)),
                    Cell::Small(member.distance),
                ]);
            }
        }
        rows.finish().map_err(|error| Failure::from(error).into_py_err(py))
    }

    /// The documents that one could do without, each with the one that would stay.
    fn duplicates(&self, py: Python<'_>) -> PyResult<Table> {
        const NAMES: &[&str] = &["id", "duplicate_of", "class", "resemblance", "containment", "cluster", "bytes"];
        let found = self.found(py);
        let mut rows = TableBuilder::new(NAMES, "tttssnn");
        for cluster in &found.report().clusters {
            for member in &cluster.members {
                rows.push([
                    Cell::Text(Some(&member.id)),
                    Cell::Text(Some(&cluster.representative)),
                    Cell::Text(Some(member.class.name())),
                    Cell::Share(member.resemblance),
                    Cell::Share(member.containment),
                    Cell::Number(Some(cluster.id)),
                    Cell::Number(Some(member.bytes)),
                ]);
            }
        }
        rows.finish().map_err(|error| Failure::from(error).into_py_err(py))
    }

    /// All pairs that are alike, a row each. Of documents they must be asked for: `scan(..., pairs=True)`.
    fn pairs(&self, py: Python<'_>) -> PyResult<Table> {
        if !self.has_pairs && matches!(&*self.found(py), Found::Scan(_)) {
            return Err(PyValueError::new_err(
                "pairs() needs all pairs, and not only those that decide a cluster; ask for them: scan(..., pairs=True)",
            ));
        }
        self.scan(py, "pairs()", |scan| {
            let table = if scan.report().passages().is_some() { submission_pairs(scan) } else { document_pairs(scan) };
            table.map_err(|failure| failure.into_py_err(py))
        })
    }

    /// What was not compared, and why.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> PyResult<Table> {
        let found = self.found(py);
        let mut rows = TableBuilder::new(&["id", "kind", "reason"], "ttt");
        for skip in &found.report().skipped {
            rows.push([Cell::Text(Some(&skip.id)), Cell::Text(Some(&skip.kind)), Cell::Text(Some(&skip.reason))]);
        }
        rows.finish().map_err(|error| Failure::from(error).into_py_err(py))
    }

    /// How many documents were compared.
    #[getter]
    fn documents(&self, py: Python<'_>) -> u64 {
        self.found(py).report().head.documents
    }

    /// How documents were read and compared: what has another recipe is never compared.
    #[getter]
    fn recipe(&self, py: Python<'_>) -> String {
        self.found(py).report().head.recipe.clone()
    }

    /// The whole report, byte for byte what the command writes with --json.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let found = self.found(py);
        let mut out = Vec::new();
        let done = Form::named("json").map(|form| form.renderer.render(&Source::new(found.report()), &mut out));
        done.unwrap_or(Ok(())).map_err(|error| Failure::from(error).into_py_err(py))?;
        String::from_utf8(out).map_err(|error| Failure::from(error).into_py_err(py))
    }

    /// The same as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json(py)?,))
    }

    /// Writes the report as one page that opens in a browser. After `scan(..., pairs=True)` a reader can move the threshold on it.
    fn html(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.scan(py, "html()", |scan| {
            py.detach(|| write_report_page(scan, &path, self.names.clone()))
                .map_err(|error| Failure::from(error).into_py_err(py))
        })?;
        *self.page.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
        Ok(())
    }

    /// The page that was written last, if any.
    #[getter]
    fn page(&self) -> Option<PathBuf> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps the run in a new folder, for `recluster`. Needs `scan(..., pairs=True)`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.scan(py, "save()", |scan| {
            py.detach(|| scan.save(&path)).map_err(|error| Failure::from(error).into_py_err(py))
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let found = self.found(py);
        let report = found.report();
        match report.passages() {
            Some(section) => format!(
                "<lookalike.Report: {} submissions, {} pairs listed>",
                section.submissions.len(),
                section.pairs.len()
            ),
            None => format!(
                "<lookalike.Report: {} documents, {} clusters, {} that one could do without>",
                report.head.documents,
                report.clusters.len(),
                report.clusters.iter().map(|cluster| cluster.members.len()).sum::<usize>()
            ),
        }
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("lookalike._notebook")?.call_method1("report", (slf,))?.extract()
    }
}

fn document_pairs(scan: &Scan) -> Result<Table, Failure> {
    let mut rows =
        TableBuilder::new(&["a", "b", "resemblance", "a_in_b", "b_in_a", "low", "high", "shared_bytes"], "ttsssssn");
    scan.pairs(|pair| {
        let end = |at: usize| Cell::Share(pair.interval.map(|interval| interval[at]));
        rows.push([
            Cell::Text(Some(&pair.a)),
            Cell::Text(Some(&pair.b)),
            Cell::Share(Some(pair.resemblance)),
            Cell::Share(Some(pair.a_in_b)),
            Cell::Share(Some(pair.b_in_a)),
            end(0),
            end(1),
            Cell::Number(pair.shared_bytes),
        ]);
        Ok::<_, lookalike::Error>(())
    })?;
    Ok(rows.finish()?)
}

fn submission_pairs(scan: &Scan) -> Result<Table, Failure> {
    let mut rows = TableBuilder::new(&["a", "b", "similarity", "share_a", "share_b", "overlap", "longest"], "ttsssnn");
    let names: Vec<String> = match scan.report().passages() {
        Some(section) => section.submissions.iter().map(|submission| submission.name.clone()).collect(),
        None => Vec::new(),
    };
    scan.submission_pairs(&mut |pair| {
        rows.push([
            Cell::Text(names.get(pair.a as usize).map(String::as_str)),
            Cell::Text(names.get(pair.b as usize).map(String::as_str)),
            Cell::Share(Some(pair.similarity)),
            Cell::Share(Some(pair.share_a)),
            Cell::Share(Some(pair.share_b)),
            Cell::Number(Some(pair.overlap)),
            Cell::Number(Some(pair.longest)),
        ]);
        Ok(())
    })?;
    Ok(rows.finish()?)
}
