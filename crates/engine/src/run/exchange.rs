//! The exchange file: names, lengths and fingerprints of documents that stay where they are.
//!
//! A spool: first a line of JSON that tells what it is, then a record for each document. Every record has its checksum, and the head tells
//! how many there are. What is in a record is the matter of the lens: `chunks/exchange.rs`, `shingles.rs`.

use crate::Error;
use crate::error::ExchangeError;
use crate::report::Skip;
use lookalike_core::lens::Lens;
use lookalike_corpus::{Input, put_varint, take_varint};
use lookalike_store::{Cancel, Spool, SpoolReader};
use serde::{Deserialize, Serialize};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How every exchange file begins, after the head of its first record.
const MAGIC: &[u8] = b"{\"lookalike_exchange\":";
const RECORD_HEAD_BYTES: usize = 12;
const FORMAT_VERSION: u32 = 2;
/// Bytes of the longest id: as long as those of JSON lines may be.
const MAX_ID: usize = 1 << 16;

/// How an exchange file calls documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// By their ids.
    #[default]
    Plain,
    /// By a hash of each part of the path, keyed if there is a key.
    Hashed,
}

/// What a new exchange file holds.
#[derive(Clone, Debug, Serialize)]
pub struct ExchangeSummary {
    /// Documents in it.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Their chunks, or the shingles that their sketches keep.
    pub features: u64,
    /// Bytes of the file.
    pub written: u64,
    /// How they were made.
    pub recipe: String,
    /// What was left out, and why.
    pub skipped: Vec<Skip>,
}

impl ExchangeSummary {
    /// Of a file that was just written, with its documents, bytes and features.
    pub fn of(
        out: &Path,
        recipe: String,
        (documents, bytes, features): (u64, u64, u64),
        skipped: Vec<Skip>,
    ) -> Result<Self, Error> {
        let failed = |source| lookalike_store::Error::Read { what: out.display().to_string(), source };
        let written = std::fs::metadata(out).map_err(failed)?.len();
        Ok(Self { documents, bytes, features, written, recipe, skipped })
    }
}

/// What is in the file.
#[derive(Serialize, Deserialize)]
pub struct Header {
    pub lookalike_exchange: u32,
    pub lookalike: String,
    pub lens: Lens,
    pub recipe: String,
    pub names: String,
    pub documents: u64,
    pub bytes: u64,
    pub features: u64,
    /// Documents without a byte, which have no record.
    pub empty: u64,
}

impl Header {
    pub fn new(lens: Lens, recipe: &str, names: Names) -> Self {
        Self {
            lookalike_exchange: FORMAT_VERSION,
            lookalike: env!("CARGO_PKG_VERSION").to_owned(),
            lens,
            recipe: recipe.to_owned(),
            names: if names == Names::Plain { "plain" } else { "hashed" }.to_owned(),
            documents: 0,
            bytes: 0,
            features: 0,
            empty: 0,
        }
    }

    /// Begins a spool.
    pub fn begin(&self, spool: &mut Spool) -> Result<(), Error> {
        spool.append(&serde_json::to_vec(self).expect("plain data"))?;
        Ok(())
    }
}

/// Whether a file begins as an exchange file does.
pub fn is_exchange(path: &Path) -> bool {
    let mut begins = [0; RECORD_HEAD_BYTES + MAGIC.len()];
    let read = std::fs::metadata(path).is_ok_and(|m| m.is_file())
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begins)).is_ok();
    read && &begins[RECORD_HEAD_BYTES..] == MAGIC
}

/// Exchange files, and the other inputs.
pub fn divide(inputs: Vec<Input>) -> (Vec<PathBuf>, Vec<Input>) {
    let (mut exchanged, mut others) = (Vec::new(), Vec::new());
    for input in inputs {
        match input {
            Input::Path(path) if is_exchange(&path) => exchanged.push(path),
            other => others.push(other),
        }
    }
    (exchanged, others)
}

/// The lens of an exchange file.
pub fn lens_of(path: &Path) -> Result<Lens, Error> {
    Ok(header(path)?.lens)
}

/// Fails if an exchange file is of another lens.
pub fn check_lens(path: &Path, lens: Lens) -> Result<(), Error> {
    let found = lens_of(path)?;
    if found == lens {
        return Ok(());
    }
    Err(Error::Exchange { path: path.to_owned(), reason: ExchangeError::WrongLens { expected: lens, found } })
}

fn header(path: &Path) -> Result<Header, Error> {
    let wrong = |reason| Error::Exchange { path: path.to_owned(), reason };
    if !is_exchange(path) {
        return Err(wrong(ExchangeError::NoExchangeFile));
    }
    let mut record = Vec::new();
    SpoolReader::open(path, 0)?.read(0, &mut record)?;
    let header: Header = serde_json::from_slice(&record)
        .map_err(|e| wrong(ExchangeError::Damaged(format!("its head cannot be read: {e}"))))?;
    if header.lookalike_exchange != FORMAT_VERSION {
        let found = header.lookalike_exchange;
        return Err(wrong(ExchangeError::WrongVersion { expected: FORMAT_VERSION, found }));
    }
    Ok(header)
}

/// Calls `each` with the id of every document of a file and the rest of its record; `each` returns false if that cannot be decoded. Ids stand
/// under `folder`, if one is given; the recipe must be `recipe`, if one is given.
pub fn read(
    path: &Path,
    (lens, recipe): (Lens, Option<&str>),
    folder: Option<&str>,
    cancel: &Cancel,
    mut each: impl FnMut(String, &[u8]) -> Result<bool, Error>,
) -> Result<Header, Error> {
    check_lens(path, lens)?;
    let header = header(path)?;
    if let Some(recipe) = recipe.filter(|recipe| *recipe != header.recipe) {
        let (expected, found) = (recipe.to_owned(), header.recipe);
        return Err(Error::WrongRecipe { path: path.to_owned(), expected, found });
    }
    let mut number = 0u64;
    SpoolReader::open(path, header.documents.saturating_add(1))?.for_each(|record| {
        cancel.check()?;
        number += 1;
        if number == 1 {
            return Ok(());
        }
        let corrupt = || {
            let what = format!("name, length and features of document {} do not fit together", number - 1);
            Error::Exchange { path: path.to_owned(), reason: ExchangeError::Damaged(what) }
        };
        let (id, rest) = take_id(record).ok_or_else(corrupt)?;
        let id = folder.map_or_else(|| id.to_owned(), |folder| format!("{folder}/{}", id.trim_start_matches('/')));
        if each(id, rest)? { Ok(()) } else { Err(corrupt()) }
    })?;
    Ok(header)
}

fn take_id(mut record: &[u8]) -> Option<(&str, &[u8])> {
    let length = usize::try_from(take_varint(&mut record)?).ok().filter(|length| *length <= MAX_ID)?;
    let (id, rest) = record.split_at_checked(length)?;
    Some((std::str::from_utf8(id).ok()?, rest))
}

/// Begins a record with the id of a document.
pub fn put_id(id: &str, names: Names, key: &str, record: &mut Vec<u8>) {
    let id = if names == Names::Plain { id.to_owned() } else { hashed(id, key) };
    record.clear();
    put_varint(id.len() as u64, record);
    record.extend(id.as_bytes());
}

/// A name of which each part is a hash: folders stay folders, and nobody can tell which.
fn hashed(id: &str, key: &str) -> String {
    let key = blake3::derive_key("lookalike 2026 hashed names v1", key.as_bytes());
    let part = |part: &str| {
        if part.is_empty() {
            String::new()
        } else {
            blake3::keyed_hash(&key, part.as_bytes()).to_hex()[..16].to_owned()
        }
    };
    id.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_names_keep_their_folders() {
        let [a, b] = ["docs/a.html", "docs/b.html"].map(|id| hashed(id, "key"));
        let folder = |name: &str| name.rsplit_once('/').unwrap().0.to_owned();
        assert_eq!(folder(&a), folder(&b));
        assert_ne!(a, b);
        assert_ne!(hashed("docs/a.html", "other"), a);
        assert!(hashed("/docs//a", "key").starts_with('/'));
    }
}
