//! Folders of files: the large set of HTML pages, and what the parts of it are.

use crate::archive;
use crate::cache::Cache;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// What the archive with the set is called, and the folder in it.
const ARCHIVE: &str = "big_hpcore.tar.zst";
const INSIDE: &str = "hp";

/// The folder of the set; unpacks it first if it is not there.
pub(super) fn unpacked(data: &Path, cache: &Cache) -> Result<PathBuf> {
    let folder = cache.path("big").join(INSIDE);
    if !folder.exists() {
        let archive = data.join(ARCHIVE);
        ensure!(archive.is_file(), "{} is not there: name the folder that has it with --data", archive.display());
        super::note(&format!("unpacking {ARCHIVE}"));
        archive::unpack(&archive, INSIDE, &folder)?;
    }
    Ok(folder)
}

/// The parts of the set, one folder for each package, sorted; with `some` only those whose name has it.
pub(super) fn packages(folder: &Path, some: Option<&str>) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && some.is_none_or(|some| name.contains(some)) {
            found.push(entry.path());
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// All files below the folders, sorted. Symbolic links are left out.
pub(super) fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = folders.to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_packages_are_found_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["b/x/2.html", "b/1.html", "a-git-1/3.html", "c.txt"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let names = |paths: Vec<PathBuf>| -> Vec<String> {
            let name = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned();
            paths.iter().map(name).collect()
        };
        let all = packages(folder.path(), None).unwrap();
        assert_eq!(names(files(&all).unwrap()), ["a-git-1/3.html", "b/1.html", "b/x/2.html"]);
        assert_eq!(names(packages(folder.path(), Some("git")).unwrap()), ["a-git-1"]);
    }
}
