//! The fast walk over a text: ASCII words by a table of classes, anything else by way of [`unicode`].

use super::unicode;
use crate::fingerprint::Fingerprinter;
use std::ops::Range;

/// Classes of bytes under UAX #29.
const OTHER: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// `_` joins letters and digits, but is no word of its own.
const JOINER: u8 = 3;
/// `.` and `'` stand between two letters or between two digits.
const MID_BOTH: u8 = 4;
/// `:` stands between two letters.
const MID_LETTER: u8 = 5;
/// `,` and `;` stand between two digits.
const MID_DIGIT: u8 = 6;
/// First byte of something that is not ASCII.
const WIDE: u8 = 7;

const CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => JOINER,
            b'.' | b'\'' => MID_BOTH,
            b':' => MID_LETTER,
            b',' | b';' => MID_DIGIT,
            0x80.. => WIDE,
            _ => OTHER,
        };
        b += 1;
    }
    table
};

/// Calls `each(span, hash)` for every word of the text.
#[inline]
pub(super) fn walk(text: &str, fp: &Fingerprinter, mut each: impl FnMut(Range<usize>, u64)) {
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(OTHER, |b| CLASS[*b as usize]);
    let mut scratch = unicode::Scratch::default();
    let mut at = 0;
    while at < bytes.len() {
        match CLASS[bytes[at] as usize] {
            LETTER | DIGIT | JOINER | WIDE => {}
            _ => {
                at += 1;
                continue;
            }
        }
        let start = at;
        let mut previous = class(at);
        let mut is_word = previous == LETTER || previous == DIGIT;
        let mut wide = previous == WIDE;
        while !wide {
            at += 1;
            let here = class(at);
            match here {
                LETTER | DIGIT => is_word = true,
                JOINER => {}
                MID_BOTH | MID_LETTER | MID_DIGIT => {
                    let next = class(at + 1);
                    wide = next == WIDE;
                    let joins = next == previous
                        && match next {
                            LETTER => here != MID_DIGIT,
                            DIGIT => here != MID_LETTER,
                            _ => false,
                        };
                    if !joins {
                        break;
                    }
                }
                WIDE => wide = true,
                _ => break,
            }
            previous = here;
        }
        if wide {
            at = end_of_wide_stretch(bytes, at);
            scratch.walk(text, start..at, |span, word| each(span, fp.word(word.as_bytes())));
        } else if is_word {
            each(start..at, fp.ascii_word(&bytes[start..at]));
        }
    }
}

/// A stretch with wide characters ends where any ASCII byte ends a word for certain.
/// The double quote does not: between Hebrew letters it is part of the word.
fn end_of_wide_stretch(bytes: &[u8], from: usize) -> usize {
    let ends = |b: &u8| CLASS[*b as usize] == OTHER && *b != b'"';
    bytes[from..].iter().position(ends).map_or(bytes.len(), |n| from + n)
}
