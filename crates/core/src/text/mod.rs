//! What a word is: the canonical form of a text as a sequence of tokens.
//!
//! The definition is the naive twin in `tests.rs`: fold punctuation to its plain form, normalise the text to NFKC, fold its case, drop
//! the code points that nobody sees (soft hyphens, zero-width joiners, direction marks: a favourite way to evade detection), then take the words by
//! the Unicode rules (UAX #29). Where a script has no spaces those rules give one token for each ideograph
//! or syllable, so a changed character disturbs its neighbours only, just as a changed word does in English.
//!
//! The fast way walks ASCII by bit masks, sixty-four bytes at a time, and hands a stretch to `unicode.rs` only where it has to.

mod classes;
mod fold;
#[cfg(test)]
mod tests;
mod unicode;
mod walk;

pub use fold::Fold;
pub use walk::Walker;

use crate::feature_hash::FeatureHasher;
use std::ops::Range;

/// A word of a text: where it stands and the hash of its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Hash of the folded, normalised word.
    pub hash: u64,
}

/// All words with their byte ranges, for showing and aligning.
pub fn words(text: &str, fp: &FeatureHasher) -> Vec<Word> {
    let mut words = Vec::new();
    Walker::default().walk(text, fp, |span, hash| words.push(Word { span, hash }));
    words
}

/// The canonical form of a stretch of text, as a reader would see it: folded words with one space between.
pub fn canonical(text: &str) -> String {
    let mut out = String::new();
    unicode::for_each_folded(text, |_, word| {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    });
    out
}
