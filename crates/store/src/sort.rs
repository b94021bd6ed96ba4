//! Divide, sort, merge: any number of records within a budget of memory.

use crate::blocks::{BLOCK, BlockReader, BlockWriter};
use crate::{Error, Records, Sequence, TempSpace};
use bytemuck::Pod;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

/// Collects records and gives them back in order.
#[derive(Debug)]
pub struct ExternalSort<T> {
    space: Arc<TempSpace>,
    name: &'static str,
    budget: usize,
    buffer: Vec<T>,
    writer: Option<BlockWriter>,
    runs: Vec<Range<u64>>,
}

impl<T: Pod + Ord + Send> ExternalSort<T> {
    /// An empty sorter that holds up to `budget` bytes of records in memory.
    pub fn new(space: &Arc<TempSpace>, name: &'static str, budget: usize) -> Self {
        let budget = (budget / size_of::<T>()).max(2 * BLOCK / size_of::<T>()).max(2);
        Self { space: Arc::clone(space), name, budget, buffer: Vec::new(), writer: None, runs: Vec::new() }
    }

    /// Takes a record.
    #[inline]
    pub fn push(&mut self, record: T) -> Result<(), Error> {
        if self.buffer.len() == self.budget {
            self.spill()?;
        }
        self.buffer.push(record);
        Ok(())
    }

    #[cold]
    fn spill(&mut self) -> Result<(), Error> {
        sort(&mut self.buffer, rayon::current_num_threads());
        if self.writer.is_none() {
            self.writer = Some(BlockWriter::new(self.space.file()?, self.space.describe(self.name)));
        }
        let writer = self.writer.as_mut().expect("made above");
        let start = writer.written();
        writer.write(&self.buffer)?;
        self.runs.push(start..writer.written());
        self.space.add_spilled(writer.written() - start);
        self.buffer.clear();
        Ok(())
    }

    /// All records, sorted, to be read any number of times.
    pub fn finish(self) -> Result<Records<T>, Error> {
        let (space, name) = (Arc::clone(&self.space), self.name);
        match self.runs_left()? {
            Left::Memory(records) => Ok(Records::in_memory(records)),
            Left::Runs(file, what, runs) => {
                let mut sorted = Sequence::new(&space, name, 0);
                merge(&file, &what, &runs, |record| sorted.push(record))?;
                sorted.finish()
            }
        }
    }

    /// All records, sorted, to be read once: they are merged as they are taken, and not written again.
    pub fn merged(self) -> Result<impl Iterator<Item = Result<T, Error>> + use<T>, Error> {
        let (mut memory, mut runs) = match self.runs_left()? {
            Left::Memory(records) => (Some(records.into_iter()), None),
            Left::Runs(file, what, runs) => (None, Some(Merge::new(&file, &what, &runs)?)),
        };
        Ok(std::iter::from_fn(move || match (&mut memory, &mut runs) {
            (Some(records), _) => records.next().map(Ok),
            (None, Some(runs)) => runs.next().transpose(),
            (None, None) => None,
        }))
    }

    /// What is left to merge: nothing, or no more runs than can be read at once.
    fn runs_left(mut self) -> Result<Left<T>, Error> {
        if self.writer.is_none() {
            sort(&mut self.buffer, rayon::current_num_threads());
            return Ok(Left::Memory(self.buffer));
        }
        if !self.buffer.is_empty() {
            self.spill()?;
        }
        self.buffer = Vec::new();
        let (mut file, what) = self.writer.take().expect("spilled above").finish();
        // as many runs at once as the budget has room for blocks
        let width = (self.budget * size_of::<T>() / (2 * BLOCK)).clamp(2, 512);
        let mut runs = std::mem::take(&mut self.runs);
        while runs.len() > width {
            let mut writer = BlockWriter::new(self.space.file()?, what.clone());
            let mut merged = Vec::new();
            for group in runs.chunks(width) {
                let start = writer.written();
                let mut block: Vec<T> = Vec::with_capacity(BLOCK / size_of::<T>());
                merge(&file, &what, group, |record| {
                    block.push(record);
                    if block.len() == block.capacity() {
                        writer.write(&block)?;
                        block.clear();
                    }
                    Ok(())
                })?;
                writer.write(&block)?;
                merged.push(start..writer.written());
            }
            self.space.add_spilled(writer.written());
            (file, runs) = (writer.finish().0, merged);
        }
        Ok(Left::Runs(file, what, runs))
    }
}

/// Sorts on so many threads: each takes a part that is apart from the others. (Rayon's own sort takes twice the time on each.)
fn sort<T: Ord + Send>(records: &mut [T], threads: usize) {
    if threads < 2 || records.len() < MIN_DIVIDED {
        return records.sort_unstable();
    }
    let ([few, many], middle) = ([threads / 2, threads - threads / 2], records.len() * (threads / 2) / threads);
    let (before, _, behind) = records.select_nth_unstable(middle);
    rayon::join(|| sort(before, few), || sort(behind, many));
}

/// Records from which on sorting is divided.
const MIN_DIVIDED: usize = if cfg!(test) { 8 } else { 1 << 14 };

/// Sorted records in memory, or sorted runs in a file.
enum Left<T> {
    Memory(Vec<T>),
    Runs(Arc<File>, String, Vec<Range<u64>>),
}

/// Several sorted runs as one.
struct Merge<T> {
    readers: Vec<BlockReader<T>>,
    heap: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Pod + Ord> Merge<T> {
    fn new(file: &Arc<File>, what: &str, runs: &[Range<u64>]) -> Result<Self, Error> {
        let mut readers: Vec<BlockReader<T>> =
            runs.iter().map(|run| BlockReader::new(Arc::clone(file), what.to_owned(), run.start, run.end)).collect();
        let mut heap = BinaryHeap::with_capacity(readers.len());
        for (at, reader) in readers.iter_mut().enumerate() {
            heap.extend(reader.next()?.map(|record| Reverse((record, at))));
        }
        Ok(Self { readers, heap })
    }

    #[inline]
    fn next(&mut self) -> Result<Option<T>, Error> {
        let Some(mut top) = self.heap.peek_mut() else { return Ok(None) };
        let Reverse((record, at)) = *top;
        match self.readers[at].next()? {
            Some(next) => *top = Reverse((next, at)),
            None => drop(std::collections::binary_heap::PeekMut::pop(top)),
        }
        Ok(Some(record))
    }
}

fn merge<T: Pod + Ord>(
    file: &Arc<File>,
    what: &str,
    runs: &[Range<u64>],
    mut each: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut runs = Merge::new(file, what, runs)?;
    while let Some(record) = runs.next()? {
        each(record)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(records: &[u64], budget: usize) -> Vec<u64> {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let mut sort = ExternalSort::new(&space, "test", budget);
        for record in records {
            sort.push(*record).unwrap();
        }
        let sorted = sort.finish().unwrap();
        let twice: Vec<u64> = sorted.iter().map(Result::unwrap).collect();
        assert_eq!(twice, sorted.iter().map(Result::unwrap).collect::<Vec<u64>>());
        assert_eq!(sorted.len(), records.len() as u64);
        let mut sort = ExternalSort::new(&space, "test", budget);
        for record in records {
            sort.push(*record).unwrap();
        }
        assert_eq!(twice, sort.merged().unwrap().map(Result::unwrap).collect::<Vec<u64>>());
        twice
    }

    #[test]
    fn spills_and_merges_in_several_passes() {
        // the smallest budget holds 65,536 records: 700,000 make eleven runs, merged two at a time
        let records: Vec<u64> = (0..700_000u64).map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20).collect();
        let mut expected = records.clone();
        expected.sort_unstable();
        assert_eq!(sorted(&records, 0), expected);
        assert_eq!(sorted(&records, 1 << 30), expected);
    }

    #[test]
    fn a_flipped_byte_is_found() {
        use std::os::unix::fs::FileExt;
        let space = Arc::new(TempSpace::new(None).unwrap());
        for offset in [0, 8, 16, 5000, 262_143] {
            let mut sequence = Sequence::new(&space, "test", 0);
            (0..100_000u64).for_each(|x| sequence.push(x).unwrap());
            let records = sequence.finish().unwrap();
            let file = records.file().expect("spilled");
            let mut byte = [0];
            file.read_exact_at(&mut byte, offset).unwrap();
            file.write_all_at(&[byte[0] ^ 4], offset).unwrap();
            assert!(records.iter().any(|r| matches!(r, Err(Error::Damaged { .. }))), "offset {offset}");
        }
    }

    proptest! {
        #[test]
        fn divided_sorting_sorts(records in prop::collection::vec(0u16..300, 0..200), threads in 1usize..9) {
            let (mut divided, mut expected) = (records.clone(), records);
            sort(&mut divided, threads);
            expected.sort_unstable();
            prop_assert_eq!(divided, expected);
        }

        #[test]
        fn any_records(records: Vec<u64>) {
            let mut expected = records.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(&records, 0), expected);
        }
    }
}
