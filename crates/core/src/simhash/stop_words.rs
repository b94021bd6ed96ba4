//! Stop words: words of a language that say little about a document.
//!
//! A stop word is left out before features are made: it is none by itself, and phrases are made of the words that remain. So "the
//! end of the story" and "an end to that story" have the phrase "end story" in common.

use super::stop_lists::LISTS;
use crate::error::Error;
use crate::feature_hash::FeatureHasher;
use crate::text;
use rustc_hash::FxHashSet;
use std::{fmt, str::FromStr};

/// Languages whose stop words are left out: two letters each, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Languages(Vec<&'static str>);

impl Languages {
    /// Whether no language is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Languages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl FromStr for Languages {
    type Err = Error;

    /// Names with commas between, in any order.
    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown =
            |name: &str| Error::StopLanguage { found: name.to_owned(), known: LISTS.map(|(name, _)| name).join(", ") };
        let named = |name: &str| {
            let found = LISTS.iter().find(|(known, _)| *known == name);
            found.map(|(name, _)| *name).ok_or_else(|| unknown(name))
        };
        let mut names = text.split(',').map(named).collect::<Result<Vec<_>, _>>()?;
        names.sort_unstable();
        names.dedup();
        Ok(Self(names))
    }
}

/// Tells stop words by their hashes.
#[derive(Clone, Debug, Default)]
pub struct StopWords {
    hashes: FxHashSet<u64>,
    /// A bit for each value of a few bits of a hash: most words are told by it.
    seen: Vec<u64>,
}

/// Bits of a hash that are looked at first.
const FILTER_BITS: u32 = 14;

impl StopWords {
    /// The stop words of some languages, as hashed by `fp`.
    pub fn new(languages: &Languages, fp: &FeatureHasher) -> Self {
        let lists = LISTS.iter().filter(|(name, _)| languages.0.contains(name));
        // by the same walk as documents, so they are folded as documents are
        let hashes: FxHashSet<u64> = lists.flat_map(|(_, list)| text::words(list, fp)).map(|word| word.hash).collect();
        let mut seen = vec![0; if hashes.is_empty() { 0 } else { 1 << (FILTER_BITS - 6) }];
        #[expect(clippy::iter_over_hash_type, reason = "bits are set in any order")]
        for hash in &hashes {
            let at = (hash >> (64 - FILTER_BITS)) as usize;
            seen[at / 64] |= 1 << (at % 64);
        }
        Self { hashes, seen }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Whether a word is one.
    #[inline]
    pub fn contains(&self, word: u64) -> bool {
        let at = (word >> (64 - FILTER_BITS)) as usize;
        !self.seen.is_empty() && self.seen[at / 64] >> (at % 64) & 1 == 1 && self.hashes.contains(&word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_print_and_parse_back() {
        assert_eq!("fr,en,de,en".parse::<Languages>().unwrap().to_string(), "de,en,fr");
        for wrong in ["", "xx", "en,", "EN", "en, de"] {
            let message = wrong.parse::<Languages>().unwrap_err().to_string();
            assert!(message.contains("de, en, es"), "{message}");
        }
    }

    #[test]
    fn words_are_told_in_any_spelling_of_case() {
        let fp = FeatureHasher::with_key("a key");
        let stop = StopWords::new(&"en,de".parse().unwrap(), &fp);
        let is_stop = |word: &str| stop.contains(text::words(word, &fp)[0].hash);
        for word in ["the", "The", "THAT", "für", "FÜR", "während"] {
            assert!(is_stop(word), "{word}");
        }
        for word in ["rose", "le", "duplicate"] {
            assert!(!is_stop(word), "{word}");
        }
        assert!(!StopWords::default().contains(fp.word(b"the")));
    }

    #[test]
    fn lists_are_words_without_repeats() {
        let fp = FeatureHasher::default();
        for (name, list) in LISTS {
            let mut hashes: Vec<u64> = text::words(list, &fp).iter().map(|word| word.hash).collect();
            assert_eq!(hashes.len(), list.split_whitespace().count(), "{name}: each is one word");
            assert!(hashes.len() >= 90, "{name}: {}", hashes.len());
            hashes.sort_unstable();
            let repeated = hashes.windows(2).filter(|two| two[0] == two[1]).count();
            assert_eq!(repeated, 0, "{name}");
        }
    }
}
