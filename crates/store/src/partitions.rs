//! Divide by a key: records that belong together come back together, one part after the other, whatever their number.

use crate::blocks::{BlockReader, BlockWriter};
use crate::{Error, TempSpace};
use bytemuck::Pod;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

/// Parts that records are divided into. A part of a very large set is still small beside the memory that holds a few of each.
pub const PARTS: usize = 256;

/// Bytes that are held before they are written out, however many are allowed: larger pieces are not written faster, and the system keeps
/// what was written in memory as long as nobody needs that.
const MAX_HELD: usize = 256 << 20;

/// Collects records, each for one of [`PARTS`] parts.
#[derive(Debug)]
pub struct Partitions<T> {
    space: Arc<TempSpace>,
    name: &'static str,
    budget: usize,
    parts: Vec<Vec<T>>,
    /// Records that there is room for in memory.
    held: usize,
    writer: Option<BlockWriter>,
    spilled: Vec<Vec<Range<u64>>>,
}

impl<T: Pod> Partitions<T> {
    /// Empty parts that hold up to `budget` bytes of records in memory.
    pub fn new(space: &Arc<TempSpace>, name: &'static str, budget: usize) -> Self {
        Self {
            space: Arc::clone(space),
            name,
            budget: budget.min(MAX_HELD) / size_of::<T>(),
            parts: (0..PARTS).map(|_| Vec::new()).collect(),
            held: 0,
            writer: None,
            spilled: vec![Vec::new(); PARTS],
        }
    }

    /// The same, where so many records will come, about evenly: their room is made at once, as far as memory goes.
    #[must_use]
    pub fn expecting(mut self, records: u64) -> Self {
        let each = records.min(self.budget as u64) as usize / PARTS;
        // parts differ by chance
        let each = each + each / 64 + 16;
        for part in &mut self.parts {
            part.reserve_exact(each);
            self.held += part.capacity();
        }
        self
    }

    /// Takes a record.
    #[inline]
    pub fn push(&mut self, part: usize, record: T) -> Result<(), Error> {
        if self.parts[part].len() == self.parts[part].capacity() {
            self.grow(part)?;
        }
        self.parts[part].push(record);
        Ok(())
    }

    /// Takes records of a part, in this order.
    pub fn extend(&mut self, part: usize, mut records: &[T]) -> Result<(), Error> {
        while !records.is_empty() {
            if self.parts[part].len() == self.parts[part].capacity() {
                self.grow(part)?;
            }
            let held = &mut self.parts[part];
            let (now, later) = records.split_at((held.capacity() - held.len()).min(records.len()));
            held.extend_from_slice(now);
            records = later;
        }
        Ok(())
    }

    /// Room for half as many more: doubling would leave up to half of the memory unused.
    #[cold]
    fn grow(&mut self, part: usize) -> Result<(), Error> {
        if self.held >= self.budget.max(PARTS * 16) {
            self.spill()?;
        }
        if self.parts[part].len() == self.parts[part].capacity() {
            let before = self.parts[part].capacity();
            self.parts[part].reserve_exact((before / 2).max(16));
            self.held += self.parts[part].capacity() - before;
        }
        Ok(())
    }

    /// Writes all parts out; their memory stays, for what comes next.
    fn spill(&mut self) -> Result<(), Error> {
        if self.writer.is_none() {
            self.writer = Some(BlockWriter::new(self.space.file()?, self.space.describe(self.name)));
        }
        let writer = self.writer.as_mut().expect("made above");
        let before = writer.written();
        for (part, places) in self.parts.iter_mut().zip(&mut self.spilled) {
            let start = writer.written();
            writer.write(part)?;
            places.push(start..writer.written());
            part.clear();
        }
        self.space.add_spilled(writer.written() - before);
        Ok(())
    }

    /// No more records: the parts, for reading.
    pub fn finish(mut self) -> Result<Parts<T>, Error> {
        if self.writer.is_some() {
            self.spill()?;
            self.parts.iter_mut().for_each(|part| *part = Vec::new());
        }
        let file = self.writer.map(BlockWriter::finish);
        Ok(Parts { memory: self.parts, file, spilled: self.spilled })
    }
}

/// The records of each part; many threads may read at once.
#[derive(Debug)]
pub struct Parts<T> {
    memory: Vec<Vec<T>>,
    file: Option<(Arc<File>, String)>,
    spilled: Vec<Vec<Range<u64>>>,
}

impl<T: Pod> Parts<T> {
    /// About how many bytes the records of a part take.
    pub fn bytes(&self, part: usize) -> usize {
        let spilled: u64 = self.spilled[part].iter().map(|place| place.end - place.start).sum();
        spilled as usize + self.memory[part].len() * size_of::<T>()
    }

    /// Calls `each` with the records of a part in the order they came, many at a time.
    pub fn for_each_block(&self, part: usize, mut each: impl FnMut(&[T])) -> Result<(), Error> {
        each(&self.memory[part]);
        for place in &self.spilled[part] {
            let (file, what) = self.file.as_ref().expect("there are places in it");
            let mut reader = BlockReader::new(Arc::clone(file), what.clone(), place.start, place.end);
            while let Some(block) = reader.next_block()? {
                each(block);
            }
        }
        Ok(())
    }

    /// All records of a part, in the order they came.
    pub fn all(&self, part: usize) -> Result<Vec<T>, Error> {
        let mut records = Vec::with_capacity(self.bytes(part) / size_of::<T>());
        self.for_each_block(part, |block| records.extend_from_slice(block))?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(records: &[(u8, u64)], budget: usize) {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let mut parts = Partitions::new(&space, "test", budget);
        for (part, record) in records {
            parts.push(usize::from(*part), *record).unwrap();
        }
        let mut extended = Partitions::new(&space, "test", budget);
        for together in records.chunk_by(|a, b| a.0 == b.0) {
            let same: Vec<u64> = together.iter().map(|record| record.1).collect();
            extended.extend(usize::from(together[0].0), &same).unwrap();
        }
        let (parts, extended) = (parts.finish().unwrap(), extended.finish().unwrap());
        for part in 0..PARTS {
            let expected: Vec<u64> = records.iter().filter(|r| usize::from(r.0) == part).map(|r| r.1).collect();
            assert_eq!(parts.all(part).unwrap(), expected, "part {part}");
            assert_eq!(extended.all(part).unwrap(), expected, "part {part}");
            assert!(parts.bytes(part) >= expected.len() * 8);
        }
    }

    #[test]
    fn many_records_in_little_memory() {
        let records: Vec<(u8, u64)> = (0..200_000u64).map(|x| ((x * x % 251) as u8, x)).collect();
        for budget in [0, 100_000, 1 << 30] {
            check(&records, budget);
        }
    }

    #[test]
    fn a_flipped_byte_is_found() {
        use std::os::unix::fs::FileExt;
        let space = Arc::new(TempSpace::new(None).unwrap());
        let mut parts = Partitions::new(&space, "test", 0);
        (0..100_000u64).for_each(|x| parts.push((x % 256) as usize, x).unwrap());
        let parts = parts.finish().unwrap();
        let file = &parts.file.as_ref().expect("spilled").0;
        let mut byte = [0];
        file.read_exact_at(&mut byte, 5000).unwrap();
        file.write_all_at(&[byte[0] ^ 4], 5000).unwrap();
        assert!((0..PARTS).any(|part| matches!(parts.all(part), Err(Error::Damaged { .. }))));
    }

    proptest! {
        #[test]
        fn any_records(records: Vec<(u8, u64)>, budget in 0usize..100_000) { check(&records, budget); }
    }
}
