//! What Python calls documents, as inputs of the engine.
//!
//! A string or a path by itself is a path, as on the command line. Whatever speaks the Arrow stream interface is a table. Anything else that
//! can be iterated is documents in memory: texts, `(id, text)`, or dictionaries. Streams are read once, batch by batch.

use crate::capsule;
use crate::errors::{Failure, wrong_input};
use crate::options::field;
use crate::rows::Rows;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use lookalike::{Cancel, Input, is_text};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What documents in memory are called where a file would have its path.
const NAME: &str = "table";

/// Record batches that are read once.
pub(crate) type Batches = Box<dyn RecordBatchReader + Send>;

/// Where the parts of a document are.
#[derive(Clone)]
pub(crate) struct Fields {
    pub(crate) text: String,
    pub(crate) id: String,
    /// Whether the column of ids was asked for by name.
    pub(crate) is_id_named: bool,
    /// Documents bring their features, and need no text.
    pub(crate) is_features: bool,
    /// Documents without ids are refused.
    pub(crate) must_have_ids: bool,
}

impl Fields {
    /// As the options say.
    pub(crate) fn of(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let ((text, _), (id, is_id_named)) = (field(options, "text")?, field(options, "id")?);
        let features = options.map(|options| options.get_item("features_field")).transpose()?.flatten();
        let is_features = features.is_some_and(|features| !features.is_none());
        Ok(Self { text, id, is_id_named, is_features, must_have_ids: false })
    }

    /// By their usual names.
    pub(crate) fn usual() -> Self {
        let (text, id) = ("text".to_owned(), "id".to_owned());
        Self { text, id, is_id_named: false, is_features: false, must_have_ids: false }
    }
}

/// What a call is to read.
pub(crate) struct Inputs {
    /// Paths, as they were given.
    pub(crate) paths: Vec<PathBuf>,
    /// Documents in memory, if any, as they were given.
    pub(crate) table: Option<Batches>,
    /// The column for the numbers of rows, if there are no ids.
    numbers: Option<String>,
    pub(crate) raised: Raised,
}

/// What an iterator or a stream of the user's raised. The engine only knows that there are no more documents, so it is stopped.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<(Option<PyErr>, Option<Cancel>)>>);

impl Raised {
    /// Fails if the user's iterator did.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).0.take();
        raised.map_or(Ok(()), |error| Err(error.into()))
    }

    /// What is to be stopped.
    pub(crate) fn stops(&self, cancel: &Cancel) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(cancel.clone());
    }

    /// Remembers what went wrong first.
    pub(crate) fn set(&self, error: PyErr) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.0.get_or_insert(error);
        if let Some(cancel) = &known.1 {
            cancel.cancel();
        }
    }
}

impl Inputs {
    /// Of the arguments of a call.
    pub(crate) fn new(data: &Bound<'_, PyTuple>, fields: &Fields) -> PyResult<Self> {
        let mut inputs = Self { paths: Vec::new(), table: None, numbers: None, raised: Raised::default() };
        for item in data {
            if let Some(path) = path(&item)? {
                inputs.paths.push(path);
                continue;
            }
            if inputs.table.is_some() {
                return Err(PyTypeError::new_err(
                    "expected paths, or documents in memory once; found two collections of documents: put them together first",
                ));
            }
            let reader = import(&item, fields, &inputs.raised)?;
            let schema = reader.schema();
            if !fields.is_features {
                check_column(item.py(), &schema, &fields.text, "text", is_text)?;
            }
            let has_ids = schema.field_with_name(&fields.id).is_ok();
            if fields.is_id_named || has_ids || fields.must_have_ids {
                check_column(item.py(), &schema, &fields.id, "id", |kind| !kind.is_nested())?;
            }
            inputs.numbers = (!has_ids && !fields.is_id_named).then(|| fields.id.clone());
            inputs.table = Some(reader);
        }
        if inputs.paths.is_empty() && inputs.table.is_none() {
            return Err(PyTypeError::new_err("expected paths, texts or a table; found nothing to read"));
        }
        Ok(inputs)
    }

    /// For the engine: rows without ids are called by their numbers.
    pub(crate) fn take(&mut self) -> Vec<Input> {
        let table = self.table.take().map(|from| {
            let from = match &self.numbers {
                Some(column) => Box::new(Numbered::new(from, column)),
                None => from,
            };
            Input::Batches { name: PathBuf::from(NAME), from }
        });
        self.paths.iter().cloned().map(Input::Path).chain(table).collect()
    }
}

/// Fails if a table lacks a column, or has another kind of it. A field of a struct is looked for later.
fn check_column(
    py: Python<'_>,
    schema: &Schema,
    name: &str,
    what: &str,
    is_fit: impl Fn(&DataType) -> bool,
) -> PyResult<()> {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let found = match schema.field_with_name(name) {
        Ok(field) if is_fit(field.data_type()) => return Ok(()),
        Ok(field) => field.data_type().to_string(),
        Err(_) if name.contains('.') => return Ok(()),
        Err(_) => names.join(", "),
    };
    let message = format!("expected {what} in the column {name:?}, found {found}; name the column with {what}=");
    Err(wrong_input(py, &message, name, &found))
}

/// A path, if it is one by itself.
pub(crate) fn path(item: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if item.is_instance_of::<PyString>() || item.hasattr("__fspath__")? {
        return item.extract().map(Some);
    }
    Ok(None)
}

/// The record batches of a collection.
pub(crate) fn import(item: &Bound<'_, PyAny>, fields: &Fields, raised: &Raised) -> PyResult<Batches> {
    // some packages have columns, or data sets, that are tables only when they are asked to be
    let item = &item.py().import("lookalike._sources")?.call_method1("table_of", (item, &fields.text))?;
    if capsule::is_stream(item)? {
        return Ok(Box::new(Checked { inner: capsule::import(item)?, rows: 0, raised: raised.clone() }));
    }
    let rows = match item.cast::<PyMapping>() {
        // a dictionary is texts by id
        Ok(mapping) => mapping.items()?.try_iter()?,
        Err(_) if item.is_instance_of::<PyBytes>() => {
            return Err(PyTypeError::new_err("expected documents, found bytes; put texts into a list"));
        }
        Err(_) => item.try_iter().map_err(|_| {
            let kind = item.get_type();
            PyTypeError::new_err(format!(
                "expected paths, texts, (id, text), dictionaries or a table (Arrow, polars, pandas, DuckDB), found {kind}"
            ))
        })?,
    };
    Ok(Box::new(Rows::new(&rows, fields, raised)?))
}

/// A stream whose failure is remembered: for the engine it is a file that ends too early.
struct Checked {
    inner: Batches,
    rows: u64,
    raised: Raised,
}

impl RecordBatchReader for Checked {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }
}

impl Iterator for Checked {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.inner.next()?;
        match &next {
            Ok(batch) => self.rows += batch.num_rows() as u64,
            Err(error) => Python::attach(|py| {
                let (found, expected) = (error.to_string(), "the next rows");
                let message = format!("the stream of rows failed after row {}: {found}", self.rows);
                self.raised.set(wrong_input(py, &message, expected, &found));
            }),
        }
        Some(next)
    }
}

/// A table whose rows are called by their numbers.
struct Numbered {
    inner: Batches,
    schema: SchemaRef,
    row: u64,
}

impl Numbered {
    fn new(inner: Batches, column: &str) -> Self {
        let schema = inner.schema();
        let number = Arc::new(Field::new(column, DataType::UInt64, false));
        let fields = schema.fields().iter().cloned().chain([number]);
        let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone());
        Self { inner, schema: Arc::new(schema), row: 0 }
    }
}

impl RecordBatchReader for Numbered {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Iterator for Numbered {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.inner.next()? {
            Ok(batch) => batch,
            Err(error) => return Some(Err(error)),
        };
        let first = self.row;
        self.row += batch.num_rows() as u64;
        let numbers: ArrayRef = Arc::new(UInt64Array::from_iter_values(first..self.row));
        let columns = batch.columns().iter().cloned().chain([numbers]).collect();
        Some(RecordBatch::try_new(self.schema(), columns))
    }
}
