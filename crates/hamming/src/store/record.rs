//! An operation as the log of a store keeps it: what is done (1: insert, 2: delete), fingerprint, id.

use lookalike_core::bits::FingerprintBits;
use lookalike_store::LogFiles;
use std::path::Path;

/// An insert or a delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Insert,
    Delete,
}

impl Operation {
    /// By how many entries there are more after it.
    pub(super) fn change(self) -> i8 {
        match self {
            Self::Insert => 1,
            Self::Delete => -1,
        }
    }
}

/// An operation on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<F> {
    pub(super) operation: Operation,
    pub(super) fingerprint: F,
    pub(super) id: u64,
}

impl<F: FingerprintBits> Record<F> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let operation = match self.operation {
            Operation::Insert => 1,
            Operation::Delete => 2,
        };
        [&[operation][..], bytemuck::bytes_of(&self.fingerprint), &self.id.to_le_bytes()].concat()
    }

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

/// The log of a store with fingerprints of this width.
pub(super) fn log_files<F: FingerprintBits>(folder: &Path) -> LogFiles {
    LogFiles::new(folder, "log", [b'o', b'p', b's', 0, 0, 0, 0, F::WIDTH as u8])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs stay on disks: their bytes are frozen.
    #[test]
    fn golden_bytes() {
        let insert = Record { operation: Operation::Insert, fingerprint: 0x0123_4567_89ab_cdefu64, id: 7 };
        let delete = Record { operation: Operation::Delete, fingerprint: 1u64, id: u64::MAX };
        let bytes = [insert.encode(), delete.encode()].concat();
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let golden = "01efcdab89674523010700000000000000020100000000000000ffffffffffffffff";
        assert_eq!(hex.concat(), golden);
        assert_eq!(Record::decode(&bytes[17..]), Some(delete));
        assert_eq!(Record::<u64>::decode(&[3; 17]), None);
        assert_eq!(Record::<u64>::decode(&bytes[..16]), None);
    }
}
