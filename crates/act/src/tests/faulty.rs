//! A file system that fails, lacks what others have, or is changed by others at a certain moment.

use crate::file_system::{FileAttributes, FileStatus, FileSystem, OsFileSystem};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How an operation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// One operation fails; nothing came of it.
    Once,
    /// One operation fails, though it was done.
    Lying,
    /// The disk is full: nothing can be written or made any more; a write that fails has written half.
    Full,
    /// The process is dead: from here on nothing happens.
    Killed,
}

/// What the file system cannot do.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a file system may lack")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lacks {
    pub(super) exchange: bool,
    pub(super) rename_new: bool,
    pub(super) hard_links: bool,
    /// What is below `elsewhere` is on another device.
    pub(super) one_device: bool,
    /// There a file has another number, too.
    pub(super) other_inodes: bool,
}

/// The files of this machine until an operation with a certain number.
#[derive(Default)]
pub(super) struct Faulty<'a> {
    pub(super) lacks: Lacks,
    fault: Option<(Fault, usize)>,
    meddle: RefCell<Option<(usize, Meddle<'a>)>>,
    count: Cell<usize>,
    happened: Cell<bool>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    /// Changes nothing.
    Look,
    /// Changes names.
    Change,
    /// Needs space on the disk.
    Make,
}

type Meddle<'a> = Box<dyn FnOnce(&'static str) + 'a>;

impl<'a> Faulty<'a> {
    pub(super) fn new(lacks: Lacks) -> Self {
        Self { lacks, ..Self::default() }
    }

    pub(super) fn failing(lacks: Lacks, fault: Fault, at: usize) -> Self {
        Self { lacks, fault: Some((fault, at)), ..Self::default() }
    }

    /// Somebody does something just before an operation; told which one it is.
    pub(super) fn meddled(lacks: Lacks, at: usize, meddle: impl FnOnce(&'static str) + 'a) -> Self {
        Self { lacks, meddle: RefCell::new(Some((at, Box::new(meddle)))), ..Self::default() }
    }

    /// Whether the fault or the meddling came at all.
    pub(super) fn has_happened(&self) -> bool {
        self.happened.get()
    }

    /// One operation. Those that only look are counted only where that makes a difference: when one of them fails alone, or when
    /// somebody meddles.
    fn pass<T>(&self, name: &'static str, does: Does, real: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let number = self.count.get();
        let is_counted = does != Does::Look || self.fault.is_none_or(|(fault, _)| fault == Fault::Once);
        self.count.set(number + usize::from(is_counted));
        let due = self.meddle.borrow().as_ref().is_some_and(|(at, _)| *at == number);
        if due && let Some((_, meddle)) = self.meddle.take() {
            self.happened.set(true);
            meddle(name);
        }
        let Some((fault, at)) = self.fault else { return real() };
        let hit = match fault {
            Fault::Once | Fault::Lying => is_counted && number == at,
            Fault::Full => number >= at && does == Does::Make,
            Fault::Killed => self.happened.get() || (is_counted && number >= at),
        };
        if !hit {
            return real();
        }
        self.happened.set(true);
        match fault {
            Fault::Once => Err(io::Error::other("the device is broken")),
            Fault::Lying => real().and(Err(io::Error::other("the answer was lost"))),
            Fault::Full => Err(io::ErrorKind::StorageFull.into()),
            Fault::Killed => Err(io::Error::other("the process was killed")),
        }
    }

    fn is_far(&self, path: &Path) -> bool {
        self.lacks.one_device && path.components().any(|part| part.as_os_str() == "elsewhere")
    }

    fn crosses(&self, a: &Path, b: &Path) -> io::Result<()> {
        if self.is_far(a) == self.is_far(b) { Ok(()) } else { Err(io::ErrorKind::CrossesDevices.into()) }
    }

    fn status(&self, path: &Path, mut status: FileStatus) -> FileStatus {
        status.device += u64::from(self.is_far(path));
        status.inode += u64::from(self.lacks.other_inodes && self.is_far(path));
        status
    }
}

fn lacking(lacks: bool) -> io::Result<()> {
    if lacks { Err(io::ErrorKind::Unsupported.into()) } else { Ok(()) }
}

impl FileSystem for Faulty<'_> {
    fn look(&self, path: &Path) -> io::Result<Option<FileStatus>> {
        let status = self.pass("look", Does::Look, || OsFileSystem.look(path))?;
        Ok(status.map(|status| self.status(path, status)))
    }

    fn look_through(&self, path: &Path) -> io::Result<Option<FileStatus>> {
        let status = self.pass("look_through", Does::Look, || OsFileSystem.look_through(path))?;
        let end = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Ok(status.map(|status| self.status(&end, status)))
    }

    fn open(&self, path: &Path) -> io::Result<(File, FileStatus)> {
        let (file, status) = self.pass("open", Does::Look, || OsFileSystem.open(path))?;
        Ok((file, self.status(path, status)))
    }

    fn target(&self, link: &Path) -> io::Result<PathBuf> {
        self.pass("target", Does::Look, || OsFileSystem.target(link))
    }

    fn may_change(&self, folder: &Path) -> io::Result<()> {
        self.pass("may_change", Does::Look, || OsFileSystem.may_change(folder))
    }

    fn hard_link(&self, file: &Path, new: &Path) -> io::Result<()> {
        let not_permitted = io::Error::from(io::ErrorKind::PermissionDenied);
        self.crosses(file, new)?;
        self.pass("hard_link", Does::Make, || {
            if self.lacks.hard_links { Err(not_permitted) } else { OsFileSystem.hard_link(file, new) }
        })
    }

    fn symlink(&self, target: &Path, new: &Path) -> io::Result<()> {
        self.pass("symlink", Does::Make, || OsFileSystem.symlink(target, new))
    }

    fn reflink(&self, from: &File, to: &File) -> io::Result<()> {
        // what a file system without shared blocks can do as well, for all that can be seen
        let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
        self.pass("reflink", Does::Make, || io::copy(&mut from, &mut to).map(drop))
    }

    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        lacking(self.lacks.exchange)?;
        self.pass("exchange", Does::Change, || OsFileSystem.exchange(a, b))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.crosses(from, to)?;
        self.pass("rename", Does::Change, || OsFileSystem.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.crosses(from, to)?;
        lacking(self.lacks.rename_new)?;
        self.pass("rename_new", Does::Change, || OsFileSystem.rename_new(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.pass("remove", Does::Change, || OsFileSystem.remove(path))
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.pass("make_folder", Does::Make, || OsFileSystem.make_folder(path))
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        self.pass("create", Does::Make, || OsFileSystem.create(path))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let mut copy = file.try_clone()?;
        let result = self.pass("write", Does::Make, || OsFileSystem.write(file, bytes));
        if result.is_err() && !matches!(self.fault, Some((Fault::Lying, _))) {
            copy.write_all(&bytes[..bytes.len() / 2])?;
        }
        result
    }

    fn finish(&self, file: &File, attributes: FileAttributes, modified: i64) -> io::Result<()> {
        self.pass("finish", Does::Make, || OsFileSystem.finish(file, attributes, modified))
    }

    fn sync(&self, _: &File) -> io::Result<()> {
        // no power is cut here, and waiting for the disk would take most of the time
        self.pass("sync", Does::Make, || Ok(()))
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.pass("sync_folder", Does::Change, || Ok(()))
    }
}
