//! Content ids.

use lookalike_corpus::Body;

/// Length and content id of a body. A list of features is told apart from a text that looks like it.
pub(crate) fn content_id(body: &Body<'_>) -> (u64, u128) {
    let (bytes, hash) = match body {
        Body::Bytes(bytes) => (bytes.len(), blake3::hash(bytes)),
        Body::Text(text) => (text.len(), blake3::hash(text.as_bytes())),
        Body::Features(items) => {
            let mut hasher = blake3::Hasher::new_derive_key("lookalike 2026 content id of a feature list");
            let mut bytes = 0;
            for item in items {
                hasher.update(&(item.len() as u64).to_le_bytes()).update(item.as_bytes());
                bytes += item.len();
            }
            (bytes, hasher.finalize())
        }
    };
    (bytes as u64, u128::from_le_bytes(hash.as_bytes()[..16].try_into().expect("half of 32 bytes")))
}

/// A content id in digits: what `b3sum` begins with for a file.
pub(crate) fn content_name(content: u128) -> String {
    use std::fmt::Write;
    content.to_le_bytes().iter().fold(String::with_capacity(32), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}
