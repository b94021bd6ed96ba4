//! Documents as tokens (words and marks), and tokens as text: sentences, capital letters, paragraphs.

use super::random::Random;
use super::vocabulary::Vocabulary;

/// Marks share the number space with words; the vocabulary ends well below them.
pub(crate) const PARAGRAPH: u16 = u16::MAX;
const FULL_STOP: u16 = u16::MAX - 1;
const QUESTION: u16 = u16::MAX - 2;
const EXCLAMATION: u16 = u16::MAX - 3;
const COMMA: u16 = u16::MAX - 4;

/// Whether a token is a word.
#[inline]
pub(crate) fn is_word(token: u16) -> bool {
    token < COMMA
}

/// How many words there are.
#[cfg(test)]
pub(crate) fn words(tokens: &[u16]) -> usize {
    tokens.iter().filter(|&&token| is_word(token)).count()
}

/// Appends an original text of `words` words.
pub(crate) fn compose(vocabulary: &Vocabulary, random: &mut Random, words: u32, tokens: &mut Vec<u16>) {
    let (mut left, mut sentences) = (words, 0);
    while left > 0 {
        if sentences == 0 {
            sentences = 3 + random.below(5);
            if left < words {
                tokens.push(PARAGRAPH);
            }
        }
        sentences -= 1;
        let length = (6 + random.below(10) + random.below(10)).min(left);
        left -= length;
        // one number is enough for all commas of a sentence: a bit group for each place
        let mut commas = random.next();
        for at in 0..length {
            tokens.push(vocabulary.draw(random));
            if commas.trailing_zeros() >= 4 && at > 1 && at + 2 < length {
                tokens.push(COMMA);
            }
            commas = commas.rotate_right(3);
        }
        tokens.push(match random.below(20) {
            0 => QUESTION,
            1 => EXCLAMATION,
            _ => FULL_STOP,
        });
    }
}

/// Most bytes that one word and its space can become.
const WIDEST: usize = 17;

/// Appends the text of tokens. `paragraph` stands between paragraphs: escaped or not is for the caller to say.
pub(crate) fn render(vocabulary: &Vocabulary, tokens: &[u16], paragraph: &str, out: &mut Vec<u8>) {
    let start = out.len();
    // room for the widest text, so that every word is one copy of fixed size
    out.resize(start + tokens.len() * WIDEST.max(paragraph.len()) + WIDEST, b' ');
    // the last token that was written; edits may leave marks without words, and those are not written
    let (mut at, mut last) = (start, PARAGRAPH);
    for &token in tokens {
        if is_word(token) {
            let (slot, length) = vocabulary.word(token);
            out[at..at + slot.len()].copy_from_slice(slot);
            if !is_word(last) && last != COMMA {
                out[at].make_ascii_uppercase();
            }
            at += length;
            out[at] = b' ';
            at += 1;
        } else if token == PARAGRAPH {
            if last == PARAGRAPH {
                continue;
            }
            // in the place of the space before it
            out[at - 1..at - 1 + paragraph.len()].copy_from_slice(paragraph.as_bytes());
            at += paragraph.len() - 1;
        } else {
            if !is_word(last) {
                continue;
            }
            out[at - 1] = match token {
                COMMA => b',',
                FULL_STOP => b'.',
                QUESTION => b'?',
                _ => b'!',
            };
            out[at] = b' ';
            at += 1;
        }
        last = token;
    }
    // no space at the end, and no paragraph that nothing follows
    let end = if last == PARAGRAPH && at > start { at - paragraph.len() } else { at.saturating_sub(1).max(start) };
    out.truncate(end);
}
