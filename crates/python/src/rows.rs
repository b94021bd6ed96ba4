//! Documents that Python iterates over: texts, `(id, text)`, or dictionaries, some at a time.

use crate::inputs::{Fields, Raised};
use arrow_array::builder::{Int64Builder, LargeStringBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_json::ReaderBuilder;
use arrow_json::reader::infer_json_schema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyString, PyTuple};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Documents of a batch, and bytes after which one is full.
const BATCH_ROWS: usize = 4096;
const BATCH_BYTES: usize = 8 << 20;
/// Documents by which the columns are known.
const FIRST_ROWS: usize = 1024;
/// A slow iterator is not waited for: what stops the work is looked at between batches.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// Documents of an iterator.
pub(crate) struct Rows {
    from: Py<PyIterator>,
    fields: Fields,
    schema: SchemaRef,
    /// Columns beside id and text, of dictionaries.
    others: SchemaRef,
    /// The type of ids; none if the documents have none.
    ids: Option<IdKind>,
    row: u64,
    /// What was read to know the columns.
    first: Option<RecordBatch>,
    raised: Raised,
}

/// The type of a column of ids.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IdKind {
    Integer,
    Text,
}

/// An id, as it was given. Integers that do not fit into 64 bits are text.
enum Id {
    Integer(i64),
    Text(String),
}

/// Some documents, column by column.
#[derive(Default)]
struct Documents {
    ids: Vec<Option<Id>>,
    texts: Vec<Option<String>>,
    /// The other fields of dictionaries, a line of JSON for each document.
    others: Vec<u8>,
    has_others: bool,
}

impl Rows {
    /// Reads the first documents: they say which columns there are.
    pub(crate) fn new(from: &Bound<'_, PyIterator>, fields: &Fields, raised: &Raised) -> PyResult<Self> {
        let none = Arc::new(Schema::empty());
        let mut rows = Self {
            from: from.clone().unbind(),
            fields: fields.clone(),
            schema: Arc::clone(&none),
            others: none,
            ids: None,
            row: 0,
            first: None,
            raised: raised.clone(),
        };
        let documents = rows.read(from.py(), FIRST_ROWS, Duration::MAX)?;
        let is_integer = |id: &Id| matches!(id, Id::Integer(_));
        let mut ids = documents.ids.iter().flatten().peekable();
        if ids.peek().is_some() {
            rows.ids = Some(if ids.all(is_integer) { IdKind::Integer } else { IdKind::Text });
        }
        if documents.has_others {
            let (found, _) =
                infer_json_schema(&documents.others[..], None).map_err(|error| rows.wrong_field(&error))?;
            // what is null so far may become text
            let known = |field: &Arc<Field>| match field.data_type() {
                DataType::Null => Arc::new(Field::new(field.name(), DataType::Utf8, true)),
                _ => Arc::clone(field),
            };
            rows.others = Arc::new(Schema::new(found.fields().iter().map(known).collect::<Vec<_>>()));
        }
        let mut columns = Vec::new();
        if let Some(kind) = rows.ids {
            let kind = if kind == IdKind::Integer { DataType::Int64 } else { DataType::Utf8 };
            columns.push(Arc::new(Field::new(&rows.fields.id, kind, true)));
        }
        if !rows.fields.is_features || documents.texts.iter().any(Option::is_some) {
            columns.push(Arc::new(Field::new(&rows.fields.text, DataType::LargeUtf8, true)));
        }
        columns.extend(rows.others.fields().iter().cloned());
        rows.schema = Arc::new(Schema::new(columns));
        rows.first = rows.batch(documents)?;
        Ok(rows)
    }

    /// The next documents, at most so many.
    fn read(&mut self, py: Python<'_>, most: usize, time: Duration) -> PyResult<Documents> {
        let (begin, mut bytes) = (Instant::now(), 0);
        let mut documents = Documents::default();
        let mut iterator = self.from.bind(py).clone();
        while documents.ids.len() < most && bytes < BATCH_BYTES && (documents.ids.is_empty() || begin.elapsed() < time)
        {
            let Some(row) = iterator.next() else { break };
            self.document(&row?, &mut documents)?;
            bytes += documents.texts.last().and_then(Option::as_ref).map_or(0, String::len);
            self.row += 1;
        }
        Ok(documents)
    }

    fn batch(&self, documents: Documents) -> PyResult<Option<RecordBatch>> {
        let rows = documents.ids.len();
        if rows == 0 {
            return Ok(None);
        }
        let first = self.row - rows as u64;
        let mut columns: Vec<ArrayRef> = Vec::new();
        if let Some(kind) = self.ids {
            columns.push(id_column(kind, documents.ids, first)?);
        } else if let Some(at) = documents.ids.iter().position(Option::is_some) {
            let number = first + at as u64;
            return Err(PyValueError::new_err(format!(
                "document {number}: expected no id, as the documents before it have none, found one; give all of them ids"
            )));
        }
        if self.schema.field_with_name(&self.fields.text).is_ok() {
            let mut texts = LargeStringBuilder::new();
            documents.texts.into_iter().for_each(|text| texts.append_option(text));
            columns.push(Arc::new(texts.finish()));
        }
        if !self.others.fields().is_empty() {
            let read = ReaderBuilder::new(Arc::clone(&self.others)).with_strict_mode(true).with_batch_size(rows);
            let others = read.build(&documents.others[..]).and_then(|mut reader| reader.next().transpose());
            let others = others.map_err(|error| self.wrong_field(&error))?;
            columns.extend(others.iter().flat_map(|batch| batch.columns().iter().cloned()));
        }
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some).map_err(|error| self.wrong_field(&error))
    }

    fn wrong_field(&self, error: &ArrowError) -> PyErr {
        let last = self.row;
        PyValueError::new_err(format!(
            "documents before number {last}: expected in each field values of one kind, in fields that the first {FIRST_ROWS} documents have; \
             found otherwise: {error}; give a table, or leave these fields out"
        ))
    }

    /// Appends a document, whatever it is given as.
    fn document(&self, row: &Bound<'_, PyAny>, documents: &mut Documents) -> PyResult<()> {
        let number = self.row;
        let (id, text) = if let Ok(fields) = row.cast::<PyDict>() {
            self.dictionary(fields, documents)?
        } else if let Ok(pair) = row.cast::<PyTuple>() {
            if pair.len() != 2 {
                let found = pair.len();
                return Err(PyValueError::new_err(format!(
                    "document {number}: expected (id, text), found a tuple of {found}"
                )));
            }
            documents.others.extend_from_slice(b"{}\n");
            (Some(self.id(&pair.get_item(0)?)?), Some(self.text(&pair.get_item(1)?)?))
        } else {
            documents.others.extend_from_slice(b"{}\n");
            (None, Some(self.text(row)?))
        };
        if id.is_none() && self.fields.must_have_ids {
            return Err(PyValueError::new_err(format!(
                "document {number}: expected an id, for an index knows documents by their ids, found none; give (id, text), or dictionaries \
                 or a table with ids"
            )));
        }
        documents.ids.push(id);
        documents.texts.push(text);
        Ok(())
    }

    fn dictionary(
        &self,
        fields: &Bound<'_, PyDict>,
        documents: &mut Documents,
    ) -> PyResult<(Option<Id>, Option<String>)> {
        let number = self.row;
        let Fields { text, id, is_features, .. } = &self.fields;
        let body = match fields.get_item(text)? {
            Some(body) => Some(self.text(&body)?),
            None if *is_features => None,
            None => {
                let found = fields.keys();
                return Err(PyValueError::new_err(format!(
                    "document {number}: expected the field {text:?}, found {found}; name the field with text="
                )));
            }
        };
        let name = fields.get_item(id)?.map(|id| self.id(&id)).transpose()?;
        let others = fields.copy()?;
        for own in [text, id] {
            if others.contains(own)? {
                others.del_item(own)?;
            }
        }
        if others.is_empty() {
            documents.others.extend_from_slice(b"{}\n");
        } else {
            let json = fields.py().import("json")?.call_method1("dumps", (others,)).map_err(|error| {
                PyTypeError::new_err(format!(
                    "document {number}: expected fields that JSON has (text, numbers, lists), found another: {error}; give a table, or leave \
                     the field out"
                ))
            })?;
            documents.others.extend_from_slice(json.extract::<String>()?.as_bytes());
            documents.others.push(b'\n');
            documents.has_others = true;
        }
        Ok((name, body))
    }

    fn id(&self, id: &Bound<'_, PyAny>) -> PyResult<Id> {
        if let Ok(id) = id.cast::<PyString>() {
            return utf8(id, self.row, "id").map(Id::Text);
        }
        let integer = |id: i128| i64::try_from(id).map_or_else(|_| Id::Text(id.to_string()), Id::Integer);
        id.extract::<i128>().map(integer).map_err(|_| {
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

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        let next = Python::attach(|py| {
            let documents = self.read(py, BATCH_ROWS, BATCH_TIME)?;
            self.batch(documents)
        });
        match next {
            Ok(batch) => batch.map(Ok),
            Err(error) => {
                let message = error.to_string();
                self.raised.set(error);
                Some(Err(ArrowError::ExternalError(message.into())))
            }
        }
    }
}

/// A column of ids. A document without one is called by its number.
fn id_column(kind: IdKind, ids: Vec<Option<Id>>, first: u64) -> PyResult<ArrayRef> {
    let (mut integers, mut texts) = (Int64Builder::new(), StringBuilder::new());
    for (id, number) in ids.into_iter().zip(first..) {
        match (kind, id) {
            (IdKind::Integer, None) => integers.append_value(number.cast_signed()),
            (IdKind::Integer, Some(Id::Integer(id))) => integers.append_value(id),
            (IdKind::Integer, Some(Id::Text(id))) => {
                return Err(PyTypeError::new_err(format!(
                    "document {number}: expected an id that is an integer of 64 bits, as those of the first {FIRST_ROWS} documents, found \
                     {id:?}; give all ids as strings"
                )));
            }
            (IdKind::Text, None) => texts.append_value(number.to_string()),
            (IdKind::Text, Some(Id::Integer(id))) => texts.append_value(id.to_string()),
            (IdKind::Text, Some(Id::Text(id))) => texts.append_value(id),
        }
    }
    Ok(match kind {
        IdKind::Integer => Arc::new(integers.finish()),
        IdKind::Text => Arc::new(texts.finish()),
    })
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
