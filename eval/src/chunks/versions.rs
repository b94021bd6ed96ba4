//! Documentation in versions: the same page in one version and in the next.

use super::tree;
use crate::cache::Cache;
use crate::index::moved::{Set, unpacked as unpacked_moved};
use crate::quality::unpacked as unpacked_text;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Pages, and which of them are one page in two versions in a row.
#[derive(Default)]
pub(super) struct Versions {
    pub(super) name: String,
    pub(super) pages: Vec<Vec<u8>>,
    pub(super) pairs: Vec<(u32, u32)>,
}

/// Every version by its rank, with its pages by name.
type Shelf = BTreeMap<(u32, u32), BTreeMap<String, Vec<u8>>>;

/// The sets that are at hand. `quick`: one that is small.
pub(super) fn all(data: &Path, cache: &Cache, quick: bool) -> Result<Vec<Versions>> {
    let mut found = vec![moved("githubdocs", data, cache)?];
    if !quick {
        found.push(moved("openshiftdocs", data, cache)?);
        found.extend(crdb(data, cache)?);
        found.push(debian(&tree::unpacked(data, cache)?)?);
    }
    Ok(found)
}

impl Versions {
    /// Pairs of pages with the same name in two versions in a row. `also` has pages that changed their name on the way.
    fn of(name: &str, shelf: Shelf, also: impl Fn(usize, &str) -> Option<String>) -> Self {
        let mut versions = Self { name: name.to_owned(), ..Self::default() };
        let mut before: BTreeMap<String, u32> = BTreeMap::new();
        for (at, pages) in shelf.into_values().enumerate() {
            let first = versions.pages.len() as u32;
            let names: BTreeMap<String, u32> = pages.keys().cloned().zip(first..).collect();
            versions.pages.extend(pages.into_values());
            for (name, old) in &before {
                let new = names.get(name).or_else(|| names.get(&also(at, name)?));
                versions.pairs.extend(new.map(|new| (*old, *new)));
            }
            before = names;
        }
        versions
    }
}

fn for_each_page(file: &Path, mut each: impl FnMut(String, Vec<u8>)) -> Result<()> {
    #[derive(Deserialize)]
    struct Page {
        id: String,
        text: String,
    }
    let reader = BufReader::new(File::open(file).with_context(|| format!("cannot read {}", file.display()))?);
    for line in reader.lines() {
        let page: Page = serde_json::from_str(&line?).with_context(|| file.display().to_string())?;
        each(page.id, page.text.into_bytes());
    }
    Ok(())
}

/// Snapshots of a site; version control tells which pages moved.
fn moved(name: &str, data: &Path, cache: &Cache) -> Result<Versions> {
    let set = Set::read(name, &unpacked_moved(name, data, &cache.path(""))?)?;
    let mut shelf = Shelf::new();
    for (rank, (_, file)) in set.snapshots.iter().enumerate() {
        let pages = shelf.entry((rank as u32, 0)).or_default();
        for_each_page(file, |id, text| drop(pages.insert(id, text)))?;
    }
    let also = |at: usize, old: &str| {
        let to = &set.snapshots[at].0;
        set.moved.iter().find(|moved| moved.to == *to && moved.old == old).map(|moved| moved.new.clone())
    };
    Ok(Versions::of(name, shelf, also))
}

/// Pages `v23.1/name.md`, every version whole.
fn crdb(data: &Path, cache: &Cache) -> Result<Option<Versions>> {
    const NAME: &str = "crdb-versions";
    let Some(folder) = unpacked_text(NAME, data, &cache.path(""))? else { return Ok(None) };
    let mut shelf = Shelf::new();
    for_each_page(&folder.join("docs.jsonl"), |id, text| {
        if let Some((version, name)) = numbered(&id) {
            shelf.entry(version).or_default().insert(name.to_owned(), text);
        }
    })?;
    Ok(Some(Versions::of(NAME, shelf, |_, _| None)))
}

/// `v23.1/name.md` as (23, 1) and the name.
fn numbered(id: &str) -> Option<((u32, u32), &str)> {
    let (version, name) = id.strip_prefix('v')?.split_once('/')?;
    let (major, minor) = version.split_once('.')?;
    Some(((major.parse().ok()?, minor.parse().ok()?), name))
}

/// The HTML set: packages of several releases of Debian, each package a shelf of its own.
fn debian(folder: &Path) -> Result<Versions> {
    const RELEASES: [&str; 4] = ["bullseye", "bookworm", "trixie", "sid"];
    let mut shelves: BTreeMap<String, Shelf> = BTreeMap::new();
    for path in tree::packages(folder, None)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((release, package)) = name.split_once("__").and_then(|(r, p)| Some((r, p.split('_').next()?))) else {
            continue;
        };
        let Some(rank) = RELEASES.iter().position(|known| *known == release) else { continue };
        let pages = shelves.entry(unnumbered(package)).or_default().entry((rank as u32, 0)).or_default();
        for file in tree::files(std::slice::from_ref(&path))? {
            let inside = file.strip_prefix(&path)?.to_string_lossy().replace(package, &unnumbered(package));
            pages.insert(inside, fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
        }
    }
    let mut all = Versions { name: "debian".to_owned(), ..Versions::default() };
    for (name, shelf) in shelves {
        let versions = Versions::of(&name, shelf, |_, _| None);
        let first = all.pages.len() as u32;
        all.pages.extend(versions.pages);
        all.pairs.extend(versions.pairs.iter().map(|(a, b)| (first + a, first + b)));
    }
    Ok(all)
}

/// `postgresql-doc-15` and `postgresql-doc-17` are the same package.
fn unnumbered(package: &str) -> String {
    package.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_of_versions_in_a_row() {
        let page = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let shelf = Shelf::from([
            ((9, 1), BTreeMap::from([page("a", "a1"), page("b", "b1"), page("c", "c1")])),
            ((10, 1), BTreeMap::from([page("a", "a2"), page("d", "b2")])),
            ((10, 2), BTreeMap::from([page("a", "a3"), page("c", "c3")])),
        ]);
        let versions = Versions::of("x", shelf, |at, name| (at == 1 && name == "b").then(|| "d".to_owned()));
        let text = |at: u32| String::from_utf8_lossy(&versions.pages[at as usize]).into_owned();
        let pairs: Vec<(String, String)> = versions.pairs.iter().map(|(a, b)| (text(*a), text(*b))).collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(pairs, [pair("a1", "a2"), pair("b1", "b2"), pair("a2", "a3")]);
    }

    #[test]
    fn names_and_numbers() {
        assert_eq!(numbered("v23.1/a/b.md"), Some(((23, 1), "a/b.md")));
        assert_eq!(numbered("23.1/a.md"), None);
        assert_eq!(unnumbered("postgresql-doc-15"), unnumbered("postgresql-doc-17"));
        assert_eq!(unnumbered("tomcat10-docs"), "tomcat-docs");
    }

    #[test]
    fn packages_become_versions() {
        let folder = tempfile::tempdir().unwrap();
        for (package, file, text) in [
            ("bookworm__pg-doc-15_15.1_all", "doc/pg-doc-15/a.html", "old"),
            ("trixie__pg-doc-17_17.1_all", "doc/pg-doc-17/a.html", "new"),
            ("bookworm__other_1_all", "doc/a.html", "other"),
        ] {
            let path = folder.path().join(package).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let versions = debian(folder.path()).unwrap();
        assert_eq!(versions.pages.len(), 3);
        let [(old, new)] = versions.pairs[..] else { panic!("{:?}", versions.pairs) };
        assert_eq!((&versions.pages[old as usize][..], &versions.pages[new as usize][..]), (&b"old"[..], &b"new"[..]));
    }
}
