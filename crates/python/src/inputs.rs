//! What Python calls documents, as inputs of the engine.
//!
//! A string or a path by itself is a path, as on the command line. Whatever speaks the Arrow stream interface is a table. Anything else that
//! can be iterated is documents in memory: texts, `(id, text)`, or dictionaries. Streams are read once, batch by batch.

use crate::capsule;
use crate::errors::{Failure, wrong_input};
use arrow_array::builder::{LargeStringBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use lookalike::{Input, is_text};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyMapping, PyString, PyTuple};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Documents of a batch, and bytes after which one is full.
const BATCH_ROWS: usize = 4096;
const BATCH_BYTES: usize = 8 << 20;
/// What documents in memory are called where a file would have its path.
const NAME: &str = "table";

/// What a call is to read.
pub(crate) struct Inputs {
    /// Paths, as they were given.
    pub(crate) paths: Vec<PathBuf>,
    /// Documents in memory, if any.
    pub(crate) table: Option<Box<dyn RecordBatchReader + Send>>,
    pub(crate) raised: Raised,
}

/// What an iterator of the user's raised: the engine only knows that there are no more documents.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Fails if the user's iterator did.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), |error| Err(error.into()))
    }
}

impl Inputs {
    /// Of the arguments of a call. `text` and `id` are the fields that are asked for; `id` is only what it is by default if `named` is not set.
    pub(crate) fn new(data: &Bound<'_, PyTuple>, text: &str, id: &str, named: bool) -> PyResult<Self> {
        let mut inputs = Self { paths: Vec::new(), table: None, raised: Raised::default() };
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
            let reader = reader(&item, text, id, &inputs.raised)?;
            check_column(item.py(), &reader.schema(), text, "text", is_text)?;
            if named {
                check_column(item.py(), &reader.schema(), id, "id", |kind| !kind.is_nested())?;
            }
            inputs.table = Some(if named { reader } else { numbered(reader, id) });
        }
        if inputs.paths.is_empty() && inputs.table.is_none() {
            return Err(PyTypeError::new_err("expected paths, texts or a table; found nothing to read"));
        }
        Ok(inputs)
    }

    /// For the engine.
    pub(crate) fn take(&mut self) -> Vec<Input> {
        let table = self.table.take().map(|from| Input::Batches { name: PathBuf::from(NAME), from });
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
pub(crate) fn import(item: &Bound<'_, PyAny>, text: &str, id: &str) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    reader(item, text, id, &Raised::default())
}

fn reader(
    item: &Bound<'_, PyAny>,
    text: &str,
    id: &str,
    raised: &Raised,
) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    let item = &table_of(item)?;
    if capsule::is_stream(item)? {
        return capsule::import(item);
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
    let schema = Schema::new(vec![Field::new(id, DataType::Utf8, true), Field::new(text, DataType::LargeUtf8, true)]);
    let fields = (text.to_owned(), id.to_owned());
    Ok(Box::new(Rows { from: rows.unbind(), fields, schema: Arc::new(schema), row: 0, raised: raised.clone() }))
}

/// Data sets of Hugging Face are tables with a choice of rows.
fn table_of<'py>(item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let module: String = item.get_type().getattr("__module__")?.extract().unwrap_or_default();
    if !module.starts_with("datasets.") || capsule::is_stream(item)? {
        return Ok(item.clone());
    }
    item.py().import("lookalike._sources")?.call_method1("batches_of_dataset", (item,))
}

/// Documents of an iterator, some at a time.
struct Rows {
    from: Py<PyIterator>,
    fields: (String, String),
    schema: SchemaRef,
    row: u64,
    raised: Raised,
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match Python::attach(|py| self.batch(py)) {
            Ok(batch) => batch.map(Ok),
            Err(error) => {
                let message = error.to_string();
                *self.raised.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Some(Err(ArrowError::ExternalError(message.into())))
            }
        }
    }
}

impl Rows {
    fn batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let (mut ids, mut texts, mut bytes, mut rows) = (StringBuilder::new(), LargeStringBuilder::new(), 0, 0);
        let mut iterator = self.from.bind(py).clone();
        while rows < BATCH_ROWS && bytes < BATCH_BYTES {
            let Some(row) = iterator.next() else { break };
            let (id, text) = self.document(&row?)?;
            bytes += text.len();
            ids.append_value(id);
            texts.append_value(text);
            rows += 1;
            self.row += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns: Vec<ArrayRef> = vec![Arc::new(ids.finish()), Arc::new(texts.finish())];
        RecordBatch::try_new(self.schema(), columns).map(Some).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Id and text of a document, whatever it is given as.
    fn document(&self, row: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
        let number = self.row;
        if let Ok(fields) = row.cast::<PyDict>() {
            let (text, id) = &self.fields;
            let body = fields.get_item(text)?.ok_or_else(|| {
                let found = fields.keys();
                PyValueError::new_err(format!(
                    "document {number}: expected the field {text:?}, found {found}; name the field with text="
                ))
            })?;
            let id = fields.get_item(id)?.map_or_else(|| Ok(number.to_string()), |id| self.id(&id))?;
            return Ok((id, self.text(&body)?));
        }
        if let Ok(pair) = row.cast::<PyTuple>() {
            if pair.len() != 2 {
                let found = pair.len();
                return Err(PyValueError::new_err(format!(
                    "document {number}: expected (id, text), found a tuple of {found}"
                )));
            }
            return Ok((self.id(&pair.get_item(0)?)?, self.text(&pair.get_item(1)?)?));
        }
        Ok((number.to_string(), self.text(row)?))
    }

    fn id(&self, id: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(id) = id.cast::<PyString>() {
            return utf8(id, self.row, "id");
        }
        id.extract::<i128>().map(|id| id.to_string()).map_err(|_| {
            let (number, kind) = (self.row, id.get_type());
            PyTypeError::new_err(format!(
                "document {number}: expected an id that is a string or an integer, found {kind}"
            ))
        })
    }

    fn text(&self, text: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = self.row;
        if let Ok(text) = text.cast::<PyString>() {
            return utf8(text, number, "text");
        }
        let bytes = match (text.cast::<PyBytes>(), text.cast::<PyByteArray>()) {
            (Ok(bytes), _) => bytes.as_bytes().to_vec(),
            (_, Ok(bytes)) => bytes.to_vec(),
            _ => {
                let kind = text.get_type();
                return Err(PyTypeError::new_err(format!(
                    "document {number}: expected text, found {kind}; leave it out, or give an empty text"
                )));
            }
        };
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            PyValueError::new_err(format!(
                "document {number}: expected UTF-8, found another byte at {at}; decode it first, for example with .decode('latin-1')"
            ))
        })
    }
}

/// A string of Python may hold halves of characters.
fn utf8(text: &Bound<'_, PyString>, number: u64, what: &str) -> PyResult<String> {
    text.to_str().map(str::to_owned).map_err(|_| {
        PyValueError::new_err(format!(
            "document {number}: expected Unicode, found a lone surrogate in its {what}; replace it with \
             .encode('utf-8', 'replace').decode()"
        ))
    })
}

/// A table whose rows are called by their numbers if it has no ids.
struct Numbered {
    inner: Box<dyn RecordBatchReader + Send>,
    schema: SchemaRef,
    row: u64,
}

fn numbered(inner: Box<dyn RecordBatchReader + Send>, id: &str) -> Box<dyn RecordBatchReader + Send> {
    let schema = inner.schema();
    if schema.field_with_name(id).is_ok() {
        return inner;
    }
    let number = Arc::new(Field::new(id, DataType::UInt64, false));
    let fields = schema.fields().iter().cloned().chain([number]);
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone());
    Box::new(Numbered { inner, schema: Arc::new(schema), row: 0 })
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
