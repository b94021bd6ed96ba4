//! Descriptions of the columns that some tools leave in a file beside its schema, and trust more than the schema.

use serde_json::{Value, json};

use super::Annotation;

/// The Arrow schema, as a message in base64.
const ARROW: &str = "ARROW:schema";
const SPARK: &str = "org.apache.spark.sql.parquet.row.metadata";
const HUGGING_FACE: &str = "huggingface";

/// The same description with the annotations in it; none if it cannot be made, and would be wrong now.
pub(super) fn with_annotations(key: &str, value: String) -> Option<String> {
    match key {
        ARROW => arrow(&value),
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

/// Without its description as Arrow a file is read by its own types, which says nearly as much.
#[cfg(not(feature = "arrow"))]
fn arrow(_: &str) -> Option<String> {
    None
}

#[cfg(feature = "arrow")]
fn arrow(value: &str) -> Option<String> {
    use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions, write_message};
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    let message = STANDARD.decode(value).ok()?;
    let schema = arrow_ipc::convert::try_schema_from_ipc_buffer(&message).ok()?;
    let schema = super::arrow_annotations::schema(&schema);
    let options = IpcWriteOptions::default();
    let mut tracker = DictionaryTracker::new(false);
    let encoded = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(&schema, &mut tracker, &options);
    let mut message = Vec::new();
    write_message(&mut message, encoded, &options).ok()?;
    Some(STANDARD.encode(message))
}
