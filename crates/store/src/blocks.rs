//! Fixed-size records in checksummed blocks: `length, checksum, payload`, one block after the other.

use crate::Error;
use bytemuck::Pod;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of payload in a block: large enough that a seek costs nothing beside it.
pub(crate) const BLOCK: usize = 1 << 18;
const HEADER: usize = 16;

/// Reads exactly at a place without moving the file's cursor, so that many threads can share a file.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset);
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < buffer.len() {
            match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[done..], offset + done as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(())
    }
}

/// Appends blocks to a file.
#[derive(Debug)]
pub(crate) struct BlockWriter {
    file: File,
    what: String,
    written: u64,
}

impl BlockWriter {
    pub(crate) fn new(file: File, what: String) -> Self {
        Self { file, what, written: 0 }
    }

    pub(crate) fn write<T: Pod>(&mut self, records: &[T]) -> Result<(), Error> {
        let per_block = (BLOCK / size_of::<T>()).max(1);
        for block in records.chunks(per_block) {
            let payload: &[u8] = bytemuck::cast_slice(block);
            let header = [payload.len() as u64, xxh3_64(payload)];
            let result = self.file.write_all(bytemuck::bytes_of(&header)).and_then(|()| self.file.write_all(payload));
            result.map_err(|source| Error::Write { what: self.what.clone(), source })?;
            self.written += (HEADER + payload.len()) as u64;
        }
        Ok(())
    }

    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    pub(crate) fn finish(self) -> (Arc<File>, String) {
        (Arc::new(self.file), self.what)
    }
}

/// Reads the records of a stretch of blocks, one after the other.
pub(crate) struct BlockReader<T> {
    file: Arc<File>,
    what: String,
    at: u64,
    end: u64,
    block: Vec<T>,
    next: usize,
}

impl<T: Pod> BlockReader<T> {
    pub(crate) fn new(file: Arc<File>, what: String, start: u64, end: u64) -> Self {
        Self { file, what, at: start, end, block: Vec::new(), next: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<Option<T>, Error> {
        if self.next == self.block.len() && !self.fill()? {
            return Ok(None);
        }
        self.next += 1;
        Ok(Some(self.block[self.next - 1]))
    }

    /// The records of the next block, or of what is left of this one.
    pub(crate) fn next_block(&mut self) -> Result<Option<&[T]>, Error> {
        if self.next == self.block.len() && !self.fill()? {
            return Ok(None);
        }
        let from = std::mem::replace(&mut self.next, self.block.len());
        Ok(Some(&self.block[from..]))
    }

    fn fill(&mut self) -> Result<bool, Error> {
        if self.at >= self.end {
            return Ok(false);
        }
        let read = |buffer: &mut [u8], at: u64| {
            read_at(&self.file, buffer, at).map_err(|source| Error::Read { what: self.what.clone(), source })
        };
        let damaged = |found: &str| Error::Damaged { what: self.what.clone(), offset: self.at, found: found.into() };
        let mut header = [0u64; 2];
        read(bytemuck::bytes_of_mut(&mut header), self.at)?;
        let length = header[0] as usize;
        if length == 0 || length > BLOCK.max(size_of::<T>()) || !length.is_multiple_of(size_of::<T>()) {
            return Err(damaged("impossible length of a block"));
        }
        self.block.clear();
        self.block.resize(length / size_of::<T>(), T::zeroed());
        read(bytemuck::cast_slice_mut(&mut self.block), self.at + HEADER as u64)?;
        if xxh3_64(bytemuck::cast_slice(&self.block)) != header[1] {
            return Err(damaged("checksum does not match"));
        }
        self.at += (HEADER + length) as u64;
        self.next = 0;
        Ok(true)
    }
}
