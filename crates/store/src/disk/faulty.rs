//! A disk that fails on demand. For tests, of this and other crates: nothing else makes one.

use super::{Disk, DiskFile, RealDisk};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// How a [`FaultyDisk`] fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No space left. A write that fails has written half of its bytes.
    Full,
    /// A write takes half of its bytes and says so. No fault at all, if the writer listens.
    Short,
    /// The device answers with an error.
    Broken,
    /// The process is dead: from here on nothing reaches the disk.
    Killed,
}

impl Fault {
    fn error(self) -> io::Error {
        match self {
            Self::Full => io::ErrorKind::StorageFull.into(),
            Self::Killed => io::Error::other("the process was killed"),
            Self::Broken | Self::Short => io::Error::other("the device is broken"),
        }
    }
}

/// The disk of this machine, until an operation with a certain number. For tests.
#[derive(Debug, Clone)]
pub struct FaultyDisk {
    fault: Fault,
    at: usize,
    once: bool,
    log: Arc<Mutex<Vec<&'static str>>>,
}

impl FaultyDisk {
    /// Works for `at` operations; every one after them fails.
    pub fn new(fault: Fault, at: usize) -> Self {
        Self { fault, at, once: false, log: Arc::default() }
    }

    /// Works for `at` operations; the next one fails, and then all is well again. The dead stay dead.
    pub fn once(fault: Fault, at: usize) -> Self {
        Self { once: fault != Fault::Killed, ..Self::new(fault, at) }
    }

    /// How many operations there were, with those that failed.
    pub fn operations(&self) -> usize {
        self.log().len()
    }

    /// The operations in their order: `create`, `write`, `sync`, `cut`, `rename`, `remove`, `sync_folder`.
    pub fn log(&self) -> Vec<&'static str> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts an operation and says what befalls it.
    fn next(&self, operation: &'static str) -> Option<Fault> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let number = log.len();
        log.push(operation);
        let hit = if self.once { number == self.at } else { number >= self.at };
        (hit && (operation == "write" || self.fault != Fault::Short)).then_some(self.fault)
    }

    fn pass(&self, operation: &'static str) -> io::Result<()> {
        self.next(operation).map_or(Ok(()), |fault| Err(fault.error()))
    }
}

impl Disk for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.pass("create")?;
        Ok(Box::new(FaultyFile { file: RealDisk.create(path)?, disk: self.clone() }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass("rename")?;
        RealDisk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.pass("remove")?;
        RealDisk.remove(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.pass("sync_folder")?;
        RealDisk.sync_folder(path)
    }
}

#[derive(Debug)]
struct FaultyFile {
    file: Box<dyn DiskFile>,
    disk: FaultyDisk,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let half = &bytes[..bytes.len().div_ceil(2)];
        match self.disk.next("write") {
            None => self.file.write(bytes),
            Some(Fault::Short) => self.file.write(half),
            Some(Fault::Full) => {
                self.file.write_all(half)?;
                Err(Fault::Full.error())
            }
            Some(fault) => Err(fault.error()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl DiskFile for FaultyFile {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.pass("sync")?;
        self.file.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.disk.pass("cut")?;
        self.file.cut(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(disk: &FaultyDisk, path: &Path) -> io::Result<()> {
        let mut file = disk.create(path)?;
        file.write_all(b"01234567")?;
        file.sync()
    }

    #[test]
    fn faults_come_when_they_should() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let read = |name: &str| std::fs::read(path(name)).unwrap();

        let disk = FaultyDisk::new(Fault::Full, 1);
        assert_eq!(write(&disk, &path("full")).unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!((read("full").as_slice(), disk.log()), (&b"0123"[..], vec!["create", "write"]));
        assert!(disk.remove(&path("full")).is_err());

        let disk = FaultyDisk::new(Fault::Short, 0);
        write(&disk, &path("short")).unwrap();
        assert_eq!((read("short").as_slice(), disk.operations()), (&b"01234567"[..], 6), "4, 2, 1 and 1 bytes");

        let disk = FaultyDisk::once(Fault::Broken, 2);
        assert!(write(&disk, &path("broken")).is_err());
        disk.remove(&path("broken")).unwrap();

        let disk = FaultyDisk::once(Fault::Killed, 1);
        assert!(write(&disk, &path("killed")).is_err());
        assert!(disk.remove(&path("killed")).is_err());
        assert_eq!(read("killed"), b"");
    }
}
