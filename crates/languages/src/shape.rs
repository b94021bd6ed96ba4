//! A look at the words of a file before it is parsed. After an error the parser goes over all that it could not finish
//! so far, which takes the square of it if there is an error in each line. Files that no one wrote by hand are
//! therefore kept from it; the words are nearly the same tokens.

use super::vocabulary::Vocabulary;
use super::{Degraded, Token};
use memchr::memchr;

/// Brackets in brackets. Code that people write stays below thirty.
const MAX_DEPTH: usize = 256;

/// Brackets that close nothing or are never closed: each is an error to recover from. A slip of somebody's hand is a few of them.
const MAX_UNMATCHED: usize = 50;

/// Tokens on one line. Longer ones are tables, or were written by a machine.
const MAX_LINE_TOKENS: usize = 1_000;

/// Tokens that are looked at together, and how many different sequences of four must be among them. Code has hundreds.
const BLOCK_TOKENS: usize = 1_024;
const MIN_VARIETY: u32 = 16;
const MAX_OTHERS_IN_TABLE: usize = 8;

/// Why a text of these words should not be parsed.
pub(super) fn unfit(text: &str, words: &[Token], vocabulary: &Vocabulary) -> Option<Degraded> {
    let repeats = |block: &[Token]| variety(block) < MIN_VARIETY && !is_table(block, text.as_bytes(), vocabulary);
    let brackets = Brackets::of(text.as_bytes(), words);
    if brackets.deepest > MAX_DEPTH {
        Some(Degraded::TooDeep { max: MAX_DEPTH })
    } else if brackets.unmatched > MAX_UNMATCHED {
        Some(Degraded::UnmatchedBrackets { max: MAX_UNMATCHED })
    } else if has_long_line(text.as_bytes(), words) {
        Some(Degraded::LongLine { max: MAX_LINE_TOKENS })
    } else if words.chunks_exact(BLOCK_TOKENS).any(repeats) {
        Some(Degraded::Repetitive)
    } else {
        None
    }
}

/// How brackets stand in each other.
struct Brackets {
    deepest: usize,
    unmatched: usize,
}

impl Brackets {
    fn of(bytes: &[u8], words: &[Token]) -> Self {
        let mut open = Vec::new();
        let mut brackets = Self { deepest: 0, unmatched: 0 };
        for word in words.iter().filter(|word| word.end == word.start + 1) {
            match bytes[word.start as usize] {
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                close if open.last() == Some(&close) => drop(open.pop()),
                // one that closes nothing is passed over: it would hide the depth
                b')' | b']' | b'}' => brackets.unmatched += 1,
                _ => {}
            }
            brackets.deepest = brackets.deepest.max(open.len());
        }
        brackets.unmatched += open.len();
        brackets
    }
}

/// Whether a line has more than so many words. A line with half as many again is always noticed.
fn has_long_line(bytes: &[u8], words: &[Token]) -> bool {
    let mut windows = words.windows(MAX_LINE_TOKENS + 1).step_by(MAX_LINE_TOKENS / 2);
    windows.any(|window| {
        let between = window[0].start as usize..window[MAX_LINE_TOKENS].start as usize;
        memchr(b'\n', &bytes[between]).is_none()
    })
}

/// Whether these are the values of a table, which repeat themselves in honest code too.
fn is_table(block: &[Token], bytes: &[u8], vocabulary: &Vocabulary) -> bool {
    let is_value = |word: &Token| word.id == vocabulary.identifier || word.id == vocabulary.literal;
    let between = |word: &Token| b",:()[]{}".contains(&bytes[word.start as usize]);
    let values = block.iter().filter(|word| is_value(word)).count();
    let others = block.iter().filter(|word| !is_value(word) && !between(word)).count();
    // values are separated, and the table may begin or end in the block
    values <= block.len() / 2 + MAX_OTHERS_IN_TABLE && others <= MAX_OTHERS_IN_TABLE
}

/// About how many different sequences of four words there are.
fn variety(block: &[Token]) -> u32 {
    let mut seen = [0u64; 64];
    for four in block.windows(4) {
        let hash = four.iter().fold(0u32, |hash, word| (hash.rotate_left(5) ^ word.id).wrapping_mul(0x9e37_79b1));
        seen[(hash >> 26) as usize] |= 1 << (hash >> 20 & 63);
    }
    seen.iter().map(|bits| bits.count_ones()).sum()
}
