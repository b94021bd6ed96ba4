//! The Arrow schema that a file of another format carries, so that what Arrow has and the format has not comes back.

use arrow_ipc::convert::try_schema_from_ipc_buffer;
use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions, write_message};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::arrow_annotations;

/// The same schema, a message in base64, with the annotations in it; none if it is not understood.
pub(super) fn with_annotations(value: &str) -> Option<String> {
    let message = STANDARD.decode(value).ok()?;
    let schema = arrow_annotations::schema(&try_schema_from_ipc_buffer(&message).ok()?);
    let options = IpcWriteOptions::default();
    let mut tracker = DictionaryTracker::new(false);
    let encoded = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(&schema, &mut tracker, &options);
    let mut message = Vec::new();
    write_message(&mut message, encoded, &options).ok()?;
    Some(STANDARD.encode(message))
}
