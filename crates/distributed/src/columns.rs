//! The columns of a batch, by name.

use crate::Error;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch};
use arrow_schema::DataType;
use std::borrow::Cow;

fn column<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a ArrayRef, Error> {
    batch.column_by_name(name).ok_or_else(|| {
        let schema = batch.schema();
        let names: Vec<String> = schema.fields().iter().map(|field| format!("`{}`", field.name())).collect();
        Error::MissingColumn { name, found: if names.is_empty() { "none".into() } else { names.join(", ") } }
    })
}

fn wrong(name: &'static str, expected: &'static str, column: &dyn Array) -> Error {
    Error::ColumnType { name, expected, found: column.data_type().to_string() }
}

/// Hashes and counts.
pub(crate) struct Longs<'a> {
    name: &'static str,
    values: &'a Int64Array,
}

impl<'a> Longs<'a> {
    pub(crate) fn new(batch: &'a RecordBatch, name: &'static str) -> Result<Self, Error> {
        let column = column(batch, name)?;
        let values = column.as_primitive_opt::<Int64Type>().ok_or_else(|| wrong(name, "Int64", column))?;
        Ok(Self { name, values })
    }

    pub(crate) fn get(&self, row: usize) -> Result<i64, Error> {
        self.optional(row).ok_or(Error::MissingValue { name: self.name, row })
    }

    /// A hash in a column of signed numbers.
    pub(crate) fn hash(&self, row: usize) -> Result<u64, Error> {
        self.get(row).map(i64::cast_unsigned)
    }

    pub(crate) fn optional(&self, row: usize) -> Option<i64> {
        self.values.is_valid(row).then(|| self.values.value(row))
    }
}

/// Small numbers.
pub(crate) struct Ints<'a> {
    name: &'static str,
    values: &'a Int32Array,
}

impl<'a> Ints<'a> {
    pub(crate) fn new(batch: &'a RecordBatch, name: &'static str) -> Result<Self, Error> {
        let column = column(batch, name)?;
        let values = column.as_primitive_opt::<Int32Type>().ok_or_else(|| wrong(name, "Int32", column))?;
        Ok(Self { name, values })
    }

    pub(crate) fn get(&self, row: usize) -> Result<i32, Error> {
        if self.values.is_valid(row) {
            Ok(self.values.value(row))
        } else {
            Err(Error::MissingValue { name: self.name, row })
        }
    }
}

/// Text or bytes, in any of the layouts that engines use.
pub(crate) struct Bytes<'a> {
    name: &'static str,
    values: &'a ArrayRef,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(batch: &'a RecordBatch, name: &'static str) -> Result<Self, Error> {
        let values = column(batch, name)?;
        match values.data_type() {
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView => Ok(Self { name, values }),
            _ => Err(wrong(name, "text or bytes", values)),
        }
    }

    pub(crate) fn get(&self, row: usize) -> Result<&'a [u8], Error> {
        self.optional(row).ok_or(Error::MissingValue { name: self.name, row })
    }

    pub(crate) fn optional(&self, row: usize) -> Option<&'a [u8]> {
        let values = self.values;
        values.is_valid(row).then(|| match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().value(row).as_bytes(),
            DataType::LargeUtf8 => values.as_string::<i64>().value(row).as_bytes(),
            DataType::Utf8View => values.as_string_view().value(row).as_bytes(),
            DataType::Binary => values.as_binary::<i32>().value(row),
            DataType::LargeBinary => values.as_binary::<i64>().value(row),
            _ => values.as_binary_view().value(row),
        })
    }

    pub(crate) fn text(&self, row: usize) -> Result<&'a str, Error> {
        std::str::from_utf8(self.get(row)?).map_err(|_| Error::Damaged { name: self.name })
    }
}

/// What the user calls documents and ranks them by: text, or numbers.
pub(crate) enum Names<'a> {
    Bytes(Bytes<'a>),
    Long(&'a Int64Array),
    Int(&'a Int32Array),
    Real(&'a Float64Array),
}

impl<'a> Names<'a> {
    pub(crate) fn new(batch: &'a RecordBatch, name: &'static str) -> Result<Self, Error> {
        let values = column(batch, name)?;
        Ok(match values.data_type() {
            DataType::Int64 => Self::Long(values.as_primitive()),
            DataType::Int32 => Self::Int(values.as_primitive()),
            DataType::Float64 => Self::Real(values.as_primitive()),
            _ => Self::Bytes(Bytes::new(batch, name).map_err(|_| wrong(name, "text or a number", values))?),
        })
    }

    /// The value as text; none if there is none, or it is not UTF-8.
    pub(crate) fn get(&self, row: usize) -> Option<Cow<'a, str>> {
        let number = |values: &dyn Array, text: &dyn Fn() -> String| values.is_valid(row).then(|| text().into());
        match self {
            Self::Bytes(bytes) => {
                bytes.optional(row).and_then(|bytes| std::str::from_utf8(bytes).ok()).map(Cow::Borrowed)
            }
            Self::Long(values) => number(values, &|| values.value(row).to_string()),
            Self::Int(values) => number(values, &|| values.value(row).to_string()),
            Self::Real(values) => number(values, &|| values.value(row).to_string()),
        }
    }
}

/// Whether a batch has a column.
pub(crate) fn has(batch: &RecordBatch, name: &str) -> bool {
    batch.column_by_name(name).is_some()
}
