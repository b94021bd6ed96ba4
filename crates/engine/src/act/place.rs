//! Where files are: ids become whole paths, folders hold files, and what is moved gets its place.

use super::files::{Files, Kind};
use crate::Error;
use lookalike_corpus::{id_of, path_of};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Component, Path, PathBuf, absolute};

/// A file of a report, by its whole path.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) id: String,
    /// As it is called, from the root on.
    given: PathBuf,
    /// The same without symbolic links among the folders. The last part is as it is called.
    pub(super) path: PathBuf,
}

impl Placed {
    /// Finds the place of a file; the reason if there can be none.
    pub(super) fn new(id: &str, base: Option<&Path>) -> Result<Self, io::Error> {
        let called = path_of(id);
        let given = match base {
            Some(base) => base.join(&called),
            None if called.is_absolute() => called.clone(),
            None => return Err(io::Error::other("the report does not say in which folder it is")),
        };
        let name = given.file_name().ok_or_else(|| io::Error::other("is no name of a file"))?.to_owned();
        let folder = given.parent().unwrap_or(Path::new("/")).canonicalize()?;
        Ok(Self { id: id.to_owned(), path: folder.join(name), given })
    }

    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// Where it comes below a folder: as it is called, or by its whole path where that would lead out.
    pub(super) fn below(&self, folder: &Path) -> PathBuf {
        let called = path_of(&self.id);
        let leads_out = called.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        let within = if leads_out { &self.path } else { &called };
        let parts = within.components().filter(|part| matches!(part, Component::Normal(_)));
        folder.join(parts.collect::<PathBuf>())
    }
}

/// A folder that is there.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    given: PathBuf,
    real: PathBuf,
}

impl Folder {
    pub(super) fn new(flag: &str, folder: &Path) -> Result<Self, Error> {
        let wrong = |reason: &str| Error::Options(format!("{flag} {}: {reason}", folder.display()));
        match folder.canonicalize() {
            Ok(real) if real.is_dir() => Ok(Self { given: absolute(folder).map_err(|e| wrong(&e.to_string()))?, real }),
            Ok(_) => Err(wrong("is no folder; name one")),
            Err(e) => Err(wrong(&format!("{e}; name a folder that is there"))),
        }
    }

    /// Whether a file is below it, by what it is called or by where it really is.
    pub(super) fn holds(&self, file: &Placed) -> bool {
        file.given.starts_with(&self.given) || file.path.starts_with(&self.real)
    }
}

/// The folder that files are moved to, which need not be there yet, by its whole path.
pub(super) fn destination(folder: &Path) -> Result<PathBuf, Error> {
    let wrong = |reason: String| Error::Options(format!("--move {}: {reason}", folder.display()));
    let given = absolute(folder).map_err(|e| wrong(e.to_string()))?;
    for ancestor in given.ancestors() {
        match ancestor.canonicalize() {
            Ok(real) if !real.is_dir() => {
                return Err(wrong(format!("{} is no folder; name another", ancestor.display())));
            }
            Ok(real) => {
                let rest = given.strip_prefix(ancestor).unwrap_or(Path::new(""));
                if rest.components().any(|part| part == Component::ParentDir) {
                    return Err(wrong("has .. after a folder that is not there; make it first".to_owned()));
                }
                return Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) });
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(wrong(e.to_string())),
        }
    }
    Err(wrong("has no place".to_owned()))
}

/// Checks the folders from `top` down to the one of `file`, without stepping over a symbolic link, and makes those that are missing
/// if it may. Gives the lowest that was there.
pub(super) fn folders(files: &dyn Files, top: &Path, file: &Path, make: bool) -> Result<PathBuf, String> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut chain: Vec<&Path> = folder.ancestors().take_while(|ancestor| ancestor.starts_with(top)).collect();
    // the destination itself may be several folders below what is there
    chain.extend(top.ancestors().skip(1));
    let mut lowest = PathBuf::from("/");
    for ancestor in chain.into_iter().rev() {
        let seen = files.look(ancestor).map_err(|e| format!("{}: {e}", id_of(ancestor)))?;
        match seen.map(|seen| seen.kind) {
            Some(Kind::Folder) => ancestor.clone_into(&mut lowest),
            None if make => match files.make_folder(ancestor) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(format!("cannot make the folder {}: {e}", id_of(ancestor)));
                }
                _ => {}
            },
            None => {}
            Some(_) => return Err(format!("{} is no folder", id_of(ancestor))),
        }
    }
    Ok(lowest)
}

/// What a symbolic link in `folder` says so that it leads to `file`. Both are whole paths without symbolic links among the folders.
pub(super) fn relative(folder: &Path, file: &Path) -> PathBuf {
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

/// A new name in a folder that nobody else uses.
pub(super) fn temporary(folder: &Path) -> PathBuf {
    // each state is keyed at random by the system
    folder.join(format!(".lookalike-act-{:016x}", RandomState::new().hash_one(std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative() {
        let to = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file)).display().to_string();
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
        let below = |id: &str| Placed::new(id, Some(&base.join("in"))).unwrap().below(Path::new("/to"));
        let whole = |name: &str| Path::new("/to").join(base.strip_prefix("/").unwrap()).join(name);
        assert_eq!(below("a.txt"), Path::new("/to/a.txt"));
        assert_eq!(below("./a.txt"), Path::new("/to/a.txt"));
        assert_eq!(below("../a.txt"), whole("a.txt"));
        assert_eq!(below("../in/../a.txt"), whole("a.txt"));
        assert_eq!(below(&base.join("a.txt").display().to_string()), whole("a.txt"));
        assert!(Placed::new("..", Some(&base)).is_err());
        assert!(Placed::new("a.txt", None).is_err());
    }

    #[test]
    fn temporary_names_differ() {
        assert_ne!(temporary(Path::new("/a")), temporary(Path::new("/a")));
    }
}
