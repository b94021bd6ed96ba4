//! The one door through which an index folder is written, so that tests can stand in it.

mod faulty;

pub use faulty::{Fault, FaultyDisk};

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// What an index folder asks of a disk. Reading does not come through here: what is read is checked anyway.
pub trait Disk: Debug + Send + Sync {
    /// A new file; fails if there is one.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Gives a file another name, in one step, and replaces what had that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Returns when the names in a folder would survive a power cut.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file that is being written.
pub trait DiskFile: Write + Debug + Send {
    /// Returns when what was written would survive a power cut.
    fn sync(&mut self) -> io::Result<()>;

    /// As [`DiskFile::sync`], but for times and the like: enough for a file whose length is known from what is in it.
    fn sync_data(&mut self) -> io::Result<()> {
        self.sync()
    }

    /// Cuts the file to a length, and returns when that would survive a power cut. The next write begins there.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }

    fn sync_data(&mut self) -> io::Result<()> {
        Self::sync_data(self)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        self.seek(SeekFrom::Start(length))?;
        self.sync_all()
    }
}

impl Disk for RealDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(File::create_new(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        // elsewhere a folder cannot be opened like a file; there a rename is as durable as the system makes it
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }
}
