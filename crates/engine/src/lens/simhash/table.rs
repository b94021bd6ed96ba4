//! A table of document frequencies in a file (`.lki`).
//!
//! A spool: first a line of JSON that tells what it is, then records of features with their weights. Every record has its checksum,
//! the head tells how many features there are, and the name of the table is a hash of all of them.

use crate::Error;
use lookalike_core::recipe::RecipeError;
use lookalike_core::simhash::{FeatureWeight, Idf, SimhashRecipe};
use lookalike_store::SpoolReader;
use lookalike_store::atomic;
use serde::{Deserialize, Serialize};
use std::io::Read as _;
use std::path::Path;

/// How every table begins, after the head of its first record.
const MAGIC: &[u8] = b"{\"lookalike_idf\":";
const RECORD_HEAD_BYTES: usize = 12;
const FORMAT_VERSION: u32 = 1;
/// Features in a record, and bytes of each: the feature and its weight.
const MAX_RECORD_FEATURES: usize = 4096;
const FEATURE_BYTES: usize = 9;

/// What is in the file.
#[derive(Serialize, Deserialize)]
struct TableHeader {
    lookalike_idf: u32,
    lookalike: String,
    /// How features were made.
    recipe: String,
    idf: String,
    documents: u64,
    features: u64,
    unlisted: u8,
}

/// Writes a table; its name.
pub fn write(
    path: &Path,
    recipe: &SimhashRecipe,
    documents: u64,
    listed: &[FeatureWeight],
    unlisted: u8,
) -> Result<String, Error> {
    let idf = Idf::new(listed, unlisted)?;
    let header = TableHeader {
        lookalike_idf: FORMAT_VERSION,
        lookalike: env!("CARGO_PKG_VERSION").to_owned(),
        recipe: recipe.to_string(),
        idf: idf.name().to_owned(),
        documents,
        features: listed.len() as u64,
        unlisted,
    };
    atomic::spool(path, |mut spool| {
        spool.append(&serde_json::to_vec(&header).expect("plain data"))?;
        let mut record = Vec::new();
        for some in listed.chunks(MAX_RECORD_FEATURES) {
            record.clear();
            for known in some {
                record.extend(known.feature.to_le_bytes());
                record.push(known.weight);
            }
            spool.append(&record)?;
        }
        spool.finish()?;
        Ok::<_, Error>(())
    })?;
    Ok(header.idf)
}

/// Reads a table, and the recipe of its features.
pub fn read_idf(path: &Path) -> Result<(SimhashRecipe, Idf), Error> {
    let wrong = |found: &str| Error::IdfTable { path: path.to_owned(), found: found.to_owned() };
    let mut begins = [0; RECORD_HEAD_BYTES + MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begins));
    if let Err(error) = &read
        && error.kind() != std::io::ErrorKind::UnexpectedEof
    {
        return Err(wrong(&format!("no file that can be read: {error}")));
    }
    if read.is_err() || &begins[RECORD_HEAD_BYTES..] != MAGIC {
        return Err(wrong("something else"));
    }
    let mut record = Vec::new();
    SpoolReader::open(path, 0)?.read(0, &mut record)?;
    let header: TableHeader =
        serde_json::from_slice(&record).map_err(|e| wrong(&format!("a head that cannot be read: {e}")))?;
    if header.lookalike_idf != FORMAT_VERSION {
        return Err(wrong(&format!("one of version {} instead of {FORMAT_VERSION}", header.lookalike_idf)));
    }
    let recipe: SimhashRecipe = header.recipe.parse().map_err(|e: RecipeError| wrong(&format!("another {e}")))?;
    let (mut listed, mut number) = (Vec::new(), 0);
    SpoolReader::open(path, 1 + header.features.div_ceil(MAX_RECORD_FEATURES as u64))?.for_each(|record| {
        number += 1;
        if number > 1 {
            let (entries, rest) = record.as_chunks::<FEATURE_BYTES>();
            if !rest.is_empty() {
                return Err(wrong("a record that is cut off"));
            }
            listed.extend(entries.iter().map(|entry| {
                let (feature, weight) = entry.split_first_chunk().expect("nine bytes");
                FeatureWeight { feature: u64::from_le_bytes(*feature), weight: weight[0] }
            }));
        }
        Ok(())
    })?;
    let idf = Idf::new(&listed, header.unlisted).map_err(|problem| wrong(&format!("one in which {problem}")))?;
    if idf.name() != header.idf || listed.len() as u64 != header.features {
        return Err(wrong("one whose content is not what its head says"));
    }
    Ok((recipe, idf))
}
