//! Chunk lists in an exchange file: of each document its length, then the list.

use crate::lens::chunks::chunk_list;
use crate::lens::chunks::reading::{ChunkCollector, ChunkCounts, ChunkedDocument};
use crate::run::catalogue::{Catalogue, Entry};
use crate::run::exchange;
use crate::run::exchange::{Header, Names, put_id};
use crate::run::reading::Outcome;
use crate::{Cancel, Error};
use lookalike_core::chunk::ChunkRecipe;
use lookalike_core::lens::Lens;
use lookalike_corpus::{Place, put_varint, take_varint};
use lookalike_store::Spool;
use std::path::Path;

/// Writes the file.
pub fn write(
    mut spool: Spool,
    catalogue: &Catalogue,
    counts: ChunkCounts,
    recipe: &str,
    (names, key): (Names, &str),
) -> Result<(), Error> {
    let header = Header {
        documents: catalogue.len() as u64,
        bytes: catalogue.bytes,
        features: counts.chunks,
        empty: counts.empty,
        ..Header::new(Lens::Chunks, recipe, names)
    };
    header.begin(&mut spool)?;
    let (mut record, mut list) = (Vec::new(), Vec::new());
    let mut places = catalogue.sketch_places.iter();
    catalogue.for_each_entry(|entry| {
        put_id(&entry.id, names, key, &mut record);
        put_varint(entry.bytes, &mut record);
        catalogue.sketches.read(places.next().copied().unwrap_or_default(), &mut list)?;
        record.extend(&list);
        spool.append(&record).map(drop)
    })?;
    spool.finish()?;
    Ok(())
}

/// Takes over the documents of an exchange file, whose recipe must be this one, under the name of a folder if one is given.
pub fn read(
    path: &Path,
    folder: Option<&str>,
    recipe: &ChunkRecipe,
    cancel: &Cancel,
    collector: &mut ChunkCollector,
) -> Result<(), Error> {
    let (expected, longest) = (recipe.to_string(), recipe.parameters.tmax);
    let header = exchange::read(path, (Lens::Chunks, Some(&expected)), folder, cancel, |id, record| {
        match document(id, record, longest) {
            Some(document) => collector.take(Outcome::Document(document)).map(|()| true),
            None => Ok(false),
        }
    })?;
    collector.take_empty(header.empty);
    Ok(())
}

fn document(id: String, mut record: &[u8], longest: u32) -> Option<ChunkedDocument> {
    let bytes = take_varint(&mut record)?;
    let mut chunks = Vec::new();
    chunk_list::decode(record, &mut chunks)?;
    let sum: u64 = chunks.iter().map(|chunk| u64::from(chunk.length)).sum();
    let too_long = chunks.iter().any(|chunk| chunk.length > longest);
    if sum != bytes || bytes == 0 || too_long || u32::try_from(bytes).is_err() {
        return None;
    }
    let (content, count) = (chunk_list::identity(record), chunks.len() as u32);
    let entry = Entry { id, bytes, content, lexical: 0, place: Place::Stream, body: None };
    Some(ChunkedDocument { entry, list: record.to_vec(), chunks: count, body: None })
}
