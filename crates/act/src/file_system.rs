//! The one door through which act looks at files and changes them, so that tests can stand in it.

use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use rustix::fs::{Access, OFlags};

/// What is there under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStatus {
    pub(crate) kind: FileKind,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    /// Names that the file has.
    pub(crate) links: u64,
    pub(crate) bytes: u64,
    /// When it was changed last, in nanoseconds since 1970.
    pub(crate) modified: i64,
    /// When its content, a name or a right of it was changed last: nobody can set this.
    pub(crate) touched: i64,
    pub(crate) attributes: FileAttributes,
}

/// What a copy cannot take from the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileAttributes {
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// What kind of thing has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Folder,
    Symlink,
    Other,
}

impl FileStatus {
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// Whether both may be one file that is seen through two mounts: an overlay and what lies below it, an export that is mounted twice.
    pub(crate) fn may_be_same_file(&self, other: &Self) -> bool {
        let seen = |file: &Self| (file.inode, file.bytes, file.modified, file.touched);
        self.is_same_file(other) || seen(self) == seen(other)
    }

    pub(crate) fn is_same_device(&self, other: &Self) -> bool {
        self.device == other.device
    }

    /// What tells a file from all others while it is there.
    pub(crate) fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}

impl From<&fs::Metadata> for FileStatus {
    fn from(found: &fs::Metadata) -> Self {
        let kind = match found.file_type() {
            kind if kind.is_file() => FileKind::File,
            kind if kind.is_dir() => FileKind::Folder,
            kind if kind.is_symlink() => FileKind::Symlink,
            _ => FileKind::Other,
        };
        Self {
            kind,
            device: found.dev(),
            inode: found.ino(),
            links: found.nlink(),
            bytes: found.size(),
            modified: found.mtime().saturating_mul(1_000_000_000).saturating_add(found.mtime_nsec()),
            touched: found.ctime().saturating_mul(1_000_000_000).saturating_add(found.ctime_nsec()),
            attributes: FileAttributes { mode: found.mode() & 0o7777, uid: found.uid(), gid: found.gid() },
        }
    }
}

/// What act asks of the file system. Each is one step: it happens or it does not.
pub(crate) trait FileSystem {
    /// What is there; a symbolic link is seen itself. None if nothing is.
    fn look(&self, path: &Path) -> io::Result<Option<FileStatus>>;
    /// What is there, at the end of symbolic links.
    fn look_through(&self, path: &Path) -> io::Result<Option<FileStatus>>;
    /// Opens a file for reading: no symbolic link, and nothing that would block.
    fn open(&self, path: &Path) -> io::Result<(File, FileStatus)>;
    /// Where a symbolic link points to.
    fn target(&self, link: &Path) -> io::Result<PathBuf>;
    /// Fails if names in a folder may not be changed.
    fn may_change(&self, folder: &Path) -> io::Result<()>;
    /// A new name for a file; fails if the name is taken.
    fn hard_link(&self, file: &Path, new: &Path) -> io::Result<()>;
    /// A new symbolic link; fails if the name is taken.
    fn symlink(&self, target: &Path, new: &Path) -> io::Result<()>;
    /// Gives an empty file the blocks of another. `Unsupported` where the file system cannot.
    fn reflink(&self, from: &File, to: &File) -> io::Result<()>;
    /// Two names change places, in one step. `Unsupported` where the file system cannot.
    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()>;
    /// Another name; replaces what had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Another name; fails if it is taken. `Unsupported` where the file system cannot.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a name.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// A new folder.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// A new file that only its owner may read; fails if the name is taken.
    fn create(&self, path: &Path) -> io::Result<File>;
    /// Writes all of it.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
    /// Gives a new file its rights and its time.
    fn finish(&self, file: &File, attributes: FileAttributes, modified: i64) -> io::Result<()>;
    /// Returns when what was written would survive a power cut.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Returns when the names in a folder would survive a power cut.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// The files of this machine.
pub(crate) struct OsFileSystem;

impl FileSystem for OsFileSystem {
    fn look(&self, path: &Path) -> io::Result<Option<FileStatus>> {
        found(path.symlink_metadata())
    }

    fn look_through(&self, path: &Path) -> io::Result<Option<FileStatus>> {
        found(path.metadata())
    }

    fn open(&self, path: &Path) -> io::Result<(File, FileStatus)> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits();
        let file = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)?;
        let status = FileStatus::from(&file.metadata()?);
        Ok((file, status))
    }

    fn target(&self, link: &Path) -> io::Result<PathBuf> {
        fs::read_link(link)
    }

    fn may_change(&self, folder: &Path) -> io::Result<()> {
        Ok(rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
    }

    fn hard_link(&self, file: &Path, new: &Path) -> io::Result<()> {
        fs::hard_link(file, new)
    }

    fn symlink(&self, target: &Path, new: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, new)
    }

    fn reflink(&self, from: &File, to: &File) -> io::Result<()> {
        reflink(from, to)
    }

    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        lookalike_store::rename::exchange(a, b)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        lookalike_store::rename::new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn finish(&self, file: &File, attributes: FileAttributes, modified: i64) -> io::Result<()> {
        let mut mode = attributes.mode;
        let own = FileStatus::from(&file.metadata()?).attributes;
        if (own.uid, own.gid) != (attributes.uid, attributes.gid)
            && std::os::unix::fs::fchown(file, Some(attributes.uid), Some(attributes.gid)).is_err()
        {
            // only the superuser gives files away; rights of another owner must not become rights of this one
            mode &= 0o777;
        }
        file.set_permissions(Permissions::from_mode(mode))?;
        let offset = Duration::from_nanos(modified.unsigned_abs());
        let time = if modified < 0 { UNIX_EPOCH.checked_sub(offset) } else { UNIX_EPOCH.checked_add(offset) };
        if let Some(time) = time {
            file.set_times(FileTimes::new().set_modified(time))?;
        }
        Ok(())
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

fn found(metadata: io::Result<fs::Metadata>) -> io::Result<Option<FileStatus>> {
    match metadata {
        Ok(found) => Ok(Some(FileStatus::from(&found))),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}

#[cfg(target_os = "linux")]
fn reflink(from: &File, to: &File) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::ioctl_ficlone(to, from) {
        Err(Errno::OPNOTSUPP | Errno::INVAL | Errno::NOTTY | Errno::XDEV | Errno::NOSYS) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        result => Ok(result?),
    }
}

#[cfg(not(target_os = "linux"))]
fn reflink(_: &File, _: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
