//! Source code as a sequence of tokens: what the passages lens compares instead of words.
//!
//! A [`CodeReader`] has a file parsed with the grammar of its [`Language`]. Grammars are C code, so they are in a program of
//! their own, `lookalike-parser`, which [`lookalike_process`] starts: a crash costs one file. A file that has no grammar, is too
//! large for a tree, or cannot be parsed is read word by word instead ([`lexical`]), and [`Code::degraded`] has the reason.
//!
//! Reading word by word knows the comments, strings, keywords and operators of a language. The keywords and operators are those
//! of its grammar: a test of `lookalike-parser` generates `words.txt` from the grammars.
//!
//! [`ids`], [`lexical`] and [`message`] are for `lookalike-parser`, which makes the same tokens of a tree.
//!
//! By default tokens are *normalised*: all names are one token and all literals another, so that renaming changes
//! nothing, and comments are left out. [`TokenDetail`] switches each of these off.
//!
//! Token ids are frozen: a test pins them, and a lens that stores them in an index must store [`TOKENS_VERSION`] too.

mod content;
mod degraded;
mod highlight;
pub mod ids;
mod language;
mod leaves;
pub mod lexical;
pub mod message;
mod notebook;
mod outline;
mod reader;
mod shape;
mod table;
#[rustfmt::skip]
mod telltales;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use content::looks_like_code;
pub use degraded::Degraded;
pub use highlight::{Highlights, Mark, MarkKind};
pub use language::Language;
pub use message::parser_greeting;
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
