//! Files as Parquet reads them.

use std::fs::File;
use std::io::BufReader;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// A file of which nothing is asked that it does not have, so that no memory is taken on the word of damaged sizes.
#[derive(Debug)]
pub struct BoundedFile {
    file: File,
    len: u64,
}

impl BoundedFile {
    /// A file that has so many bytes.
    pub fn new(file: File, len: u64) -> Self {
        Self { file, len }
    }
}

impl Length for BoundedFile {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for BoundedFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<BufReader<File>> {
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            let message = format!("{length} bytes from byte {start} on, but it has {} bytes", self.len);
            return Err(ParquetError::EOF(message));
        }
        self.file.get_bytes(start, length)
    }
}
