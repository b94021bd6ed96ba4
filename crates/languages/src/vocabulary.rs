//! The words and operators of a language, looked up by their text.

use super::ids;
use super::language::Language;
use rustc_hash::FxHashMap;

/// The words and operators that the grammars spell out: on each line a language, then its words. `lookalike-parser` generates it.
pub(super) const WORDS: &str = include_str!("words.txt");

/// Words that are values in most languages.
const CONSTANTS: [&[u8]; 11] =
    [b"true", b"True", b"TRUE", b"false", b"False", b"FALSE", b"null", b"NULL", b"nil", b"None", b"nullptr"];

/// The longest operator that the lexical reading looks for: `#include` is one.
const MAX_OPERATOR_BYTES: usize = 8;

/// Operators of most languages, for those without a grammar.
const USUAL_OPERATORS: [&str; 34] = [
    "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "->",
    "=>", "::", ":=", "..", "**", "//", "??", "?.", "===", "!==", "<<=", ">>=", "...", "<>", "|>",
];

/// A word that a language knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A value: a token like a number.
    Constant,
    /// A keyword or a type, with the id of its token.
    Keyword(u32),
}

/// The words and operators of a language with a grammar, as its grammar spells them out.
pub(super) fn words_of_grammar(language: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = WORDS.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == language).map(|(_, words)| words.split(' ')).into_iter().flatten()
}

/// Whether the lexical reading looks for such a word or operator of a grammar.
pub fn is_looked_for(text: &str) -> bool {
    is_keyword(text) || is_operator(text)
}

fn is_keyword(text: &str) -> bool {
    text.bytes().next().is_some_and(is_word) && text.bytes().all(|byte| is_word(byte) || byte.is_ascii_digit())
}

fn is_operator(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_punctuation())
        && text.is_ascii()
        && (2..=MAX_OPERATOR_BYTES).contains(&text.len())
}

/// Everything of a language that is computed from its row.
pub(super) struct Vocabulary {
    /// Keywords and operators by their text.
    fixed: FxHashMap<Box<[u8]>, u32>,
    /// How long the longest operator is that begins with a byte, for a quick no.
    operators: [u8; 128],
    /// Bytes that a comment or a string begins with.
    marks: [bool; 128],
    longest_keyword: usize,
    caseless: bool,
    /// A token for each ASCII character that nothing else was found for.
    symbols: [u32; 128],
    pub(super) identifier: u32,
    pub(super) literal: u32,
    pub(super) comment: u32,
    /// For tokens that are called by their text.
    pub(super) family: u64,
}

impl Vocabulary {
    pub(super) fn new(language: &Language) -> Self {
        let family = ids::family(language.family);
        let id = |name: &str| ids::of_name(family, name.as_bytes());
        let mut vocabulary = Self {
            fixed: FxHashMap::default(),
            operators: [1; 128],
            marks: marks(language),
            longest_keyword: 0,
            caseless: language.caseless,
            symbols: std::array::from_fn(|symbol| id(std::str::from_utf8(&[symbol as u8]).unwrap_or_default())),
            identifier: id(ids::IDENTIFIER),
            literal: id(ids::LITERAL),
            comment: id(ids::COMMENT),
            family,
        };
        if language.has_grammar() {
            for word in words_of_grammar(language.name) {
                vocabulary.add(word, id(word));
            }
            for (kind, words) in language.types {
                for word in *words {
                    vocabulary.add(word, id(&format!("<{kind}>")));
                }
            }
        } else {
            for operator in USUAL_OPERATORS {
                vocabulary.add(operator, id(operator));
            }
        }
        vocabulary
    }

    fn add(&mut self, text: &str, id: u32) {
        let bytes = text.as_bytes();
        if is_keyword(text) {
            self.longest_keyword = self.longest_keyword.max(bytes.len());
        } else if is_operator(text) {
            let longest = &mut self.operators[usize::from(bytes[0])];
            *longest = (*longest).max(bytes.len() as u8);
        } else {
            return;
        }
        self.fixed.insert(bytes.into(), id);
    }

    /// A word, if the language knows it.
    #[inline]
    pub(super) fn word(&self, word: &[u8]) -> Option<Word> {
        if word.len() <= 7 && CONSTANTS.contains(&word) {
            return Some(Word::Constant);
        }
        if word.len() > self.longest_keyword {
            return None;
        }
        let found = if self.caseless { self.fixed.get(&*word.to_ascii_lowercase()) } else { self.fixed.get(word) };
        found.copied().map(Word::Keyword)
    }

    /// Whether a comment or a string may begin with this byte.
    #[inline]
    pub(super) fn begins_mark(&self, byte: u8) -> bool {
        self.marks[usize::from(byte & 0x7f)]
    }

    /// The token of the operator or symbol that `bytes`, which are not empty, begin with, and its length.
    #[inline]
    pub(super) fn operator(&self, bytes: &[u8]) -> (u32, usize) {
        let first = usize::from(bytes[0] & 0x7f);
        let longest = usize::from(self.operators[first]).min(bytes.len());
        for length in (2..=longest).rev() {
            if let Some(&id) = self.fixed.get(&bytes[..length]) {
                return (id, length);
            }
        }
        (self.symbols[first], 1)
    }
}

fn marks(language: &Language) -> [bool; 128] {
    let blocks = language.block_comments.iter().map(|(open, _)| open);
    let quotes = language.quotes.iter().map(|quote| &quote.open);
    let mut marks = [false; 128];
    for mark in language.line_comments.iter().chain(blocks).chain(quotes) {
        marks[usize::from(mark.as_bytes()[0] & 0x7f)] = true;
    }
    marks
}

/// Letters and the like: what a word begins with, in ASCII.
#[inline]
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}
