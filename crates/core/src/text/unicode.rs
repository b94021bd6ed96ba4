//! The careful walk: NFKC, case folding and word boundaries for text beyond ASCII, with spans.

use caseless::Caseless;
use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, char::canonical_combining_class, is_nfkc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// Buffers for one stretch, kept from stretch to stretch.
#[derive(Clone, Debug, Default)]
pub(super) struct WordBuffers {
    folded: String,
    /// Where each normalised piece begins: in `folded`, and in the text.
    marks: Vec<(usize, usize)>,
}

impl WordBuffers {
    /// Calls `each(span in the text, folded word)` for every word of a stretch of the text.
    #[inline(never)]
    pub(super) fn walk(&mut self, text: &str, stretch: Range<usize>, mut each: impl FnMut(Range<usize>, &str)) {
        match self.fold_latin(&text[stretch.clone()]) {
            Some(length) => each(stretch.start..stretch.start + length, &self.folded),
            None => self.walk_any(text, stretch, each),
        }
    }

    /// Folds a stretch that is one word of Latin letters, as most are in the languages of Western Europe: each is folded by itself, and
    /// nothing joins them. How long the word is; only signs may follow.
    fn fold_latin(&mut self, stretch: &str) -> Option<usize> {
        self.folded.clear();
        let mut length = 0;
        for c in stretch.chars() {
            self.folded.push(match c {
                'a'..='z' | 'à'..='ö' | 'ø'..='ÿ' => c,
                'A'..='Z' => c.to_ascii_lowercase(),
                'À'..='Ö' | 'Ø'..='Þ' => char::from(c as u8 + 32),
                _ => break,
            });
            length += c.len_utf8();
        }
        let is_sign = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'_';
        (length > 0 && stretch.as_bytes()[length..].iter().all(is_sign)).then_some(length)
    }

    /// The walk over any stretch.
    fn walk_any(&mut self, text: &str, stretch: Range<usize>, mut each: impl FnMut(Range<usize>, &str)) {
        self.folded.clear();
        self.marks.clear();
        for piece in pieces(&text[stretch.clone()]) {
            self.marks.push((self.folded.len(), stretch.start + piece.start));
            fold_into(&text[stretch.start + piece.start..stretch.start + piece.end], &mut self.folded);
        }
        let mut mark = 0;
        for (at, word) in self.folded.unicode_word_indices() {
            // a mark that sits on punctuation (compatibility forms decompose so) is a word without it
            let bare = word.trim_start_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_');
            let (at, word) = (at + word.len() - bare.len(), bare);
            mark = self.mark_of(mark, at);
            let start = self.marks[mark].1;
            mark = self.mark_of(mark, at + word.len() - 1);
            let end = self.marks.get(mark + 1).map_or(stretch.end, |next| next.1);
            each(start..end, word);
        }
    }

    /// The last mark at or before a place in `folded`, looking on from one that is not past it.
    fn mark_of(&self, mut mark: usize, at: usize) -> usize {
        while self.marks.get(mark + 1).is_some_and(|next| next.0 <= at) {
            mark += 1;
        }
        mark
    }
}

/// Words of a whole text in canonical form.
pub(super) fn for_each_folded(text: &str, each: impl FnMut(Range<usize>, &str)) {
    WordBuffers::default().walk(text, 0..text.len(), each);
}

/// Pieces that normalise independently of their neighbours: each begins with a starter that nothing can change.
fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = chars.next()?;
        while chars.next_if(|(_, c)| !begins_piece(*c)).is_some() {}
        Some(start..chars.peek().map_or(text.len(), |next| next.0))
    })
}

/// An invisible character goes with what stands before it: without it a mark that follows must still find its letter.
fn begins_piece(c: char) -> bool {
    let stable = || canonical_combining_class(c) == 0 && is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes;
    c.is_ascii() || is_plain_cjk(c) || (!is_invisible(c) && stable())
}

/// Ideographs and kana that have neither case nor a decomposition: the bulk of Chinese and Japanese text.
fn is_plain_cjk(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
}

fn fold_into(piece: &str, folded: &mut String) {
    let mut chars = piece.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
        (Some(c), None) if is_plain_cjk(c) => folded.push(c),
        _ => folded.extend(fold(piece)),
    }
}

/// Punctuation is folded twice: NFKC makes a space and a combining mark of an acute accent, and an apostrophe and a letter of ŉ.
fn fold(piece: &str) -> impl Iterator<Item = char> + '_ {
    let plain = piece.chars().map(fold_punctuation).nfkc().default_case_fold();
    plain.filter(|c| !is_invisible(*c)).map(fold_punctuation).nfkc()
}

/// The plain form of punctuation that stands inside words or numbers, or looks like what does: typography must not make other words.
/// After the confusables of Unicode, as far as they are no letters. Bullets are left alone: they part words.
pub(super) fn fold_punctuation(c: char) -> char {
    match c {
        '\u{b4}'
        | '\u{2b9}'
        | '\u{2bb}'..='\u{2bf}'
        | '\u{2c8}'
        | '\u{2ca}'
        | '\u{2cb}'
        | '\u{2f4}'
        | '\u{374}'
        | '\u{384}'
        | '\u{55a}'
        | '\u{5f3}'
        | '\u{7f4}'
        | '\u{7f5}'
        | '\u{1fbd}'
        | '\u{1fbf}'
        | '\u{1ffd}'
        | '\u{1ffe}'
        | '\u{2018}'
        | '\u{2019}'
        | '\u{201b}'
        | '\u{2032}'
        | '\u{2035}'
        | '\u{a78b}'
        | '\u{a78c}' => '\'',
        '\u{2ba}'
        | '\u{2dd}'
        | '\u{2ee}'
        | '\u{2f6}'
        | '\u{5f4}'
        | '\u{201c}'..='\u{201f}'
        | '\u{2033}'
        | '\u{2036}' => '"',
        '\u{b8}' | '\u{60c}' | '\u{60d}' | '\u{66b}' | '\u{66c}' | '\u{7f8}' | '\u{201a}' | '\u{2e32}' => ',',
        '\u{61b}' | '\u{2e35}' => ';',
        '\u{2f8}' | '\u{589}' | '\u{5c3}' | '\u{703}' | '\u{704}' | '\u{16ec}' | '\u{1803}' | '\u{1809}'
        | '\u{205a}' | '\u{2236}' | '\u{a789}' => ':',
        '\u{2027}' | '\u{2219}' | '\u{22c5}' | '\u{2e31}' => '\u{b7}',
        '\u{2d7}' | '\u{58a}' => '-',
        '\u{2044}' => '/',
        _ => c,
    }
}

/// Default-ignorable code points: they are not seen, so they must not matter.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_word_of_latin_letters_is_as_any_other(before in "[a-z .]{0,3}", stretch in "[a-zA-ZÀ-ÿ]{0,9}[.,;:'\"!_ßµ\u{301}0-9é]{0,2}") {
            let text = format!("{before}{stretch}");
            let words_of = |any: bool| {
                let (mut words, mut buffers) = (Vec::new(), WordBuffers::default());
                let each = |span, word: &str| words.push((span, word.to_owned()));
                let range = before.len()..text.len();
                if any { buffers.walk_any(&text, range, each) } else { buffers.walk(&text, range, each) }
                words
            };
            prop_assert_eq!(words_of(false), words_of(true));
        }
    }
}
