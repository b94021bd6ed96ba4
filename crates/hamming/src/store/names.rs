//! What the entries of a store are called, where ids are names: URLs, mostly. The id of an entry is then the place of its name in a file.
//!
//! ```text
//! file     mark, record of the recipe, records of names
//! record   length (4 bytes), xxh3 of what follows and of its place, bytes
//! ```
//!
//! A name is safe before its entry is: names that a crash left without one, whole or cut, are in nobody's way, for only ids lead to them.

use crate::error::Error;
use lookalike_store::{Error as StoreError, atomic};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The file of a store that holds them. It only grows, and entries refer to it.
pub const NAMES_FILE: &str = "names";
const MARK: &[u8] = b"looknam1";
const HEADER: usize = 12;
/// The longest name.
const MAX_NAME: usize = 1 << 20;

/// The names of a store.
#[derive(Debug)]
pub struct StoreNames {
    path: PathBuf,
    file: File,
    /// Where the next name goes.
    end: u64,
    /// Names that are not written yet.
    pending: Vec<u8>,
    recipe: String,
}

impl StoreNames {
    fn path(folder: &Path) -> PathBuf {
        folder.join(NAMES_FILE)
    }

    /// Whether the ids of a store are names.
    pub fn exists(folder: &Path) -> bool {
        Self::path(folder).exists()
    }

    /// Makes the file. The recipe is that of the fingerprints; empty if it is not known.
    pub fn create(folder: &Path, recipe: &str) -> Result<Self, Error> {
        atomic::write(&Self::path(folder), |out| {
            let start = [MARK, &record(recipe, MARK.len() as u64)].concat();
            let what = || Self::path(folder).display().to_string();
            out.write_all(&start).map_err(|source| StoreError::Write { what: what(), source })
        })?;
        Self::open(folder)
    }

    /// Opens the file of a store that has one.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = Self::path(folder);
        let failed = |source| StoreError::Read { what: path.display().to_string(), source };
        let file = OpenOptions::new().read(true).append(true).open(&path).or_else(|error| match error.kind() {
            // who may only look does not add names
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => File::open(&path),
            _ => Err(error),
        });
        let mut file = file.map_err(failed)?;
        let end = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut mark = [0; MARK.len()];
        file.rewind().and_then(|()| file.read_exact(&mut mark)).map_err(failed)?;
        let mut names = Self { path, file, end, pending: Vec::new(), recipe: String::new() };
        if mark != MARK {
            return Err(names.damaged(0, "expected a file of names, found something else"));
        }
        names.recipe = names.name(MARK.len() as u64)?;
        Ok(names)
    }

    /// The recipe of the fingerprints; empty if it is not known.
    pub fn recipe(&self) -> &str {
        &self.recipe
    }

    /// Adds a name. Its id may be used when [`Self::sync`] has returned.
    pub fn add(&mut self, name: &str) -> Result<u64, Error> {
        if name.len() > MAX_NAME {
            let found = format!("a name of {} bytes, expected at most {MAX_NAME}", name.len());
            return Err(self.damaged(self.end, &found));
        }
        let id = self.end;
        self.pending.extend(record(name, id));
        self.end += (HEADER + name.len()) as u64;
        // so that it stays small where very many are added at once
        if self.pending.len() > 1 << 20 { self.write().map(|()| id) } else { Ok(id) }
    }

    fn write(&mut self) -> Result<(), Error> {
        let failed = |source| StoreError::Write { what: self.path.display().to_string(), source };
        self.file.write_all(&self.pending).map_err(failed)?;
        self.pending.clear();
        Ok(())
    }

    /// Returns when all names would survive a crash of the machine; without `disk`, of the program.
    pub fn sync(&mut self, disk: bool) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.write()?;
        let synced = if disk { self.file.sync_data() } else { Ok(()) };
        Ok(synced.map_err(|source| StoreError::Write { what: self.path.display().to_string(), source })?)
    }

    /// The name of an entry.
    pub fn name(&mut self, id: u64) -> Result<String, Error> {
        let read = |file: &mut File, bytes: &mut [u8], at: u64| {
            file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes)).is_ok()
        };
        let mut header = [0; HEADER];
        if !read(&mut self.file, &mut header, id) {
            return Err(self.damaged(id, "expected a name, found the end of the file"));
        }
        let [len, sum @ ..] = bytemuck::pod_read_unaligned::<[u32; 3]>(&header);
        if len as usize > MAX_NAME {
            return Err(self.damaged(id, "expected a name, found something else"));
        }
        let mut bytes = vec![0; len as usize];
        let whole = read(&mut self.file, &mut bytes, id + HEADER as u64)
            && xxh3_64_with_seed(&bytes, id) == u64::from(sum[0]) | u64::from(sum[1]) << 32;
        match String::from_utf8(bytes) {
            Ok(name) if whole => Ok(name),
            _ => Err(self.damaged(id, "a name with another checksum than it was written with")),
        }
    }

    fn damaged(&self, offset: u64, found: &str) -> Error {
        StoreError::Damaged { what: self.path.display().to_string(), offset, found: found.to_owned() }.into()
    }
}

fn record(name: &str, at: u64) -> Vec<u8> {
    let sum = xxh3_64_with_seed(name.as_bytes(), at);
    [&(name.len() as u32).to_le_bytes()[..], &sum.to_le_bytes(), name.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_are_there_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!StoreNames::exists(folder.path()));
        let mut names = StoreNames::create(folder.path(), "a recipe").unwrap();
        let ids: Vec<u64> = ["http://a.example/", "", "ü"].iter().map(|name| names.add(name).unwrap()).collect();
        names.sync(true).unwrap();
        drop(names);
        // what a crash left at the end
        let path = StoreNames::path(folder.path());
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], &[7, 0, 0]].concat()).unwrap();
        let mut names = StoreNames::open(folder.path()).unwrap();
        let later = names.add("later").unwrap();
        names.sync(true).unwrap();
        assert_eq!(names.recipe(), "a recipe");
        let all: Vec<String> = ids.iter().chain([&later]).map(|id| names.name(*id).unwrap()).collect();
        assert_eq!(all, ["http://a.example/", "", "ü", "later"]);
    }

    /// No flipped bit gives another name.
    #[test]
    fn damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let mut names = StoreNames::create(folder.path(), "r").unwrap();
        let id = names.add("http://a.example/").unwrap();
        names.sync(true).unwrap();
        let path = StoreNames::path(folder.path());
        let whole = fs::read(&path).unwrap();
        for at in id as usize..whole.len() {
            for bit in [0, 7] {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                fs::write(&path, &bytes).unwrap();
                assert!(StoreNames::open(folder.path()).unwrap().name(id).is_err(), "byte {at}");
            }
        }
        assert!(names.name(id + 1).is_err());
    }
}
