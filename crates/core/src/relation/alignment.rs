//! The words of two texts in their order, letter by letter where they differ: what tells small errors from other words.

use super::AlignmentEvidence;
use crate::align::align_gaps;
use crate::edit_distance::edit_distance;
use crate::feature_hash::FeatureHasher;
use crate::text::{self, Word};
use std::ops::Range;

/// Stretches that differ and have more letters are other text: errors stand between words that are right.
const MAX_RESPELLED: usize = 400;
/// Words of both texts without four in a row that are the same: in more of them, what is equal is equal by chance. Of words of which a half are
/// misread, four in a row are right every sixteen words; but errors may come at even distances.
const MAX_GAP: usize = 2000;
/// Words that differ in more than this share of their letters, and in more than one, are other words.
const MAX_ERRORS: f64 = 0.4;

/// Holds the words of two texts against each other. Exchanging the texts exchanges the sides and nothing else.
pub fn align_letters(a: &str, b: &str, hasher: &FeatureHasher) -> AlignmentEvidence {
    // ties may depend on which text is the first: it is always the same one
    if (b.len(), b) < (a.len(), a) {
        let mut found = align_in_order(b, a, hasher);
        found.letters.reverse();
        found.equal.reverse();
        found.respelled.reverse();
        return found;
    }
    align_in_order(a, b, hasher)
}

fn align_in_order(a: &str, b: &str, hasher: &FeatureHasher) -> AlignmentEvidence {
    let (words_a, words_b) = (text::words(a, hasher), text::words(b, hasher));
    let hashes = |words: &[Word]| words.iter().map(|word| word.hash).collect::<Vec<u64>>();
    let mut found = AlignmentEvidence::default();
    for range in align_gaps(&hashes(&words_a), &hashes(&words_b), MAX_GAP) {
        let stretches = [stretch(a, &words_a, &range.a), stretch(b, &words_b, &range.b)];
        let counts = stretches.map(count);
        let add = |to: &mut [u64; 2]| {
            to[0] += counts[0];
            to[1] += counts[1];
        };
        add(&mut found.letters);
        if range.equal {
            add(&mut found.equal);
            continue;
        }
        match errors(stretches, counts.map(|count| count as usize)) {
            // the same letters: words that were split or joined
            Some(0) => add(&mut found.equal),
            Some(errors) => {
                add(&mut found.respelled);
                found.errors += errors as u64;
            }
            None => {}
        }
    }
    found
}

/// In how many letters two stretches differ; none if they are other words, or numbers: a number that changed is no error of spelling.
fn errors(stretches: [&str; 2], [count_a, count_b]: [usize; 2]) -> Option<usize> {
    let (shorter, longer) = (count_a.min(count_b), count_a.max(count_b));
    let is_number = |letters: &[char]| letters.iter().all(char::is_ascii_digit);
    let most = ((MAX_ERRORS * longer as f64) as usize).max(1);
    if shorter == 0 || longer > MAX_RESPELLED || longer - shorter > most {
        return None;
    }
    let [a, b] = stretches.map(|stretch| letters(stretch).collect::<Vec<char>>());
    let errors = edit_distance(&a, &b);
    let is_other = errors > most || errors > 0 && is_number(&a) && is_number(&b);
    (!is_other).then_some(errors)
}

/// The text of some words.
fn stretch<'a>(text: &'a str, words: &[Word], range: &Range<usize>) -> &'a str {
    let Some(words) = words.get(range.clone()).filter(|words| !words.is_empty()) else { return "" };
    // of words that one sign stands for, some have no place of their own
    let end = words.iter().map(|word| word.span.end).max().unwrap_or(0);
    text.get(words[0].span.start..end).unwrap_or_default()
}

/// Letters and digits, as small letters.
fn letters(stretch: &str) -> impl Iterator<Item = char> {
    stretch.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// How many there are. Most of a text need not be looked at letter by letter.
fn count(stretch: &str) -> u64 {
    let many = if stretch.is_ascii() {
        stretch.bytes().filter(u8::is_ascii_alphanumeric).count()
    } else {
        letters(stretch).count()
    };
    many as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn aligned(a: &str, b: &str) -> AlignmentEvidence {
        align_letters(a, b, &FeatureHasher::default())
    }

    #[test]
    fn errors_are_told_from_other_words() {
        let found =
            aligned("the quick brown fox jumps over the lazy dog", "the qu1ck brovvn fox jumps over a lazy dog");
        // quick brown: 10 letters, then 3 of "the", which is no "a" with errors
        assert_eq!((found.letters, found.respelled, found.errors), ([35, 34], [10, 11], 3));
        assert_eq!(found.unmatched(), [3, 1]);
        assert_eq!(aligned("at most three bar", "at most two bar").respelled, [0, 0]);
        assert_eq!(aligned("höchstens drei Bar", "höchstens zwei Bar").respelled, [0, 0]);
    }

    #[test]
    fn words_that_are_split_are_the_same_letters() {
        let found = aligned("an exam-\nple of hyphens", "An example of hyphens");
        assert_eq!((found.equal, found.errors, found.unmatched()), ([18, 18], 0, [0, 0]));
    }

    #[test]
    fn numbers_that_changed_are_no_errors() {
        assert_eq!(aligned("paid 1204 euros", "paid 1214 euros").unmatched(), [4, 4]);
        assert_eq!(aligned("paid 12O4 euros", "paid 1204 euros").errors, 1);
    }

    proptest! {
        #[test]
        fn sides_are_exchanged_and_nothing_else(a in "[ab1 .]{0,60}|\\PC{0,40}", b in "[ab1 .]{0,60}|\\PC{0,40}") {
            let (there, back) = (aligned(&a, &b), aligned(&b, &a));
            prop_assert_eq!(there.shares().map(f64::to_bits), [back.shares()[1], back.shares()[0]].map(f64::to_bits));
            prop_assert_eq!(there.errors, back.errors);
            for side in [0, 1] {
                prop_assert!(there.equal[side] + there.respelled[side] <= there.letters[side]);
            }
            prop_assert_eq!(aligned(&a, &a).unmatched(), [0, 0]);
        }
    }
}
