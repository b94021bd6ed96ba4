//! Packs the data of a page with gzip. The state of an encoder is far larger than a block of texts, so each thread makes one and uses it again.

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// The level for the data that the page begins with, which a browser reads first.
const PACKING_LEVEL: u32 = 3;
/// The level for texts.
const TEXT_PACKING_LEVEL: u32 = 1;
/// The header of a gzip member that has no name and no time.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// The state of a thread that packs.
pub(super) struct Packer {
    deflate: Compress,
    json: Vec<u8>,
    packed: Vec<u8>,
}

impl Packer {
    pub(super) fn new() -> Self {
        Self {
            deflate: Compress::new(Compression::new(TEXT_PACKING_LEVEL), false),
            json: Vec::new(),
            packed: Vec::new(),
        }
    }

    /// Packs the bytes that `fill` writes.
    pub(super) fn pack(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> &[u8] {
        self.json.clear();
        fill(&mut self.json);
        self.packed.clear();
        self.packed.extend(GZIP_HEAD);
        self.deflate.reset();
        loop {
            self.packed.reserve(self.json.len() / 2 + 1024);
            let taken = self.deflate.total_in() as usize;
            let status = self.deflate.compress_vec(&self.json[taken..], &mut self.packed, FlushCompress::Finish);
            if status.expect("the stream was not ended") == Status::StreamEnd {
                break;
            }
        }
        let mut crc = Crc::new();
        crc.update(&self.json);
        self.packed.extend(crc.sum().to_le_bytes());
        self.packed.extend((self.json.len() as u32).to_le_bytes());
        &self.packed
    }
}

/// Writes a value as JSON to memory.
pub(super) fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("into memory");
}

/// Writes JSON and packs it as it is written, so that it is never in memory as a whole.
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
