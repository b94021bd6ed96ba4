//! Requests to parse source code, and the answers to them. Numbers are little-endian.
//!
//! ```text
//! request   row of the language (1), details (1), length of the text (4), text
//! answer    0 (1), number of tokens (4), tokens (12 each); or why there are none (1), a number (4)
//! ```

use crate::language::Language;
use crate::vocabulary;
use crate::{Degraded, TOKENS_VERSION, Token, TokenDetail, languages};
use lookalike_process::frame;
use std::io::{self, Read};
use xxhash_rust::xxh3::xxh3_64;

/// No tree has more tokens for each byte of its text. An answer that has more is none.
const MAX_TOKENS_PER_BYTE: usize = 4;
const TOKEN_BYTES: usize = 12;

const TOKENS: u8 = 0;
const GRAMMAR_VERSION: u8 = 1;
const TOO_TANGLED: u8 = 2;
const UNPARSED: u8 = 3;

/// A text to be parsed.
#[derive(Debug)]
pub struct Request {
    /// The language that it is parsed as.
    pub language: &'static Language,
    /// The details of its tokens.
    pub detail: TokenDetail,
    /// The text.
    pub text: String,
}

/// The greeting of a parser program: what it and its caller must have in common, so that both mean the same by a request and by a token.
pub fn parser_greeting() -> [u8; 8] {
    let names: Vec<&str> = languages().iter().map(Language::name).collect();
    let words = vocabulary::WORDS;
    let version = format!("{} {} {TOKENS_VERSION} {names:?} {words}", env!("CARGO_PKG_VERSION"), frame::VERSION);
    xxh3_64(version.as_bytes()).to_le_bytes()
}

/// Bytes of the longest answer about a text.
pub(crate) fn max_answer(text: &str) -> u64 {
    (text.len() as u64).saturating_mul(MAX_TOKENS_PER_BYTE as u64 * TOKEN_BYTES as u64).saturating_add(5)
}

/// Puts a request into `out`.
pub(crate) fn write_request(text: &str, language: &'static Language, detail: TokenDetail, out: &mut Vec<u8>) {
    out.clear();
    let TokenDetail { identifiers, literals, comments } = detail;
    let detail = u8::from(identifiers) | u8::from(literals) << 1 | u8::from(comments) << 2;
    out.extend([language.row() as u8, detail]);
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

/// The request that these bytes are.
pub fn read_request(input: &mut impl Read) -> io::Result<Request> {
    let [row, detail] = read_array(input)?;
    let length = u32::from_le_bytes(read_array(input)?) as usize;
    let mut text = vec![0; length];
    input.read_exact(&mut text)?;
    let language = languages().get(usize::from(row)).ok_or_else(|| wrong("a language that there is not"))?;
    let detail = TokenDetail { identifiers: detail & 1 != 0, literals: detail & 2 != 0, comments: detail & 4 != 0 };
    let text = String::from_utf8(text).map_err(|_| wrong("a text that is no UTF-8"))?;
    Ok(Request { language, detail, text })
}

/// Appends an answer to `out`.
pub fn write_answer(answer: &Result<Vec<Token>, Degraded>, out: &mut Vec<u8>) -> io::Result<()> {
    let (kind, number) = match answer {
        Ok(tokens) => (TOKENS, tokens.len()),
        Err(Degraded::GrammarVersion { .. }) => (GRAMMAR_VERSION, 0),
        Err(Degraded::TooTangled { .. }) => (TOO_TANGLED, 0),
        Err(Degraded::Unparsed { percent, .. }) => (UNPARSED, *percent),
        Err(other) => return Err(wrong(&format!("a reason that no parser has: {other}"))),
    };
    out.push(kind);
    out.extend((number as u32).to_le_bytes());
    for token in answer.iter().flatten() {
        for number in [token.id, token.start, token.end] {
            out.extend(number.to_le_bytes());
        }
    }
    Ok(())
}

/// The answer about a text. The process that gives it may have written over its own memory: tokens outside of the text are an error.
pub(crate) fn read_answer(
    input: &mut impl Read,
    text: &str,
    language: &'static Language,
) -> io::Result<Result<Vec<Token>, Degraded>> {
    let [kind] = read_array(input)?;
    let number = u32::from_le_bytes(read_array(input)?) as usize;
    let language = language.title();
    Ok(Err(match kind {
        TOKENS if number <= text.len().saturating_mul(MAX_TOKENS_PER_BYTE) => {
            return read_tokens(input, number, text).map(Ok);
        }
        GRAMMAR_VERSION => Degraded::GrammarVersion { language },
        TOO_TANGLED => Degraded::TooTangled { language },
        UNPARSED => Degraded::Unparsed { percent: number, language },
        _ => return Err(wrong("an answer that means nothing")),
    }))
}

fn read_tokens(input: &mut impl Read, number: usize, text: &str) -> io::Result<Vec<Token>> {
    let mut bytes = vec![0; number * TOKEN_BYTES];
    input.read_exact(&mut bytes)?;
    let mut last = 0;
    let token = |bytes: &[u8; TOKEN_BYTES]| {
        let [id, start, end] =
            [0, 4, 8].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
        let whole = text.is_char_boundary(start as usize) && text.is_char_boundary(end as usize);
        let sound = id != 0 && last <= start && start < end && whole;
        last = start;
        sound.then_some(Token { id, start, end }).ok_or_else(|| wrong("a token that is not in the text"))
    };
    bytes.as_chunks().0.iter().map(token).collect()
}

fn read_array<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
