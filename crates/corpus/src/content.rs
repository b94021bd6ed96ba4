//! The content id of a document: equal for documents with the same content.

use crate::document::Body;
use std::fmt::Write;

impl Body<'_> {
    /// The content id: half of a BLAKE3 hash. A list of features never has the id of a text that looks like it.
    pub fn content_id(&self) -> u128 {
        hash128(&match self {
            Body::Bytes(bytes) => blake3::hash(bytes),
            Body::Text(text) => blake3::hash(text.as_bytes()),
            Body::Features(items) => {
                let mut hasher = blake3::Hasher::new_derive_key("lookalike 2026 content id of a feature list");
                for item in items {
                    hasher.update(&(item.len() as u64).to_le_bytes()).update(item.as_bytes());
                }
                hasher.finalize()
            }
        })
    }
}

/// The first half of a BLAKE3 hash as a number.
pub fn hash128(hash: &blake3::Hash) -> u128 {
    u128::from_le_bytes(*hash.as_bytes().first_chunk().expect("half of 32 bytes"))
}

/// A content id in hexadecimal digits: those with which `b3sum` begins for a file.
pub fn content_name(content_id: u128) -> String {
    content_id.to_le_bytes().iter().fold(String::with_capacity(32), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn ids_are_frozen() {
        let text = Body::Text(Cow::Borrowed("some words"));
        let bytes = Body::Bytes(Cow::Borrowed(b"some words"));
        assert_eq!(text.content_id(), bytes.content_id());
        assert_eq!(content_name(bytes.content_id()), blake3::hash(b"some words").to_hex()[..32]);
        let features = |items: &[&'static str]| Body::Features(items.iter().map(|item| Cow::Borrowed(*item)).collect());
        assert_ne!(features(&["some words"]).content_id(), text.content_id());
        assert_ne!(features(&["some ", "words"]).content_id(), features(&["some words"]).content_id());
        assert_eq!(features(&["some ", "words"]).len(), text.len());
    }
}
