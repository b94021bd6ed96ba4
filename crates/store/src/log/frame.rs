//! The bytes of a log file.
//!
//! ```text
//! file     mark (8 bytes), kind (8), sequence number of the first record (8), xxh3 of these (8); then records
//! record   mark (4 bytes), length of the body (4), sequence number (8), xxh3 of the body (8), lower half of the xxh3 of these (4); body
//! ```
//!
//! Numbers are little-endian. Each record is found and checked by itself: behind damage the next one begins at the next header whose
//! checksum is right. The mark has a byte that UTF-8 does not contain, so a record whose body is text is never mistaken for another one.

use bytemuck::{Pod, Zeroable};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const FILE_MARK: [u8; 8] = *b"looklog2";
/// The beginning of the mark in every version.
const FAMILY: &[u8] = b"looklog";
const MARK: [u8; 4] = [0xff, b'r', b'e', b'c'];
/// Bytes of the header of a file.
pub(super) const FILE_HEADER: usize = size_of::<FileHeader>();
/// Bytes of the header of a record.
pub(super) const HEADER: usize = 28;
/// Bytes of the longest record.
pub const MAX_RECORD: usize = 1 << 30;
/// Numbers that are never reached: what has a higher one is damaged.
const MAX_SEQUENCE: u64 = 1 << 62;
/// Zeros at the end of a file that no record of ours ends with.
const ZEROS: usize = 16;

/// The beginning of a file.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FileHeader {
    mark: [u8; 8],
    pub(super) kind: [u8; 8],
    /// The number of the first record that may be in the file. Records of earlier files with this number or a higher one were never
    /// acknowledged.
    pub(super) first: u64,
    sum: u64,
}

impl FileHeader {
    pub(super) fn new(kind: [u8; 8], first: u64) -> Self {
        let header = Self { mark: FILE_MARK, kind, first, sum: 0 };
        Self { sum: header.checksum(), ..header }
    }

    fn checksum(&self) -> u64 {
        xxh3_64(&bytemuck::bytes_of(self)[..FILE_HEADER - size_of::<u64>()])
    }

    /// The header of a file, of any version; none if it is damaged.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let header: Self = bytemuck::pod_read_unaligned(bytes.get(..FILE_HEADER)?);
        let intact = header.mark.starts_with(FAMILY) && header.sum == header.checksum();
        (intact && (1..MAX_SEQUENCE).contains(&header.first)).then_some(header)
    }

    /// The version of the format, where it is not this one.
    pub(super) fn other_version(&self) -> Option<u64> {
        (self.mark != FILE_MARK).then(|| u64::from(self.mark[7].wrapping_sub(b'0')))
    }
}

/// Appends a record to a buffer.
pub(super) fn encode(to: &mut Vec<u8>, sequence: u64, body: &[u8]) {
    assert!(body.len() <= MAX_RECORD, "a record of {} bytes", body.len());
    let from = to.len();
    to.extend_from_slice(&MARK);
    to.extend_from_slice(&(body.len() as u32).to_le_bytes());
    to.extend_from_slice(&sequence.to_le_bytes());
    to.extend_from_slice(&body_sum(body, sequence).to_le_bytes());
    let sum = header_sum(&to[from..]);
    to.extend_from_slice(&sum.to_le_bytes());
    to.extend_from_slice(body);
}

/// The sequence number is part of the checksum.
fn body_sum(body: &[u8], sequence: u64) -> u64 {
    xxh3_64_with_seed(body, sequence)
}

/// The checksum of all bytes of a header but the last four.
fn header_sum(header: &[u8]) -> u32 {
    xxh3_64(header) as u32
}

/// The header of a record.
struct Header {
    length: usize,
    sequence: u64,
    sum: u64,
}

impl Header {
    /// The header that bytes begin with, if it is intact.
    fn of(bytes: &[u8]) -> Option<Self> {
        let header = bytes.get(..HEADER)?;
        let number = |from: usize| u64::from_le_bytes(header[from..from + 8].try_into().expect("eight bytes"));
        let length = u32::from_le_bytes(header[4..8].try_into().expect("four bytes")) as usize;
        let intact = header[..4] == MARK && header_sum(&header[..HEADER - 4]).to_le_bytes() == header[HEADER - 4..];
        (intact && length <= MAX_RECORD).then(|| Self { length, sequence: number(8), sum: number(16) })
    }
}

/// A part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Record {
        offset: usize,
        sequence: u64,
        body: &'a [u8],
    },
    /// Bytes that are no intact record.
    Damage {
        offset: usize,
        bytes: usize,
    },
}

/// The parts of a file, and how many bytes at its end are an incomplete record: a process that ended while it wrote leaves the beginning
/// of a record, and a power cut may leave zeros for what did not reach the disk. Unless the disk lost it later, it was never acknowledged.
/// The header was safe before the first record was written, so a longer file without one is damaged, whatever else is in it.
pub(super) fn scan(bytes: &[u8]) -> (Vec<Part<'_>>, usize) {
    let mut parts = Vec::new();
    let header = FileHeader::of(bytes);
    if header.is_none() {
        if bytes.len() <= FILE_HEADER {
            return (parts, bytes.len());
        }
        if unwritten(&bytes[FILE_HEADER..]) {
            parts.push(Part::Damage { offset: 0, bytes: bytes.len() });
            return (parts, 0);
        }
        parts.push(Part::Damage { offset: 0, bytes: FILE_HEADER });
    }
    // records are numbered in order
    let mut least = header.map_or(1, |header| header.first);
    let mut at = FILE_HEADER;
    while at < bytes.len() && !unwritten(&bytes[at..]) {
        let rest = &bytes[at..];
        let Some(Header { length, sequence, sum }) = Header::of(rest) else {
            if rest.len() < HEADER || unwritten(&rest[HEADER..]) {
                return (parts, rest.len());
            }
            let next = next_header(rest);
            damage(&mut parts, at, next);
            at += next;
            continue;
        };
        let Some(body) = rest.get(HEADER..HEADER + length) else { return (parts, rest.len()) };
        if body_sum(body, sequence) == sum && sequence >= least && sequence < MAX_SEQUENCE {
            parts.push(Part::Record { offset: at, sequence, body });
            least = sequence + 1;
        } else if length >= ZEROS && unwritten(&body[length - ZEROS..]) && unwritten(&rest[HEADER + length..]) {
            return (parts, rest.len());
        } else {
            damage(&mut parts, at, HEADER + length);
        }
        at += HEADER + length;
    }
    (parts, bytes.len() - at)
}

/// Adds damage to the parts; stretches that touch are one.
fn damage(parts: &mut Vec<Part<'_>>, at: usize, more: usize) {
    match parts.last_mut() {
        Some(Part::Damage { offset, bytes }) if *offset + *bytes == at => *bytes += more,
        _ => parts.push(Part::Damage { offset: at, bytes: more }),
    }
}

/// The place of the next intact header behind the first byte; the end if there is none.
fn next_header(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(more) = bytes[at..].iter().position(|byte| *byte == MARK[0]) {
        at += more;
        if Header::of(&bytes[at..]).is_some() {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Room that was made and never written to, as some file systems leave it at a power cut.
fn unwritten(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs stay on disks: their bytes are frozen.
    #[test]
    fn golden_bytes() {
        let mut bytes = bytemuck::bytes_of(&FileHeader::new(*b"verdicts", 9)).to_vec();
        encode(&mut bytes, 9, b"rose");
        let hex = bytes.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        let golden = "6c6f6f6b6c6f6732766572646963747309000000000000009c4170dfcda41697\
                      ff7265630400000009000000000000002ceaccae091dd589e0a8afaa726f7365";
        assert_eq!(hex, golden);
        assert_eq!(scan(&bytes), (vec![Part::Record { offset: 32, sequence: 9, body: b"rose" }], 0));
    }
}
