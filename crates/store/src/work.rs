//! A folder in which the steps of one long run leave what they made: a run that was stopped goes on after the last step that was finished.
//!
//! A step writes its files first and then its record, which is there whole or not at all. Files without a record are of a step that
//! was stopped: it writes them anew.

use crate::blocks::{BLOCK, BlockWriter};
use crate::{Error, Records, Spool, SpoolEnd, SpoolReader, atomic};
use bytemuck::Pod;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// A folder of a run that can go on.
#[derive(Clone, Debug)]
pub struct WorkFolder {
    path: PathBuf,
}

/// What is kept of a finished step, with its checksum.
#[derive(Serialize, Deserialize)]
struct StepRecord<T> {
    checksum: String,
    contents: T,
}

impl WorkFolder {
    /// Makes the folder, if it is not there.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Write { what: path.display().to_string(), source };
        fs::create_dir_all(path).map_err(failed)?;
        Ok(Self { path: path.to_owned() })
    }

    /// A folder that exists.
    pub fn existing(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn create(&self, name: &str) -> Result<(PathBuf, File), Error> {
        let path = self.file(name);
        let failed = |source| Error::Write { what: path.display().to_string(), source };
        // removed, not overwritten: a link must not lead anywhere else
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let file = File::options().read(true).write(true).create_new(true).open(&path).map_err(failed)?;
        Ok((path, file))
    }

    /// A spool, in place of what a step that was stopped may have left.
    pub fn spool(&self, name: &str) -> Result<Spool, Error> {
        let (path, file) = self.create(name)?;
        Ok(Spool::on(file, &path))
    }

    /// A spool that a step left when it was stopped, cut to an end that it has reached.
    pub fn continue_spool(&self, name: &str, end: SpoolEnd) -> Result<Spool, Error> {
        if end == SpoolEnd::default() {
            return self.spool(name);
        }
        let path = self.file(name);
        let what = || path.display().to_string();
        let read = |source| Error::Read { what: what(), source };
        let mut file = File::options().read(true).write(true).open(&path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        if length < end.bytes {
            return Err(Error::Damaged { what: what(), offset: length, found: "the file ends here".into() });
        }
        file.set_len(end.bytes).map_err(|source| Error::Write { what: what(), source })?;
        file.seek(SeekFrom::End(0)).map_err(read)?;
        Ok(Spool::after(file, &path, end))
    }

    /// A spool of a finished step, with so many records.
    pub fn open_spool(&self, name: &str, len: u64) -> Result<SpoolReader, Error> {
        SpoolReader::open(&self.file(name), len)
    }

    /// Writes records, flushed to the disk.
    pub fn save<T: Pod>(&self, name: &str, records: impl IntoIterator<Item = Result<T, Error>>) -> Result<(), Error> {
        let (path, file) = self.create(name)?;
        let what = path.display().to_string();
        let mut out = BlockWriter::new(file, what.clone());
        let mut block: Vec<T> = Vec::with_capacity((BLOCK / size_of::<T>()).max(1));
        for record in records {
            block.push(record?);
            if block.len() == block.capacity() {
                out.write(&block)?;
                block.clear();
            }
        }
        out.write(&block)?;
        out.finish().0.sync_all().map_err(|source| Error::Write { what, source })
    }

    /// The records that a finished step wrote.
    pub fn load<T: Pod>(&self, name: &str) -> Result<Records<T>, Error> {
        Records::open(&self.file(name))
    }

    /// Marks a step as finished, with what is to be known of it.
    pub fn finish_step<T: Serialize>(&self, step: &str, contents: T) -> Result<(), Error> {
        let json = serde_json::to_vec(&contents).expect("plain data");
        let record = StepRecord { checksum: format!("{:016x}", xxh3_64(&json)), contents };
        let json = serde_json::to_vec(&record).expect("plain data");
        let path = self.record(step);
        let failed = |source| Error::Write { what: path.display().to_string(), source };
        atomic::write(&path, |out| out.write_all(&json).map_err(failed))
    }

    /// What is known of a step, if it is finished.
    pub fn finished_step<T: Serialize + DeserializeOwned>(&self, step: &str) -> Result<Option<T>, Error> {
        let path = self.record(step);
        let what = || path.display().to_string();
        let json = match fs::read(&path) {
            Ok(json) => json,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::Read { what: what(), source }),
        };
        let damaged = |found: &str| Error::Damaged { what: what(), offset: 0, found: found.into() };
        let record: StepRecord<T> = serde_json::from_slice(&json).map_err(|error| damaged(&error.to_string()))?;
        let sum = xxh3_64(&serde_json::to_vec(&record.contents).expect("plain data"));
        if record.checksum != format!("{sum:016x}") {
            return Err(damaged("checksum does not match"));
        }
        Ok(Some(record.contents))
    }

    fn record(&self, step: &str) -> PathBuf {
        self.path.join(format!("{step}.step"))
    }

    /// Whether a step is finished.
    pub fn has_step(&self, step: &str) -> bool {
        self.record(step).is_file()
    }

    /// Forgets a step: it will be done again.
    pub fn forget_step(&self, step: &str) -> Result<(), Error> {
        let path = self.record(step);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            result => result.map_err(|source| Error::Write { what: path.display().to_string(), source }),
        }
    }

    /// Removes files that no later step needs.
    pub fn discard(&self, names: &[&str]) {
        for name in names {
            let _ = fs::remove_file(self.file(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_steps_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(&dir.path().join("work")).unwrap();
        assert_eq!(work.finished_step::<u64>("read").unwrap(), None);
        for len in [0u64, 1, 100_000] {
            work.save("numbers", (0..len).map(Ok)).unwrap();
            let back: Vec<u64> = work.load("numbers").unwrap().iter().map(Result::unwrap).collect();
            assert_eq!(back, (0..len).collect::<Vec<u64>>());
        }
        let mut spool = work.spool("texts").unwrap();
        spool.append(b"one").unwrap();
        spool.finish().unwrap();
        // a step that was stopped begins anew
        let mut spool = work.spool("texts").unwrap();
        let place = spool.append(b"two").unwrap();
        spool.finish().unwrap();
        work.finish_step("read", vec![1.5, 2.0]).unwrap();
        let again = WorkFolder::open(work.path()).unwrap();
        assert_eq!(again.finished_step("read").unwrap(), Some(vec![1.5, 2.0]));
        let mut text = Vec::new();
        again.open_spool("texts", 1).unwrap().read(place, &mut text).unwrap();
        assert_eq!(text, b"two");
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(dir.path()).unwrap();
        work.finish_step("read", "some words".to_owned()).unwrap();
        work.save("numbers", (0..20u64).map(Ok)).unwrap();
        for (name, is_step) in [("read.step", true), ("numbers", false)] {
            let path = dir.path().join(name);
            let whole = fs::read(&path).unwrap();
            for at in 0..whole.len() {
                let mut broken = whole.clone();
                broken[at] ^= 1 << (at % 8);
                fs::write(&path, &broken).unwrap();
                let ok = if is_step {
                    work.finished_step::<String>("read").is_ok_and(|read| read.as_deref() != Some("some words"))
                } else {
                    work.load::<u64>("numbers").is_ok_and(|numbers| numbers.iter().all(|number| number.is_ok()))
                };
                assert!(!ok, "{name}: byte {at}");
            }
            fs::write(&path, &whole).unwrap();
        }
    }
}
