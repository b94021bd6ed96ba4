//! Where files are: ids become whole paths, folders hold files, and what is moved gets its place.

use crate::error::{Error, FolderProblem, FolderRole};
use crate::file_system::{FileKind, FileSystem};
use lookalike_corpus::{id_of, path_of};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Component, Path, PathBuf, absolute};

/// A file of a report, by its whole path.
#[derive(Clone, Debug)]
pub(crate) struct ReportedFile {
    pub(crate) id: String,
    /// As it is called, from the root on.
    given: PathBuf,
    /// The same without symbolic links among the folders. The last part is as it is called.
    pub(crate) path: PathBuf,
}

impl ReportedFile {
    /// Finds the place of a file; the reason if there can be none.
    pub(crate) fn new(id: &str, base: Option<&Path>) -> Result<Self, io::Error> {
        let called = path_of(id);
        let given = match base {
            Some(base) => base.join(&called),
            None if called.is_absolute() => called.clone(),
            None => return Err(io::Error::other("the report does not say in which folder it is")),
        };
        let name = given.file_name().ok_or_else(|| io::Error::other("is not the name of a file"))?.to_owned();
        let folder = given.parent().unwrap_or(Path::new("/")).canonicalize()?;
        Ok(Self { id: id.to_owned(), path: folder.join(name), given })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// Where it comes below a folder: as it is called, or by its whole path where that would lead out.
    pub(crate) fn below(&self, folder: &Path) -> PathBuf {
        let called = path_of(&self.id);
        let leads_out = called.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        let within = if leads_out { &self.path } else { &called };
        let parts = within.components().filter(|part| matches!(part, Component::Normal(_)));
        folder.join(parts.collect::<PathBuf>())
    }
}

/// A folder that is there.
#[derive(Clone, Debug)]
pub(crate) struct ExistingFolder {
    given: PathBuf,
    real: PathBuf,
}

impl ExistingFolder {
    pub(crate) fn new(role: FolderRole, folder: &Path) -> Result<Self, Error> {
        let error = |problem| Error::Folder { role, path: folder.to_owned(), problem };
        let inaccessible = |e| error(FolderProblem::Inaccessible(e));
        let real = folder.canonicalize().map_err(inaccessible)?;
        if !real.is_dir() {
            return Err(error(FolderProblem::NotAFolder(folder.to_owned())));
        }
        Ok(Self { given: absolute(folder).map_err(inaccessible)?, real })
    }

    /// Whether a file is below it, by what it is called or by where it really is.
    pub(crate) fn holds(&self, file: &ReportedFile) -> bool {
        file.given.starts_with(&self.given) || self.really_holds(file)
    }

    /// Whether a file is below it by where it really is, whatever it is called.
    pub(crate) fn really_holds(&self, file: &ReportedFile) -> bool {
        file.path.starts_with(&self.real)
    }
}

/// The folder that files are moved to, which need not be there yet, by its whole path.
pub(crate) fn resolve_destination(folder: &Path) -> Result<PathBuf, Error> {
    let error = |problem| Error::Folder { role: FolderRole::Destination, path: folder.to_owned(), problem };
    let inaccessible = |e| error(FolderProblem::Inaccessible(e));
    let given = absolute(folder).map_err(inaccessible)?;
    for ancestor in given.ancestors() {
        match ancestor.canonicalize() {
            Ok(real) if !real.is_dir() => {
                return Err(error(FolderProblem::NotAFolder(ancestor.to_owned())));
            }
            Ok(real) => {
                let rest = given.strip_prefix(ancestor).unwrap_or(Path::new(""));
                if rest.components().any(|part| part == Component::ParentDir) {
                    return Err(error(FolderProblem::ParentOfMissing));
                }
                return Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) });
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(inaccessible(e)),
        }
    }
    Err(inaccessible(io::ErrorKind::NotFound.into()))
}

/// Checks the folders from `top` down to the one of `file`, without stepping over a symbolic link, and makes those that are missing
/// if it may. Gives the lowest that was there.
pub(crate) fn check_folders(files: &dyn FileSystem, top: &Path, file: &Path, make: bool) -> Result<PathBuf, String> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut chain: Vec<&Path> = folder.ancestors().take_while(|ancestor| ancestor.starts_with(top)).collect();
    // the destination itself may be several folders below what is there
    chain.extend(top.ancestors().skip(1));
    let mut lowest = PathBuf::from("/");
    for ancestor in chain.into_iter().rev() {
        let status = files.look(ancestor).map_err(|e| format!("{}: {e}", id_of(ancestor)))?;
        match status.map(|status| status.kind) {
            Some(FileKind::Folder) => ancestor.clone_into(&mut lowest),
            None if make => match files.make_folder(ancestor) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(format!("cannot make the folder {}: {e}", id_of(ancestor)));
                }
                _ => {}
            },
            None => {}
            Some(_) => return Err(format!("{} is not a folder", id_of(ancestor))),
        }
    }
    Ok(lowest)
}

/// What a symbolic link in `folder` says so that it leads to `file`. Both are whole paths without symbolic links among the folders.
pub(crate) fn relative_path(folder: &Path, file: &Path) -> PathBuf {
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

/// A new name in a folder that nobody else uses.
pub(crate) fn temporary_path(folder: &Path) -> PathBuf {
    // each state is keyed at random by the system
    folder.join(format!("{TEMPORARY_PREFIX}{:016x}", RandomState::new().hash_one(std::process::id())))
}

/// How temporary names begin; 16 hexadecimal digits follow.
const TEMPORARY_PREFIX: &str = ".lookalike-act-";

/// Whether a name is one that [`temporary_path`] gives.
pub(crate) fn is_temporary(path: &Path) -> bool {
    let digits = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(TEMPORARY_PREFIX));
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

/// Whether a name is one that [`temporary_path`] gives in the folder of `file`.
pub(crate) fn is_temporary_beside(path: &Path, file: &Path) -> bool {
    is_temporary(path) && path.parent() == file.parent()
}

/// Whether a path leads from the root to a file, without a step back.
pub(crate) fn is_whole(path: &Path) -> bool {
    let is_plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
    path.is_absolute() && path.file_name().is_some() && path.components().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative() {
        let to = |folder: &str, file: &str| relative_path(Path::new(folder), Path::new(file)).display().to_string();
        assert_eq!(to("/a/b", "/a/b/x"), "x");
        assert_eq!(to("/a/b", "/a/x"), "../x");
        assert_eq!(to("/a/b/c", "/a/d/x"), "../../d/x");
        assert_eq!(to("/", "/x"), "x");
        assert_eq!(to("/a", "/ab/x"), "../ab/x");
    }

    #[test]
    fn nothing_leads_out_of_the_destination() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("in")).unwrap();
        let below = |id: &str| ReportedFile::new(id, Some(&base.join("in"))).unwrap().below(Path::new("/to"));
        let whole = |name: &str| Path::new("/to").join(base.strip_prefix("/").unwrap()).join(name);
        assert_eq!(below("a.txt"), Path::new("/to/a.txt"));
        assert_eq!(below("./a.txt"), Path::new("/to/a.txt"));
        assert_eq!(below("../a.txt"), whole("a.txt"));
        assert_eq!(below("../in/../a.txt"), whole("a.txt"));
        assert_eq!(below(&base.join("a.txt").display().to_string()), whole("a.txt"));
        assert!(ReportedFile::new("..", Some(&base)).is_err());
        assert!(ReportedFile::new("a.txt", None).is_err());
    }

    #[test]
    fn temporary_names_differ() {
        assert_ne!(temporary_path(Path::new("/a")), temporary_path(Path::new("/a")));
    }
}
