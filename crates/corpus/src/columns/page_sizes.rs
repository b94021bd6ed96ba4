//! What pages say that they unpack to, held against what is there: a decoder takes the memory before it looks.

use std::io::{self, Read};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use super::bounded_file::BoundedFile;

/// Structs in a page header; none is deeper.
const MAX_DEPTH: usize = 8;
const INDEX_PAGE: i64 = 2;

/// Walks over the headers of the pages of one column of one row group, one page before the decoder.
pub(super) struct PageSizes {
    file: Arc<BoundedFile>,
    /// The next header, and the end of the column.
    at: u64,
    end: u64,
    /// The most that a byte unpacks to; none if pages are not compressed.
    ratio: Option<u64>,
}

impl PageSizes {
    pub(super) fn new(file: Arc<BoundedFile>, chunk: &ColumnChunkMetaData) -> Self {
        let (at, len) = chunk.byte_range();
        let ratio = match chunk.compression() {
            Compression::UNCOMPRESSED => None,
            // a copy of 64 bytes takes three
            Compression::SNAPPY => Some(22),
            Compression::LZ4 | Compression::LZ4_RAW => Some(256),
            Compression::GZIP(_) => Some(1032),
            Compression::ZSTD(_) | Compression::BROTLI(_) | Compression::LZO => Some(1 << 16),
        };
        Self { file, at, end: at.saturating_add(len), ratio }
    }

    /// Looks at the page that the decoder reads next.
    pub(super) fn check_next(&mut self) -> Result<()> {
        let Some(ratio) = self.ratio else { return Ok(()) };
        while self.at < self.end {
            let mut header = PageHeader { input: self.file.get_read(self.at)?, len: 0 };
            let [kind, unpacked, packed] = header.read().map_err(|error| ParquetError::External(error.into()))?;
            let (Ok(unpacked), Ok(packed)) = (u64::try_from(unpacked), u64::try_from(packed)) else {
                return Err(ParquetError::General("a page of a negative size".into()));
            };
            // a few bytes more: what is tiny has its own rules
            if unpacked > packed.saturating_mul(ratio).saturating_add(64) {
                return Err(ParquetError::General(format!("a page of {packed} bytes cannot hold {unpacked}")));
            }
            self.at = self.at.saturating_add(header.len).saturating_add(packed);
            // the decoder passes over these
            if kind != INDEX_PAGE {
                break;
            }
        }
        Ok(())
    }
}

/// A header in the compact protocol of Thrift, of which only the first three fields are looked at.
struct PageHeader<R> {
    input: R,
    len: u64,
}

impl<R: Read> PageHeader<R> {
    /// The kind of the page, and what it has unpacked and packed.
    fn read(&mut self) -> io::Result<[i64; 3]> {
        let (mut fields, mut number) = ([0; 3], 0);
        while let Some((next, kind)) = self.field(number)? {
            number = next;
            match usize::try_from(number - 1).ok().and_then(|at| fields.get_mut(at)) {
                Some(field) if kind == 5 => *field = self.integer()?,
                Some(_) => return Err(damaged()),
                None => self.skip(kind, 0)?,
            }
        }
        Ok(fields)
    }

    /// The number and the type of the next field of a struct; none at its end.
    fn field(&mut self, last: i64) -> io::Result<Option<(i64, u8)>> {
        let byte = self.byte()?;
        Ok(match (byte >> 4, byte & 15) {
            (_, 0) => None,
            (0, kind) => Some((self.integer()?, kind)),
            (step, kind) => Some((last.saturating_add(step.into()), kind)),
        })
    }

    fn skip(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Err(damaged());
        }
        match kind {
            // what is true or false is said by the type
            1 | 2 => Ok(()),
            3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            8 => {
                let len = self.varint()?;
                self.pass(len)
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 15 { self.varint()? } else { (byte >> 4).into() };
                // in a list they have a byte each
                let kind = if matches!(byte & 15, 1 | 2) { 3 } else { byte & 15 };
                (0..count).try_for_each(|_| self.skip(kind, depth + 1))
            }
            12 => {
                let mut number = 0;
                while let Some((next, kind)) = self.field(number)? {
                    number = next;
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(damaged()),
        }
    }

    fn integer(&mut self) -> io::Result<i64> {
        let bits = self.varint()?;
        Ok((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(damaged())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.len += 1;
        Ok(byte[0])
    }

    fn pass(&mut self, len: u64) -> io::Result<()> {
        let passed = io::copy(&mut (&mut self.input).take(len), &mut io::sink())?;
        self.len += passed;
        if passed == len { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the header of a page is damaged")
}
