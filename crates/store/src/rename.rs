//! Renames that do not replace, where the system has them. Elsewhere the error is `Unsupported`.

use std::io;
use std::path::Path;

/// Exchanges two files or folders.
pub fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    system::exchange(a, b)
}

/// Renames a file or folder to a name that nothing has.
pub fn new(from: &Path, to: &Path) -> io::Result<()> {
    system::new(from, to)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod system {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    use std::io;
    use std::path::Path;

    pub(super) fn exchange(a: &Path, b: &Path) -> io::Result<()> {
        with(a, b, RenameFlags::EXCHANGE)
    }

    pub(super) fn new(from: &Path, to: &Path) -> io::Result<()> {
        with(from, to, RenameFlags::NOREPLACE)
    }

    fn with(from: &Path, to: &Path, flags: RenameFlags) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, flags) {
            // what a file system answers that does not know the flag
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Err(io::ErrorKind::Unsupported.into()),
            result => Ok(result?),
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod system {
    use std::io;
    use std::path::Path;

    pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn new(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
