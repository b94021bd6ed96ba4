//! The words of two texts in their order, letter by letter where they differ: what tells small errors from other words.

use super::AlignmentEvidence;
use crate::align::{Windows, align_prepared};
use crate::edit_distance::edit_distance;
use crate::feature_hash::FeatureHasher;
use crate::text;
use std::ops::Range;

/// Stretches that differ and have more letters are other text: errors stand between words that are right.
const MAX_RESPELLED: usize = 400;
/// Words of both texts without four in a row that are the same: in more of them, what is equal is equal by chance. Of words of which a half are
/// misread, four in a row are right every sixteen words; but errors may come at even distances.
const MAX_GAP: usize = 2000;
/// Words that differ in more than this share of their letters, and in more than one, are other words.
const MAX_ERRORS: f64 = 0.4;

/// A text that is held against others: its words, and where they stand.
#[derive(Clone, Debug, Default)]
pub struct LetterText {
    text: String,
    /// The hash of each word.
    words: Vec<u64>,
    /// Where each begins and ends.
    spans: Vec<Span>,
    windows: Windows,
}

/// Where a word begins, and where it or one before it ends last: of words that one sign stands for, some have no place of their own.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
    /// Letters of the text before its beginning, and before its end.
    before: u32,
    upto: u32,
}

/// Some words: where their text begins and ends, and how many letters it has.
struct Stretch<'a> {
    text: &'a str,
    letters: u64,
}

impl LetterText {
    /// Takes the words of a text of less than 4 GiB.
    pub fn new(text: String, hasher: &FeatureHasher) -> Self {
        let (mut words, mut spans) = (Vec::with_capacity(text.len() / 6), Vec::with_capacity(text.len() / 6));
        text::Walker::default().walk_by(
            &text,
            |bytes, length| hasher.padded_word(bytes, length),
            |span, hash| {
                words.push(hash);
                spans.push(Span { start: span.start as u32, end: span.end as u32, before: 0, upto: 0 });
            },
        );
        let mut letters = LettersBefore { text: &text, at: 0, letters: 0 };
        let mut end = 0;
        for span in &mut spans {
            end = span.end.max(end);
            span.end = end;
            (span.before, span.upto) = (letters.upto(span.start as usize), letters.upto(span.end as usize));
        }
        Self { windows: Windows::of(&words), text, words, spans }
    }

    /// The hash of each of its words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The text of some words.
    fn stretch(&self, range: &Range<usize>) -> Stretch<'_> {
        let spans = self.spans.get(range.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return Stretch { text: "", letters: 0 } };
        Stretch {
            text: self.text.get(first.start as usize..last.end as usize).unwrap_or_default(),
            letters: u64::from(last.upto.saturating_sub(first.before)),
        }
    }
}

/// Counts letters from the beginning of a text on.
struct LettersBefore<'a> {
    text: &'a str,
    at: usize,
    letters: u32,
}

impl LettersBefore<'_> {
    /// How many there are before a place. Places come in order; what comes too late is before the last one.
    fn upto(&mut self, place: usize) -> u32 {
        if place <= self.at {
            let back = self.text.get(place..self.at).map_or(0, count);
            return self.letters - back;
        }
        self.letters += self.text.get(self.at..place).map_or(0, count);
        self.at = place;
        self.letters
    }
}

/// Holds the words of two texts against each other. Exchanging the texts exchanges the sides and nothing else.
pub fn align_letters(a: &LetterText, b: &LetterText) -> AlignmentEvidence {
    // ties may depend on which text is the first: it is always the same one
    if (b.text.len(), &b.text) < (a.text.len(), &a.text) {
        let mut found = align_in_order(b, a);
        found.letters.reverse();
        found.equal.reverse();
        found.respelled.reverse();
        return found;
    }
    align_in_order(a, b)
}

fn align_in_order(a: &LetterText, b: &LetterText) -> AlignmentEvidence {
    let mut found = AlignmentEvidence::default();
    for range in align_prepared((&a.words, &a.windows), (&b.words, &b.windows), MAX_GAP) {
        let stretches = [a.stretch(&range.a), b.stretch(&range.b)];
        let counts = [stretches[0].letters, stretches[1].letters];
        let add = |to: &mut [u64; 2]| {
            to[0] += counts[0];
            to[1] += counts[1];
        };
        add(&mut found.letters);
        if range.equal {
            add(&mut found.equal);
            continue;
        }
        match errors([stretches[0].text, stretches[1].text], counts.map(|count| count as usize)) {
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

/// Letters and digits, as small letters.
fn letters(stretch: &str) -> impl Iterator<Item = char> {
    stretch.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// How many there are. Most of a text need not be looked at letter by letter.
fn count(stretch: &str) -> u32 {
    let many = if stretch.is_ascii() {
        stretch.bytes().filter(u8::is_ascii_alphanumeric).count()
    } else {
        letters(stretch).count()
    };
    many as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn aligned(a: &str, b: &str) -> AlignmentEvidence {
        let text = |text: &str| LetterText::new(text.to_owned(), &FeatureHasher::default());
        align_letters(&text(a), &text(b))
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

        #[test]
        fn letters_are_those_of_the_stretch(text in "[ab1 .]{0,60}|\\PC{0,40}|[㌀㌁ﬀａ½ ]{0,12}", from in 0usize..20, many in 0usize..20) {
            let text = LetterText::new(text, &FeatureHasher::default());
            let stretch = text.stretch(&(from..(from + many).min(text.words.len()).max(from)));
            prop_assert_eq!(stretch.letters, letters(stretch.text).count() as u64);
        }
    }
}
