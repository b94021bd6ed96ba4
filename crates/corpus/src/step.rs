//! One step from the bytes of a file to those of something inside it.

use crate::varint::{put_varint, take_varint};

/// So many archives may lie in each other. Exports of courses have two: the course, and what a student handed in.
pub(crate) const MAX_NESTED_ARCHIVES: usize = 4;
/// Each archive takes at most three steps: a `.tar.gz` that a zip holds is cut out, inflated and unpacked; and one
/// more to the last member.
pub(crate) const MAX_STEPS: usize = 3 * MAX_NESTED_ARCHIVES + 1;

/// One step inwards. A member of a zip is a range of it, inflated; one of a `.tar.gz` a range of what was unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Only these bytes.
    Range {
        /// The first.
        at: u64,
        /// How many.
        len: u64,
    },
    /// Undoes bare deflate, as in a zip.
    Inflate,
    /// Undoes gzip.
    Gunzip,
    /// Undoes zstd.
    Unzstd,
}

impl Step {
    pub(crate) fn encode(self, out: &mut Vec<u8>) {
        match self {
            Step::Range { at, len } => {
                out.push(0);
                put_varint(at, out);
                put_varint(len, out);
            }
            Step::Inflate => out.push(1),
            Step::Gunzip => out.push(2),
            Step::Unzstd => out.push(3),
        }
    }

    pub(crate) fn decode(bytes: &mut &[u8]) -> Option<Step> {
        let (&kind, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(match kind {
            0 => Step::Range { at: take_varint(bytes)?, len: take_varint(bytes)? },
            1 => Step::Inflate,
            2 => Step::Gunzip,
            3 => Step::Unzstd,
            _ => return None,
        })
    }
}
