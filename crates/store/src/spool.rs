//! Records of any length: written once, in order, read again by their place or from first to last.

use crate::blocks::read_at;
use crate::{Error, TempSpace};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 12;
const BUFFER: usize = 1 << 18;
/// Bytes that are read of a record at first: most are shorter.
const FIRST: usize = 512;
/// Records that are read together if they lie near each other.
const READ_TOGETHER: usize = 32;

/// The end of a spool: what lies behind it does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpoolEnd {
    /// Bytes before it.
    pub bytes: u64,
    /// Records before it.
    pub records: u64,
}

/// Appends records to a file.
#[derive(Debug)]
pub struct Spool {
    out: BufWriter<File>,
    what: String,
    space: Option<Arc<TempSpace>>,
    at: u64,
    len: u64,
}

impl Spool {
    /// A spool in a nameless spill file.
    pub fn spill(space: &Arc<TempSpace>, name: &'static str) -> Result<Self, Error> {
        let out = BufWriter::with_capacity(BUFFER, space.file()?);
        Ok(Self { out, what: space.describe(name), space: Some(Arc::clone(space)), at: 0, len: 0 })
    }

    /// A spool in a new file that stays.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let what = path.display().to_string();
        let file = File::options().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|source| Error::Write { what: what.clone(), source })?;
        Ok(Self::on(file, path))
    }

    /// A spool in this file, which stays; messages call it by the path.
    pub(crate) fn on(file: File, path: &Path) -> Self {
        let what = path.display().to_string();
        Self { out: BufWriter::with_capacity(BUFFER, file), what, space: None, at: 0, len: 0 }
    }

    /// A spool that goes on in this file, which has been cut to its end.
    pub(crate) fn after(file: File, path: &Path, end: SpoolEnd) -> Self {
        Self { at: end.bytes, len: end.records, ..Self::on(file, path) }
    }

    /// The end as it is now.
    pub fn end(&self) -> SpoolEnd {
        SpoolEnd { bytes: self.at, records: self.len }
    }

    /// Flushes all records to the disk.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.out.flush().and_then(|()| self.out.get_ref().sync_data()).map_err(|e| self.error(e))
    }

    /// Appends a record; the place to read it from.
    pub fn append(&mut self, record: &[u8]) -> Result<u64, Error> {
        let place = self.at;
        let length = u32::try_from(record.len()).map_err(|_| self.error(std::io::ErrorKind::FileTooLarge.into()))?;
        let mut header = [0u8; HEADER];
        header[..4].copy_from_slice(&length.to_le_bytes());
        header[4..].copy_from_slice(&checksum(length, record).to_le_bytes());
        self.out.write_all(&header).and_then(|()| self.out.write_all(record)).map_err(|e| self.error(e))?;
        self.at += (HEADER + record.len()) as u64;
        self.len += 1;
        Ok(place)
    }

    fn error(&self, source: std::io::Error) -> Error {
        Error::Write { what: self.what.clone(), source }
    }

    /// No more records: for reading. A file that stays is flushed to the disk.
    pub fn finish(mut self) -> Result<SpoolReader, Error> {
        self.out.flush().map_err(|e| self.error(e))?;
        match &self.space {
            Some(space) => space.add_spilled(self.at),
            None => self.out.get_ref().sync_all().map_err(|e| self.error(e))?,
        }
        let (at, len, what) = (self.at, self.len, self.what);
        let file = self.out.into_inner().map_err(|e| Error::Write { what: what.clone(), source: e.into_error() })?;
        Ok(SpoolReader { file, what, end: at, len })
    }
}

/// The length is part of the sum: a flipped bit of it is found like any other.
fn checksum(length: u32, record: &[u8]) -> u64 {
    xxh3_64(record) ^ u64::from(length).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Reads records; many threads may share one.
#[derive(Debug)]
pub struct SpoolReader {
    file: File,
    what: String,
    end: u64,
    len: u64,
}

impl SpoolReader {
    /// Opens a file written by [`Spool::create`] that must hold `len` records.
    pub fn open(path: &Path, len: u64) -> Result<Self, Error> {
        let what = path.display().to_string();
        let read = |source| Error::Read { what: path.display().to_string(), source };
        let file = File::open(path).map_err(read)?;
        let end = file.metadata().map_err(read)?.len();
        Ok(Self { file, what, end, len })
    }

    /// How many records there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes all records have together.
    pub fn bytes(&self) -> u64 {
        self.end.saturating_sub(self.len * HEADER as u64)
    }

    /// The record at a place that [`Spool::append`] gave.
    pub fn read(&self, place: u64, record: &mut Vec<u8>) -> Result<(), Error> {
        let damaged = |found: &str| Error::Damaged { what: self.what.clone(), offset: place, found: found.into() };
        let failed = |source| Error::Read { what: self.what.clone(), source };
        // most records are short: one read takes header and record together
        let mut first = [0u8; FIRST];
        let there = (self.end.saturating_sub(place) as usize).min(first.len());
        if there < HEADER {
            return Err(damaged("the file ends here"));
        }
        read_at(&self.file, &mut first[..there], place).map_err(failed)?;
        let length = u32::from_le_bytes(first[..4].try_into().expect("four bytes"));
        let sum = u64::from_le_bytes(first[4..HEADER].try_into().expect("eight bytes"));
        let end = place + HEADER as u64 + u64::from(length);
        if end > self.end {
            return Err(damaged("a record reaches past the end of the file"));
        }
        record.clear();
        record.resize(length as usize, 0);
        let near = (length as usize).min(there - HEADER);
        record[..near].copy_from_slice(&first[HEADER..HEADER + near]);
        read_at(&self.file, &mut record[near..], place + (HEADER + near) as u64).map_err(failed)?;
        if checksum(length, record) != sum {
            return Err(damaged("checksum does not match"));
        }
        Ok(())
    }

    /// Calls `each(record)` for the records at some places, which ascend. Those that lie near each other are read together.
    pub fn for_each_at<E: From<Error>>(
        &self,
        places: &[u64],
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let damaged = |offset, found: &str| Error::Damaged { what: self.what.clone(), offset, found: found.into() };
        let (mut buffer, mut base): (Vec<u8>, u64) = (Vec::new(), 0);
        for (at, place) in places.iter().enumerate() {
            let record = loop {
                let there = buffer.get((place - base) as usize..).unwrap_or_default();
                let Err(need) = whole(there) else { break &buffer[(place - base) as usize..] };
                if place + need as u64 > self.end {
                    return Err(damaged(*place, "a record reaches past the end of the file").into());
                }
                let ahead = places[(at + READ_TOGETHER).min(places.len() - 1)] - place;
                let more = if ahead > BUFFER as u64 { 0 } else { ahead as usize };
                base = *place;
                buffer.resize(need.max(more + FIRST).min((self.end - place) as usize), 0);
                read_at(&self.file, &mut buffer, base)
                    .map_err(|source| Error::Read { what: self.what.clone(), source })?;
            };
            let length = length_at(record);
            let sum = u64::from_le_bytes(record[4..HEADER].try_into().expect("eight bytes"));
            let record = &record[HEADER..HEADER + length];
            if checksum(length as u32, record) != sum {
                return Err(damaged(*place, "checksum does not match").into());
            }
            each(record)?;
        }
        Ok(())
    }

    /// Calls `each(record)` for every record in order.
    pub fn for_each<E: From<Error>>(&self, each: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let end = self.for_each_from(0, self.len, each)?;
        if end != self.end {
            let (what, found) = (self.what.clone(), "there is more in the file than there should be".into());
            return Err(Error::Damaged { what, offset: end, found }.into());
        }
        Ok(())
    }

    /// Calls `each(record)` for some records in order, the first of which is at a place. Returns the place behind them.
    pub fn for_each_from<E: From<Error>>(
        &self,
        place: u64,
        records: u64,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let damaged = |offset, found: &str| Error::Damaged { what: self.what.clone(), offset, found: found.into() };
        let mut buffer = vec![0u8; 4 * BUFFER];
        let (mut filled, mut start, mut base) = (0, 0, place);
        for _ in 0..records {
            let mut need = HEADER;
            loop {
                if filled - start >= need {
                    if need > HEADER || filled - start >= HEADER + length_at(&buffer[start..]) {
                        break;
                    }
                    need = HEADER + length_at(&buffer[start..]);
                    continue;
                }
                if base + (start + need) as u64 > self.end {
                    return Err(damaged(base + start as u64, "the file ends in the middle of a record").into());
                }
                buffer.copy_within(start..filled, 0);
                (base, filled, start) = (base + start as u64, filled - start, 0);
                if buffer.len() < need {
                    buffer.resize(need, 0);
                }
                let more = ((self.end - base) as usize).min(buffer.len());
                read_at(&self.file, &mut buffer[filled..more], base + filled as u64)
                    .map_err(|source| Error::Read { what: self.what.clone(), source })?;
                filled = more;
            }
            let length = length_at(&buffer[start..]);
            let record = &buffer[start + HEADER..start + HEADER + length];
            let sum = u64::from_le_bytes(buffer[start + 4..start + HEADER].try_into().expect("eight bytes"));
            if checksum(length as u32, record) != sum {
                return Err(damaged(base + start as u64, "checksum does not match").into());
            }
            each(record)?;
            start += HEADER + length;
        }
        Ok(base + start as u64)
    }
}

/// The record that bytes begin with, its header included; how many are needed if there are less.
fn whole(bytes: &[u8]) -> Result<&[u8], usize> {
    if bytes.len() < HEADER {
        return Err(HEADER);
    }
    let need = HEADER + length_at(bytes);
    bytes.get(..need).ok_or(need)
}

fn length_at(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[..4].try_into().expect("four bytes")) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(records: &[Vec<u8>]) {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let mut spool = Spool::spill(&space, "test").unwrap();
        let places: Vec<u64> = records.iter().map(|r| spool.append(r).unwrap()).collect();
        let reader = spool.finish().unwrap();
        let mut back = Vec::new();
        for (place, record) in places.iter().zip(records).rev() {
            reader.read(*place, &mut back).unwrap();
            assert_eq!(&back, record);
        }
        let mut all = Vec::new();
        reader
            .for_each(|r| {
                all.push(r.to_vec());
                Ok::<_, Error>(())
            })
            .unwrap();
        assert_eq!(all, records);
        for step in [1, 3, 50] {
            let some: Vec<u64> = places.iter().copied().step_by(step).collect();
            let mut found = records.iter().step_by(step);
            let same = |record: &[u8]| {
                assert_eq!(found.next().map(Vec::as_slice), Some(record));
                Ok::<_, Error>(())
            };
            reader.for_each_at(&some, same).unwrap();
            assert_eq!(found.next(), None);
        }
    }

    #[test]
    fn long_and_short_records() {
        check(&[vec![1; 3_000_000], vec![], vec![2; 500], vec![3; 501], vec![4; 1 << 20], vec![5]]);
        check(&(0..100_000u32).map(|x| x.to_le_bytes().repeat((x % 7) as usize)).collect::<Vec<_>>());
    }

    /// Saved runs are spools: their bytes are frozen.
    #[test]
    fn golden_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("spool");
        let mut spool = Spool::create(&path).unwrap();
        spool.append(b"rose").unwrap();
        spool.append(b"").unwrap();
        spool.finish().unwrap();
        let golden = b"\x04\0\0\0\xf3\x5c\x5b\x77\x6e\xcd\x37\xaerose\0\0\0\0\xc2\x94\xd3\x38\x05\x80\x06\x2d";
        assert_eq!(std::fs::read(&path).unwrap(), golden);
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("spool");
        let mut spool = Spool::create(&path).unwrap();
        let records = [&b"first"[..], b"", b"second record", &[7; 700]];
        let places = records.map(|record| spool.append(record).unwrap());
        let reader = spool.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert!(reader.for_each(|_| Ok::<_, Error>(())).is_ok());
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 1 << (at % 8);
            std::fs::write(&path, &broken).unwrap();
            let reader = SpoolReader::open(&path, 4).unwrap();
            assert!(reader.for_each(|_| Ok::<_, Error>(())).is_err(), "byte {at}");
            assert!(reader.for_each_at(&places, |_| Ok::<_, Error>(())).is_err(), "byte {at}");
        }
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert!(SpoolReader::open(&path, 4).unwrap().for_each(|_| Ok::<_, Error>(())).is_err(), "cut at {cut}");
        }
    }

    proptest! {
        #[test]
        fn any_records(records: Vec<Vec<u8>>) { check(&records); }
    }
}
