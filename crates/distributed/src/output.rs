//! Rows on their way out, as batches.

use crate::Error;
use arrow_array::builder::{BinaryBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::Arc;

/// Rows of a batch, at most.
pub(crate) const MAX_ROWS: usize = 1 << 13;
/// Bytes of a batch, about: one row of it may have more.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// A column of a table.
pub(crate) type Column = (&'static str, DataType);

/// The schema of these columns; any of them may have no value.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    let fields = columns.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<Field>>()))
}

/// One value of a row.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Null,
    Long(i64),
    /// In a column of signed numbers.
    Hash(u64),
    Int(i32),
    Real(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

enum Builder {
    Long(Int64Builder),
    Int(Int32Builder),
    Real(Float64Builder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
}

impl Builder {
    fn new(kind: &DataType) -> Self {
        match kind {
            DataType::Int64 => Self::Long(Int64Builder::new()),
            DataType::Int32 => Self::Int(Int32Builder::new()),
            DataType::Float64 => Self::Real(Float64Builder::new()),
            DataType::Utf8 => Self::Text(StringBuilder::new()),
            _ => Self::Bytes(BinaryBuilder::new()),
        }
    }

    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Long(builder), Value::Long(value)) => builder.append_value(value),
            (Self::Long(builder), Value::Hash(value)) => builder.append_value(value.cast_signed()),
            (Self::Int(builder), Value::Int(value)) => builder.append_value(value),
            (Self::Real(builder), Value::Real(value)) => builder.append_value(value),
            (Self::Text(builder), Value::Text(value)) => builder.append_value(value),
            (Self::Bytes(builder), Value::Bytes(value)) => builder.append_value(value),
            (Self::Long(builder), _) => builder.append_null(),
            (Self::Int(builder), _) => builder.append_null(),
            (Self::Real(builder), _) => builder.append_null(),
            (Self::Text(builder), _) => builder.append_null(),
            (Self::Bytes(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Long(builder) => Arc::new(builder.finish()),
            Self::Int(builder) => Arc::new(builder.finish()),
            Self::Real(builder) => Arc::new(builder.finish()),
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Bytes(builder) => Arc::new(builder.finish()),
        }
    }
}

/// Collects rows.
pub(crate) struct Output {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    bytes: usize,
    ready: Vec<RecordBatch>,
}

impl Output {
    pub(crate) fn new(columns: &[Column]) -> Self {
        let builders = columns.iter().map(|(_, kind)| Builder::new(kind)).collect();
        Self { schema: schema(columns), builders, rows: 0, bytes: 0, ready: Vec::new() }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Takes a row: a value for each column, of its type.
    pub(crate) fn push<const N: usize>(&mut self, row: [Value<'_>; N]) -> Result<(), Error> {
        debug_assert_eq!(N, self.builders.len(), "a value for each column");
        for (builder, value) in self.builders.iter_mut().zip(row) {
            self.bytes += match value {
                Value::Text(text) => text.len(),
                Value::Bytes(bytes) => bytes.len(),
                _ => 8,
            };
            builder.push(value);
        }
        self.rows += 1;
        if self.rows >= MAX_ROWS || self.bytes >= MAX_BYTES { self.close() } else { Ok(()) }
    }

    fn close(&mut self) -> Result<(), Error> {
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        self.ready.push(RecordBatch::try_new(self.schema(), columns)?);
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// The batches that are full.
    pub(crate) fn take(&mut self) -> Vec<RecordBatch> {
        std::mem::take(&mut self.ready)
    }

    /// All batches.
    pub(crate) fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        if self.rows > 0 {
            self.close()?;
        }
        Ok(self.take())
    }
}
