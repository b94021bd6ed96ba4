//! The w-shingling of a document: every window of w words, as a set of features.

use crate::feature_hash::{FeatureHasher, MAX_WINDOW};
use crate::lexical_hash::LexicalHasher;
use crate::secret_hash::SecretHasher;
use crate::{sets, text};

/// Rolls word hashes into shingles: each word costs one rotation and two exclusive-ors.
#[derive(Clone, Debug)]
pub struct Shingler {
    fp: FeatureHasher,
    w: usize,
    /// The last words: the one that leaves the window next is at `at`.
    window: [u64; MAX_WINDOW],
    at: usize,
    rolled: u64,
    seen: usize,
}

impl Shingler {
    /// A shingler for windows of `w` words, `1..=MAX_WINDOW`.
    pub fn new(w: usize, fp: FeatureHasher) -> Self {
        assert!((1..=MAX_WINDOW).contains(&w), "a shingle has 1 to {MAX_WINDOW} words");
        Self { fp, w, window: [0; MAX_WINDOW], at: 0, rolled: 0, seen: 0 }
    }

    /// Takes the next words, and appends the shingle that ends with each of them, once w words are there.
    #[inline]
    pub fn extend(&mut self, words: &[u64], shingles: &mut Vec<u64>) {
        let first = words.len().min(self.w);
        for word in &words[..first] {
            let oldest = std::mem::replace(&mut self.window[self.at], *word);
            self.at = if self.at + 1 == self.w { 0 } else { self.at + 1 };
            self.rolled = self.roll(self.rolled, oldest, *word);
            self.seen += 1;
            if self.seen >= self.w {
                shingles.push(self.fp.permute(self.rolled));
            }
        }
        if first == words.len() {
            return;
        }
        // beyond a window's length, the words that leave are among those that came
        let (w, mut rolled, before) = (self.w as u32, self.rolled, shingles.len());
        shingles.extend(words.iter().zip(&words[first..]).map(|(oldest, word)| {
            rolled = rolled.rotate_left(1) ^ oldest.rotate_left(w) ^ word;
            rolled
        }));
        self.fp.permute_all(&mut shingles[before..]);
        self.rolled = rolled;
        self.seen += words.len() - first;
        self.window[..self.w].copy_from_slice(&words[words.len() - self.w..]);
        self.at = 0;
    }

    #[inline]
    fn roll(&self, rolled: u64, oldest: u64, word: u64) -> u64 {
        rolled.rotate_left(1) ^ oldest.rotate_left(self.w as u32) ^ word
    }

    /// A document shorter than w words is one shingle, made of all of them.
    pub fn finish(&self) -> Option<u64> {
        // the length is folded in: two words are never the tail of a longer window
        (0 < self.seen && self.seen < self.w).then(|| self.fp.permute(self.fp.chain(self.seen as u64, self.rolled)))
    }

    /// Words seen so far.
    pub fn words(&self) -> usize {
        self.seen
    }
}

/// Words that are hashed before they are rolled into shingles.
const BATCH: usize = 512;

/// Finds the words of texts, a few hundred at a time: hashing and shingling are tight loops of their own.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    walker: text::Walker,
    words: Vec<u64>,
}

impl Batches {
    /// Calls `each` with the hashes of the next words, in order.
    #[inline]
    pub fn for_each(&mut self, text: &str, fp: &FeatureHasher, each: impl FnMut(&[u64])) {
        self.for_each_by(text, |bytes, length| fp.padded_word(bytes, length), each);
    }

    /// The same; `lexical` takes each word, too.
    #[inline]
    pub fn for_each_with(
        &mut self,
        text: &str,
        fp: &FeatureHasher,
        lexical: &mut LexicalHasher,
        each: impl FnMut(&[u64]),
    ) {
        let hash = |bytes: &[u8], length| {
            lexical.padded_word(bytes, length);
            fp.padded_word(bytes, length)
        };
        self.for_each_by(text, hash, each);
    }

    /// The same; `secret` takes each word, too.
    #[inline]
    pub fn for_each_with_secret(
        &mut self,
        text: &str,
        fp: &FeatureHasher,
        secret: &mut SecretHasher,
        each: impl FnMut(&[u64]),
    ) {
        let hash = |bytes: &[u8], length| {
            secret.padded_word(bytes, length);
            fp.padded_word(bytes, length)
        };
        self.for_each_by(text, hash, each);
    }

    #[inline]
    fn for_each_by(&mut self, text: &str, hash: impl FnMut(&[u8], usize) -> u64, mut each: impl FnMut(&[u64])) {
        let Self { walker, words } = self;
        words.clear();
        walker.walk_by(text, hash, |_, word| {
            words.push(word);
            if words.len() == BATCH {
                each(words);
                words.clear();
            }
        });
        each(words);
    }
}

/// The feature set (sorted, no repeats) of a sequence of word hashes.
pub fn set_of_words(words: impl IntoIterator<Item = u64>, w: usize, fp: &FeatureHasher) -> Vec<u64> {
    let mut shingler = Shingler::new(w, *fp);
    let words: Vec<u64> = words.into_iter().collect();
    let mut features = Vec::with_capacity(words.len());
    shingler.extend(&words, &mut features);
    features.extend(shingler.finish());
    sets::into_set(&mut features);
    features
}

/// The feature set of a text.
pub fn set_of_text(text: &str, w: usize, fp: &FeatureHasher) -> Vec<u64> {
    let mut features = Vec::new();
    extend_from_text(text, w, fp, &mut features);
    sets::into_set(&mut features);
    features
}

/// Appends the shingles of a text in the order of the text, repeats included. The words found.
pub fn extend_from_text(text: &str, w: usize, fp: &FeatureHasher, features: &mut Vec<u64>) -> usize {
    let mut shingler = Shingler::new(w, *fp);
    // a word and what stands between it and the next are some six bytes
    features.reserve(text.len() / 6);
    Batches::default().for_each(text, fp, |words| shingler.extend(words, features));
    features.extend(shingler.finish());
    shingler.words()
}

/// The feature set that a caller extracted from any object: each item is one feature.
pub fn set_of_items<'a>(items: impl IntoIterator<Item = &'a str>, fp: &FeatureHasher) -> Vec<u64> {
    let mut features: Vec<u64> = items.into_iter().map(|item| fp.permute(fp.word(item.as_bytes()))).collect();
    sets::into_set(&mut features);
    features
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// The definition, word for word: every window hashed from scratch.
    fn naive(words: &[u64], w: usize, fp: &FeatureHasher) -> Vec<u64> {
        let whole = |window: &[u64]| window.iter().fold(0u64, |h, word| h.rotate_left(1) ^ word);
        let mut set: Vec<u64> = if words.is_empty() {
            vec![]
        } else if words.len() < w {
            vec![fp.permute(fp.chain(words.len() as u64, whole(words)))]
        } else {
            words.windows(w).map(|window| fp.permute(whole(window))).collect()
        };
        sets::into_set(&mut set);
        set
    }

    #[test]
    fn the_rose_of_the_paper() {
        let fp = FeatureHasher::default();
        let rose = set_of_text("a rose is a rose is a rose", 4, &fp);
        let shingles = ["a rose is a", "rose is a rose", "is a rose is"];
        let mut expected: Vec<u64> = shingles.iter().flat_map(|s| set_of_text(s, 4, &fp)).collect();
        sets::into_set(&mut expected);
        assert_eq!(expected.len(), 3);
        assert_eq!(rose, expected);
    }

    #[test]
    fn short_documents_are_one_shingle() {
        let fp = FeatureHasher::default();
        assert_eq!(set_of_text("only three words", 10, &fp).len(), 1);
        assert_ne!(set_of_text("cat", 10, &fp), set_of_text("dog", 10, &fp));
        assert_ne!(set_of_text("cat", 10, &fp), set_of_text("cat cat", 10, &fp));
        assert!(set_of_text(" … ", 10, &fp).is_empty());
    }

    #[test]
    fn golden() {
        let fp = FeatureHasher::default();
        let got: Vec<String> =
            set_of_text("a rose is a rose is a rose", 4, &fp).iter().map(|f| format!("{f:016x}")).collect();
        assert_eq!(got, GOLDEN);
    }
    const GOLDEN: [&str; 3] = ["0275d8fe092a548d", "8cd17f897c05e0d0", "cd3f71a7da40413d"];

    #[test]
    fn windows_seldom_collide() {
        // all orders of six words, all windows of two alphabets: no two alike
        let fp = FeatureHasher::default();
        let words: Vec<u64> =
            ["one", "two", "three", "four", "five", "six"].iter().map(|w| fp.word(w.as_bytes())).collect();
        let mut seen = HashSet::new();
        let mut count = 0;
        for code in 0..6usize.pow(6) {
            let window: Vec<u64> = (0..6).map(|i| words[code / 6usize.pow(i) % 6]).collect();
            seen.extend(set_of_words(window, 6, &fp));
            count += 1;
        }
        assert_eq!(seen.len(), count);
    }

    proptest! {
        #[test]
        fn rolling_equals_the_definition(words in prop::collection::vec(0u64..6, 0..80), w in 1usize..=MAX_WINDOW) {
            let fp = FeatureHasher::default();
            let words: Vec<u64> = words.iter().map(|x| fp.word(&x.to_le_bytes())).collect();
            prop_assert_eq!(set_of_words(words.iter().copied(), w, &fp), naive(&words, w, &fp));
        }

        #[test]
        fn any_batches_give_the_same_shingles(batches in prop::collection::vec(prop::collection::vec(0u64..6, 0..40), 0..8), w in 1usize..=MAX_WINDOW) {
            let fp = FeatureHasher::default();
            let mut shingler = Shingler::new(w, fp);
            let mut shingles = Vec::new();
            for words in &batches {
                shingler.extend(words, &mut shingles);
            }
            shingles.extend(shingler.finish());
            sets::into_set(&mut shingles);
            prop_assert_eq!(shingles, naive(&batches.concat(), w, &fp));
        }
    }
}
