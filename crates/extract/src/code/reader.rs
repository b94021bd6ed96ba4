//! The way of a file: parsed if it can be, read word by word if not.

use super::language::{Language, Reading};
use super::{Code, Keep, Token, lexical, notebook, shape, tree};
use std::borrow::Cow;
use tree_sitter::Parser;

/// Larger files are not parsed: a tree takes ten to twenty times the source, and no one writes files of this size by
/// hand.
const LARGEST_PARSED: usize = 2 << 20;

/// The largest share of a file, in per cent, that may fit into no construct before the tree is worth less than the words.
const MOST_UNPARSED: usize = 30;

/// Reads source code. One for each thread: it keeps a parser.
pub struct CodeReader {
    parser: Parser,
    /// The language that the parser is set to.
    current: Option<&'static Language>,
}

impl Default for CodeReader {
    fn default() -> Self {
        Self::new()
    }
}

impl CodeReader {
    /// A reader of any language.
    pub fn new() -> Self {
        Self { parser: Parser::new(), current: None }
    }

    /// The tokens of a file in a language. Any text is read. Time and memory are linear in its length where it is read word by word; a
    /// parser that recovers from errors may take more, and what is known to make it do so is kept from it (`shape.rs`).
    pub fn read<'a>(&mut self, text: &'a str, language: &'static Language, keep: Keep) -> Code<'a> {
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
        let closed = lexical::read(&text[..end], 0, language, keep, &mut tokens);
        let degraded = match language.reading {
            Reading::Tree(_) => match self.parsed(&text, language, keep, &tokens, closed) {
                Ok(leaves) => {
                    tokens = leaves;
                    None
                }
                Err(reason) => Some(reason),
            },
            _ => unreadable,
        };
        let vocabulary = language.vocabulary();
        Code { text, tokens, degraded, identifier: vocabulary.identifier, literal: vocabulary.literal }
    }

    /// The tokens of a file that can be parsed, or why it cannot. Its words are known.
    fn parsed(
        &mut self,
        text: &str,
        language: &'static Language,
        keep: Keep,
        words: &[Token],
        closed: bool,
    ) -> Result<Vec<Token>, String> {
        if text.len() > LARGEST_PARSED {
            return Err(format!("larger than {} MiB", LARGEST_PARSED >> 20));
        }
        if !closed {
            return Err("a comment that is never closed".to_owned());
        }
        if let Some(reason) = shape::unfit(text, words, language.vocabulary()) {
            return Err(reason);
        }
        self.set(language)?;
        let tree = tree::parse(&mut self.parser, text)
            .ok_or_else(|| format!("too tangled to be parsed as {}", language.title))?;
        let (loose, all) = tree::unparsed(&tree);
        if loose * 100 > all * MOST_UNPARSED {
            return Err(format!("{} % of it cannot be parsed as {}", loose * 100 / all, language.title));
        }
        let mut leaves = Vec::with_capacity(words.len());
        tree::walk(&tree, text, language, keep, &mut leaves);
        Ok(leaves)
    }

    fn set(&mut self, language: &'static Language) -> Result<(), String> {
        if self.current.is_some_and(|current| current.name == language.name) {
            return Ok(());
        }
        self.current = None;
        if let Reading::Tree(grammar) = language.reading {
            let refused = |_| format!("the grammar of {} does not fit this version", language.title);
            self.parser.set_language(&grammar()).map_err(refused)?;
            self.current = Some(language);
        }
        Ok(())
    }
}
