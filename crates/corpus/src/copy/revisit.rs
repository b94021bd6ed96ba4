//! The record that takes the place of one that was dropped.
//!
//! It is a `revisit` of WARC 1.1: the fields of the dropped record, with an id of its own that follows from the old one; the HTTP head of the
//! response as its block, if it was one; and the address and date of the record that is kept. Its profile says that the payloads are identical
//! only where both records have the same `WARC-Payload-Digest`. Otherwise it is [`NEAR_DUPLICATE_PROFILE`], for no profile of the standard says
//! that two payloads are nearly the same: "identical payload" would be wrong, and "not modified" is what a server said.

use super::Original;
use crate::warc::{Head, Response};

/// The response nearly is, or reads like, the one that the record refers to. The digest that it keeps is that of what was dropped.
pub const NEAR_DUPLICATE_PROFILE: &str = "urn:x-lookalike:warc:revisit:near-duplicate";
const IDENTICAL_PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
/// What is looked at for the head of a response.
pub(super) const MAX_HTTP_HEAD_BYTES: usize = 1 << 20;

/// Fields that say something of the old record only.
const REPLACED: [&str; 12] = [
    "WARC-Type",
    "WARC-Record-ID",
    "WARC-Profile",
    "WARC-Refers-To",
    "WARC-Refers-To-Target-URI",
    "WARC-Refers-To-Date",
    "WARC-Block-Digest",
    "WARC-Truncated",
    "WARC-Segment-Number",
    "WARC-Segment-Total-Length",
    "Content-Type",
    "Content-Length",
];

/// The whole record, for one with this head whose block begins so.
pub(super) fn record(head: &Head, block: &[u8], original: &Original) -> Vec<u8> {
    let is_identical = original.payload_digest.is_some()
        && head.get("WARC-Payload-Digest").map(str::trim) == original.payload_digest.as_deref();
    let response = if head.kind() == "response" { Response::parse(block) } else { None };
    // the head of a response may itself be cut
    let block = response.map_or(&b""[..], |response| response.head);
    let mut record = b"WARC/1.1\r\n".to_vec();
    let mut field = |name: &str, value: &str| {
        let value = value.replace(|c: char| c.is_control(), " ");
        record.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    };
    field("WARC-Type", "revisit");
    field("WARC-Record-ID", &format!("<urn:uuid:{}>", uuid(head)));
    field("WARC-Profile", if is_identical { IDENTICAL_PROFILE } else { NEAR_DUPLICATE_PROFILE });
    field("WARC-Refers-To-Target-URI", &original.uri);
    if let Some(date) = &original.date {
        field("WARC-Refers-To-Date", date);
    }
    for (name, value) in &head.fields {
        if !REPLACED.iter().any(|replaced| replaced.eq_ignore_ascii_case(name)) {
            field(name, value);
        }
    }
    if !block.is_empty() {
        field("Content-Type", "application/http; msgtype=response");
    }
    field("Content-Length", &block.len().to_string());
    record.extend_from_slice(b"\r\n");
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// The same for the same record: a UUID of version 8, made of a hash of its old id.
fn uuid(head: &Head) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("lookalike 2026 record id of a revisit");
    match head.get("WARC-Record-ID") {
        Some(id) => hasher.update(id.as_bytes()),
        None => hasher.update(&head.raw),
    };
    let mut bytes: [u8; 16] = *hasher.finalize().as_bytes().first_chunk().expect("half of 32 bytes");
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = format!("{:032x}", u128::from_be_bytes(bytes));
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}
