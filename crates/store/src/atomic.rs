//! Files and folders that appear whole or not at all.

use crate::Error;
use crate::Spool;
use crate::new_file::NewFile;
use crate::rename;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Writes a file that gets its name when all of it is on the disk. A link stays a link, the rights of a file that is replaced stay, and
/// what is no file (a device, a pipe) is written to as it is.
pub fn write<E: From<Error>>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    replace(path, |file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        Ok(out.flush().map_err(failed)?)
    })
}

/// The same for a spool, which `fill` finishes.
pub fn spool<E: From<Error>>(path: &Path, fill: impl FnOnce(Spool) -> Result<(), E>) -> Result<(), E> {
    replace(path, |file| fill(Spool::on(file, path)))
}

/// Lets `fill` write a new file, or what is there if that is no file, and puts the new one in its place.
fn replace<E: From<Error>>(path: &Path, fill: impl FnOnce(fs::File) -> Result<(), E>) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    let target = target(path).map_err(failed)?;
    let old = if_found(target.metadata()).map_err(failed)?;
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(fs::File::options().write(true).open(&target).map_err(failed)?);
    }
    let new = NewFile::create(parent(&target)).map_err(failed)?;
    fill(new.file().try_clone().map_err(failed)?)?;
    if let Some(old) = old {
        new.file().set_permissions(old.permissions()).map_err(failed)?;
    }
    new.file().sync_all().map_err(failed)?;
    Ok(new.persist(parent(&target), &target).map_err(failed)?)
}

/// Where a result goes: the end of a chain of links, whether it is there or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    if let Some(found) = if_found(path.canonicalize())? {
        return Ok(found);
    }
    match if_found(path.read_link()) {
        Ok(Some(link)) => target(&parent(path).join(link)),
        // it is no link
        _ => Ok(path.to_owned()),
    }
}

/// Only "not found" means that nothing is there. Another error may hide a device, or a file with rights of its own.
fn if_found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Fills a new folder under a temporary name beside it and renames it when it is complete.
pub fn folder<E: From<Error>>(path: &Path, fill: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    if path.symlink_metadata().is_ok() {
        return Err(Error::Exists { path: path.to_owned() }.into());
    }
    let temporary = TemporaryFolder::new(parent(path), FOLDER_PREFIX).map_err(failed)?;
    fill(temporary.path())?;
    Ok(temporary.rename(path).map_err(failed)?)
}

/// A folder with a temporary name, which is removed with the value. It is locked: who makes another with this prefix removes those that
/// killed processes left, and no others.
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    /// None where the file system has no locks.
    lock: Option<fs::File>,
}

impl TemporaryFolder {
    /// A new folder, after those that were abandoned are removed.
    pub fn new(parent: &Path, prefix: &str) -> io::Result<Self> {
        remove_abandoned(parent, prefix);
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        let lock = fs::File::open(folder.path()).ok().filter(|folder| folder.try_lock().is_ok());
        Ok(Self { folder, lock })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives it its final name, under which it stays.
    fn rename(self, path: &Path) -> io::Result<()> {
        drop(self.lock);
        rename_new(self.folder.path(), path)?;
        // renamed away: nothing is left to remove
        let _ = self.folder.keep();
        Ok(())
    }
}

/// Renames a file or folder to a name that nothing has: not even an empty folder is replaced.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match rename::new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported && to.symlink_metadata().is_err() => {
            fs::rename(from, to)
        }
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Err(io::ErrorKind::AlreadyExists.into()),
        result => result,
    }
}

/// Removes a folder with everything in it. It loses its name first: nobody finds a part of it.
pub fn remove_folder(path: &Path) -> Result<(), Error> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    let unnamed = tempfile::Builder::new().prefix(FOLDER_PREFIX).tempdir_in(parent(path)).map_err(failed)?;
    fs::rename(path, unnamed.path().join("removed")).map_err(failed)?;
    // a part that cannot be removed now is removed with other abandoned folders
    let _ = unnamed.close();
    Ok(())
}

/// How temporary names of folders begin.
const FOLDER_PREFIX: &str = ".lookalike-folder-";
/// A folder that was made before its maker could lock it is never older than this.
const ABANDONED_AFTER: Duration = Duration::from_mins(1);

/// Removes folders that killed processes left here. A folder in use is locked.
fn remove_abandoned(parent: &Path, prefix: &str) {
    let Ok(entries) = parent.read_dir() else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(prefix);
        let is_old = |found: &fs::Metadata| {
            found.is_dir() && found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED_AFTER))
        };
        if is_ours
            && entry.metadata().is_ok_and(|found| is_old(&found))
            && fs::File::open(entry.path()).is_ok_and(|folder| folder.try_lock().is_ok())
        {
            // what cannot be removed is nobody's loss
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The folder that a path is in.
pub fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_devices_and_rights_stay() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (file_path, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file_path, "old").unwrap();
        fs::set_permissions(&file_path, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file_path, &link).unwrap();
        let put = |path: &Path| {
            write(path, |out| out.write_all(b"new").map_err(|source| Error::Write { what: "x".into(), source }))
        };
        put(&link).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file_path).unwrap(), "new");
        assert_eq!(file_path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let dangling = dir.path().join("dangling");
        std::os::unix::fs::symlink("later", &dangling).unwrap();
        put(&dangling).unwrap();
        assert!(dangling.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(dir.path().join("later")).unwrap(), "new");
        // a link to itself is no "not found": it is left alone
        let circle = dir.path().join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        put(&circle).unwrap_err();
        assert!(circle.symlink_metadata().unwrap().is_symlink());
        put(Path::new("/dev/null")).unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }

    /// Whoever is killed while it writes leaves nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_being_written_has_no_name() {
        let dir = tempfile::tempdir().unwrap();
        if matches!(NewFile::create(dir.path()).unwrap(), NewFile::Named(_)) {
            return; // this file system has no nameless files
        }
        let nothing = || assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        let path = dir.path().join("result");
        let result = write(&path, |out| {
            out.write_all(&vec![b'a'; 100_000]).unwrap();
            nothing();
            Err(Error::Exists { path: "x".into() })
        });
        assert!(result.is_err());
        spool::<Error>(&path, |mut spool| {
            spool.append(&vec![b'a'; 100_000])?;
            spool.finish()?;
            nothing();
            Ok(())
        })
        .unwrap();
        assert_eq!(path.metadata().unwrap().len(), 100_012);
    }

    #[test]
    fn what_a_killed_process_left_of_a_folder_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - 2 * ABANDONED_AFTER;
        let [abandoned, locked, young] = ["a", "b", "c"].map(|name| dir.path().join(format!("{FOLDER_PREFIX}{name}")));
        for path in [&abandoned, &locked, &young] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("part"), "1").unwrap();
        }
        let lock = fs::File::open(&locked).unwrap();
        lock.try_lock().unwrap();
        for path in [&abandoned, &locked] {
            fs::File::open(path).unwrap().set_modified(old).unwrap();
        }
        folder::<Error>(&dir.path().join("run"), |_| Ok(())).unwrap();
        assert!(!abandoned.exists() && locked.exists() && young.exists());
    }

    #[test]
    fn whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("result");
        fs::write(&path, "old").unwrap();
        let half = |out: &mut (dyn Write + Send)| {
            out.write_all(b"half").unwrap();
            Err(Error::Exists { path: "x".into() })
        };
        assert!(write(&path, half).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write(&path, |out| out.write_all(b"new").map_err(|source| Error::Write { what: "x".into(), source })).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");

        let run = dir.path().join("run");
        assert!(folder(&run, |_| Err(Error::Exists { path: "x".into() })).is_err());
        folder::<Error>(&run, |inside| {
            fs::write(inside.join("a"), "1").unwrap();
            Ok(())
        })
        .unwrap();
        assert!(matches!(folder::<Error>(&run, |_| Ok(())), Err(Error::Exists { .. })));
        // a folder that appears meanwhile stays, also if it is empty
        let late = dir.path().join("late");
        let make_late = |_: &Path| {
            fs::create_dir(&late).unwrap();
            Ok(())
        };
        assert!(folder::<Error>(&late, make_late).is_err());
        assert_eq!(fs::read_dir(&late).unwrap().count(), 0);
        fs::remove_dir(&late).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "nothing half-written remains");
    }
}
