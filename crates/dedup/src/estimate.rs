//! What a run will need, before it starts: from a look at the first documents.

use crate::Error;
use crate::dedup::open;
use crate::options::DedupOptions;
use lookalike_corpus::Item;
use lookalike_engine::lens::shingles::sketching::MEMORY_PER_DOCUMENT;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of the inputs that are looked at.
const SAMPLE_BYTES: u64 = 4 << 20;
/// The disk for each document at most: a sketch and an entry of the catalogue, both also in the log of reading, and postings.
const DISK_PER_DOCUMENT: u64 = 5 << 10;
/// What any run takes.
const BASE_MEMORY: u64 = 40 << 20;

/// What a run will need, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// Bytes of the inputs.
    pub input_bytes: u64,
    /// Documents in them.
    pub documents: u64,
    /// Bytes of their text.
    pub text_bytes: u64,
    /// The least memory that the run can do with.
    pub memory: u64,
    /// Bytes on the disk of the result: the result, and what steps leave there until it is finished.
    pub disk: u64,
    /// Bytes that are free there, if the system tells.
    pub free_disk: Option<u64>,
}

impl Estimate {
    /// Of a run with these options.
    pub fn new(options: &DedupOptions, inputs: &[PathBuf], out: Option<&Path>) -> Result<Self, Error> {
        let corpus = open(options, inputs, out)?;
        let input_bytes: u64 = corpus.paths().iter().map(|path| bytes_below(path)).sum();
        let (mut seen, mut documents, mut text, mut spooled) = (0u64, 0u64, 0u64, 0u64);
        let mut reader = corpus.reader();
        while seen < SAMPLE_BYTES {
            let Some(batch) = reader.next() else { break };
            let batch = batch.map_err(lookalike_engine::Error::from)?;
            seen += batch.bytes();
            batch.read(&mut |item| {
                if let Item::Document(document) = item {
                    documents += 1;
                    text += document.body.len();
                    // what cannot be read again by itself is kept until the end
                    spooled += if document.place.is_readable() { 0 } else { document.body.len() };
                }
            });
        }
        let all = |part: u64| (u128::from(part) * u128::from(input_bytes.max(seen)) / u128::from(seen.max(1))) as u64;
        let documents = all(documents);
        Ok(Self {
            input_bytes,
            documents,
            text_bytes: all(text),
            memory: BASE_MEMORY + 2 * documents * MEMORY_PER_DOCUMENT,
            disk: input_bytes + all(spooled) + documents * DISK_PER_DOCUMENT,
            free_disk: out.and_then(free_disk),
        })
    }

    /// Whether the disk is likely to be too small.
    pub fn lacks_disk(&self) -> bool {
        self.free_disk.is_some_and(|free| free < self.disk)
    }
}

/// The bytes of a file, or of all files below a folder.
fn bytes_below(path: &Path) -> u64 {
    let Ok(metadata) = fs::metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    let Ok(entries) = fs::read_dir(path) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => bytes_below(&entry.path()),
        Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |metadata| metadata.len()),
        _ => 0,
    };
    entries.flatten().map(size).sum()
}

/// Bytes that are free where a folder will be.
fn free_disk(out: &Path) -> Option<u64> {
    lookalike_store::free_disk(out.ancestors().skip(1).find(|path| path.is_dir()).unwrap_or_else(|| Path::new(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_as_many_as_there_are() {
        let dir = tempfile::tempdir().unwrap();
        let line = format!("{{\"id\":1,\"text\":\"{}\"}}\n", "some words ".repeat(50));
        let shard = line.repeat(3000);
        for at in 0..6 {
            fs::write(dir.path().join(format!("{at}.jsonl")), &shard).unwrap();
        }
        let out = dir.path().join("out");
        let estimate = Estimate::new(&DedupOptions::default(), &[dir.path().to_owned()], Some(&out)).unwrap();
        assert_eq!(estimate.input_bytes, 6 * shard.len() as u64);
        assert!((17_000..19_000).contains(&estimate.documents), "{estimate:?}");
        assert!(estimate.disk > estimate.input_bytes && estimate.free_disk.is_none_or(|free| free > 0));
        let nothing = dir.path().join("0.jsonl");
        fs::write(&nothing, "").unwrap();
        assert_eq!(Estimate::new(&DedupOptions::default(), &[nothing], None).unwrap().documents, 0);
    }
}
