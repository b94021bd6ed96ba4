//! Files and folders that appear whole or not at all.

use crate::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file under a temporary name beside it and renames it when all of it is on the disk. A link stays a link, the rights of a file
/// that is replaced stay, and what is no file (a device, a pipe) is written to as it is.
pub fn write<E: From<Error>>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    let target = target(path).map_err(failed)?;
    let old = if_found(target.metadata()).map_err(failed)?;
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut out = BufWriter::new(fs::File::options().write(true).open(&target).map_err(failed)?);
        fill(&mut out)?;
        return Ok(out.flush().map_err(failed)?);
    }
    let mut new = tempfile::Builder::new();
    // a temporary file is private by default; a result is what the user's mask allows
    #[cfg(unix)]
    new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut out = BufWriter::new(new.prefix(".lookalike-").tempfile_in(parent(&target)).map_err(failed)?);
    fill(&mut out)?;
    let file = out.into_inner().map_err(|e| failed(e.into_error()))?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions()).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&target).map_err(|e| failed(e.error))?;
    Ok(())
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

/// Lets `fill` make a file by its path under a temporary name beside it and renames it when it is complete.
pub fn file<E: From<Error>>(path: &Path, fill: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    let temporary = tempfile::Builder::new().prefix(".lookalike-").tempdir_in(parent(path)).map_err(failed)?;
    let new = temporary.path().join("new");
    fill(&new)?;
    Ok(fs::rename(&new, path).map_err(failed)?)
}

/// Fills a new folder under a temporary name beside it and renames it when it is complete.
pub fn folder<E: From<Error>>(path: &Path, fill: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    if path.symlink_metadata().is_ok() {
        return Err(Error::Exists { path: path.to_owned() }.into());
    }
    let temporary = tempfile::Builder::new().prefix(".lookalike-").tempdir_in(parent(path)).map_err(failed)?;
    fill(temporary.path())?;
    fs::rename(temporary.path(), path).map_err(failed)?;
    // renamed away: nothing is left to remove
    let _ = temporary.keep();
    Ok(())
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
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let put = |path: &Path| {
            write(path, |out| out.write_all(b"new").map_err(|source| Error::Write { what: "x".into(), source }))
        };
        put(&link).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
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

    #[test]
    fn whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("result");
        fs::write(&path, "old").unwrap();
        let half = |out: &mut dyn Write| {
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
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "nothing half-written remains");
    }
}
