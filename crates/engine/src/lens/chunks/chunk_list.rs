//! The chunks of a document as they are kept: a length and a hash each, in the order of the file.

use crate::Error;
use crate::run::catalogue::Catalogue;
use lookalike_core::chunk::Chunker;
use lookalike_corpus::{hash128, put_varint, take_varint};
use lookalike_store::Error as StoreError;
use lookalike_store::SpoolReader;

/// A chunk of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Listed {
    pub hash: u128,
    pub length: u32,
}

const HASH: usize = size_of::<u128>();

/// Appends the list of some bytes; how many chunks.
pub fn encode_bytes(chunker: &Chunker, data: &[u8], out: &mut Vec<u8>) -> u32 {
    let mut chunks = 0;
    chunker.chunks(data, |chunk| {
        put(&Listed { hash: chunk.hash, length: chunk.length as u32 }, out);
        chunks += 1;
    });
    chunks
}

pub fn put(chunk: &Listed, out: &mut Vec<u8>) {
    put_varint(u64::from(chunk.length), out);
    out.extend(chunk.hash.to_le_bytes());
}

/// Reads a list back; none if it makes no sense.
pub fn decode(mut record: &[u8], chunks: &mut Vec<Listed>) -> Option<()> {
    chunks.clear();
    while !record.is_empty() {
        let length = u32::try_from(take_varint(&mut record)?).ok().filter(|length| *length > 0)?;
        let (hash, rest) = record.split_first_chunk::<HASH>()?;
        chunks.push(Listed { hash: u128::from_le_bytes(*hash), length });
        record = rest;
    }
    Some(())
}

/// The hash over the hashes and lengths of a list: equal for identical documents.
pub fn identity(record: &[u8]) -> u128 {
    hash128(&blake3::hash(record))
}

/// The lists of all documents, and where each is.
#[derive(Clone, Copy)]
pub struct ChunkLists<'a> {
    pub spool: &'a SpoolReader,
    pub places: &'a [u64],
}

impl<'a> ChunkLists<'a> {
    pub fn of_catalogue(catalogue: &'a Catalogue) -> Self {
        Self { spool: &catalogue.sketches, places: &catalogue.sketch_places }
    }

    /// Calls `each` with every document's chunks, in the order of reading.
    pub fn for_each(self, mut each: impl FnMut(u32, &mut Vec<Listed>) -> Result<(), Error>) -> Result<(), Error> {
        let (mut document, mut chunks) = (0u32, Vec::new());
        self.spool.for_each(|record| {
            decode(record, &mut chunks).ok_or_else(|| self.corrupt(document))?;
            each(document, &mut chunks)?;
            document += 1;
            Ok(())
        })
    }

    /// The chunks of one document.
    pub fn of(self, document: u32, chunks: &mut Vec<Listed>) -> Result<(), Error> {
        let mut record = Vec::new();
        self.spool.read(self.places[document as usize], &mut record)?;
        decode(&record, chunks).ok_or_else(|| self.corrupt(document))
    }

    fn corrupt(self, document: u32) -> Error {
        let offset = self.places.get(document as usize).copied().unwrap_or_default();
        StoreError::Damaged { what: "the chunks".into(), offset, found: "a list that makes no sense".into() }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_come_back(chunks in prop::collection::vec((any::<u128>(), 1u32..), 0..20)) {
            let chunks: Vec<Listed> = chunks.into_iter().map(|(hash, length)| Listed { hash, length }).collect();
            let (mut record, mut back) = (Vec::new(), Vec::new());
            for chunk in &chunks {
                put(chunk, &mut record);
            }
            prop_assert_eq!(decode(&record, &mut back), Some(()));
            prop_assert_eq!(back, chunks);
        }

        #[test]
        fn nonsense_is_refused_or_comes_back(record: Vec<u8>) {
            let mut chunks = Vec::new();
            if decode(&record, &mut chunks).is_some() {
                let mut again = Vec::new();
                for chunk in &chunks {
                    put(chunk, &mut again);
                }
                prop_assert_eq!(again, record);
            }
        }
    }
}
