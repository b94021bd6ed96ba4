//! Reads a segment where it lies.

use super::tail::{Place, TailLayout, check_tail};
use super::{BLOCK, Footer, SUM, SegmentFile, block_sum};
use crate::Error;
use bytemuck::Pod;
use memmap2::{Mmap, MmapOptions};
use rayon::prelude::*;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A segment that is open; many threads may share it. It stays readable when its file is removed.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    file: SegmentFile,
    map: Mmap,
    parts: TailLayout,
    /// The sections, by kind; those that are not there are empty.
    places: Vec<Place>,
    /// Blocks that were found good, of the data and of level 1. Each is checked once: what is mapped is believed from then on.
    good_data: Vec<AtomicU64>,
    good_sums: Vec<AtomicU64>,
}

impl Segment {
    /// Opens a file that must be the one that was written: length, footer and checksum are compared.
    pub fn open(folder: &Path, file: &SegmentFile) -> Result<Self, Error> {
        let path = folder.join(&file.name);
        let failed = |source| Error::Read { what: path.display().to_string(), source };
        let opened = File::open(&path).map_err(failed)?;
        let length = opened.metadata().map_err(failed)?.len();
        if length != file.bytes || length < size_of::<Footer>() as u64 {
            let found = format!("expected a segment of {} bytes, found {length}", file.bytes);
            return Err(Error::Damaged { what: path.display().to_string(), offset: length.min(file.bytes), found });
        }
        #[expect(unsafe_code, reason = "the standard library has no memory maps")]
        // SAFETY: a segment is written once and never changed; its name is not used again, and removing the file leaves the map
        // as it is. Whoever else writes into an index folder breaks this as they would break any file; only bytes are read
        // from the map, no other type has values that a changed byte could make invalid.
        let map = unsafe { MmapOptions::new().len(length as usize).map(&opened) }.map_err(failed)?;
        let (parts, places) = check_tail(&map, file).map_err(|(offset, found)| damaged(&path, offset, found))?;
        let bits = |blocks: usize| (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let good_data = bits(parts.level1.div_ceil(BLOCK));
        let good_sums = bits((parts.level2 - parts.level1).div_ceil(BLOCK));
        Ok(Self { path, file: file.clone(), map, parts, places, good_data, good_sums })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file as its manifest knows it.
    pub fn file(&self) -> &SegmentFile {
        &self.file
    }

    /// How many bytes a section has; none if there is no such section.
    #[inline]
    pub fn len_of(&self, kind: u32) -> u64 {
        self.place(kind).length
    }

    /// Bytes of a section.
    #[inline]
    pub fn bytes(&self, kind: u32, range: Range<u64>) -> Result<&[u8], Error> {
        match self.known(kind, &range) {
            Some(bytes) => Ok(bytes),
            None => self.checked(kind, range),
        }
    }

    /// Records of a section; the range counts records.
    #[inline]
    pub fn slice<T: Pod>(&self, kind: u32, range: Range<u64>) -> Result<&[T], Error> {
        let size = size_of::<T>() as u64;
        if let Some(start) = range.start.checked_mul(size)
            && let Some(end) = range.end.checked_mul(size)
            && let Some(bytes) = self.known(kind, &(start..end))
            && let Ok(records) = bytemuck::try_cast_slice(bytes)
        {
            return Ok(records);
        }
        self.checked_slice(kind, range)
    }

    /// Checks all of the file, whatever was checked before, and returns all that is wrong. Data whose checksums are
    /// damaged cannot be judged: they count as damaged with them.
    pub fn verify(&self) -> Vec<Error> {
        let tail = check_tail(&self.map, &self.file).err();
        let tail = tail.map(|(offset, found)| damaged(&self.path, offset, found));
        let sums = (0..(self.parts.level2 - self.parts.level1).div_ceil(BLOCK)).into_par_iter();
        let rest = sums.flat_map_iter(|block| {
            let bad = self.check_sums(block).err();
            let numbers = block * BLOCK / SUM..((block + 1) * BLOCK / SUM).min(self.parts.level1.div_ceil(BLOCK));
            let data = if bad.is_none() { numbers } else { 0..0 };
            bad.into_iter().chain(data.filter_map(|number| self.check_data(number).err()))
        });
        let rest: Vec<Error> = rest.collect();
        tail.into_iter().chain(rest).collect()
    }

    /// Tells the system that the file will be read from front to back.
    pub fn advise_sequential(&self) {
        // advice: nothing depends on it being heard
        #[cfg(unix)]
        let _ = self.map.advise(memmap2::Advice::Sequential);
    }

    /// Tells the system that the file will be read here and there, so that it reads nothing ahead.
    pub fn advise_random(&self) {
        #[cfg(unix)]
        let _ = self.map.advise(memmap2::Advice::Random);
    }

    #[inline]
    fn place(&self, kind: u32) -> Place {
        self.places.get(kind as usize).copied().unwrap_or_default()
    }

    /// The short way, for most requests: within one block that was checked before. Small enough to be inlined.
    #[inline]
    fn known(&self, kind: u32, range: &Range<u64>) -> Option<&[u8]> {
        let place = self.places.get(kind as usize)?;
        if range.start >= range.end || range.end > place.length {
            return None;
        }
        let (start, end) = ((place.offset + range.start) as usize, (place.offset + range.end) as usize);
        let block = start / BLOCK;
        // relaxed: the bits say that bytes which never change are good, and no memory is handed over by them
        let good = self.good_data.get(block / 64)?.load(Relaxed) & 1 << (block % 64) != 0;
        if good && (end - 1) / BLOCK == block { self.map.get(start..end) } else { None }
    }

    /// The long way: any range, any number of blocks, 64 with one look if they were checked before.
    #[inline(never)]
    fn checked(&self, kind: u32, range: Range<u64>) -> Result<&[u8], Error> {
        let place = self.place(kind);
        if range.start > range.end || range.end > place.length {
            return Err(self.outside(kind, &range, 1));
        }
        let (start, end) = ((place.offset + range.start) as usize, (place.offset + range.end) as usize);
        if start < end {
            let (first, last) = (start / BLOCK, (end - 1) / BLOCK);
            for word in first / 64..=last / 64 {
                let from = if word == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
                let to = if word == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
                let missing = from & to & !self.good_data[word].load(Relaxed);
                if missing != 0 {
                    self.check_missing(word, missing)?;
                }
            }
        }
        Ok(&self.map[start..end])
    }

    #[inline(never)]
    fn checked_slice<T: Pod>(&self, kind: u32, range: Range<u64>) -> Result<&[T], Error> {
        let size = size_of::<T>() as u64;
        let (Some(start), Some(end)) = (range.start.checked_mul(size), range.end.checked_mul(size)) else {
            return Err(self.outside(kind, &range, size));
        };
        let bytes = self.checked(kind, start..end)?;
        bytemuck::try_cast_slice(bytes).map_err(|_| self.outside(kind, &range, size))
    }

    #[cold]
    fn check_missing(&self, word: usize, mut missing: u64) -> Result<(), Error> {
        while missing != 0 {
            let bit = missing.trailing_zeros();
            let number = word * 64 + bit as usize;
            let sums = number * SUM / BLOCK;
            if self.good_sums[sums / 64].load(Relaxed) & 1 << (sums % 64) == 0 {
                self.check_sums(sums)?;
                self.good_sums[sums / 64].fetch_or(1 << (sums % 64), Relaxed);
            }
            self.check_data(number)?;
            self.good_data[word].fetch_or(1 << bit, Relaxed);
            missing &= missing - 1;
        }
        Ok(())
    }

    /// Holds a block of data against level 1, which must be good.
    fn check_data(&self, number: usize) -> Result<(), Error> {
        self.compare(number, 0..self.parts.level1, self.parts.level1)
    }

    /// Holds a block of level 1 against level 2, which was checked when the file was opened.
    fn check_sums(&self, number: usize) -> Result<(), Error> {
        self.compare(number, self.parts.level1..self.parts.level2, self.parts.level2)
    }

    fn compare(&self, number: usize, of: Range<usize>, sums: usize) -> Result<(), Error> {
        let start = of.start + number * BLOCK;
        let found = block_sum(&self.map[start..of.end.min(start + BLOCK)], number);
        let expected: u64 = bytemuck::pod_read_unaligned(&self.map[sums + number * SUM..sums + (number + 1) * SUM]);
        if found == expected {
            return Ok(());
        }
        Err(damaged(&self.path, start, format!("expected a block with checksum {expected:016x}, found {found:016x}")))
    }

    #[cold]
    fn outside(&self, kind: u32, range: &Range<u64>, size: u64) -> Error {
        let place = self.place(kind);
        let found = format!(
            "section {kind} has {} bytes, asked for records {} to {} of {size} bytes",
            place.length, range.start, range.end
        );
        damaged(&self.path, place.offset as usize, found)
    }
}

#[cold]
fn damaged(path: &Path, offset: usize, found: String) -> Error {
    Error::Damaged { what: path.display().to_string(), offset: offset as u64, found }
}
