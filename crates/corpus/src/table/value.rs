//! What stands in one cell of a table.

use std::borrow::Cow;

use crate::skipped::Reason;

/// An id is a name. What is longer than this is a text in the wrong field.
pub(crate) const MAX_ID_BYTES: usize = 64 << 10;

/// An id of this text, if it can be one.
pub(crate) fn check_id(id: Cow<'_, str>) -> Result<Cow<'_, str>, Reason> {
    if id.len() > MAX_ID_BYTES {
        return Err(Reason::BadId(format!("it has {} bytes; expected at most {MAX_ID_BYTES}", id.len())));
    }
    Ok(id)
}

/// Bytes as text.
pub(crate) fn text_of<'a>(bytes: &'a [u8], field: &str) -> Result<&'a str, Reason> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to() + 1;
        Reason::NoText(format!("the field {field:?} is no UTF-8 from its byte {at} on; expected text"))
    })
}

/// A string as a feature: between quotes, so that it is never taken for a number.
pub(crate) fn quoted(text: &str) -> Cow<'static, str> {
    Cow::Owned(format!("\"{text}\""))
}
