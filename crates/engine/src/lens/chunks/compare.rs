//! Two documents by their bytes.

use crate::Error;
use lookalike_core::chunk::{ChunkRecipe, Chunker, shared_bytes};
use lookalike_core::relation::ChunkEvidence;
use lookalike_corpus::Body;
use rustc_hash::FxHashMap;

/// Mean length of a chunk.
const MEAN: u32 = 1000;

/// Cuts documents into chunks, and counts what two have in common.
pub struct ChunkComparer {
    chunker: Chunker,
    pub recipe: ChunkRecipe,
}

/// The chunks of a document: hash and length of each.
pub struct Chunks {
    bytes: u64,
    chunks: Vec<(u128, u64)>,
}

impl ChunkComparer {
    pub fn new(key: &str) -> Result<Self, Error> {
        let recipe = ChunkRecipe::new(MEAN, key)?;
        Ok(Self { chunker: Chunker::new(recipe.parameters, key), recipe })
    }

    /// Reads one of the two.
    pub fn read(&self, body: &Body<'_>) -> Chunks {
        let data = body.as_bytes().unwrap_or_default();
        Chunks { bytes: data.len() as u64, chunks: self.lengths(data) }
    }

    /// Hash and length of each chunk.
    pub fn lengths(&self, data: &[u8]) -> Vec<(u128, u64)> {
        let mut chunks = Vec::new();
        self.chunker.chunks(data, |chunk| chunks.push((chunk.hash, chunk.length as u64)));
        chunks
    }

    /// Bytes of chunks that both have, each as often as both have it.
    pub fn compare(&self, a: &Chunks, b: &Chunks) -> ChunkEvidence {
        let (fewer, more) = if a.chunks.len() < b.chunks.len() { (a, b) } else { (b, a) };
        let mut left: FxHashMap<(u128, u64), u64> = FxHashMap::default();
        for chunk in &fewer.chunks {
            *left.entry(*chunk).or_default() += 1;
        }
        let mut shared = 0;
        for chunk in &more.chunks {
            if let Some(times) = left.get_mut(chunk).filter(|times| **times > 0) {
                *times -= 1;
                shared += chunk.1;
            }
        }
        ChunkEvidence { bytes: [a.bytes, b.bytes], shared }
    }

    /// The same with what is equal around and between the chunks: of documents that are held whole.
    pub fn compare_bytes(&self, a: &[u8], b: &[u8]) -> ChunkEvidence {
        ChunkEvidence { bytes: [a.len() as u64, b.len() as u64], shared: shared_bytes(a, b, &self.chunker) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn chunks_prove_less_than_bytes_and_never_more() {
        let text = (0..4000).map(|n| format!("{} ", n * n % 7919)).collect::<Vec<_>>().concat();
        let other = format!("{}something else{}", &text[..9000], &text[9100..]);
        let comparer = ChunkComparer::new("").unwrap();
        let read = |text: &str| comparer.read(&Body::Text(Cow::Owned(text.to_owned())));
        let chunks = comparer.compare(&read(&text), &read(&other));
        let bytes = comparer.compare_bytes(text.as_bytes(), other.as_bytes());
        assert_eq!(chunks.bytes, bytes.bytes);
        assert!(
            0 < chunks.shared && chunks.shared <= bytes.shared && bytes.shared < bytes.bytes[0],
            "{chunks:?} {bytes:?}"
        );
    }
}
