//! The columns that say what is said of each row.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::{Type, TypePtr};

use super::write_error::unwritable;
use crate::copy::rulings::Rulings;
use crate::copy::{Annotation, CopyError, arrow_schema, key_values, unsupported};

/// So many rows are written at once.
const MAX_ROWS: u64 = 8 << 10;

/// Where writers of Arrow leave its schema.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// The schema with these columns behind the others.
pub(super) fn schema(path: &Path, schema: &Type) -> Result<TypePtr, CopyError> {
    let mut fields = schema.get_fields().to_vec();
    for name in Annotation::FIELDS {
        if fields.iter().any(|field| field.name() == name) {
            let reason = format!("it has a column {name:?} already; annotate what was not annotated before");
            return Err(unsupported(path, reason));
        }
    }
    let types = [
        (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        (Physical::DOUBLE, None),
        (Physical::DOUBLE, None),
        (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        (Physical::INT64, Some(LogicalType::integer(64, false))),
    ];
    let build = |name: &str, physical, logical| {
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build()
    };
    for (name, (physical, logical)) in Annotation::FIELDS.iter().zip(types) {
        fields.push(Arc::new(build(name, physical, logical).map_err(unwritable)?));
    }
    let info = schema.get_basic_info();
    let id = info.has_id().then(|| info.id());
    let root = Type::group_type_builder(schema.name()).with_id(id).with_fields(fields).build();
    root.map(Arc::new).map_err(unwritable)
}

/// What writers left beside the schema, with these columns in it too.
pub(super) fn key_values(pairs: Vec<KeyValue>) -> Vec<KeyValue> {
    let known = pairs.into_iter().filter_map(|KeyValue { key, value }| {
        let value = match value {
            Some(value) if key == ARROW_SCHEMA => Some(arrow_schema::with_annotations(&value)?),
            Some(value) => Some(key_values::with_annotations(&key, value)?),
            None => None,
        };
        Some(KeyValue { key, value })
    });
    known.collect()
}

/// Writes the five columns of a row group.
pub(super) fn write<W: std::io::Write + Send>(
    to: &mut SerializedRowGroupWriter<'_, W>,
    rulings: &Rulings,
) -> Result<(), CopyError> {
    let text = |text: &str| ByteArray::from(text.as_bytes().to_vec());
    column::<ByteArrayType, W>(to, rulings, |said| said.duplicate_of.as_deref().map(text))?;
    column::<DoubleType, W>(to, rulings, |said| said.resemblance)?;
    column::<DoubleType, W>(to, rulings, |said| said.containment)?;
    column::<ByteArrayType, W>(to, rulings, |said| said.class.map(text))?;
    column::<Int64Type, W>(to, rulings, |said| said.cluster.map(u64::cast_signed))
}

fn column<T: DataType, W: std::io::Write + Send>(
    to: &mut SerializedRowGroupWriter<'_, W>,
    rulings: &Rulings,
    value: impl Fn(&Annotation) -> Option<T::T>,
) -> Result<(), CopyError> {
    let Some(mut to) = to.next_column().map_err(unwritable)? else { return Ok(()) };
    let mut annotations = rulings.annotations.iter().peekable();
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    for row in 0..rulings.kept {
        let annotation = annotations.next_if(|(at, _)| *at == row).and_then(|(_, annotation)| value(annotation));
        levels.push(i16::from(annotation.is_some()));
        values.extend(annotation);
        if levels.len() as u64 == MAX_ROWS || row + 1 == rulings.kept {
            to.typed::<T>().write_batch(&values, Some(&levels), None).map_err(unwritable)?;
            levels.clear();
            values.clear();
        }
    }
    to.close().map_err(unwritable)
}
