//! Writes a segment from front to back.

use super::{ALIGN, BLOCK, Entry, Footer, KINDS, MAGIC, SegmentFile, block_sum, tail_sum};
use crate::{Disk, DiskFile, Error};
use bytemuck::Pod;
use std::io;
use std::path::{Path, PathBuf};

/// Bytes that are written at once: whole blocks.
const BUFFER: usize = 64 * BLOCK;

/// Writes a new segment, section after section. It has its final name from the start: what no manifest names is rubbish
/// and is collected, so a writer that is dropped half-way needs no care.
#[derive(Debug)]
pub struct SegmentWriter {
    file: Box<dyn DiskFile>,
    path: PathBuf,
    buffer: Vec<u8>,
    /// Bytes of data that left the buffer.
    written: u64,
    sums: Vec<u64>,
    sections: Vec<Entry>,
}

impl SegmentWriter {
    /// A new file; there must be none of that name.
    pub fn create(disk: &dyn Disk, path: &Path) -> Result<Self, Error> {
        let file = disk.create(path).map_err(|source| Error::Write { what: path.display().to_string(), source })?;
        let buffer = Vec::with_capacity(BUFFER);
        Ok(Self { file, path: path.to_owned(), buffer, written: 0, sums: Vec::new(), sections: Vec::new() })
    }

    /// Begins a section. Each kind, a number below 256, has one at most.
    pub fn section(&mut self, kind: u32) -> Result<(), Error> {
        if kind >= KINDS || self.sections.iter().any(|section| section.kind == kind) {
            return Err(self.misused("a kind of section that is too large or was written already"));
        }
        self.pad()?;
        self.sections.push(Entry { kind, reserved: 0, offset: self.at(), length: 0 });
        Ok(())
    }

    /// Appends to the section.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let Some(section) = self.sections.last_mut() else {
            return Err(self.misused("bytes before the first section"));
        };
        section.length += bytes.len() as u64;
        while !bytes.is_empty() {
            if self.buffer.len() == BUFFER {
                self.flush()?;
            }
            let (now, later) = bytes.split_at(bytes.len().min(BUFFER - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    /// Appends records to the section.
    pub fn write_pod<T: Pod>(&mut self, records: &[T]) -> Result<(), Error> {
        self.write(bytemuck::cast_slice(records))
    }

    /// How many bytes the section has so far.
    pub fn position(&self) -> u64 {
        self.sections.last().map_or(0, |section| section.length)
    }

    /// No more sections. Returns when all of the file is on the disk; its name is only after the commit.
    pub fn finish(mut self) -> Result<SegmentFile, Error> {
        self.pad()?;
        self.flush()?;
        let level1: &[u8] = bytemuck::cast_slice(&self.sums);
        let level2: Vec<u64> = level1.chunks(BLOCK).enumerate().map(|(n, block)| block_sum(block, n)).collect();
        let mut footer = Footer { magic: MAGIC, data: self.written, sections: self.sections.len() as u64, checksum: 0 };
        let mut tail = [bytemuck::cast_slice(&level2), bytemuck::cast_slice(&self.sections)].concat();
        let end = tail.len();
        tail.extend_from_slice(bytemuck::bytes_of(&footer));
        footer.checksum = tail_sum(&tail);
        tail[end..].copy_from_slice(bytemuck::bytes_of(&footer));

        let bytes = self.written + (level1.len() + tail.len()) as u64;
        let written = self.file.write_all(level1).and_then(|()| self.file.write_all(&tail));
        written.and_then(|()| self.file.flush()).and_then(|()| self.file.sync()).map_err(|e| self.error(e))?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(SegmentFile { name, bytes, checksum: footer.checksum })
    }

    /// Where the next byte goes.
    fn at(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Zeros up to where a section may begin. The buffer holds a multiple of that, so they always fit.
    fn pad(&mut self) -> Result<(), Error> {
        self.buffer.resize(self.buffer.len().next_multiple_of(ALIGN), 0);
        if self.buffer.len() == BUFFER { self.flush() } else { Ok(()) }
    }

    /// Only the last flush may leave a short block behind.
    fn flush(&mut self) -> Result<(), Error> {
        let first = self.sums.len();
        self.sums.extend(self.buffer.chunks(BLOCK).enumerate().map(|(n, block)| block_sum(block, first + n)));
        if !self.buffer.is_empty() {
            self.file.write_all(&self.buffer).map_err(|e| self.error(e))?;
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn misused(&self, what: &str) -> Error {
        self.error(io::Error::new(io::ErrorKind::InvalidInput, what))
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Write { what: self.path.display().to_string(), source }
    }
}
