//! Texts in Arrow arrays, with some of them cut out.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray,
    StringViewArray, StructArray,
};
use arrow_schema::{ArrowError, DataType};

use super::rulings::Rulings;
use super::without;
use crate::table::arrow_column::FieldPath;
use crate::table::arrow_value::bytes_at;

/// The batch with its texts cut.
pub(super) fn cut(batch: &RecordBatch, text: &FieldPath, rulings: &Rulings) -> Result<RecordBatch, String> {
    let mut columns = batch.columns().to_vec();
    let column = &mut columns[text.column()];
    *column = cut_array(column, text.inside(), rulings)?;
    RecordBatch::try_new(batch.schema(), columns).map_err(|error| error.to_string())
}

/// A column of text, or a struct that holds one at this path.
fn cut_array(array: &ArrayRef, path: &[usize], rulings: &Rulings) -> Result<ArrayRef, String> {
    let Some((at, rest)) = path.split_first() else { return cut_texts(array, rulings) };
    let (fields, mut columns, nulls) = array.as_struct().clone().into_parts();
    columns[*at] = cut_array(&columns[*at], rest, rulings)?;
    let array = StructArray::try_new(fields, columns, nulls).map_err(|error| error.to_string())?;
    Ok(Arc::new(array))
}

fn cut_texts(array: &ArrayRef, rulings: &Rulings) -> Result<ArrayRef, String> {
    let mut texts = Vec::with_capacity(array.len());
    for row in 0..array.len() {
        let text = bytes_at(array, row).map(<[u8]>::to_vec);
        let Some(cuts) = rulings.cuts(row as u64) else {
            texts.push(text);
            continue;
        };
        let rest = text.and_then(|text| without(std::str::from_utf8(&text).ok()?, cuts));
        let rest = rest.ok_or_else(|| format!("row {}: the text is not what it was", row + 1))?;
        texts.push(Some(rest.into_bytes()));
    }
    // they were text when they were read
    let strings = || texts.iter().map(|text| text.as_deref().map(String::from_utf8_lossy));
    let bytes = || texts.iter().map(Option::as_deref);
    Ok(match array.data_type() {
        DataType::Utf8 => Arc::new(strings().collect::<StringArray>()),
        DataType::LargeUtf8 => Arc::new(strings().collect::<LargeStringArray>()),
        DataType::Utf8View => Arc::new(strings().collect::<StringViewArray>()),
        DataType::Binary => Arc::new(bytes().collect::<BinaryArray>()),
        DataType::LargeBinary => Arc::new(bytes().collect::<LargeBinaryArray>()),
        DataType::BinaryView => Arc::new(bytes().collect::<BinaryViewArray>()),
        other => return Err(format!("text cannot be cut where it is {other}; write it again as plain text")),
    })
}

/// Columns of views without the texts that nobody sees any more.
pub(super) fn compact(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let compact = |column: &ArrayRef| -> ArrayRef {
        match column.data_type() {
            DataType::Utf8View => Arc::new(column.as_string_view().gc()),
            DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
            _ => Arc::clone(column),
        }
    };
    RecordBatch::try_new(batch.schema(), batch.columns().iter().map(compact).collect())
}
