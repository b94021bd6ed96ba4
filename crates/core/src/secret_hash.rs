//! A hash of a document's words for one run only. It answers what [`LexicalHasher`](crate::lexical_hash::LexicalHasher) answers, at a sixth
//! of the time: whether two documents have the same words in the same order. Who does not know its key cannot find two texts
//! with the same hash, and nobody knows the key of a run that has not begun. What is stored, or compared with what is stored, needs the other.

use crate::feature_hash::{PADDING, lanes};

/// Numbers in a key: two to begin with, and one for each way in which sixteen bytes can end.
pub const KEY_LENGTH: usize = 2 + END_OF_DOCUMENT + 1;

/// The key of a run: numbers that nobody can guess.
pub type SecretKey = [u64; KEY_LENGTH];

/// Sixteen bytes of a longer word end nothing; fewer lengths end a word.
const INSIDE_WORD: usize = PADDING + 1;
const END_OF_DOCUMENT: usize = PADDING + 2;

/// Takes words and gives one hash, for document after document.
#[derive(Clone, Debug)]
pub struct SecretHasher {
    start: [u64; 2],
    ends: [u64; END_OF_DOCUMENT + 1],
    state: [u64; 2],
}

impl SecretHasher {
    /// A hasher with this key.
    pub fn new(key: &SecretKey) -> Self {
        let [first, second, ends @ ..] = *key;
        Self { start: [first, second], ends, state: [first, second] }
    }

    /// Takes the word of this length that begins `bytes`. Where sixteen bytes can be read, a short word costs no branch for its length.
    #[inline]
    pub(crate) fn padded_word(&mut self, bytes: &[u8], length: usize) {
        match bytes.first_chunk() {
            Some(padded) if length <= PADDING => self.take(lanes(padded, length), length),
            _ => self.word(&bytes[..length]),
        }
    }

    /// Takes the next word.
    pub fn word(&mut self, mut word: &[u8]) {
        while let Some((part, rest)) = word.split_first_chunk().filter(|(_, rest)| !rest.is_empty()) {
            self.take(lanes(part, PADDING), INSIDE_WORD);
            word = rest;
        }
        let mut padded = [0; PADDING];
        padded[..word.len()].copy_from_slice(word);
        self.take(lanes(&padded, word.len()), word.len());
    }

    /// Both halves of the state and of the bytes are multiplied in full; the halves of the product change places, so that the weak bits of
    /// the one meet the strong bits of the other, and the state before stays a part of the state.
    #[inline]
    fn take(&mut self, [a, b]: [u64; 2], end: usize) {
        let [low, high] = self.state;
        let product = u128::from(a ^ low) * u128::from(b ^ high);
        self.state = [(product >> 64) as u64 ^ self.ends[end], (product as u64).wrapping_add(low)];
    }

    /// The hash of all words since the last one.
    pub fn finish(&mut self) -> u128 {
        for _ in 0..2 {
            self.take([0; 2], END_OF_DOCUMENT);
        }
        let [low, high] = std::mem::replace(&mut self.state, self.start);
        // the highest bits of a product are seldom set, those of the other half are
        u128::from(high) << 64 | u128::from(low ^ high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn key(seed: u64) -> SecretKey {
        let digits = |at: usize| blake3::hash(&[seed, at as u64].map(u64::to_le_bytes).concat());
        std::array::from_fn(|at| u64::from_le_bytes(*digits(at).as_bytes().first_chunk().unwrap()))
    }

    fn hash_of<'a>(words: impl IntoIterator<Item = &'a [u8]>, hasher: &mut SecretHasher) -> u128 {
        words.into_iter().for_each(|word| hasher.word(word));
        hasher.finish()
    }

    #[test]
    fn where_words_end_counts() {
        // all ways to cut all short texts of two letters, and of runs that fill sixteen bytes: no two alike
        let mut hasher = SecretHasher::new(&key(1));
        let mut seen: HashMap<u128, Vec<Vec<u8>>> = HashMap::new();
        for length in [1, 2, 3, 4, 5, 15, 16, 17, 18, 33] {
            for letters in 0..1u32 << length.min(5) {
                let text: Vec<u8> = (0..length).map(|at| (letters >> at.min(5) & 1) as u8).collect();
                for cuts in 0..1u32 << (length.min(5) - 1) {
                    let mut words: Vec<Vec<u8>> = vec![Vec::new()];
                    for (at, byte) in text.iter().enumerate() {
                        words.last_mut().unwrap().push(*byte);
                        if at < 5 && cuts >> at & 1 == 1 {
                            words.push(Vec::new());
                        }
                    }
                    let hash = hash_of(words.iter().map(Vec::as_slice), &mut hasher);
                    let other = seen.insert(hash, words.clone());
                    assert!(other.is_none_or(|other| other == words));
                }
            }
        }
        assert!(seen.len() > 1000);
    }

    #[test]
    fn every_bit_of_a_hash_depends_on_every_word() {
        let mut hasher = SecretHasher::new(&key(2));
        let mut flips = [0u32; 128];
        for text in 0..2000u32 {
            let words = [text.to_le_bytes(), [7; 4], [9; 4]];
            let mut other = words;
            other[text as usize % 3][0] ^= 1;
            let of =
                |words: &[[u8; 4]], hasher: &mut SecretHasher| hash_of(words.iter().map(<[u8; 4]>::as_slice), hasher);
            let difference = of(&words, &mut hasher) ^ of(&other, &mut hasher);
            flips.iter_mut().enumerate().for_each(|(bit, flips)| *flips += (difference >> bit & 1) as u32);
        }
        // 2000 fair coins: six standard deviations are 134
        assert!(flips.iter().all(|n| n.abs_diff(1000) < 134), "{flips:?}");
    }

    proptest! {
        #[test]
        fn same_words_same_hash_other_words_other_hash(
            a in prop::collection::vec("[a-c]{0,20}", 0..6), b in prop::collection::vec("[a-c]{0,3}", 0..6), after in "[ -~]{0,40}",
        ) {
            let bytes = |words: &[String]| -> Vec<Vec<u8>> { words.iter().map(|word| word.clone().into_bytes()).collect() };
            let (mut hasher, mut other) = (SecretHasher::new(&key(3)), SecretHasher::new(&key(4)));
            let of = |words: &[String], hasher: &mut SecretHasher| hash_of(bytes(words).iter().map(Vec::as_slice), hasher);
            let hash = of(&a, &mut hasher);
            prop_assert_eq!(of(&a, &mut hasher), hash);
            prop_assert_eq!(of(&b, &mut hasher) == hash, a == b);
            prop_assert_ne!(of(&a, &mut other), hash);
            for word in &a {
                hasher.padded_word(format!("{word}{after}").as_bytes(), word.len());
            }
            prop_assert_eq!(hasher.finish(), hash);
        }
    }
}
