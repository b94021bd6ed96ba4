//! A file that has no name until it is complete: a killed process leaves nothing behind. Where a file system cannot do that, it has a
//! temporary name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How temporary names begin.
pub(crate) const PREFIX: &str = ".lookalike-";

pub(crate) enum NewFile {
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(NamedTempFile),
}

impl NewFile {
    /// A file in this folder, with the rights that the user's mask allows.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless(folder) {
            return Ok(Self::Nameless(file));
        }
        let mut named = Builder::new();
        // a temporary file is private by default
        #[cfg(unix)]
        named.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        named.prefix(PREFIX).tempfile_in(folder).map(Self::Named)
    }

    pub(crate) fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Self::Nameless(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Gives it its name in its folder, in place of what has it.
    pub(crate) fn persist(self, folder: &Path, target: &Path) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Nameless(file) => {
                // no call gives a nameless file a name that is taken: for a moment it has a temporary one
                let link = |name: &Path| link(&file, name);
                match link(target) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    result => return result,
                }
                let named = Builder::new().prefix(PREFIX).make_in(folder, link)?;
                named.persist(target).map_err(|error| error.error).map(drop)
            }
            Self::Named(file) => file.persist(target).map_err(|error| error.error).map(drop),
        }
    }
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let file = open(folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, Mode::from_raw_mode(0o666)).ok()?;
    let file = File::from(file);
    // without /proc it would never get a name
    descriptor(&file).exists().then_some(file)
}

#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}
