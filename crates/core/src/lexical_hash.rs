//! A hash of a document's words themselves. Features are fast and can be forged: two texts with other words may have the same. This hash
//! decides whether two documents have the same words in the same order, so it is a cryptographic one.

use crate::feature_hash::{FeatureHasher, PADDING};

/// Bytes that are hashed at once: enough for all lanes of BLAKE3, and still in the nearest cache.
const BUFFER: usize = 16 << 10;

/// Stands after each word; it is in no UTF-8.
const END_OF_WORD: u8 = 0xff;

/// Takes words and gives one hash, for document after document.
#[derive(Clone, Debug)]
pub struct LexicalHasher {
    hasher: blake3::Hasher,
    /// Words that are not hashed yet; the first `filled` bytes count.
    buffer: Box<[u8]>,
    filled: usize,
}

impl LexicalHasher {
    /// A hasher with the key of these features.
    pub fn new(features: &FeatureHasher) -> Self {
        let hasher = blake3::Hasher::new_keyed(&features.constants());
        Self { hasher, buffer: vec![0; BUFFER + PADDING + 1].into(), filled: 0 }
    }

    /// Takes the word of this length that begins `bytes`. Where sixteen bytes can be read, a short word costs no branch for its length.
    #[inline]
    pub(crate) fn padded_word(&mut self, bytes: &[u8], length: usize) {
        match bytes.first_chunk::<PADDING>() {
            Some(padded) if length <= PADDING => {
                self.buffer[self.filled..][..PADDING].copy_from_slice(padded);
                self.end_word(length);
            }
            _ => self.word(&bytes[..length]),
        }
    }

    /// Takes the next word.
    pub fn word(&mut self, word: &[u8]) {
        for part in word.chunks(PADDING) {
            self.buffer[self.filled..][..part.len()].copy_from_slice(part);
            self.fill(part.len());
        }
        self.end_word(0);
    }

    #[inline]
    fn end_word(&mut self, length: usize) {
        self.buffer[self.filled + length] = END_OF_WORD;
        self.fill(length + 1);
    }

    #[inline]
    fn fill(&mut self, bytes: usize) {
        self.filled += bytes;
        if self.filled >= BUFFER {
            self.flush();
        }
    }

    #[inline(never)]
    fn flush(&mut self) {
        self.hasher.update(&self.buffer[..self.filled]);
        self.filled = 0;
    }

    /// The hash of all words since the last one.
    pub fn finish(&mut self) -> u128 {
        self.flush();
        let hash = *self.hasher.finalize().as_bytes();
        self.hasher.reset();
        u128::from_be_bytes(*hash.first_chunk().expect("32 bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(words: &[String], features: &FeatureHasher) -> u128 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.bytes().chain([END_OF_WORD])).collect();
        let hash = blake3::keyed_hash(&features.constants(), &bytes);
        u128::from_be_bytes(*hash.as_bytes().first_chunk().expect("32 bytes"))
    }

    #[test]
    fn golden() {
        let mut hasher = LexicalHasher::new(&FeatureHasher::default());
        for word in ["a", "rose", "is", "a", "rose"] {
            hasher.word(word.as_bytes());
        }
        assert_eq!(format!("{:032x}", hasher.finish()), "20b09df280b8a5d3ef0b540da104c604");
    }

    proptest! {
        #[test]
        fn as_the_definition(words in prop::collection::vec("[a-zé猫]{1,40}", 0..40), repeats in 1usize..60, after in "[ -~]{0,40}") {
            let features = FeatureHasher::default();
            let words: Vec<String> = std::iter::repeat_n(words, repeats).flatten().collect();
            let mut hasher = LexicalHasher::new(&features);
            for _ in 0..2 {
                for word in &words {
                    hasher.word(word.as_bytes());
                }
                prop_assert_eq!(hasher.finish(), naive(&words, &features));
            }
            for word in &words {
                hasher.padded_word(format!("{word}{after}").as_bytes(), word.len());
            }
            prop_assert_eq!(hasher.finish(), naive(&words, &features));
        }

        #[test]
        fn other_words_other_hash(a in prop::collection::vec("[a-c]{0,3}", 0..6), b in prop::collection::vec("[a-c]{0,3}", 0..6), key in "[a-z]{1,4}") {
            let of = |words: &[String], features: &FeatureHasher| naive(words, features);
            let (plain, keyed) = (FeatureHasher::default(), FeatureHasher::with_key(&key));
            prop_assert_eq!(of(&a, &plain) == of(&b, &plain), a == b);
            prop_assert_ne!(of(&a, &plain), of(&a, &keyed));
        }
    }
}
