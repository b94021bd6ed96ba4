//! A file is parsed if it can be, and read word by word if not.

use super::language::{Language, Reading};
use super::tree::{Grammar, TreeReader};
use super::vocabulary::Vocabulary;
use super::{Code, Degraded, Token, TokenDetail, leaves, lexical, message, notebook, shape};
use lookalike_process::{self as process, Allowance, Failure, ParserPool, Task};
use std::borrow::Cow;
use std::sync::Arc;

/// Larger files are not parsed: a tree takes ten to twenty times the source, and no one writes files of this size by
/// hand.
const MAX_PARSED_BYTES: usize = 2 << 20;

/// Bytes of memory that a parser usually takes: for each byte of a text, and beside that.
const PARSER_MEMORY_PER_BYTE: u64 = 40;
const PARSER_MEMORY: u64 = 4 << 20;

/// Reads source code. One for each thread: it keeps a parser.
pub struct CodeReader {
    trees: TreeReader,
    /// Whether every file is parsed, also one whose leaves the words tell.
    always_parses: bool,
    /// Where texts are parsed, if not here.
    pool: Option<Arc<ParserPool>>,
    request: Vec<u8>,
}

impl Default for CodeReader {
    fn default() -> Self {
        Self::new()
    }
}

impl CodeReader {
    /// A reader of any language. It parses in this process, unless [`parse_apart`](process::parse_apart) chose others.
    pub fn new() -> Self {
        Self { trees: TreeReader::new(), always_parses: false, pool: process::chosen(), request: Vec::new() }
    }

    /// A reader that has its files parsed by the processes of a pool.
    pub fn with_pool(pool: Arc<ParserPool>) -> Self {
        Self { pool: Some(pool), ..Self::new() }
    }

    /// The same reader, which parses every file that it can: the twin of the one that tells leaves by their words. The tokens are the same.
    #[must_use]
    pub fn always_parsing(self) -> Self {
        Self { always_parses: true, ..self }
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
            Reading::Tree(None) => Some(Degraded::GrammarNotBuiltIn { language: language.title }),
            Reading::Tree(Some(grammar)) => {
                let parsed = match unfit(&text, language, &tokens, closed) {
                    Some(reason) => Err(reason),
                    None => match self.leaves(&text, &tokens, language, detail) {
                        Some(leaves) => Ok(leaves),
                        None => self.parse(grammar, &text, language, detail),
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

    fn leaves(
        &self,
        text: &str,
        words: &[Token],
        language: &'static Language,
        detail: TokenDetail,
    ) -> Option<Vec<Token>> {
        if self.always_parses { None } else { leaves::leaves(text, words, language, detail) }
    }

    /// Where no process can be started, a text is parsed here: the tokens are the same.
    fn parse(
        &mut self,
        grammar: Grammar,
        text: &str,
        language: &'static Language,
        detail: TokenDetail,
    ) -> Result<Vec<Token>, Degraded> {
        let apart = self.pool.as_ref().and_then(|pool| {
            message::write_request(text, language, detail, &mut self.request);
            let read = |mut answer: &[u8]| message::read_answer(&mut answer, text, language);
            let memory = text.len() as u64 * PARSER_MEMORY_PER_BYTE + PARSER_MEMORY;
            let answer = message::max_answer(text);
            pool.ask(Task::Code, &[&self.request], Allowance { answer, room: answer, memory }, read)
        });
        match apart {
            Some(Ok(answer)) => answer,
            Some(Err(Failure::TookTooLong(limit))) => {
                Err(Degraded::TookTooLong { language: language.title(), limit: limit.to_string() })
            }
            Some(Err(_)) => Err(Degraded::Crashed { language: language.title() }),
            None => self.trees.read(grammar, text, language, detail),
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
