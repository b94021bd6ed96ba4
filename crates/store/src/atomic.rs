//! Files and folders that appear whole or not at all.

use crate::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a file under a temporary name beside it and renames it when all of it is on the disk.
pub fn write<E: From<Error>>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    let failed = |source| Error::Write { what: path.display().to_string(), source };
    let mut out =
        BufWriter::new(tempfile::Builder::new().prefix(".lookalike-").tempfile_in(parent(path)).map_err(failed)?);
    fill(&mut out)?;
    let file = out.into_inner().map_err(|e| failed(e.into_error()))?;
    file.as_file().sync_all().map_err(failed)?;
    // a temporary file is private; a result is not
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = fs::Permissions::from_mode(0o644);
        fs::set_permissions(file.path(), open).map_err(failed)?;
    }
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
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

fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

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
