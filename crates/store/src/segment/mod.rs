//! Segments: files of numbered sections that never change, mapped into memory, every byte under a checksum.
//!
//! ```text
//! data      sections, each at a multiple of 64 bytes, zeros between them
//! level 1   xxh3 of every 4,096 bytes of data, seeded with their number
//! level 2   xxh3 of every 4,096 bytes of level 1, likewise
//! table     kind, offset and length of each section
//! footer    magic, bytes of data, number of sections, xxh3 of level 2, table and footer
//! ```
//!
//! Opening checks all from level 2 on, 4 KiB for a gigabyte. Data and level 1 are checked block by block when they are first touched.

mod reader;
mod tail;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::Segment;
pub use writer::SegmentWriter;

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

// Records are used where they lie in the file. A machine of the other order would have to turn every number around.
#[cfg(target_endian = "big")]
compile_error!("segments are little-endian and are read in place: there is no support for big-endian machines");

/// Bytes under one checksum: the page that the system reads anyway.
const BLOCK: usize = 4096;
/// Bytes of a checksum.
const SUM: usize = size_of::<u64>();
/// Where a section may begin: no record asks for more, and a cache line holds as much.
const ALIGN: usize = 64;
/// Kinds are below this, so that a reader finds a section by an index.
const KINDS: u32 = 256;
const MAGIC: [u8; 8] = *b"lookseg1";

/// A segment as its manifest knows it: the file must be exactly this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentFile {
    /// The file in the folder of the index.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The checksum in its footer, by which all else is checked.
    #[serde(with = "hex")]
    pub checksum: u64,
}

/// Checksums as text: a number this large does not survive every reader of JSON.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(super) fn serialize<S: Serializer>(sum: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{sum:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        u64::from_str_radix(&String::deserialize(from)?, 16).map_err(D::Error::custom)
    }
}

/// A section in the table.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    kind: u32,
    reserved: u32,
    offset: u64,
    length: u64,
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Footer {
    magic: [u8; 8],
    data: u64,
    sections: u64,
    checksum: u64,
}

/// The checksum of a block. Its number is in it: two blocks that changed places are found.
fn block_sum(block: &[u8], number: usize) -> u64 {
    xxh3_64_with_seed(block, number as u64)
}

/// The checksum of the end of a file, from level 2 on, without the checksum itself.
fn tail_sum(tail: &[u8]) -> u64 {
    xxh3_64(&tail[..tail.len() - SUM])
}
