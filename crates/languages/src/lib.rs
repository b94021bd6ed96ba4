//! Source code as a sequence of tokens: what the passages lens compares instead of words.
//!
//! A [`CodeReader`] parses a file with the grammar of its [`Language`] and walks the tree; a rule (`rule.rs`) says which
//! of its nodes become tokens. A file that has no grammar, is too large for a tree, or cannot be parsed is read word by
//! word instead (`lexical.rs`), and [`Code::degraded`] says why.
//!
//! Grammars are C code. A program that reads what others wrote has it parsed by processes of their own ([`lookalike_process`]),
//! so that a file on which a grammar crashes is one more file that is read word by word.
//!
//! Each grammar is behind a feature (`lang-python`, …, or `all`), and none is on by default. A language whose grammar is
//! not built in is still recognised by its names and files. Its files are read word by word, with the comments and
//! strings of the language but without its keywords, and each says [`Degraded::GrammarNotBuiltIn`].
//!
//! By default tokens are *normalised*: all names are one token and all literals another, so that renaming changes
//! nothing, and comments are left out. [`TokenDetail`] switches each of these off.
//!
//! Token ids are frozen: a test pins them, and a lens that stores them in an index must store [`TOKENS_VERSION`] too.

mod content;
mod degraded;
mod highlight;
mod ids;
mod language;
mod leaves;
mod lexical;
mod message;
mod notebook;
mod outline;
mod parser;
mod reader;
mod rule;
mod shape;
mod table;
#[rustfmt::skip]
mod telltales;
/// With a grammar or without one, the same door: nothing else in this crate knows tree-sitter.
#[cfg_attr(not(feature = "grammar"), path = "no_tree.rs")]
mod tree;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use content::looks_like_code;
pub use degraded::Degraded;
pub use highlight::{Highlights, Mark, MarkKind};
pub use language::Language;
pub use message::parser_version;
pub use parser::CodeParser;
pub use reader::CodeReader;

/// Raised when the same source gives other tokens than before, whatever the reason: the rule, the lexer or a grammar.
pub const TOKENS_VERSION: u32 = 1;

/// One token of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// A frozen hash of what the token is; never 0.
    pub id: u32,
    /// Where it begins in [`Code::text`]. Starts never decrease.
    pub start: u32,
    /// Where it ends, after its start. A string with code in it ends after the tokens of that code.
    pub end: u32,
}

/// Which details tell tokens apart. By default none does: the tokens are normalised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenDetail {
    /// Names are told apart.
    pub identifiers: bool,
    /// Numbers, strings and the like are told apart.
    pub literals: bool,
    /// The words of comments are tokens.
    pub comments: bool,
}

/// A source file and its tokens.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Code<'a> {
    /// What is shown and what the tokens point into: the file itself, or the code cells of a notebook.
    pub text: Cow<'a, str>,
    /// In the order of the text.
    pub tokens: Vec<Token>,
    /// Why the file was read word by word and not parsed.
    pub degraded: Option<Degraded>,
    /// The id of every name, unless names are told apart: for comparing spellings later.
    pub identifier: u32,
    /// The id of every literal, unless literals are told apart.
    pub literal: u32,
    /// What the ids of the words of comments are made of.
    comment: u32,
}

/// Every known language, in the order of the table; the last one stands for all others.
pub fn languages() -> &'static [Language] {
    table::LANGUAGES
}
