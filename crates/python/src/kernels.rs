//! Fingerprints and sketches of texts, one for each: the kernels for other people's pipelines.

use crate::capsule;
use crate::errors::Failure;
use crate::inputs::{Fields, Raised, import, path};
use crate::numbers::{count, to_numpy};
use crate::options;
use crate::running;
use arrow_array::builder::{ListBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ListArray, RecordBatch};
use lookalike::simhash::{FingerprintScratch, Fingerprinter};
use lookalike::sketch::{SketchScratch, Sketcher};
use lookalike::{Cancel, FeatureHasher, Recipe, Resources, ShingleRecipe, SimhashRecipe, bytes_at, is_text};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use rayon::prelude::*;

/// The fingerprint of each text: 64 bits as `numpy.uint64`, in the order of the texts. A text without words has 0.
///
/// >>> import lookalike
/// >>> fox = "the quick brown fox jumps over the lazy dog and then sleeps in the warm light of the sun until the evening comes"
/// >>> a, b = lookalike.simhash([fox, fox + " again"])
/// >>> bin(int(a) ^ int(b)).count("1") < 20
/// True
#[pyfunction]
#[pyo3(signature = (texts, recipe=None, *, key=None, threads=0))]
pub(crate) fn simhash<'py>(
    py: Python<'py>,
    texts: &Bound<'py, PyAny>,
    recipe: Option<&str>,
    key: Option<&str>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let (key, threads) = (&options::key(key), count("threads", threads)?);
    let recipe = match parsed(recipe)? {
        None => SimhashRecipe { key: key_name(key), ..SimhashRecipe::default() },
        Some(Recipe::Simhash(recipe)) => recipe,
        Some(other) => return Err(of_other_lens(&other, "simhash")),
    };
    let fingerprinter = Fingerprinter::new(&recipe, key, None).map_err(|error| Failure::from(error).into_py_err(py))?;
    let pool = pool(py, threads)?;
    let mut all: Vec<u64> = Vec::new();
    for_each_batch(py, texts, |texts, cancel| {
        let fingerprint = |scratch: &mut FingerprintScratch<u64>, text: &&str| -> Result<u64, Failure> {
            cancel.check()?;
            Ok(fingerprinter.fingerprint_text("", text, scratch).unwrap_or(0))
        };
        let some: Result<Vec<u64>, Failure> =
            pool.install(|| texts.par_iter().map_init(FingerprintScratch::default, fingerprint).collect());
        all.extend(some?);
        Ok(())
    })?;
    to_numpy(py, &all, u64::to_le_bytes, "<u8")
}

/// The sketch of each text, as an Arrow array of `list<uint64>`, in the order of the texts. A text without words has an empty one.
///
/// >>> import lookalike
/// >>> [len(features) for features in lookalike.sketch([" ".join(f"word{n}" for n in range(40)), ""]).to_pylist()]
/// [31, 0]
#[pyfunction]
#[pyo3(signature = (texts, recipe=None, *, key=None, threads=0))]
pub(crate) fn sketch(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    recipe: Option<&str>,
    key: Option<&str>,
    threads: i64,
) -> PyResult<Sketches> {
    let (key, threads) = (&options::key(key), count("threads", threads)?);
    let recipe = match parsed(recipe)? {
        None => ShingleRecipe { key: key_name(key), ..ShingleRecipe::default() },
        Some(Recipe::Shingles(recipe)) => recipe,
        Some(other) => return Err(of_other_lens(&other, "shingles")),
    };
    let sketcher = Sketcher::new(&recipe, key).map_err(|error| Failure::from(error).into_py_err(py))?;
    let pool = pool(py, threads)?;
    let mut lists = ListBuilder::new(UInt64Builder::new());
    for_each_batch(py, texts, |texts, cancel| {
        let features = |scratch: &mut SketchScratch, text: &&str| -> Result<Vec<u64>, Failure> {
            cancel.check()?;
            Ok(sketcher.sketch_text("", text, scratch).map(|made| made.sketch.features).unwrap_or_default())
        };
        let some: Result<Vec<Vec<u64>>, Failure> =
            pool.install(|| texts.par_iter().map_init(|| sketcher.scratch(), features).collect());
        for features in some? {
            lists.values().append_slice(&features);
            lists.append(true);
        }
        Ok(())
    })?;
    Ok(Sketches { array: lists.finish() })
}

/// Sketches, by the Arrow `PyCapsule` interface: `pyarrow.array(s)`, `polars.Series(s)`.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct Sketches {
    array: ListArray,
}

#[pymethods]
impl Sketches {
    /// The Arrow `PyCapsule` interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let [schema, array] = capsule::export_array(py, &self.array)?;
        PyTuple::new(py, [schema, array])
    }

    /// As lists of numbers, without any other package.
    fn to_pylist(&self) -> Vec<Vec<u64>> {
        (0..self.array.len())
            .map(|at| self.array.value(at).as_primitive::<arrow_array::types::UInt64Type>().values().to_vec())
            .collect()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }
}

/// What a recipe says of a key.
fn key_name(key: &str) -> Option<String> {
    (!key.is_empty()).then(|| FeatureHasher::key_name(key))
}

fn parsed(recipe: Option<&str>) -> PyResult<Option<Recipe>> {
    let parse = |text: &str| {
        text.parse::<Recipe>().map_err(|error| {
            PyValueError::new_err(format!("recipe: {error}; take one from the recipe of a report or an index"))
        })
    };
    recipe.map(parse).transpose()
}

fn of_other_lens(recipe: &Recipe, expected: &str) -> PyErr {
    PyValueError::new_err(format!("recipe: expected one of the {expected} lens, found {recipe}"))
}

fn pool(py: Python<'_>, threads: usize) -> PyResult<rayon::ThreadPool> {
    let pool = Resources { threads, ..Resources::default() }.pool();
    pool.map_err(|error| Failure::from(error).into_py_err(py))
}

/// Calls `work` with all texts, some at a time, beside Python.
fn for_each_batch(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    mut work: impl FnMut(&[&str], &Cancel) -> Result<(), Failure> + Send,
) -> PyResult<()> {
    if path(texts)?.is_some() {
        return Err(PyTypeError::new_err("texts: expected texts, found a string; put it into a list: [text]"));
    }
    // strings do not change, and the list of them is held: they are read where they are
    if let Ok(list) = texts.cast::<PyList>()
        && let Ok(strings) = list.iter().map(|text| Ok(text.cast_into::<PyString>()?)).collect::<PyResult<Vec<_>>>()
        && let Ok(texts) = strings.iter().map(|text| text.to_str()).collect::<PyResult<Vec<&str>>>()
    {
        return running::run(py, None, |_, cancel| work(&texts, cancel));
    }
    let raised = Raised::default();
    let batches = import(texts, &Fields::usual(), &raised)?;
    running::run(py, None, |_, cancel| {
        for batch in batches {
            raised.check()?;
            work(&texts_of(&batch?)?, cancel)?;
        }
        raised.check()
    })
}

/// The texts of a batch; null is an empty one.
fn texts_of(batch: &RecordBatch) -> Result<Vec<&str>, Failure> {
    let Some(column) = batch.column_by_name("text").or_else(|| (batch.num_columns() == 1).then(|| batch.column(0)))
    else {
        return Err(anyhow::anyhow!(
            "expected texts, or a table with one column or the column 'text'; found {}",
            batch.schema()
        )
        .into());
    };
    if !is_text(column.data_type()) {
        return Err(anyhow::anyhow!("expected texts, found a column of {}", column.data_type()).into());
    }
    let text = |row| {
        let wrong = |_| anyhow::anyhow!("text {row}: expected UTF-8, found other bytes; decode it first").into();
        std::str::from_utf8(bytes_at(column, row).unwrap_or_default()).map_err(wrong)
    };
    (0..column.len()).map(text).collect()
}
