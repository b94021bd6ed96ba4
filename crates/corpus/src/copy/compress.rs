//! A file that is compressed as another was.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::decompress::Format;
use crate::zstd::Encoder;

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 256 << 10;
/// What the tools take unless they are told otherwise: nobody can see at which level a file was compressed.
pub(super) const GZIP_LEVEL: u32 = 6;
pub(super) const ZSTD_LEVEL: i32 = 3;

/// Compresses what is written to it, or not.
pub(super) enum Compressor {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
    Zstd(Box<Encoder<BufWriter<File>>>),
}

impl Compressor {
    pub(super) fn new(to: File, format: Option<Format>) -> io::Result<Self> {
        let to = BufWriter::with_capacity(BUFFER_BYTES, to);
        Ok(match format {
            None => Self::Plain(to),
            Some(Format::Gzip) => Self::Gzip(Box::new(GzEncoder::new(to, Compression::new(GZIP_LEVEL)))),
            Some(Format::Zstd) => {
                let mut encoder = Encoder::new(to, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Box::new(encoder))
            }
        })
    }

    /// All that was written is in the file.
    pub(super) fn finish(self) -> io::Result<File> {
        let out = match self {
            Self::Plain(out) => out,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
        };
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl Write for Compressor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
            Self::Zstd(out) => out.flush(),
        }
    }
}
