//! The HTML tree: documentation packages of Debian, unpacked. Real pages with real near-copies, and anybody can get them.

use super::debian;
use crate::cache::Cache;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Two releases of three projects are among them, so there are near-copies as people make them.
const PACKAGES: [&str; 10] = [
    "rust-doc",
    "libboost1.74-doc",
    "libboost1.81-doc",
    "libstdc++-11-doc",
    "libstdc++-12-doc",
    "postgresql-doc-15",
    "python3.11-doc",
    "llvm-14-doc",
    "llvm-15-doc",
    "openjdk-17-doc",
];

/// Downloads and unpacks what is not there yet: one folder for each package.
pub(super) fn build(cache: &Cache) -> Result<()> {
    let tree = cache.path("html");
    fs::create_dir_all(&tree)?;
    for package in PACKAGES {
        let folder = tree.join(package);
        if !folder.exists() {
            debian::unpack(package, &cache.path("debs"), &folder)?;
        }
    }
    Ok(())
}

/// All HTML files of the tree as paths relative to it, sorted. Symbolic links are left out: they are nobody's copies.
pub(super) fn files(tree: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e == "html" || e == "htm") {
                let relative = path.strip_prefix(tree).context("a file outside its tree")?;
                found.push(relative.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?.to_owned());
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// A folder with hard links to the first `count` HTML files and nothing else, and beside it their list for `xargs -0`.
pub(super) fn pages(cache: &Cache, count: usize) -> Result<()> {
    build(cache)?;
    let (tree, folder) = (cache.path("html"), cache.path(&format!("pages{count}")));
    if folder.exists() {
        return Ok(());
    }
    let partial = cache.path(&format!("pages{count}.partial"));
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    let mut list = Vec::new();
    for file in files(&tree)?.into_iter().take(count) {
        let link = partial.join(&file);
        fs::create_dir_all(link.parent().context("a file without a folder")?)?;
        fs::hard_link(tree.join(&file), link)?;
        list.extend(file.into_bytes());
        list.push(0);
    }
    fs::write(cache.path(&format!("pages{count}.list")), list)?;
    Ok(fs::rename(partial, folder)?)
}
