//! What a language's grammar says, once per process: the token of each kind of node, and its words and operators.

use super::ids;
use super::language::{Language, Reading};
use super::rule::{Role, role};
use super::tree;
use rustc_hash::FxHashMap;

/// The names of tokens that are no words of the source.
pub(super) const IDENTIFIER: &str = "<identifier>";
pub(super) const LITERAL: &str = "<literal>";
const COMMENT: &str = "<comment>";

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

/// What the walk does at a node: a [`Role`] without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Skip,
    Descend,
    Leaf,
    Identifier,
    Literal,
    Template,
    Text,
    Comment,
    Foreign,
    Error,
}

/// Everything of a language that is computed from its row.
pub(super) struct Vocabulary {
    /// By kind of node.
    kinds: Vec<(Step, u32)>,
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
            kinds: Vec::new(),
            fixed: FxHashMap::default(),
            operators: [1; 128],
            marks: marks(language),
            longest_keyword: 0,
            caseless: language.caseless,
            symbols: std::array::from_fn(|symbol| id(std::str::from_utf8(&[symbol as u8]).unwrap_or_default())),
            identifier: id(IDENTIFIER),
            literal: id(LITERAL),
            comment: id(COMMENT),
            family,
        };
        if let Reading::Tree(Some(grammar)) = language.reading {
            tree::for_each_kind(grammar, |name, named, visible| {
                let role = role(name, named, language.kinds);
                vocabulary.kinds.push(step(role, id));
                // what is never shown is no word of the language
                if let Role::Keyword(text) = role
                    && visible
                {
                    vocabulary.add(text, id(text));
                }
            });
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
        let Some(&first) = bytes.first() else { return };
        if is_word(first) && bytes.iter().all(|&byte| is_word(byte) || byte.is_ascii_digit()) {
            self.longest_keyword = self.longest_keyword.max(bytes.len());
        } else if first.is_ascii_punctuation() && text.is_ascii() && (2..=MAX_OPERATOR_BYTES).contains(&bytes.len()) {
            let longest = &mut self.operators[usize::from(first)];
            *longest = (*longest).max(bytes.len() as u8);
        } else {
            return;
        }
        self.fixed.insert(bytes.into(), id);
    }

    /// What to do at a node, and the id of its token.
    #[cfg_attr(not(feature = "grammar"), expect(dead_code, reason = "only a tree has nodes"))]
    #[inline]
    pub(super) fn kind(&self, kind: u16) -> (Step, u32) {
        // an ERROR has a number of its own, beyond all
        self.kinds.get(usize::from(kind)).copied().unwrap_or((Step::Error, 0))
    }

    /// The token of a word that the language knows.
    #[inline]
    pub(super) fn word(&self, word: &[u8]) -> Option<(Step, u32)> {
        if word.len() <= 7 && CONSTANTS.contains(&word) {
            return Some((Step::Literal, self.literal));
        }
        if word.len() > self.longest_keyword {
            return None;
        }
        let found = if self.caseless { self.fixed.get(&*word.to_ascii_lowercase()) } else { self.fixed.get(word) };
        found.map(|&id| (Step::Leaf, id))
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

fn step(role: Role<'_>, id: impl Fn(&str) -> u32) -> (Step, u32) {
    match role {
        Role::Skip => (Step::Skip, 0),
        Role::Descend => (Step::Descend, 0),
        Role::Keyword(text) => (Step::Leaf, id(text)),
        Role::Kind(kind) => (Step::Leaf, id(&format!("<{kind}>"))),
        Role::Identifier => (Step::Identifier, id(IDENTIFIER)),
        Role::Literal => (Step::Literal, id(LITERAL)),
        Role::Template => (Step::Template, id(LITERAL)),
        Role::Text => (Step::Text, 0),
        Role::Comment => (Step::Comment, id(COMMENT)),
        Role::Foreign => (Step::Foreign, 0),
    }
}
