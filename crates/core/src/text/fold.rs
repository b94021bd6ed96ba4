//! Texts as other pipelines see them before they cut them into n-grams. Slower than our own words, and only for who asks for theirs.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What is done to a text before its words are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// Nothing: words are ours.
    #[default]
    None,
    /// Letters without their accents, in lower case, and every number as a zero.
    Simple,
    /// Lower case, no punctuation of ASCII, white space closed up; then every character is a word.
    Characters,
    /// Every character is a word, as it stands.
    RawCharacters,
}

impl Fold {
    /// All of them, by the names that recipes have.
    pub const NAMES: [(&'static str, Fold); 3] =
        [("simple", Fold::Simple), ("characters", Fold::Characters), ("raw-characters", Fold::RawCharacters)];

    /// Its name in a recipe; none where nothing is done.
    pub fn name(self) -> Option<&'static str> {
        Self::NAMES.iter().find(|(_, fold)| *fold == self).map(|(name, _)| *name)
    }

    /// The folded text, in whose words the others are said; none where nothing is done.
    pub fn apply(self, text: &str) -> Option<String> {
        let mut out = String::new();
        match self {
            Fold::None => return None,
            Fold::Simple => simplify(text, &mut out),
            Fold::Characters => {
                let mut plain = String::new();
                without_punctuation(text, &mut plain);
                spell(&plain, &mut out);
            }
            Fold::RawCharacters => spell(text, &mut out),
        }
        Some(out)
    }

    /// Bytes that a byte of a text may become.
    pub fn growth(self) -> u64 {
        match self {
            Fold::None => 0,
            Fold::Simple => 3,
            Fold::Characters | Fold::RawCharacters => 4,
        }
    }
}

/// A word for each character: small letters and digits of ASCII as they are, all else by its number.
fn spell(text: &str, out: &mut String) {
    use std::fmt::Write;
    out.reserve(text.len() * 2);
    for c in text.chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            out.push(c);
            out.push(' ');
        } else {
            // longer than any letter, so never the same word
            let _ = write!(out, "x{:x} ", u32::from(c));
        }
    }
}

/// Letters without their accents, in lower case, and every number as a zero. Punctuation is left to the rules of words.
fn simplify(text: &str, out: &mut String) {
    out.clear();
    let mut in_number = false;
    for c in text.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        let is_digit = c.is_numeric();
        if !is_digit {
            out.push(c);
        } else if !in_number {
            out.push('0');
        }
        in_number = is_digit;
    }
}

/// Lower case, without the punctuation of ASCII, and one space for any run of white space.
fn without_punctuation(text: &str, out: &mut String) {
    out.clear();
    let letters = text.nfc().flat_map(char::to_lowercase).filter(|c| !c.is_ascii_punctuation());
    for c in letters {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if out.ends_with(' ') {
        out.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(fold: fn(&str, &mut String), text: &str) -> String {
        let mut out = String::from("old");
        fold(text, &mut out);
        out
    }

    #[test]
    fn accents_and_numbers_go() {
        assert_eq!(folded(simplify, "Café №42, in 2026-11-17 ÅNGSTRÖM"), "cafe №0, in 0-0-0 angstrom");
        assert_eq!(folded(simplify, ""), "");
    }

    #[test]
    fn every_character_is_a_word_of_its_own() {
        let words = |text: &str| {
            let folded = Fold::RawCharacters.apply(text).unwrap();
            crate::text::words(&folded, &crate::feature_hash::FeatureHasher::default())
        };
        let text = "aA 1.ä猫 \u{ad}X0 x0";
        let found = words(text);
        assert_eq!(found.len(), text.chars().count());
        for (i, a) in text.chars().enumerate() {
            for (j, b) in text.chars().enumerate() {
                assert_eq!(a == b, found[i].hash == found[j].hash, "{a:?} {b:?}");
            }
        }
        assert_eq!(Fold::Characters.apply("A, b"), Some("a x20 b ".into()));
    }

    #[test]
    fn punctuation_goes_and_spaces_close_up() {
        assert_eq!(folded(without_punctuation, "  Hello,\n\t World! \u{a0}x-y "), "hello world xy");
        assert_eq!(folded(without_punctuation, "...\n"), "");
    }
}
