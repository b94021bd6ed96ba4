//! Files and folders that lookalike wrote: results of this run and of earlier ones. A walk leaves them out and reports them.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::skipped::Reason;

/// The file that marks a result of dedup, and its text. The first word is what a walk looks for.
pub const RESULT_MARKER: (&str, &str) =
    (".lookalike", "lookalike: this folder is a result of dedup. A run that reads a folder around it leaves it out.\n");

/// The names of temporary files and folders begin with this.
const TEMPORARY: &str = ".lookalike-";

/// Bytes of a file that decide whether lookalike wrote it.
const HEAD: u64 = 256;

/// Folders of lookalike: a file that each has, what the file begins with, what else its first bytes contain, and the kind of the folder.
const FOLDERS: [(&str, &str, &str, &str); 5] = [
    (RESULT_MARKER.0, "lookalike: ", "", RESULT),
    ("run.json", "{", "\"lookalike\":", "a saved run"),
    ("manifest.json", "{\n  \"format\": ", "\"generation\": ", "an index or a store of fingerprints"),
    ("work/run.step", "{\"checksum\":\"", "", "an unfinished run of dedup"),
    (".ignore", "![!.]*\n", "", FETCHED),
];

/// The kind of a folder that holds a new corpus.
pub(crate) const RESULT: &str = "a result of dedup";
/// The kind of a folder that a run reads in place of what it fetched.
const FETCHED: &str = "objects that a run fetched";

/// The files and folders of this run, by path.
#[derive(Debug, Default)]
pub(crate) struct OwnFiles {
    /// Their last names: most files of a walk have another.
    names: HashSet<OsString>,
    paths: HashSet<PathBuf>,
}

impl OwnFiles {
    pub(crate) fn new(paths: &[PathBuf]) -> OwnFiles {
        let paths: HashSet<PathBuf> = paths.iter().flat_map(|path| whole_paths(path)).collect();
        let names = paths.iter().filter_map(|path| path.file_name()).map(OsString::from).collect();
        OwnFiles { names, paths }
    }

    /// Whether this run writes to the path. The path may not exist yet.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        let has_name = path.file_name().is_some_and(|name| self.names.contains(name));
        (has_name || !self.names.is_empty() && path.is_symlink())
            && whole_paths(path).iter().any(|path| self.paths.contains(path))
    }

    /// What an input is, if it is a folder that lookalike wrote and does not read.
    pub(crate) fn kind_of_input(path: &Path) -> Option<&'static str> {
        kind_of_folder(path).filter(|kind| *kind != FETCHED)
    }

    /// Why an entry of a folder is left out, if lookalike wrote it.
    pub(crate) fn reason(&self, path: &Path, is_folder: bool) -> Option<Reason> {
        if self.contains(path) {
            return Some(Reason::Own("it belongs to this run"));
        }
        if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes())) {
            return Some(Reason::Own("a temporary file"));
        }
        if is_folder { kind_of_folder(path).map(Reason::Own) } else { None }
    }
}

/// Whether this is a folder that dedup made, and no link to one.
pub fn is_result(folder: &Path) -> bool {
    let (file, start, part, _) = FOLDERS[0];
    folder.symlink_metadata().is_ok_and(|found| found.is_dir()) && has_head(&folder.join(file), start, part)
}

/// A path without links, by its own name and by the name of what it leads to.
fn whole_paths(path: &Path) -> Vec<PathBuf> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let own = parent.canonicalize().ok().zip(path.file_name()).map(|(parent, name)| parent.join(name));
    [own, path.canonicalize().ok()].into_iter().flatten().collect()
}

/// The kind of a folder that lookalike wrote.
fn kind_of_folder(folder: &Path) -> Option<&'static str> {
    let is_ours = |(file, start, part, _): &&(&str, &str, &str, &str)| has_head(&folder.join(file), start, part);
    FOLDERS.iter().find(is_ours).map(|(.., kind)| *kind)
}

/// Whether the first bytes of a regular file begin so and contain this.
fn has_head(file: &Path, start: &str, part: &str) -> bool {
    let contains = |head: &[u8]| part.is_empty() || head.windows(part.len()).any(|at| at == part.as_bytes());
    head(file).is_some_and(|head| head.starts_with(start.as_bytes()) && contains(&head))
}

/// The first bytes of a regular file.
fn head(path: &Path) -> Option<Vec<u8>> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_known_by_what_is_in_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let kind = |file: &str, text: &str| {
            let folder = dir.path().join("folder");
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("work")).unwrap();
            fs::write(folder.join(file), text).unwrap();
            kind_of_folder(&folder)
        };
        assert_eq!(kind(RESULT_MARKER.0, RESULT_MARKER.1), Some("a result of dedup"));
        assert_eq!(kind("manifest.json", "{\n  \"format\": 1,\n  \"generation\": 4"), Some(FOLDERS[2].3));
        assert_eq!(kind("manifest.json", "{\n  \"format\": 1,\n  \"name\": \"an extension\""), None);
        assert_eq!(kind("manifest.json", "{\"manifest_version\": 3}"), None);
        assert_eq!(kind("run.json", "{\"scripts\": {}}"), None);
        assert_eq!(kind("work/run.step", "{\"checksum\":\"00\",\"contents\":[]}"), Some(FOLDERS[3].3));
        assert_eq!(kind("summary.json", "{}"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_is_known_through_links() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let own = OwnFiles::new(&[link.join("report.html")]);
        assert!(own.contains(&real.join("report.html")), "it does not exist yet");
        assert!(!own.contains(&dir.path().join("report.html")));
        fs::write(real.join("report.html"), "").unwrap();
        std::os::unix::fs::symlink(real.join("report.html"), dir.path().join("other")).unwrap();
        assert!(own.contains(&dir.path().join("other")));
    }
}
