//! Numbers that many threads write at once, each to pages of its own, and that are read again by their place: no thread waits for another,
//! and nothing is copied on its way to the file.

use crate::blocks::read_at;
use crate::{Error, TempSpace};
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use xxhash_rust::xxh3::xxh3_64;

/// Numbers of a page: enough that writing it is one long write, few enough that they stay near until then.
const PAGE: usize = 1 << 15;

/// A nameless spill file of records, each some numbers.
#[derive(Debug)]
pub struct SharedSpool {
    file: File,
    what: String,
    space: Arc<TempSpace>,
    /// The file has so many pages, in numbers.
    end: AtomicU64,
    /// It may have so many.
    room: u64,
    failed: Mutex<Option<Error>>,
}

impl SharedSpool {
    /// Records of a page at most.
    pub const MAX_RECORD: usize = PAGE - 1;

    /// An empty spool that may take so many bytes.
    pub fn spill(space: &Arc<TempSpace>, name: &'static str, room: u64) -> Result<Arc<Self>, Error> {
        let (file, what) = (space.file()?, space.describe(name));
        let (space, room) = (Arc::clone(space), room / size_of::<u64>() as u64);
        Ok(Arc::new(Self { file, what, space, end: AtomicU64::new(0), room, failed: Mutex::default() }))
    }

    /// For one thread, to write with.
    pub fn writer(self: &Arc<Self>) -> SharedSpoolWriter {
        SharedSpoolWriter { spool: Arc::clone(self), page: Vec::new(), start: None }
    }

    /// Fails if something could not be written. All writers are gone by now.
    pub fn check(&self) -> Result<(), Error> {
        self.failed.lock().expect("nobody panics with the lock").take().map_or(Ok(()), Err)
    }

    /// The numbers of a record that was appended with this length.
    pub fn read(&self, place: u64, length: usize) -> Result<Vec<u64>, Error> {
        let mut record = vec![0; length + 1];
        let offset = place * size_of::<u64>() as u64;
        read_at(&self.file, bytemuck::cast_slice_mut(&mut record), offset)
            .map_err(|source| Error::Read { what: self.what.clone(), source })?;
        match record.pop() {
            Some(sum) if sum == checksum(&record) => Ok(record),
            _ => Err(Error::Damaged { what: self.what.clone(), offset, found: "checksum does not match".into() }),
        }
    }
}

/// The length is part of the sum.
fn checksum(record: &[u64]) -> u64 {
    xxh3_64(bytemuck::cast_slice(record)) ^ (record.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Writes records of one thread. The last of them are written when it goes.
#[derive(Debug)]
pub struct SharedSpoolWriter {
    spool: Arc<SharedSpool>,
    page: Vec<u64>,
    /// Where the page will be in the file; none if there is none.
    start: Option<u64>,
}

impl SharedSpoolWriter {
    /// Appends a record of at most [`SharedSpool::MAX_RECORD`] numbers; its place, if there is room for it.
    pub fn append(&mut self, record: &[u64]) -> Option<u64> {
        if record.len() > SharedSpool::MAX_RECORD {
            return None;
        }
        if self.start.is_none() || self.page.len() + record.len() >= PAGE {
            self.write();
            let start = self.spool.end.fetch_add(PAGE as u64, Ordering::Relaxed);
            self.start = Some(start).filter(|start| start + PAGE as u64 <= self.spool.room);
            self.page.reserve_exact(PAGE);
        }
        let place = self.start? + self.page.len() as u64;
        self.page.extend_from_slice(record);
        self.page.push(checksum(record));
        Some(place)
    }

    fn write(&mut self) {
        let Some(start) = self.start.take() else { return };
        let bytes: &[u8] = bytemuck::cast_slice(&self.page);
        match write_at(&self.spool.file, bytes, start * size_of::<u64>() as u64) {
            Ok(()) => self.spool.space.add_spilled(bytes.len() as u64),
            Err(source) => {
                let error = Error::Write { what: self.spool.what.clone(), source };
                self.spool.failed.lock().expect("nobody panics with the lock").get_or_insert(error);
            }
        }
        self.page.clear();
    }
}

impl Drop for SharedSpoolWriter {
    fn drop(&mut self) {
        self.write();
    }
}

/// Writes all at a place without moving the file's cursor.
fn write_at(file: &File, bytes: &[u8], offset: u64) -> std::io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, offset);
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < bytes.len() {
            match std::os::windows::fs::FileExt::seek_write(file, &bytes[done..], offset + done as u64)? {
                0 => return Err(std::io::ErrorKind::WriteZero.into()),
                n => done += n,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_threads_write_comes_back() {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let spool = SharedSpool::spill(&space, "numbers", u64::MAX).unwrap();
        let lengths = [0, 1, 700, SharedSpool::MAX_RECORD, 5000, 3];
        let record = |thread: u64, at: usize| {
            (0..lengths[at % lengths.len()] as u64).map(|n| n * 64 + thread).collect::<Vec<u64>>()
        };
        let places: Vec<Vec<u64>> = std::thread::scope(|scope| {
            let write = |thread: u64| {
                let mut writer = spool.writer();
                scope.spawn(move || (0..60).map(|at| writer.append(&record(thread, at)).unwrap()).collect())
            };
            let threads: Vec<_> = (0..3).map(write).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        spool.check().unwrap();
        for (thread, places) in (0..).zip(&places) {
            for (at, place) in places.iter().enumerate() {
                let record = record(thread, at);
                assert_eq!(spool.read(*place, record.len()).unwrap(), record);
                assert!(spool.read(*place, record.len() + 1).is_err(), "another length is another record");
            }
        }
    }

    #[test]
    fn no_more_is_taken_than_there_is_room_for() {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let spool = SharedSpool::spill(&space, "numbers", (2 * PAGE * size_of::<u64>()) as u64).unwrap();
        let mut writer = spool.writer();
        let places: Vec<Option<u64>> = (0..20).map(|_| writer.append(&vec![7; PAGE / 4])).collect();
        assert!(places[..6].iter().all(Option::is_some) && places[6..].iter().all(Option::is_none), "{places:?}");
        assert_eq!(writer.append(&vec![7; PAGE]), None, "longer than a page");
        drop(writer);
        assert_eq!(spool.read(places[5].unwrap(), PAGE / 4).unwrap(), vec![7; PAGE / 4]);
    }

    #[test]
    fn a_flipped_bit_is_found() {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let spool = SharedSpool::spill(&space, "numbers", u64::MAX).unwrap();
        let mut writer = spool.writer();
        let place = writer.append(&[1, 2, 3]).unwrap();
        drop(writer);
        for byte in 0..4 * size_of::<u64>() as u64 {
            let mut old = [0];
            read_at(&spool.file, &mut old, byte).unwrap();
            write_at(&spool.file, &[old[0] ^ 4], byte).unwrap();
            assert!(spool.read(place, 3).is_err(), "byte {byte}");
            write_at(&spool.file, &old, byte).unwrap();
        }
        assert_eq!(spool.read(place, 3).unwrap(), [1, 2, 3]);
    }
}
