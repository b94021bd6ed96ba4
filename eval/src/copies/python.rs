//! Python files of this machine, a seeded choice: real programs that anybody has. Where there are too few, some with functions in another order.

use super::note;
use super::scores::shuffle_first;
use crate::cache::Cache;
use crate::facts;
use crate::generate::Random;
use anyhow::{Context, Result};
use rustc_hash::FxHashSet;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

const SEED: u64 = 500;
/// Bytes of a file in the mean: 500 files of 5.8 MB.
const MEAN: u64 = 11_600;
/// Files below and above are left out.
const LEAST: u64 = 1_000;
const MOST: u64 = 200_000;

/// A folder with so many files.
pub(super) fn made(cache: &Cache, count: usize) -> Result<PathBuf> {
    let folder = cache.path(&format!("python-{count}"));
    if folder.exists() {
        return Ok(folder);
    }
    note(&format!("choosing {count} Python files"));
    let mut files = Vec::new();
    for root in roots() {
        collect(&root, &mut files);
    }
    files.sort();
    files.dedup();
    let mut random = Random::at(SEED, 0, 0);
    let all = files.len();
    shuffle_first(&mut files, all, &mut random);
    let beside = tempfile::tempdir_in(cache.path(""))?;
    let (mut seen, mut chosen, mut total) = (FxHashSet::default(), Vec::new(), 0);
    for (path, size) in &files {
        // a file that is too long for the mean has to wait for short ones before it
        let room = (chosen.len() as u64 + 1) * MEAN + MOST / 2;
        if chosen.len() == count || total + size > room {
            continue;
        }
        let Ok(text) = fs::read_to_string(path) else { continue };
        if seen.insert(xxh3_64(text.as_bytes())) {
            total += size;
            fs::write(beside.path().join(name(chosen.len(), path)), text)?;
            chosen.push(path);
        }
    }
    anyhow::ensure!(!chosen.is_empty(), "no Python files: is python3 installed?");
    for number in chosen.len()..count {
        let path = chosen[number % chosen.len()];
        let text = reordered(&fs::read_to_string(path)?, number as u64);
        fs::write(beside.path().join(name(number, path)), text)?;
    }
    fs::rename(beside.keep(), &folder)?;
    Ok(folder)
}

fn name(number: usize, path: &Path) -> String {
    format!("{number:05}_{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Where Python keeps its library and its packages.
fn roots() -> Vec<PathBuf> {
    let ask = "import sysconfig; print(sysconfig.get_paths()['stdlib']); print(sysconfig.get_paths()['purelib'])";
    let told = facts::all_output("python3", &["-c", ask]).unwrap_or_default();
    let mut roots: Vec<PathBuf> = told.lines().map(PathBuf::from).collect();
    roots.push("/usr/lib/python3".into());
    roots
}

/// Python files below a folder, with their sizes. What cannot be read is not there.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, u64)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        if kind.is_dir() {
            collect(&path, files);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "py") {
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            files.extend((LEAST..=MOST).contains(&size).then_some((path, size)));
        }
    }
}

/// The same with its parts in another order and names that end in a number: a part begins where a line begins with `def` or `class`.
fn reordered(text: &str, number: u64) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    for line in text.split_inclusive('\n') {
        let named = ["def ", "class "].into_iter().find_map(|word| Some((word, line.strip_prefix(word)?)));
        if let Some((word, rest)) = named {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            parts.push(format!("{word}{}_{number}{}", &rest[..end], &rest[end..]));
        } else if let Some(part) = parts.last_mut() {
            part.push_str(line);
        }
    }
    let rest = parts.len() - 1;
    shuffle_first(&mut parts[1..], rest, &mut Random::at(SEED, 1, number));
    parts.concat()
}

/// Files and bytes of a folder, all read once, so that all contenders read from memory.
pub(super) fn warm(folder: &Path) -> Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        bytes += fs::read(entry?.path())?.len() as u64;
        files += 1;
    }
    Ok((files, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_change_places_and_nothing_is_lost() {
        let functions: String =
            (0..20).flat_map(|n| [format!("def f{n}(x):\n"), format!("    return x + {n}\n\n")]).collect();
        let text = format!("import os\n\n{functions}");
        let copy = reordered(&text, 7);
        assert!(copy.starts_with("import os\n\ndef f") && copy.contains("def f3_7(x):\n    return x + 3\n"), "{copy}");
        assert_ne!(copy.replace("_7(", "("), text);
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&copy.replace("_7(", "(")), lines(&text));
    }
}
