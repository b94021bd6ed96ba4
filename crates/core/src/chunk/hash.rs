//! What a key decides: the table of the rolling fingerprint, and the hash of a chunk.

use xxhash_rust::xxh3::xxh3_128;

/// Table and hash of one key.
#[derive(Clone, Debug)]
pub(crate) struct Keyed {
    pub(crate) table: Box<[u64; 256]>,
    key: Option<[u8; 32]>,
}

impl Keyed {
    /// The empty key is the public default.
    pub(crate) fn new(key: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("lookalike 2026 chunk cuts v1");
        hasher.update(key.as_bytes());
        let mut bytes = [0; 256 * 8];
        hasher.finalize_xof().fill(&mut bytes);
        let mut table = Box::new([0; 256]);
        for (entry, bytes) in table.iter_mut().zip(bytes.chunks_exact(8)) {
            // the low bits are zero: what is shifted by WINDOW bits has left the fingerprint
            *entry = u64::from_le_bytes(bytes.try_into().expect("eight bytes")) << (64 - super::WINDOW);
        }
        let secret = || blake3::derive_key("lookalike 2026 chunk hashes v1", key.as_bytes());
        Self { table, key: (!key.is_empty()).then(secret) }
    }

    /// The hash of a chunk. With a key it is one that nobody can compute without the key.
    pub(crate) fn hash(&self, chunk: &[u8]) -> u128 {
        match &self.key {
            None => xxh3_128(chunk),
            Some(key) => {
                let hash = blake3::keyed_hash(key, chunk);
                u128::from_le_bytes(hash.as_bytes()[..16].try_into().expect("half of 32 bytes"))
            }
        }
    }
}
