//! The headers of pages, looked at before they are decoded: what pages say that they unpack to is held against what is there, for decoders
//! take the memory first.

use std::io::{self, Read};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use super::bounded_file::BoundedFile;
use super::thrift::{I32, Thrift, damaged};

const INDEX_PAGE: i64 = 1;

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

    /// Checks the page that the decoder reads next. Returns the memory that it takes: packed and unpacked.
    pub(super) fn check_next(&mut self) -> Result<u64> {
        while self.at < self.end {
            let mut header = Thrift::new(self.file.get_read(self.at)?);
            let [kind, unpacked, packed] =
                read_header(&mut header).map_err(|error| ParquetError::External(error.into()))?;
            let (Ok(unpacked), Ok(packed)) = (u64::try_from(unpacked), u64::try_from(packed)) else {
                return Err(ParquetError::General("a page of a negative size".into()));
            };
            // a few bytes more: what is tiny has its own rules
            if self.ratio.is_some_and(|ratio| unpacked > packed.saturating_mul(ratio).saturating_add(64)) {
                return Err(ParquetError::General(format!("a page of {packed} bytes cannot hold {unpacked}")));
            }
            self.at = self.at.saturating_add(header.len).saturating_add(packed);
            // the decoder passes over these
            if kind != INDEX_PAGE {
                return Ok(unpacked.saturating_add(packed));
            }
        }
        Ok(0)
    }
}

/// The kind of a page, and what it has unpacked and packed.
fn read_header(header: &mut Thrift<impl Read>) -> io::Result<[i64; 3]> {
    let (mut fields, mut number) = ([0; 3], 0);
    while let Some((next, kind)) = header.field(number)? {
        number = next;
        match usize::try_from(number - 1).ok().and_then(|at| fields.get_mut(at)) {
            Some(field) if kind == I32 => *field = header.integer()?,
            Some(_) => return Err(damaged()),
            None => header.skip(kind)?,
        }
    }
    Ok(fields)
}
