//! `dedup`: the table that stays, and the one that says why the rest went.

use crate::capsule;
use crate::errors::Failure;
use crate::ids::ids;
use crate::inputs::{Batches, Fields, Inputs, Raised, import, path};
use crate::numbers::to_numpy;
use crate::options::{request, taken, watcher};
use crate::running;
use crate::spill::{Spill, Spilled};
use crate::table::{Cell, Table, TableBuilder, to_arrow, to_polars};
use anstream::adapter::strip_str;
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::filter::filter_record_batch;
use lookalike::dedup::{Dedup, DedupOutput, DedupResult, Kept};
use lookalike_report::{CutView, DedupView, Show};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// What `dedup` did. Unpacks as two: the rows that stay, and the table that says why the others went.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct Deduplicated {
    /// The rows that stay; none where the corpus is on disk.
    kept: Option<Py<KeptRows>>,
    removed: Py<Table>,
    json: String,
    text: String,
    output: Option<PathBuf>,
}

/// The rows of a table that stay. Speaks the Arrow `PyCapsule` interface, and makes them anew each time it is asked.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct KeptRows {
    source: RowSource,
    stays: Arc<BooleanArray>,
    /// The labels of all rows, of pandas.
    labels: Option<Py<PyAny>>,
}

/// Where rows are read again.
enum RowSource {
    /// The table that was given: it is in memory, and does not change.
    Table(Py<PyAny>),
    /// What was read from a stream.
    Spilled(Spilled),
}

impl RowSource {
    /// All rows again.
    fn batches(&self, py: Python<'_>) -> PyResult<Batches> {
        match self {
            Self::Table(table) => import(table.bind(py), &Fields::usual(), &Raised::default()),
            Self::Spilled(spilled) => spilled.reader().map_err(|error| Failure::from(error).into_py_err(py)),
        }
    }
}

/// Removes near-duplicates: of a table, or of texts in memory, or of files with `output=`.
///
/// >>> import lookalike
/// >>> fox = "the quick brown fox jumps over the lazy dog and then sleeps in the sun"
/// >>> kept, removed = lookalike.dedup([("old", fox), ("new", fox + " again"), ("other", "a text of its own, which stays")], words=3)
/// >>> [(row["id"], row["duplicate_of"]) for row in removed.to_pylist()]
/// [('old', 'new')]
/// >>> kept.to_arrow().column("id").to_pylist()
/// ['new', 'other']
///
/// A document goes only if it was itself compared with the one that stays in its place. Of a table `kept` has the same columns, and makes the
/// rows when it is asked. Of files the corpus that stays is written to `output=`; without it they are only looked at.
/// Keywords are the flags of the command `lookalike dedup`: `print(lookalike.keywords("dedup"))`.
#[pyfunction]
#[pyo3(signature = (*data, **options))]
pub(crate) fn dedup(
    py: Python<'_>,
    data: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Deduplicated> {
    let watcher = watcher(py, options)?;
    let output = taken(options, "output")?.map(|path| path.extract::<PathBuf>()).transpose()?;
    let given = data.iter().find(|item| matches!(path(item), Ok(None)));
    if output.is_some() && given.is_some() {
        return Err(PyTypeError::new_err(
            "output: a corpus on disk is written from files; write the rows that stay yourself, for example with \
             pyarrow.parquet.write_table(kept.to_arrow(), path)",
        ));
    }
    let given = given.map(unchanging).transpose()?;
    let labels =
        given.as_ref().filter(|given| given.is_pandas).map(|given| given.table.getattr("index")).transpose()?;
    let fields = Fields::of(options)?;
    let mut inputs = Inputs::new(data, &fields)?;
    if given.is_some() && !inputs.paths.is_empty() {
        return Err(PyTypeError::new_err("expected a table, or paths; found both"));
    }
    let mut spilled = None;
    let is_spilled = given.as_ref().is_some_and(|given| !given.is_in_memory);
    if let Some(table) = inputs.table.take_if(|_| is_spilled) {
        let tmp = taken_path(options, "tmp")?;
        let spill = Spill::new(table, tmp.as_deref()).map_err(|error| Failure::from(error).into_py_err(py))?;
        spilled = Some(spill.spilled());
        inputs.table = Some(Box::new(spill));
    }
    let paths = inputs.paths.clone();
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let words = if names.is_empty() { vec!["."] } else { names.iter().map(String::as_str).collect() };
    // what is asked must fit where the result goes
    let target = output.as_ref().map_or("--dry-run".to_owned(), |output| format!("--output={}", output.display()));
    let words = [&[target.as_str()], &words[..]].concat();
    let request = request(py, "dedup", &words, options)?;
    let asked = request.dedup().map_err(|error| Failure::from(error).into_py_err(py))?;
    let (taken, raised) = (inputs.take(), inputs.raised.clone());
    let is_table = given.is_some();
    let result = running::run(py, watcher.as_ref(), |progress, cancel| {
        raised.stops(cancel);
        let dedup = Dedup::new(asked).progress(progress).cancel(cancel);
        let result = if is_table { dedup.decide(taken) } else { dedup.run(&paths, output.as_deref()) };
        raised.check()?;
        Ok(result?)
    })?;
    let found = match &result {
        DedupOutput::Documents(found) => found,
        DedupOutput::Cuts(cuts) => {
            let view = CutView { summary: &cuts.summary, out: output.as_deref() };
            return answer(py, &view, output.clone(), None, Removed::default(), None);
        }
    };
    let (removed, stays) = removed(found, is_table).map_err(|failure| failure.into_py_err(py))?;
    let source = match (given, spilled) {
        (Some(_), Some(spilled)) => Some(RowSource::Spilled(spilled)),
        (Some(given), None) => Some(RowSource::Table(given.table.unbind())),
        (None, _) => None,
    };
    let ids = match &source {
        Some(source) => Some(removed.ids(|| source.batches(py), &fields.id, py)?),
        None => None,
    };
    let (stays, labels) = (Arc::new(stays), labels.map(Bound::unbind));
    let kept = source.map(|source| Py::new(py, KeptRows { source, stays, labels })).transpose()?;
    let view = DedupView { summary: &found.summary, out: output.as_deref(), is_marked: false };
    answer(py, &view, output.clone(), kept, removed, ids)
}

/// What was given in memory.
struct Given<'py> {
    table: Bound<'py, PyAny>,
    is_pandas: bool,
    /// Whether it can be read twice and gives the same rows. A stream, or a query that runs again, may not; and frames of pandas change.
    is_in_memory: bool,
}

fn unchanging(table: Bound<'_, PyAny>) -> PyResult<Given<'_>> {
    let kind = table.get_type();
    let (module, name): (String, String) = (kind.getattr("__module__")?.extract()?, kind.name()?.extract()?);
    match (module.split('.').next().unwrap_or_default(), name.as_str()) {
        ("pyarrow", "Table" | "RecordBatch") => Ok(Given { table, is_pandas: false, is_in_memory: true }),
        // a copy shares the columns, and stays as it is
        ("polars", "DataFrame") => {
            Ok(Given { table: table.call_method0("clone")?, is_pandas: false, is_in_memory: true })
        }
        (package, name) => {
            Ok(Given { is_pandas: package == "pandas" && name == "DataFrame", table, is_in_memory: false })
        }
    }
}

fn taken_path(options: Option<&Bound<'_, PyDict>>, name: &str) -> PyResult<Option<PathBuf>> {
    options.map(|options| options.get_item(name)).transpose()?.flatten().map(|path| path.extract()).transpose()
}

const REMOVED: &[&str] = &[
    "row",
    "id",
    "duplicate_of",
    "duplicate_of_row",
    "resemblance",
    "containment",
    "contained_by",
    "class",
    "cluster",
];
const KINDS: &str = "nttnssstn";

/// The rows and the ids of documents.
type Numbered = (Vec<Option<u64>>, Vec<Option<String>>);

/// The removed documents.
struct Removed {
    /// All columns but those of ids, which are empty.
    rows: TableBuilder,
    /// The row and the id of each, and of the one that stays in its place.
    documents: [Numbered; 2],
    /// Whether some are duplicates of documents of an index, which are in no row.
    has_known: bool,
}

impl Default for Removed {
    fn default() -> Self {
        Self {
            rows: TableBuilder::new(REMOVED, KINDS),
            documents: <[(Vec<_>, Vec<_>); 2]>::default(),
            has_known: false,
        }
    }
}

impl Removed {
    /// `id` and `duplicate_of` as text.
    fn names(&self) -> [ArrayRef; 2] {
        self.documents.each_ref().map(|(_, names)| -> ArrayRef { Arc::new(names.iter().collect::<StringArray>()) })
    }

    /// `id` and `duplicate_of` in the type of the column of the table. An index knows ids as text.
    fn ids(&self, batches: impl Fn() -> PyResult<Batches>, column: &str, py: Python<'_>) -> PyResult<[ArrayRef; 2]> {
        let both: Vec<Option<u64>> = self.documents.iter().flat_map(|(rows, _)| rows.iter().copied()).collect();
        let from = batches()?;
        let found = py.detach(|| ids(from, column, &both)).map_err(|error| Failure::from(error).into_py_err(py))?;
        let removed = both.len() / 2;
        let [_, kept] = self.names();
        let typed = found.slice(removed, removed);
        Ok([found.slice(0, removed), if self.has_known { kept } else { typed }])
    }
}

fn answer(
    py: Python<'_>,
    view: &impl Show,
    output: Option<PathBuf>,
    kept: Option<Py<KeptRows>>,
    removed: Removed,
    ids: Option<[ArrayRef; 2]>,
) -> PyResult<Deduplicated> {
    let written = |json: bool| -> Result<String, Failure> {
        let mut out = Vec::new();
        lookalike_report::write_answer(&mut out, view, json)?;
        Ok(String::from_utf8(out)?)
    };
    let json = written(true).map_err(|failure| failure.into_py_err(py))?;
    let text = written(false).map_err(|failure| failure.into_py_err(py))?;
    let [id, duplicate_of] = ids.unwrap_or_else(|| removed.names());
    let removed = removed.rows.finish_with(&[("id", id), ("duplicate_of", duplicate_of)]);
    let removed = removed.map_err(|error| Failure::from(error).into_py_err(py))?;
    Ok(Deduplicated { kept, removed: Py::new(py, removed)?, json, text, output })
}

/// Who went and why, and for each row of a table whether it stays.
fn removed(found: &DedupResult, is_table: bool) -> Result<(Removed, BooleanArray), Failure> {
    let documents = &found.linked.documents;
    let mut removed = Removed::default();
    let mut goes = Vec::new();
    for removal in found.removals.all() {
        let entry = documents.catalogue.entry(removal.document)?;
        let row = entry.place.record().map(|(_, row)| row);
        if let Some(row) = row.filter(|_| is_table) {
            goes.push(row);
        }
        let kept = removal.kept.document().map(|kept| documents.catalogue.entry(kept)).transpose()?;
        let known = match removal.kept {
            Kept::Known(at) => found.removals.known().get(at as usize).map(|known| known.id.clone()),
            Kept::Document(_) => None,
        };
        let shares = found.removals.shares(removal);
        let kept_row = kept.as_ref().and_then(|kept| kept.place.record()).map(|(_, row)| row);
        removed.has_known |= known.is_some();
        let ids = [(row, Some(entry.id)), (kept_row, kept.map(|kept| kept.id).or(known))];
        for ((rows, names), (row, name)) in removed.documents.iter_mut().zip(ids) {
            rows.push(row);
            names.push(name);
        }
        removed.rows.push([
            Cell::Number(row),
            Cell::Text(None),
            Cell::Text(None),
            Cell::Number(kept_row),
            Cell::Share(shares.as_ref().map(|shares| shares.resemblance)),
            Cell::Share(shares.as_ref().and_then(|shares| shares.containment)),
            Cell::Share(shares.as_ref().and_then(|shares| shares.contained_by)),
            Cell::Text(Some(removal.class.name())),
            Cell::Number((removal.cluster > 0).then_some(u64::from(removal.cluster))),
        ]);
    }
    goes.sort_unstable();
    let rows_read = goes.last().map_or(0, |last| last + 1);
    let mut next = goes.into_iter().peekable();
    // rows after the last that goes stay
    let stays = (0..rows_read).map(|row| next.next_if_eq(&row).is_none());
    Ok((removed, stays.collect::<Vec<bool>>().into()))
}

#[pymethods]
impl Deduplicated {
    /// The rows that stay, as they were: of a table in memory. A corpus on disk stays there.
    #[getter]
    fn kept(&self, py: Python<'_>) -> PyResult<Py<KeptRows>> {
        self.kept.as_ref().map(|kept| kept.clone_ref(py)).ok_or_else(|| {
            PyValueError::new_err(match &self.output {
                Some(output) => format!("the corpus that stays is in {}", output.join("corpus").display()),
                None => {
                    "paths were only looked at; say where the corpus that stays is to be written: output=".to_owned()
                }
            })
        })
    }

    /// A row for each document that was removed: `row` is its number in the table, `duplicate_of_row` that of the one that stays in its
    /// place. `id` and `duplicate_of` have the type of the table's column; of files they are text.
    #[getter]
    fn removed(&self, py: Python<'_>) -> Py<Table> {
        self.removed.clone_ref(py)
    }

    /// The numbers, as the command writes them with --json.
    fn json(&self) -> String {
        self.json.clone()
    }

    /// The same as a dictionary.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json.as_str(),))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let both = PyTuple::new(py, [self.kept(py)?.into_any(), self.removed.clone_ref(py).into_any()])?;
        Ok(both.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<lookalike.Deduplicated>\n{}", strip_str(&self.text).to_string().trim_end())
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("lookalike._notebook")?.call_method1("deduplicated", (slf,))?.extract()
    }
}

#[pymethods]
impl KeptRows {
    /// The Arrow `PyCapsule` interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let from = self.source.batches(py)?;
        capsule::export(py, Box::new(Filtered { from, stays: Arc::clone(&self.stays), row: 0 }))
    }

    /// As a `pyarrow.Table`.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_arrow(slf.as_any())
    }

    /// As a `pandas.DataFrame`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, rows) = (slf.py(), slf.get());
        let frame = to_arrow(slf.as_any())?.call_method0("to_pandas")?;
        let Some(labels) = &rows.labels else { return Ok(frame) };
        let stay = (0..).filter(|row| stays(&rows.stays, *row)).take(frame.len()?);
        let stay: Vec<u64> = stay.map(|row| row as u64).collect();
        let stay = to_numpy(py, &stay, u64::to_le_bytes, "<u8")?;
        py.import("lookalike._sources")?
            .call_method1("with_labels", (frame, labels, stay.call_method1("astype", ("int64",))?))
    }

    /// As a `polars.DataFrame`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_polars(slf.as_any())
    }

    fn __repr__(&self) -> String {
        let go = self.stays.len() - self.stays.true_count();
        format!("<lookalike.KeptRows: all rows but {go}; to_arrow(), to_pandas() or to_polars() makes them>")
    }
}

/// Whether a row stays; those after the last that goes do.
fn stays(flags: &BooleanArray, row: usize) -> bool {
    row >= flags.len() || flags.value(row)
}

/// Record batches without the rows that go.
struct Filtered {
    from: Box<dyn RecordBatchReader + Send>,
    stays: Arc<BooleanArray>,
    row: usize,
}

impl RecordBatchReader for Filtered {
    fn schema(&self) -> SchemaRef {
        self.from.schema()
    }
}

impl Iterator for Filtered {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.from.next()? {
            Ok(batch) => batch,
            Err(error) => return Some(Err(error)),
        };
        let rows = self.row..self.row + batch.num_rows();
        self.row = rows.end;
        let stays: BooleanArray = rows.map(|row| stays(&self.stays, row)).collect::<Vec<bool>>().into();
        Some(filter_record_batch(&batch, &stays))
    }
}
