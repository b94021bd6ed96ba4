//! A long list of records: in memory while it is short, in a spill file when it is not.

use crate::blocks::{BLOCK, BlockReader, BlockWriter};
use crate::{Error, TempSpace};
use bytemuck::Pod;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Bytes that are kept in memory, however many are allowed: records are read in order, and so from a file as fast.
const MAX_KEPT: usize = 32 << 20;

/// Records in the order they were pushed, to be read any number of times.
#[derive(Debug)]
pub struct Sequence<T> {
    space: Arc<TempSpace>,
    name: &'static str,
    budget: usize,
    tail: Vec<T>,
    writer: Option<BlockWriter>,
    len: u64,
}

impl<T: Pod> Sequence<T> {
    /// An empty sequence that keeps up to `budget` bytes in memory.
    pub fn new(space: &Arc<TempSpace>, name: &'static str, budget: usize) -> Self {
        let budget = (budget.min(MAX_KEPT) / size_of::<T>()).max(BLOCK / size_of::<T>()).max(1);
        Self { space: Arc::clone(space), name, budget, tail: Vec::new(), writer: None, len: 0 }
    }

    /// Appends a record.
    #[inline]
    pub fn push(&mut self, record: T) -> Result<(), Error> {
        if self.tail.len() == self.budget {
            self.spill()?;
        }
        self.tail.push(record);
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn spill(&mut self) -> Result<(), Error> {
        if self.writer.is_none() {
            self.writer = Some(BlockWriter::new(self.space.file()?, self.space.describe(self.name)));
            // from now on the memory serves as a buffer only
            self.budget = BLOCK / size_of::<T>();
        }
        let writer = self.writer.as_mut().expect("made above");
        let before = writer.written();
        writer.write(&self.tail)?;
        self.space.add_spilled(writer.written() - before);
        self.tail.clear();
        self.tail.shrink_to(self.budget);
        Ok(())
    }

    /// Records so far.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// No more pushes: the records, for reading.
    pub fn finish(mut self) -> Result<Records<T>, Error> {
        if self.writer.is_none() {
            return Ok(Records { kind: Kind::Memory(self.tail), len: self.len });
        }
        self.spill()?;
        let writer = self.writer.take().expect("checked above");
        let end = writer.written();
        let (file, what) = writer.finish();
        Ok(Records { kind: Kind::File { file, what, start: 0, end }, len: self.len })
    }
}

/// Records that no longer change.
#[derive(Debug)]
pub struct Records<T> {
    kind: Kind<T>,
    len: u64,
}

#[derive(Debug)]
enum Kind<T> {
    Memory(Vec<T>),
    File { file: Arc<File>, what: String, start: u64, end: u64 },
}

impl<T: Pod> Records<T> {
    pub(crate) fn in_memory(records: Vec<T>) -> Self {
        Self { len: records.len() as u64, kind: Kind::Memory(records) }
    }

    /// Records in a file that stays.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let what = path.display().to_string();
        let read = |source| Error::Read { what: path.display().to_string(), source };
        let file = Arc::new(File::open(path).map_err(read)?);
        let end = file.metadata().map_err(read)?.len();
        let mut blocks = BlockReader::<T>::new(Arc::clone(&file), what.clone(), 0, end);
        let mut len = 0;
        while blocks.next()?.is_some() {
            len += 1;
        }
        Ok(Records { kind: Kind::File { file, what, start: 0, end }, len })
    }

    /// How many.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Calls `each` with the records from the first to the last, many at a time.
    pub fn for_each_block<E: From<Error>>(&self, mut each: impl FnMut(&[T]) -> Result<(), E>) -> Result<(), E> {
        match &self.kind {
            Kind::Memory(records) => each(records),
            Kind::File { file, what, start, end } => {
                let mut reader = BlockReader::new(Arc::clone(file), what.clone(), *start, *end);
                while let Some(block) = reader.next_block()? {
                    each(block)?;
                }
                Ok(())
            }
        }
    }

    /// The records from the first to the last; may be called again and again.
    pub fn iter(&self) -> impl Iterator<Item = Result<T, Error>> + '_ {
        let (mut memory, mut file) = match &self.kind {
            Kind::Memory(records) => (Some(records.iter()), None),
            Kind::File { file, what, start, end } => {
                (None, Some(BlockReader::new(Arc::clone(file), what.clone(), *start, *end)))
            }
        };
        std::iter::from_fn(move || match (&mut memory, &mut file) {
            (Some(records), _) => records.next().copied().map(Ok),
            (None, Some(reader)) => reader.next().transpose(),
            (None, None) => None,
        })
    }
}

#[cfg(test)]
impl<T> Records<T> {
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.kind {
            Kind::Memory(_) => None,
            Kind::File { file, .. } => Some(file),
        }
    }
}
