//! Descriptions of the columns that some tools leave in a file beside its schema, and trust more than the schema.

use serde_json::{Value, json};

use super::Annotation;

const SPARK: &str = "org.apache.spark.sql.parquet.row.metadata";
const HUGGING_FACE: &str = "huggingface";

/// The same description with the annotations in it; none if it cannot be made, and would be wrong now.
pub(super) fn with_annotations(key: &str, value: String) -> Option<String> {
    match key {
        SPARK => with_json(&value, |description| {
            let types = ["string", "double", "double", "string", "decimal(20,0)"];
            let fields = description.get_mut("fields")?.as_array_mut()?;
            for (name, kind) in Annotation::FIELDS.iter().zip(types) {
                fields.push(json!({ "name": name, "type": kind, "nullable": true, "metadata": {} }));
            }
            Some(())
        }),
        HUGGING_FACE => with_json(&value, |description| {
            let types = ["string", "float64", "float64", "string", "uint64"];
            let features = description.get_mut("info")?.get_mut("features")?.as_object_mut()?;
            for (name, kind) in Annotation::FIELDS.iter().zip(types) {
                features.insert((*name).to_owned(), json!({ "dtype": kind, "_type": "Value" }));
            }
            Some(())
        }),
        _ => Some(value),
    }
}

fn with_json(value: &str, change: impl FnOnce(&mut Value) -> Option<()>) -> Option<String> {
    let mut description = serde_json::from_str(value).ok()?;
    change(&mut description)?;
    Some(description.to_string())
}
