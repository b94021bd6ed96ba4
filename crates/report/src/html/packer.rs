//! Packs what a page carries, as gzip. What the packing needs in memory is far more than a block of texts, so for these it is made once and used
//! again.

use flate2::Compression;
use flate2::write::GzEncoder;
use libdeflater::{CompressionLvl, Compressor};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// How hard what the page begins with is packed: it is read first.
const PACKING_LEVEL: u32 = 3;
/// How hard texts are packed, in libdeflate's levels: in half the time of zlib's level 3 to 4 % more bytes.
const TEXT_PACKING_LEVEL: i32 = 1;

/// The state of a thread that packs.
pub(super) struct Packer {
    deflate: Compressor,
    json: Vec<u8>,
    packed: Vec<u8>,
}

impl Packer {
    pub(super) fn new() -> Self {
        let level = CompressionLvl::new(TEXT_PACKING_LEVEL).expect("one that there is");
        Self { deflate: Compressor::new(level), json: Vec::new(), packed: Vec::new() }
    }

    /// What `fill` writes, packed; lent until the next one.
    pub(super) fn pack(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> &[u8] {
        self.json.clear();
        fill(&mut self.json);
        // longer than ever needed, and never shorter than it was: what is behind the block is not lent
        let bound = self.deflate.gzip_compress_bound(self.json.len());
        self.packed.resize(bound.max(self.packed.len()), 0);
        let length = self.deflate.gzip_compress(&self.json, &mut self.packed).expect("room for the longest");
        &self.packed[..length]
    }
}

/// Writes a value as JSON to memory.
pub(super) fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("into memory");
}

/// Writes JSON, packed as it comes: libdeflate would have all of it in memory.
pub(super) fn pack(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut packed = BufWriter::new(GzEncoder::new(out, Compression::new(PACKING_LEVEL)));
    serde_json::to_writer(&mut packed, value)?;
    packed.into_inner()?.finish().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_packed_comes_back() {
        let mut packer = Packer::new();
        let noise: String = (0..200_000u32)
            .map(|x| char::from(b' ' + (x.wrapping_mul(x).wrapping_mul(2_654_435_761) >> 25) as u8 % 90))
            .collect();
        for text in ["", "a", &"rose ".repeat(100_000), &noise, "Größe 😀"] {
            let packed = packer.pack(|out| write_json(&[text], out)).to_vec();
            let mut json = String::new();
            flate2::read::GzDecoder::new(&*packed).read_to_string(&mut json).unwrap();
            assert_eq!(serde_json::from_str::<[String; 1]>(&json).unwrap()[0], text);
            assert_eq!(Packer::new().pack(|out| write_json(&[text], out)), packed, "whatever was packed before");
        }
    }
}
