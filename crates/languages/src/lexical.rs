//! Source code word by word, without a grammar: words, numbers, strings and operators, by the marks of the language.
//! Any text is read, in one pass. Tokens have the same ids as the leaves of a tree of the same language.

use super::language::{Language, Quote, Reach};
pub use super::vocabulary::is_looked_for;
use super::vocabulary::{Vocabulary, Word, is_word};
use super::{Token, TokenDetail, ids};
use memchr::{memchr, memchr3, memmem};

/// The longest escaped character in quotes: `\u{10FFFF}`.
const MAX_ESCAPE_BYTES: usize = 10;

/// Adds the tokens of `text`, which begins at `offset` of the whole. Returns whether its last comment is closed.
pub fn read(
    text: &str,
    offset: u32,
    language: &'static Language,
    detail: TokenDetail,
    tokens: &mut Vec<Token>,
) -> bool {
    let vocabulary = language.vocabulary();
    let mut lexer =
        Lexer { text, bytes: text.as_bytes(), at: 0, offset, language, vocabulary, detail, tokens, closed: true };
    while lexer.at < lexer.bytes.len() {
        lexer.step();
    }
    lexer.closed
}

/// Adds the words of a comment, which begins at `offset` of the whole.
pub fn comment(text: &str, offset: u32, language: &'static Language, tokens: &mut Vec<Token>) {
    words_of_comment(text, offset, language.vocabulary(), tokens);
}

fn words_of_comment(text: &str, offset: u32, vocabulary: &Vocabulary, tokens: &mut Vec<Token>) {
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        match start {
            None if c.is_alphanumeric() => start = Some(at),
            Some(from) if !c.is_alphanumeric() => {
                let id = ids::with_text(vocabulary.comment, &text.as_bytes()[from..at]);
                tokens.push(Token { id, start: offset + from as u32, end: offset + at as u32 });
                start = None;
            }
            _ => {}
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    offset: u32,
    language: &'static Language,
    vocabulary: &'static Vocabulary,
    detail: TokenDetail,
    tokens: &'a mut Vec<Token>,
    closed: bool,
}

impl Lexer<'_> {
    /// Reads what is next, be it a token or not. Always goes on by a character at least.
    #[inline]
    fn step(&mut self) {
        let byte = self.bytes[self.at];
        if is_word(byte) {
            self.word();
        } else if byte.is_ascii_digit() {
            self.number();
        } else if !byte.is_ascii() {
            self.beyond_ascii();
        } else if self.vocabulary.begins_mark(byte) && (self.commented() || self.quoted()) {
            // done
        } else if byte.is_ascii_whitespace() || byte.is_ascii_control() {
            self.at += 1;
        } else {
            let (id, length) = self.vocabulary.operator(&self.bytes[self.at..]);
            self.push(id, self.at + length);
        }
    }

    fn push(&mut self, id: u32, end: usize) {
        self.tokens.push(Token { id, start: self.offset + self.at as u32, end: self.offset + end as u32 });
        self.at = end;
    }

    fn push_literal(&mut self, id: u32, end: usize) {
        let text = &self.bytes[self.at..end];
        self.push(if self.detail.literals { ids::with_text(id, text) } else { id }, end);
    }

    /// Where the letters and digits that begin at `at` end.
    #[inline]
    fn end_of_word(&self, mut at: usize) -> usize {
        while let Some(&byte) = self.bytes.get(at) {
            if is_word(byte) || byte.is_ascii_digit() {
                at += 1;
            } else if byte.is_ascii() {
                break;
            } else {
                match self.text[at..].chars().next() {
                    Some(c) if c.is_alphanumeric() => at += c.len_utf8(),
                    _ => break,
                }
            }
        }
        at
    }

    #[inline]
    fn word(&mut self) {
        let start = self.at;
        let end = self.end_of_word(start);
        let word = &self.bytes[start..end];
        match self.vocabulary.word(word) {
            Some(Word::Constant) => self.push_literal(self.vocabulary.literal, end),
            Some(Word::Keyword(id)) => self.push(id, end),
            // r"…", f'…', u8"…": a prefix is part of the string
            None if word.len() <= 2 && matches!(self.bytes.get(end), Some(b'"' | b'\'')) => {
                self.at = end;
                if self.quoted() {
                    if let Some(string) = self.tokens.last_mut() {
                        string.start = self.offset + start as u32;
                    }
                } else {
                    self.at = start;
                    self.name(end);
                }
            }
            None => self.name(end),
        }
    }

    fn name(&mut self, end: usize) {
        let id = self.vocabulary.identifier;
        let word = &self.bytes[self.at..end];
        self.push(if self.detail.identifiers { ids::with_text(id, word) } else { id }, end);
    }

    fn number(&mut self) {
        let bytes = self.bytes;
        let mut end = self.at;
        loop {
            end = self.end_of_word(end);
            let more = match bytes.get(end) {
                // no range, no method of a number
                Some(b'.') => bytes.get(end + 1).is_none_or(|&next| next != b'.' && !is_word(next)),
                Some(b'+' | b'-') => {
                    matches!(bytes[end - 1], b'e' | b'E')
                        && !bytes[self.at..end].starts_with(b"0x")
                        && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
                }
                _ => false,
            };
            if !more {
                break;
            }
            end += 1;
        }
        self.push_literal(self.vocabulary.literal, end);
    }

    fn beyond_ascii(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else { return };
        if c.is_alphanumeric() {
            self.word();
        } else if c.is_whitespace() || c.is_control() {
            self.at += c.len_utf8();
        } else {
            let end = self.at + c.len_utf8();
            self.push(ids::of_name(self.vocabulary.family, &self.bytes[self.at..end]), end);
        }
    }

    /// Goes over a comment, if one begins here.
    fn commented(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let begins = |mark: &str| rest.starts_with(mark.as_bytes());
        let length = if let Some((open, close)) = self.language.block_comments.iter().find(|(open, _)| begins(open)) {
            let inner = &rest[open.len()..];
            let end = memmem::find(inner, close.as_bytes());
            self.closed = end.is_some();
            end.map_or(rest.len(), |at| open.len() + at + close.len())
        } else if self.language.line_comments.iter().any(|mark| begins(mark)) {
            memchr(b'\n', rest).unwrap_or(rest.len())
        } else {
            return false;
        };
        if self.detail.comments {
            let text = &self.text[self.at..self.at + length];
            words_of_comment(text, self.offset + self.at as u32, self.vocabulary, self.tokens);
        }
        self.at += length;
        true
    }

    /// Goes over a string, if one begins here.
    fn quoted(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let Some(quote) = self.language.quotes.iter().find(|quote| rest.starts_with(quote.open.as_bytes())) else {
            return false;
        };
        let inner = &rest[quote.open.len()..];
        let Some(length) = quoted_length(inner, quote) else { return false };
        self.push_literal(self.vocabulary.literal, self.at + quote.open.len() + length);
        true
    }
}

/// How long a string is behind its opening mark, with the closing one.
fn quoted_length(inner: &[u8], quote: &Quote) -> Option<usize> {
    let close = quote.close.as_bytes();
    if quote.reach == Reach::Character {
        return character_length(inner, close);
    }
    let mut at = 0;
    loop {
        let Some(found) = memchr3(close[0], b'\\', b'\n', &inner[at..]) else { return Some(inner.len()) };
        at += found;
        match inner[at] {
            _ if inner[at..].starts_with(close) => return Some(at + close.len()),
            b'\\' if quote.escapes => at = after_escape(inner, at),
            b'\n' if quote.reach == Reach::Line => return Some(at),
            _ => at += 1,
        }
        if at >= inner.len() {
            return Some(inner.len());
        }
    }
}

/// One character, escaped or not, and the closing mark.
fn character_length(inner: &[u8], close: &[u8]) -> Option<usize> {
    let first = *inner.first()?;
    let (least, most) = match first {
        b'\\' => (2, MAX_ESCAPE_BYTES),
        b'\n' => return None,
        _ => (1, if first.is_ascii() { 1 } else { 4 }),
    };
    (least..=most).find(|&at| inner.get(at..).is_some_and(|rest| rest.starts_with(close))).map(|at| at + close.len())
}

/// Behind a backslash and the ASCII character after it; another character is no mark and need not be gone over.
fn after_escape(inner: &[u8], at: usize) -> usize {
    if inner.get(at + 1).is_some_and(u8::is_ascii) { at + 2 } else { at + 1 }
}
