//! The log on disk.
//!
//! ```text
//! file     mark, bits of a fingerprint, number of the first operation, xxh3 of these; then groups
//! group    bytes of the records, mark, number of its first operation, xxh3 of the records, xxh3 of these; then the records
//! record   what is done (1: insert, 2: delete), fingerprint, id
//! ```
//!
//! A group was written at once and waited for. What ends a process leaves the beginning of a group at the end of a file; anything
//! else that does not fit is damage.

use bytemuck::{Pod, Zeroable};
use lookalike_core::bits::FingerprintBits;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const FILE_MARK: [u8; 8] = *b"looklog1";
const GROUP_MARK: u32 = u32::from_le_bytes(*b"ops1");

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Insert,
    Delete,
}

impl Operation {
    /// How many more there are after it.
    pub(super) fn change(self) -> i8 {
        match self {
            Self::Insert => 1,
            Self::Delete => -1,
        }
    }
}

/// An operation as the log keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<F> {
    pub(super) operation: Operation,
    pub(super) fingerprint: F,
    pub(super) id: u64,
}

impl<F: FingerprintBits> Record<F> {
    pub(super) const BYTES: usize = 1 + size_of::<F>() + size_of::<u64>();

    pub(super) fn encode(&self, to: &mut Vec<u8>) {
        to.push(match self.operation {
            Operation::Insert => 1,
            Operation::Delete => 2,
        });
        to.extend_from_slice(bytemuck::bytes_of(&self.fingerprint));
        to.extend_from_slice(&self.id.to_le_bytes());
    }

    /// A record of as many bytes as one has.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (operation, rest) = bytes.split_first()?;
        let operation = match operation {
            1 => Operation::Insert,
            2 => Operation::Delete,
            _ => return None,
        };
        let (fingerprint, id) = rest.split_at_checked(size_of::<F>())?;
        let id = u64::from_le_bytes(id.try_into().ok()?);
        Some(Self { operation, fingerprint: bytemuck::try_pod_read_unaligned(fingerprint).ok()?, id })
    }
}

/// The beginning of a file.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FileHeader {
    mark: [u8; 8],
    pub(super) width: u64,
    /// The number of the first operation that may be in the file.
    pub(super) first: u64,
    sum: u64,
}

/// The beginning of a group.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct GroupHeader {
    pub(super) bytes: u32,
    mark: u32,
    pub(super) first: u64,
    pub(super) records: u64,
    sum: u64,
}

pub(super) const FILE_HEADER: usize = size_of::<FileHeader>();
pub(super) const GROUP_HEADER: usize = size_of::<GroupHeader>();

/// The checksum of a header, but for its last eight bytes.
fn sum_of<T: Pod>(header: &T) -> u64 {
    let bytes = bytemuck::bytes_of(header);
    xxh3_64(&bytes[..bytes.len() - size_of::<u64>()])
}

/// The checksum of records. The number of the first is in it: groups that changed places are found.
pub(super) fn records_sum(records: &[u8], first: u64) -> u64 {
    xxh3_64_with_seed(records, first)
}

impl FileHeader {
    pub(super) fn new(width: u32, first: u64) -> Self {
        let header = Self { mark: FILE_MARK, width: width.into(), first, sum: 0 };
        Self { sum: sum_of(&header), ..header }
    }

    /// Whether it is a header, and whole.
    pub(super) fn is_whole(&self) -> bool {
        self.mark == FILE_MARK && self.sum == sum_of(self)
    }
}

impl GroupHeader {
    pub(super) fn new(records: &[u8], first: u64) -> Self {
        let (bytes, records) = (records.len() as u32, records_sum(records, first));
        let header = Self { bytes, mark: GROUP_MARK, first, records, sum: 0 };
        Self { sum: sum_of(&header), ..header }
    }

    /// Whether it is a header, and whole.
    pub(super) fn is_whole(&self) -> bool {
        self.mark == GROUP_MARK && self.sum == sum_of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs stay on disks: their bytes are frozen.
    #[test]
    fn golden_bytes() {
        let mut records = Vec::new();
        Record { operation: Operation::Insert, fingerprint: 0x0123_4567_89ab_cdefu64, id: 7 }.encode(&mut records);
        Record { operation: Operation::Delete, fingerprint: 1u64, id: u64::MAX }.encode(&mut records);
        assert_eq!(records.len(), 2 * Record::<u64>::BYTES);
        let (file, group) = (FileHeader::new(64, 9), GroupHeader::new(&records, 9));
        let bytes = [bytemuck::bytes_of(&file), bytemuck::bytes_of(&group), &records].concat();
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let golden = "6c6f6f6b6c6f673140000000000000000900000000000000e082c1b63b58a4b4\
                      220000006f7073310900000000000000aba594cc6d5eba5ac85dd1e7231c82b9\
                      01efcdab89674523010700000000000000020100000000000000ffffffffffffffff";
        assert_eq!(hex.concat(), golden);
        assert_eq!(
            Record::decode(&records[17..]),
            Some(Record { operation: Operation::Delete, fingerprint: 1u64, id: u64::MAX })
        );
        assert_eq!(Record::<u64>::decode(&[3; 17]), None);
        assert_eq!(Record::<u128>::BYTES, 25);
    }
}
