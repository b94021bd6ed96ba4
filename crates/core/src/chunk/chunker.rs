//! The chunker: cuts, and the hash of each chunk.

use super::hash::Keyed;
use super::{Parameters, naive_cuts};

/// A chunk of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its first byte.
    pub start: usize,
    /// Its length in bytes.
    pub length: usize,
    /// Its hash.
    pub hash: u128,
}

/// Cuts and hashes by one recipe.
#[derive(Clone, Debug)]
pub struct Chunker {
    parameters: Parameters,
    keyed: Keyed,
    key: String,
}

impl Chunker {
    /// A chunker; the empty key is the public default.
    pub fn new(parameters: Parameters, key: &str) -> Self {
        Self { parameters, keyed: Keyed::new(key), key: key.to_owned() }
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The hash of a chunk.
    pub fn hash(&self, chunk: &[u8]) -> u128 {
        self.keyed.hash(chunk)
    }

    /// Calls `each` with where each chunk ends, in order.
    pub fn cuts(&self, data: &[u8], mut each: impl FnMut(usize)) {
        naive_cuts(data, &self.parameters, &self.key).into_iter().for_each(&mut each);
    }

    /// Calls `each` with every chunk, in order.
    pub fn chunks(&self, data: &[u8], mut each: impl FnMut(Chunk)) {
        let mut start = 0;
        self.cuts(data, |end| {
            each(Chunk { start, length: end - start, hash: self.keyed.hash(&data[start..end]) });
            start = end;
        });
    }
}
