//! What the journal holds: groups of records, each group with its length and checksum.
//!
//! ```text
//! group    mark (4 bytes), length of the records (4 bytes), xxh3 of them (8 bytes), records: a line of JSON each
//! ```

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

const MARK: &[u8; 4] = b"LKJ1";
const HEADER: usize = 16;

/// A change of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Record {
    /// A document, or a new version of it.
    Put { id: String, text: String, sweep: Option<String> },
    /// A name that is to be known no more: in one sweep, or in all.
    Delete { id: String, sweep: Option<String> },
}

impl Record {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Put { id, .. } | Self::Delete { id, .. } => id,
        }
    }

    pub(super) fn verb(&self) -> &'static str {
        match self {
            Self::Put { .. } => "put",
            Self::Delete { .. } => "delete",
        }
    }
}

/// A group of records as it is written.
pub(super) fn encode<'a>(records: impl Iterator<Item = &'a Record>) -> serde_json::Result<Vec<u8>> {
    let mut group = vec![0; HEADER];
    for record in records {
        serde_json::to_writer(&mut group, record)?;
        group.push(b'\n');
    }
    let length = (group.len() - HEADER) as u32;
    let sum = xxh3_64(&group[HEADER..]);
    group[..4].copy_from_slice(MARK);
    group[4..8].copy_from_slice(&length.to_le_bytes());
    group[8..HEADER].copy_from_slice(&sum.to_le_bytes());
    Ok(group)
}

/// The records of a file, and how many bytes at its end are no whole group: what a process left that ended while it wrote, and never
/// acknowledged.
pub(super) fn decode(mut bytes: &[u8]) -> (Vec<Record>, usize) {
    let mut records = Vec::new();
    while let Some((group, rest)) = next_group(bytes) {
        records.extend(group);
        bytes = rest;
    }
    (records, bytes.len())
}

fn next_group(bytes: &[u8]) -> Option<(Vec<Record>, &[u8])> {
    let (header, rest) = bytes.split_at_checked(HEADER)?;
    let length = u32::from_le_bytes(header[4..8].try_into().ok()?);
    let (lines, rest) = rest.split_at_checked(length as usize)?;
    if &header[..4] != MARK || xxh3_64(lines).to_le_bytes() != header[8..] {
        return None;
    }
    let records = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Some((records.map(serde_json::from_slice).collect::<Result<_, _>>().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is cut off or changed, whole groups before it are there.
    #[test]
    fn a_torn_end_is_left_out() {
        let put = |id: &str| Record::Put { id: id.into(), text: "a\nb \"c\"".into(), sweep: None };
        let first = encode([put("1"), put("2")].iter()).unwrap();
        let last = Record::Delete { id: "1".into(), sweep: Some("2026-05-01".into()) };
        let second = encode([last.clone()].iter()).unwrap();
        let whole = [first.clone(), second.clone()].concat();
        assert_eq!(decode(&whole), (vec![put("1"), put("2"), last], 0));
        for cut in first.len()..whole.len() {
            assert_eq!(decode(&whole[..cut]), (vec![put("1"), put("2")], cut - first.len()), "cut at {cut}");
        }
        for at in first.len()..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert_eq!(decode(&bytes).0.len(), 2, "byte {at}");
        }
    }
}
