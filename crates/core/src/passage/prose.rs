//! Prose as tokens for the loose matcher, and the grams by which pairs that share a passage are found at all.
//!
//! No list of words and no knowledge of a language: a word is told by its first letters, so that most endings do not matter, and
//! counts as a function word if it is short. Scripts without spaces have one token for each character, all of them content words.

use super::loose::{FLAG_BITS, FUNCTION_WORD, SENTENCE_END};
use crate::feature_hash::FeatureHasher;
use crate::text::Walker;
use std::ops::Range;

/// Letters that tell a word: what follows is mostly ending.
const STEM_LETTERS: usize = 6;
/// Words of at most so many letters count as function words.
const MAX_FUNCTION_WORD: usize = 3;

/// The tokens of a text: ids for [`loose`](super::loose) and their places in bytes.
pub fn tokens(text: &str, fp: &FeatureHasher) -> Vec<(u32, Range<usize>)> {
    let mut tokens = Vec::new();
    for_each_token(text, fp, &mut Walker::default(), |id, span| tokens.push((id, span)));
    tokens
}

/// Calls `each` with every token, in order.
#[inline]
pub fn for_each_token(text: &str, fp: &FeatureHasher, walker: &mut Walker, mut each: impl FnMut(u32, Range<usize>)) {
    // whether a word ends its sentence is told by what follows it; words that one sign stands for have nothing between them
    let mut last: Option<(u32, Range<usize>)> = None;
    let id = |bytes: &[u8], length: usize| u64::from(id_of(bytes, length, fp));
    walker.walk_by(text, id, |span, id| {
        if let Some((before, place)) = last.take() {
            let gap = text.as_bytes().get(place.end..span.start).unwrap_or_default();
            let ends = if ends_between(gap) { SENTENCE_END } else { 0 };
            each(before | ends, place);
        }
        last = Some((id as u32, span));
    });
    if let Some((id, place)) = last {
        each(id | SENTENCE_END, place);
    }
}

/// The id of a canonical word that begins the bytes.
#[inline]
fn id_of(bytes: &[u8], length: usize, fp: &FeatureHasher) -> u32 {
    let (stem, is_function_word) = stem_of(bytes, length);
    let stem = fp.padded_word(bytes, stem);
    let name = (stem >> (32 + FLAG_BITS)) as u32;
    // 0 is a border
    name.max(1) << FLAG_BITS | if is_function_word { FUNCTION_WORD } else { 0 }
}

/// Bytes that tell a word, and whether it is a function word. Most words are ASCII, and their first bytes say it all.
#[inline]
fn stem_of(bytes: &[u8], length: usize) -> (usize, bool) {
    if let Some(first) = bytes.first_chunk::<8>() {
        let beyond = u64::MAX.unbounded_shl(8 * length as u32);
        if u64::from_le_bytes(*first) & !beyond & 0x8080_8080_8080_8080 == 0 {
            let is_digit = |at: usize| at < length && first[at].is_ascii_digit();
            let has_digit = (0..MAX_FUNCTION_WORD).fold(false, |any, at| any | is_digit(at));
            return (length.min(STEM_LETTERS), length <= MAX_FUNCTION_WORD && !has_digit);
        }
    }
    stem_of_any(&bytes[..length])
}

/// The same of any word.
fn stem_of_any(word: &[u8]) -> (usize, bool) {
    (stem_length(word), word.len() <= 2 * MAX_FUNCTION_WORD && is_short(word))
}

/// Bytes of the first letters.
fn stem_length(word: &[u8]) -> usize {
    if word.len() <= STEM_LETTERS {
        return word.len();
    }
    let mut starts = word.iter().enumerate().filter(|(_, byte)| **byte & 0xc0 != 0x80).map(|(at, _)| at);
    starts.nth(STEM_LETTERS).unwrap_or(word.len())
}

/// Few letters of an alphabet; numbers say something however short they are. What takes more than two bytes is no letter of an alphabet.
fn is_short(word: &[u8]) -> bool {
    let letters = word.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    letters <= MAX_FUNCTION_WORD && word.iter().all(|byte| *byte < 0xe0 && !byte.is_ascii_digit())
}

/// Whether a sentence ends in what stands between two words.
#[inline]
fn ends_between(gap: &[u8]) -> bool {
    match gap {
        [] | [_] => false,
        // most gaps that are longer
        [mark @ ..0x80, space @ ..0x80] => {
            matches!(mark, b'.' | b'!' | b'?') && matches!(space, b'\t'..=b'\r' | b' ') || gap == b"\n\n"
        }
        _ => ends_sentence(std::str::from_utf8(gap).unwrap_or_default()),
    }
}

#[inline(never)]
fn ends_sentence(gap: &str) -> bool {
    let (mut stopped, mut lines) = (false, 0);
    for c in gap.chars() {
        match c {
            '.' | '!' | '?' | '…' => stopped = true,
            '。' | '！' | '？' | '।' | '؟' => return true,
            '\n' => lines += 1,
            _ => {}
        }
        if c.is_whitespace() && stopped || lines > 1 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;
    use proptest::prelude::*;

    fn ids(text: &str) -> Vec<u32> {
        tokens(text, &FeatureHasher::default()).into_iter().map(|(id, _)| id).collect()
    }

    fn flagged(text: &str, flag: u32) -> Vec<&str> {
        let tokens = tokens(text, &FeatureHasher::default()).into_iter();
        tokens.filter(|(id, _)| id & flag != 0).map(|(_, span)| &text[span]).collect()
    }

    #[test]
    fn short_words_are_function_words() {
        assert_eq!(
            flagged("The cat sat on 12 mats, i.e. Läufer; не кот", FUNCTION_WORD),
            ["The", "cat", "sat", "on", "i.e", "не", "кот"]
        );
        assert_eq!(flagged("猫は黒い", FUNCTION_WORD), [""; 0]);
    }

    #[test]
    fn sentences_end() {
        let text = "Well! He paid 3.50 (or so). \"Really?\" she asked… So, a heading\n\nThen e.g this\nline";
        assert_eq!(flagged(text, SENTENCE_END), ["Well", "so", "Really", "asked", "heading", "line"]);
        assert_eq!(flagged("黒い。白い", SENTENCE_END), ["い", "い"]);
    }

    #[test]
    fn endings_do_not_matter() {
        assert_eq!(ids("translated"), ids("TRANSLATION"));
        assert_eq!(ids("переводчик"), ids("переводы"));
        assert_ne!(ids("copies"), ids("copied"), "six letters tell a word");
    }

    #[test]
    fn golden_ids() {
        assert_eq!(ids("The roses, translated. Läufer 猫"), GOLDEN);
    }
    const GOLDEN: [u32; 5] = [0x2a2c_fa91, 0xcd52_056c, 0x5e9a_c996, 0xef4b_5e30, 0x9a7e_6352];

    proptest! {
        #[test]
        fn one_token_for_each_word(text in "\\PC{0,80}|[a-zA-Z .,!?\n'é猫㎏0-9]{0,80}") {
            let fp = FeatureHasher::default();
            let tokens = tokens(&text, &fp);
            let spans: Vec<_> = words(&text, &fp).into_iter().map(|word| word.span).collect();
            prop_assert_eq!(tokens.iter().map(|(_, span)| span.clone()).collect::<Vec<_>>(), spans);
            prop_assert!(tokens.iter().all(|(id, _)| id >> FLAG_BITS != 0));
            prop_assert!(tokens.last().is_none_or(|(id, _)| id & SENTENCE_END != 0));
        }

        #[test]
        fn two_bytes_end_a_sentence_as_any_gap_does(gap in "[\\x00-\\x7f]{2}|[.!?\n ]{2}") {
            prop_assert_eq!(ends_between(gap.as_bytes()), ends_sentence(&gap));
        }

        #[test]
        fn first_bytes_tell_what_a_look_at_each_tells(word in "[a-z0-9é猫]{0,12}|\\PC{0,9}", behind in "\\PC{0,16}") {
            let bytes = format!("{word}{behind}");
            prop_assert_eq!(stem_of(bytes.as_bytes(), word.len()), stem_of_any(word.as_bytes()));
        }

        #[test]
        fn equal_words_have_equal_ids(word in "\\PC{1,12}") {
            let text = format!("{word} and {}", word.to_uppercase());
            let fp = FeatureHasher::default();
            let (tokens, words) = (tokens(&text, &fp), words(&text, &fp));
            for (i, j) in (0..words.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                if words[i].hash == words[j].hash {
                    prop_assert_eq!(tokens[i].0 & !SENTENCE_END, tokens[j].0 & !SENTENCE_END);
                }
            }
        }
    }
}
