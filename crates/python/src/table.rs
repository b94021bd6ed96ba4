//! Tables as results: Arrow by capsule, whatever the reader.

use crate::capsule;
use arrow_array::builder::{Float64Builder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::sync::Arc;

/// Rows of a result. Speaks the Arrow `PyCapsule` interface: `pyarrow.table(t)`, `polars.from_arrow(t)`, `pandas` and others read it without
/// a copy.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    pub(crate) fn new(columns: Vec<(&str, ArrayRef)>) -> Result<Self, ArrowError> {
        Ok(Self { batch: RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))? })
    }
}

#[pymethods]
impl Table {
    /// The Arrow `PyCapsule` interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // a reader that wants another schema casts what it gets
        let _ = requested_schema;
        let batches = vec![Ok(self.batch.clone())];
        capsule::export(py, Box::new(RecordBatchIterator::new(batches, self.batch.schema())))
    }

    /// As a `pyarrow.Table`.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_arrow(slf.as_any())
    }

    /// As a `pandas.DataFrame`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_arrow(slf.as_any())?.call_method0("to_pandas")
    }

    /// As a `polars.DataFrame`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_polars(slf.as_any())
    }

    /// As a list of dictionaries. Only ids that are neither text nor numbers need pyarrow.
    fn to_pylist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, batch) = (slf.py(), &slf.get().batch);
        let schema = batch.schema();
        if !schema.fields().iter().all(|field| is_plain(field.data_type())) {
            return to_arrow(slf.as_any())?.call_method0("to_pylist");
        }
        let rows = PyList::empty(py);
        for row in 0..batch.num_rows() {
            let cells = PyDict::new(py);
            for (field, array) in schema.fields().iter().zip(batch.columns()) {
                cells.set_item(field.name(), value(py, array, row)?)?;
            }
            rows.append(cells)?;
        }
        Ok(rows.into_any())
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<lookalike.Table: {} rows of {}>", self.batch.num_rows(), self.column_names().join(", "))
    }
}

/// Any object that speaks the interface as a table of pyarrow.
pub(crate) fn to_arrow<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.py().import("pyarrow")?.call_method1("table", (object,))
}

/// The same as a data frame of polars.
pub(crate) fn to_polars<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.py().import("polars")?.call_method1("DataFrame", (object,))
}

fn value(py: Python<'_>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>> {
    if array.is_null(row) {
        return Ok(py.None());
    }
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any().unbind(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any().unbind(),
        DataType::Utf8View => array.as_string_view().value(row).into_pyobject(py)?.into_any().unbind(),
        DataType::Float64 => number::<Float64Type>(py, array, row)?,
        DataType::Int8 => number::<Int8Type>(py, array, row)?,
        DataType::Int16 => number::<Int16Type>(py, array, row)?,
        DataType::Int32 => number::<Int32Type>(py, array, row)?,
        DataType::Int64 => number::<Int64Type>(py, array, row)?,
        DataType::UInt8 => number::<UInt8Type>(py, array, row)?,
        DataType::UInt16 => number::<UInt16Type>(py, array, row)?,
        DataType::UInt32 => number::<UInt32Type>(py, array, row)?,
        DataType::UInt64 => number::<UInt64Type>(py, array, row)?,
        _ => unreachable!("{} is not plain", array.data_type()),
    })
}

/// Whether [`value`] takes the type.
fn is_plain(kind: &DataType) -> bool {
    let is_text = matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    is_text || kind.is_integer() || *kind == DataType::Float64
}

fn number<'py, T>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>>
where
    T: ArrowPrimitiveType,
    T::Native: IntoPyObject<'py>,
{
    array.as_primitive::<T>().value(row).into_py_any(py)
}

/// Columns as they are filled.
pub(crate) enum Column {
    Text(StringBuilder),
    Share(Float64Builder),
    Number(UInt64Builder),
    Small(UInt32Builder),
}

/// A value of a column; none is null.
pub(crate) enum Cell<'a> {
    Text(Option<&'a str>),
    Share(Option<f64>),
    Number(Option<u64>),
    Small(Option<u32>),
}

/// A table that is filled row by row.
pub(crate) struct TableBuilder {
    names: &'static [&'static str],
    columns: Vec<Column>,
}

impl TableBuilder {
    /// The table.
    pub(crate) fn finish(self) -> Result<Table, ArrowError> {
        self.finish_with(&[])
    }

    /// Empty columns of these names and kinds: text, share, number or small number.
    pub(crate) fn new(names: &'static [&'static str], kinds: &str) -> Self {
        let column = |kind: char| match kind {
            's' => Column::Share(Float64Builder::new()),
            'n' => Column::Number(UInt64Builder::new()),
            'i' => Column::Small(UInt32Builder::new()),
            _ => Column::Text(StringBuilder::new()),
        };
        Self { names, columns: kinds.chars().map(column).collect() }
    }

    /// Adds a row: a cell of its kind for each column.
    pub(crate) fn push<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match (column, cell) {
                (Column::Text(column), Cell::Text(value)) => column.append_option(value),
                (Column::Share(column), Cell::Share(value)) => column.append_option(value),
                (Column::Number(column), Cell::Number(value)) => column.append_option(value),
                (Column::Small(column), Cell::Small(value)) => column.append_option(value),
                // kinds and cells stand beside each other in the code
                _ => unreachable!("a cell of another kind"),
            }
        }
    }

    /// The table, with other columns in place of those of their names.
    pub(crate) fn finish_with(self, others: &[(&str, ArrayRef)]) -> Result<Table, ArrowError> {
        let finished = self.columns.into_iter().map(|column| -> ArrayRef {
            match column {
                Column::Text(mut column) => Arc::new(column.finish()),
                Column::Share(mut column) => Arc::new(column.finish()),
                Column::Number(mut column) => Arc::new(column.finish()),
                Column::Small(mut column) => Arc::new(column.finish()),
            }
        });
        let other =
            |name: &str| others.iter().find(|(other, _)| *other == name).map(|(_, array)| ArrayRef::clone(array));
        let columns = self.names.iter().zip(finished).map(|(name, array)| (*name, other(name).unwrap_or(array)));
        Table::new(columns.collect())
    }
}
