//! Records in groups: how a file that is only appended to survives a crash. Each group has its length and checksum.
//!
//! ```text
//! group    mark (4 bytes), length of the records (4 bytes), xxh3 of them (8 bytes), records: a line of JSON each
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

const MARK: &[u8; 4] = b"LKJ1";
const HEADER: usize = 16;

/// A group of records as it is written.
pub(crate) fn encode<'a, T: Serialize + 'a>(records: impl Iterator<Item = &'a T>) -> serde_json::Result<Vec<u8>> {
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
pub(crate) fn decode<T: DeserializeOwned>(mut bytes: &[u8]) -> (Vec<T>, usize) {
    let mut records = Vec::new();
    while let Some((group, rest)) = next_group(bytes) {
        records.extend(group);
        bytes = rest;
    }
    (records, bytes.len())
}

fn next_group<T: DeserializeOwned>(bytes: &[u8]) -> Option<(Vec<T>, &[u8])> {
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
        let records = ["a\nb \"c\"".to_owned(), "second".to_owned(), "third".to_owned()];
        let first = encode(records[..2].iter()).unwrap();
        let whole = [first.clone(), encode(records[2..].iter()).unwrap()].concat();
        assert_eq!(decode::<String>(&whole), (records.to_vec(), 0));
        for cut in first.len()..whole.len() {
            assert_eq!(decode::<String>(&whole[..cut]), (records[..2].to_vec(), cut - first.len()), "cut at {cut}");
        }
        for at in first.len()..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert_eq!(decode::<String>(&bytes).0.len(), 2, "byte {at}");
        }
    }
}
