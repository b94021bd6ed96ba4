//! Opening and reading one regular file, without ever waiting on what is none.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::options::Options;
use crate::skipped::Reason;

/// `O_NONBLOCK`, so that a FIFO that took the place of a file after it was looked at cannot hold us up.
/// The standard library does not name it; where its value is not known here the look before opening must do.
#[cfg(unix)]
const NONBLOCK: i32 = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    not(any(target_arch = "mips", target_arch = "mips64", target_arch = "sparc64"))
)) {
    0o4000
} else if cfg!(any(target_vendor = "apple", target_os = "freebsd", target_os = "netbsd", target_os = "openbsd")) {
    0x4
} else {
    0
};

/// No more memory than this is taken on the word of a file's metadata.
const MAX_RESERVED_BYTES: u64 = 64 << 20;

/// What the system said, as a reason.
pub(crate) fn unreadable(error: &io::Error) -> Reason {
    Reason::Unreadable(error.to_string())
}

/// What this is, if it is neither file, folder nor link.
pub(crate) fn special(kind: FileType) -> Option<&'static str> {
    if kind.is_file() || kind.is_dir() || kind.is_symlink() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a FIFO");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    Some("something special")
}

fn check_regular(metadata: &Metadata) -> Result<(), Reason> {
    if let Some(what) = special(metadata.file_type()) {
        return Err(Reason::Special(what));
    }
    if metadata.is_dir() {
        return Err(Reason::Unreadable("it is a folder now, a file was expected".into()));
    }
    Ok(())
}

/// Opens a regular file. It is looked at before, for opening a device can have effects, and after, for it may have
/// been replaced in between.
pub fn open(path: &Path) -> Result<(File, Metadata), Reason> {
    check_regular(&fs::metadata(path).map_err(|error| unreadable(&error))?)?;
    let mut how = OpenOptions::new();
    how.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        how.custom_flags(NONBLOCK);
    }
    let file = how.open(path).map_err(|error| unreadable(&error))?;
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    check_regular(&metadata)?;
    Ok((file, metadata))
}

/// Reads a whole file into `buffer`, which is emptied first. A file that grows while it is read stops at the limit.
pub(crate) fn read(path: &Path, options: &Options, buffer: &mut Vec<u8>) -> Result<Metadata, Reason> {
    buffer.clear();
    let (file, metadata) = open(path)?;
    options.check_size(metadata.len())?;
    fill(&file, metadata.len(), options.max_size, buffer).map_err(|error| unreadable(&error))?;
    let bytes = buffer.len() as u64;
    if bytes > options.max_size {
        buffer.clear();
        // The size it has by now is the more telling one, where the system knows it.
        let bytes = file.metadata().map_or(bytes, |now| now.len().max(bytes));
        return Err(Reason::TooLarge { bytes, limit: options.max_size });
    }
    options.check_size(bytes)?;
    Ok(metadata)
}

/// Appends what is there, but no more than one byte over `most`. `expected` is what somebody says there is.
pub(crate) fn fill(from: impl Read, expected: u64, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    // One more than it says, so that the end is seen without growing; but a sparse file only claims its size.
    buffer.reserve(expected.min(MAX_RESERVED_BYTES) as usize + 1);
    from.take(most.saturating_add(1)).read_to_end(buffer).map(drop)
}
