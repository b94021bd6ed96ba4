//! An exclusive lock on a file, for as long as the process that holds it lives.

use crate::Error;
use std::fs::{File, TryLockError};
use std::path::Path;

/// A locked file. The system releases the lock however the process ends.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks the file `name` in `folder`, and makes it if it does not exist. Fails if another process, or another part of this one,
    /// holds the lock.
    pub fn take(folder: &Path, name: &str) -> Result<Self, Error> {
        let path = folder.join(name);
        let failed = |source| Error::Write { what: path.display().to_string(), source };
        let file = File::options().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Error::Locked { path: folder.to_owned() },
            TryLockError::Error(source) => failed(source),
        })?;
        Ok(Self(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that another thread is starting has it open too, for a moment.
        let _ = self.0.unlock();
    }
}
