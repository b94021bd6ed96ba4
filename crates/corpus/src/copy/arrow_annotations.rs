//! What is said of each row, as columns of Arrow.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::rulings::Rulings;
use super::{Annotation, key_values};

const TYPES: [DataType; 5] = [DataType::Utf8, DataType::Float64, DataType::Float64, DataType::Utf8, DataType::UInt64];

/// The schema with these columns behind the others.
pub(super) fn schema(schema: &Schema) -> Schema {
    let more = Annotation::FIELDS.iter().zip(TYPES).map(|(name, kind)| Field::new(*name, kind, true).into());
    let metadata = schema
        .metadata
        .iter()
        .filter_map(|(key, value)| Some((key.clone(), key_values::with_annotations(key, value.clone())?)));
    let fields: Vec<_> = schema.fields.iter().cloned().chain(more).collect();
    Schema::new_with_metadata(fields, metadata.collect::<BTreeMap<_, _>>())
}

/// The rows that stay with these columns behind the others.
pub(super) fn with_columns(
    batch: &RecordBatch,
    schema: &SchemaRef,
    rulings: &Rulings,
) -> Result<RecordBatch, ArrowError> {
    let mut said: Vec<Option<&Annotation>> = vec![None; batch.num_rows()];
    for (row, annotation) in &rulings.annotations {
        said[*row as usize] = Some(annotation);
    }
    let said = || said.iter().copied();
    let more: [ArrayRef; 5] = [
        Arc::new(said().map(|said| said?.duplicate_of.as_deref()).collect::<StringArray>()),
        Arc::new(said().map(|said| said?.resemblance).collect::<Float64Array>()),
        Arc::new(said().map(|said| said?.containment).collect::<Float64Array>()),
        Arc::new(said().map(|said| said?.class).collect::<StringArray>()),
        Arc::new(said().map(|said| said?.cluster).collect::<UInt64Array>()),
    ];
    RecordBatch::try_new(Arc::clone(schema), batch.columns().iter().cloned().chain(more).collect())
}
