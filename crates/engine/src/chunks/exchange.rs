//! The exchange file: names, lengths and chunk hashes of documents that stay where they are.
//!
//! A spool: first a line of JSON that tells what it is, then a record for each document. Every record has its checksum.

use super::lists;
use super::options::Names;
use super::reading::{Chunked, Collector, Read};
use crate::pipeline::catalogue::Entry;
use crate::{Error, StoreError};
use lookalike_corpus::{Place, put_varint, take_varint};
use lookalike_store::{Spool, SpoolReader};
use serde::{Deserialize, Serialize};
use std::io::Read as _;
use std::path::Path;

/// How every exchange file begins, after the head of its first record.
const BEGINS: &[u8] = b"{\"lookalike_exchange\":";
const HEAD: usize = 12;
const FORM: u32 = 1;

/// What is in the file.
#[derive(Serialize, Deserialize)]
struct Header {
    lookalike_exchange: u32,
    lookalike: String,
    recipe: String,
    names: String,
    documents: u64,
    bytes: u64,
    chunks: u64,
    empty: u64,
}

/// Whether a file begins as an exchange file does.
pub fn is_exchange(path: &Path) -> bool {
    let mut begins = [0; HEAD + BEGINS.len()];
    let read = std::fs::metadata(path).is_ok_and(|m| m.is_file())
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begins)).is_ok();
    read && &begins[HEAD..] == BEGINS
}

/// Writes the file: `path` must not be there yet.
pub(crate) fn write(path: &Path, chunked: &Chunked, recipe: &str, names: Names, key: &str) -> Result<(), Error> {
    let mut spool = Spool::create(path)?;
    let header = Header {
        lookalike_exchange: FORM,
        lookalike: env!("CARGO_PKG_VERSION").to_owned(),
        recipe: recipe.to_owned(),
        names: if names == Names::Plain { "plain" } else { "hashed" }.to_owned(),
        documents: chunked.catalogue.len() as u64,
        bytes: chunked.catalogue.bytes,
        chunks: chunked.chunks,
        empty: chunked.empty,
    };
    spool.append(&serde_json::to_vec(&header).expect("plain data"))?;
    let (mut record, mut list) = (Vec::new(), Vec::new());
    let mut document = 0;
    chunked.catalogue.for_each_entry(|entry| {
        let id = if names == Names::Plain { entry.id } else { hashed(&entry.id, key) };
        record.clear();
        put_varint(id.len() as u64, &mut record);
        record.extend(id.as_bytes());
        put_varint(entry.bytes, &mut record);
        chunked.catalogue.sketches.read(chunked.catalogue.sketch_places[document], &mut list)?;
        record.extend(&list);
        document += 1;
        spool.append(&record).map(drop)
    })?;
    spool.finish()?;
    Ok(())
}

/// A name of which each part is a hash: folders stay folders, and nobody can tell which.
fn hashed(id: &str, key: &str) -> String {
    let key = blake3::derive_key("lookalike 2026 hashed names v1", key.as_bytes());
    let part = |part: &str| {
        if part.is_empty() { String::new() } else { blake3::keyed_hash(&key, part.as_bytes()).to_hex()[..16].to_owned() }
    };
    id.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Takes over the documents of an exchange file, under the name of a folder if one is given; its recipe, which must be `recipe` if one is given.
pub(crate) fn read(
    path: &Path,
    folder: Option<&str>,
    recipe: Option<&str>,
    collector: &mut Collector,
) -> Result<String, Error> {
    let name = path.display();
    let wrong = |what: String| Error::Options(format!("{name}: {what}"));
    if !is_exchange(path) {
        return Err(wrong("expected an exchange file, which lookalike sketch writes; found something else".into()));
    }
    let mut record = Vec::new();
    SpoolReader::open(path, 0)?.read(0, &mut record)?;
    let header: Header = serde_json::from_slice(&record).map_err(|e| wrong(format!("its head makes no sense: {e}")))?;
    if header.lookalike_exchange != FORM {
        let found = header.lookalike_exchange;
        return Err(wrong(format!("expected an exchange file of version {FORM}, found {found}; sketch again")));
    }
    if let Some(recipe) = recipe.filter(|recipe| *recipe != header.recipe) {
        return Err(wrong(format!(
            "was made by another recipe and cannot be compared: expected {recipe}, found {}; use the same --avg-chunk and --key",
            header.recipe
        )));
    }
    let damaged = |found: &str| StoreError::Damaged { what: name.to_string(), offset: 0, found: found.into() };
    let mut first = true;
    SpoolReader::open(path, header.documents.saturating_add(1))?.for_each(|record| {
        if std::mem::take(&mut first) {
            return Ok(());
        }
        let read = document(record, folder).ok_or_else(|| damaged("a document that makes no sense"))?;
        collector.take(read)
    })?;
    collector.take_empty(header.empty);
    Ok(header.recipe)
}

fn document(mut record: &[u8], folder: Option<&str>) -> Option<Read> {
    let length = usize::try_from(take_varint(&mut record)?).ok()?;
    let (id, mut record) = record.split_at_checked(length)?;
    let bytes = take_varint(&mut record)?;
    let mut chunks = Vec::new();
    lists::decode(record, &mut chunks)?;
    let sum: u64 = chunks.iter().map(|chunk| u64::from(chunk.length)).sum();
    if sum != bytes || bytes == 0 || u32::try_from(bytes).is_err() {
        return None;
    }
    let id = std::str::from_utf8(id).ok()?;
    let id = folder.map_or_else(|| id.to_owned(), |folder| format!("{folder}/{}", id.trim_start_matches('/')));
    let (content, count) = (lists::identity(record), chunks.len() as u32);
    let entry = Entry { id, bytes, content, lexical: 0, place: Place::Stream, body: None };
    Some(Read::Chunked { entry, list: record.to_vec(), chunks: count, body: None })
}
