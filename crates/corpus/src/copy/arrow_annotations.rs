//! The Arrow schema with the columns that say what is said of each row.

use std::collections::BTreeMap;

use arrow_schema::{DataType, Field, Schema};

use super::{Annotation, key_values};

const TYPES: [DataType; 5] = [DataType::Utf8, DataType::Float64, DataType::Float64, DataType::Utf8, DataType::UInt64];

/// The schema with these columns behind the others.
pub(super) fn schema(schema: &Schema) -> Schema {
    let more = Annotation::FIELDS.iter().zip(TYPES).map(|(name, kind)| Field::new(*name, kind, true).into());
    let metadata = schema
        .metadata
        .iter()
        .filter_map(|(key, value)| Some((key.clone(), key_values::with_annotations(key, value.clone())?)));
    Schema::new_with_metadata(
        schema.fields.iter().cloned().chain(more).collect::<Vec<_>>(),
        metadata.collect::<BTreeMap<_, _>>(),
    )
}
