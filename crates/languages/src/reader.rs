//! A file is parsed if it can be, and read word by word if not.

use super::language::{Language, Reading};
use super::vocabulary::Vocabulary;
use super::{Code, Degraded, Token, TokenDetail, leaves, lexical, message, notebook, shape};
use lookalike_process::{self as process, Allowance, Failure, NoParser, ParserPool, Task};
use std::borrow::Cow;
use std::sync::Arc;

/// Larger files are not parsed: a tree takes ten to twenty times the source, and no one writes files of this size by
/// hand.
const MAX_PARSED_BYTES: usize = 2 << 20;

/// Bytes of memory that a parser usually takes: for each byte of a text, and beside that.
const PARSER_MEMORY_PER_BYTE: u64 = 40;
const PARSER_MEMORY: u64 = 4 << 20;

/// Parses a text, or says why it cannot be parsed.
type Parse = dyn FnMut(&str, &'static Language, TokenDetail) -> Result<Vec<Token>, Degraded> + Send;

/// Reads source code. One for each thread: it keeps buffers.
pub struct CodeReader {
    parse: Box<Parse>,
}

impl Default for CodeReader {
    fn default() -> Self {
        Self::new()
    }
}

impl CodeReader {
    /// A reader of any language. Files are parsed by the program that [`use_parser`](process::use_parser) chose.
    pub fn new() -> Self {
        process::chosen().map_or_else(|| Self::with(|_, _, _| Err(NoParser::NotFound.into())), Self::with_pool)
    }

    /// A reader whose files are parsed by the processes of a pool.
    pub fn with_pool(pool: Arc<ParserPool>) -> Self {
        let mut request = Vec::new();
        Self::with(move |text, language, detail| ask(&pool, text, language, detail, &mut request))
    }

    /// A reader whose files are parsed by a function.
    pub fn with(
        parse: impl FnMut(&str, &'static Language, TokenDetail) -> Result<Vec<Token>, Degraded> + Send + 'static,
    ) -> Self {
        Self { parse: Box::new(parse) }
    }

    /// The tokens of a file in a language. Any text is read. Word by word it takes time and memory linear in its length.
    /// A parser that recovers from errors may take more: files that are known to make it do so are not given to it
    /// (`shape.rs`).
    pub fn read<'a>(&mut self, text: &'a str, language: &'static Language, detail: TokenDetail) -> Code<'a> {
        let (text, language, unreadable) = match language.reading {
            Reading::Notebook => match notebook::code(text) {
                Ok((code, language)) => (Cow::Owned(code), language, None),
                Err(reason) => (Cow::Borrowed(text), Language::other(), Some(reason)),
            },
            _ => (Cow::Borrowed(text), language, None),
        };
        let mut tokens = Vec::new();
        // spans are 32 bits wide; what lies beyond 4 GiB is shown, not compared
        let end = text.floor_char_boundary(u32::MAX as usize);
        let closed = lexical::read(&text[..end], 0, language, detail, &mut tokens);
        let degraded = match language.reading {
            Reading::Parsed => {
                let parsed = match unfit(&text, language, &tokens, closed) {
                    Some(reason) => Err(reason),
                    None => match leaves::leaves(&text, &tokens, language, detail) {
                        Some(leaves) => Ok(leaves),
                        None => (self.parse)(&text, language, detail),
                    },
                };
                parsed.map(|leaves| tokens = leaves).err()
            }
            Reading::Lexical | Reading::Notebook => unreadable,
        };
        let vocabulary = language.vocabulary();
        let Vocabulary { identifier, literal, comment, .. } = *vocabulary;
        Code { text, tokens, degraded, identifier, literal, comment }
    }
}

/// Has a text parsed by a process.
fn ask(
    pool: &ParserPool,
    text: &str,
    language: &'static Language,
    detail: TokenDetail,
    request: &mut Vec<u8>,
) -> Result<Vec<Token>, Degraded> {
    message::write_request(text, language, detail, request);
    let read = |mut answer: &[u8]| message::read_answer(&mut answer, text, language);
    let memory = text.len() as u64 * PARSER_MEMORY_PER_BYTE + PARSER_MEMORY;
    let answer = message::max_answer(text);
    match pool.ask(Task::Code, &[request], Allowance { answer, room: answer, memory }, read) {
        Ok(answer) => answer,
        Err(Failure::NoParser(reason)) => Err(reason.into()),
        Err(Failure::TookTooLong(limit)) => {
            Err(Degraded::TookTooLong { language: language.title(), limit: limit.to_string() })
        }
        Err(Failure::Crashed | Failure::Memory { .. } | Failure::Room { .. }) => {
            Err(Degraded::Crashed { language: language.title() })
        }
    }
}

/// Why a file of these words is not given to the parser.
fn unfit(text: &str, language: &'static Language, words: &[Token], closed: bool) -> Option<Degraded> {
    if (language.is_unsafe)(text) {
        return Some(Degraded::UnsafeForGrammar { language: language.title });
    }
    if text.len() > MAX_PARSED_BYTES {
        return Some(Degraded::TooLarge { mebibytes: MAX_PARSED_BYTES >> 20 });
    }
    if !closed {
        return Some(Degraded::UnclosedComment);
    }
    shape::unfit(text, words, language.vocabulary())
}
