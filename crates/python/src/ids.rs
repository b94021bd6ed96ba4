//! The ids of some rows of a table, in the type of their column.

use crate::inputs::Batches;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, StructArray, UInt64Array, new_empty_array};
use arrow_schema::{ArrowError, DataType, Schema};
use arrow_select::concat::concat;
use arrow_select::nullif::nullif;
use arrow_select::take::take;
use std::sync::Arc;

/// The ids of rows, in the order of `rows`; null for a row that is none. A table without the column calls its rows by their numbers.
pub(crate) fn ids(from: Batches, column: &str, rows: &[Option<u64>]) -> Result<ArrayRef, ArrowError> {
    let Some(kind) = kind(&from.schema(), column) else {
        return Ok(Arc::new(rows.iter().copied().collect::<UInt64Array>()));
    };
    let mut wanted: Vec<u64> = rows.iter().copied().flatten().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut found = vec![new_empty_array(&kind)];
    let (mut first, mut next) = (0, 0);
    for batch in from {
        if next == wanted.len() {
            break;
        }
        let batch = batch?;
        let end = first + batch.num_rows() as u64;
        let here = &wanted[next..next + wanted[next..].partition_point(|row| *row < end)];
        if !here.is_empty() {
            let places: UInt64Array = here.iter().map(|row| row - first).collect();
            found.push(take(&values(&batch, column)?, &places, None)?);
        }
        (first, next) = (end, next + here.len());
    }
    if next < wanted.len() {
        return Err(ArrowError::InvalidArgumentError(format!(
            "expected row {} when the table was read again, found {first} rows; it must not change meanwhile",
            wanted[next]
        )));
    }
    let found = concat(&found.iter().map(|array| &**array).collect::<Vec<_>>())?;
    let place = |row: &Option<u64>| row.and_then(|row| wanted.binary_search(&row).ok()).map(|place| place as u64);
    take(&found, &rows.iter().map(place).collect::<UInt64Array>(), None)
}

/// The type of a column, or of a field of a struct (`meta.url`).
fn kind(schema: &Schema, column: &str) -> Option<DataType> {
    if let Ok(field) = schema.field_with_name(column) {
        return Some(field.data_type().clone());
    }
    let mut names = column.split('.');
    let mut kind = schema.field_with_name(names.next()?).ok()?.data_type();
    for name in names {
        let DataType::Struct(fields) = kind else { return None };
        kind = fields.find(name)?.1.data_type();
    }
    Some(kind.clone())
}

/// The values of a column, or of a field of a struct; null where the struct is.
fn values(batch: &RecordBatch, column: &str) -> Result<ArrayRef, ArrowError> {
    let missing =
        || ArrowError::SchemaError(format!("expected the column {column:?} in every batch, found one without"));
    if let Some(values) = batch.column_by_name(column) {
        return Ok(ArrayRef::clone(values));
    }
    let mut names = column.split('.');
    let mut values = names.next().and_then(|name| batch.column_by_name(name)).cloned().ok_or_else(missing)?;
    for name in names {
        let fields = values.as_any().downcast_ref::<StructArray>().ok_or_else(missing)?;
        let field = fields.column_by_name(name).cloned().ok_or_else(missing)?;
        values = match fields.nulls() {
            Some(nulls) => nullif(&field, &BooleanArray::new(!nulls.inner(), None))?,
            None => field,
        };
    }
    Ok(values)
}
