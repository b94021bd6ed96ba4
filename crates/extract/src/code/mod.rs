//! Source code as a sequence of tokens: what the passages lens compares instead of words.
//!
//! A [`CodeReader`] parses a file with the grammar of its [`Language`] and walks the tree; a rule (`rule.rs`) says which
//! of its nodes become tokens. What has no grammar, is too large for a tree, or cannot be parsed is read word by word
//! instead (`lexical.rs`), and [`Code::degraded`] says why.
//!
//! By default tokens are *normalised*: all names are one token and all literals another, so that renaming changes
//! nothing, and comments are gone. [`Keep`] switches each of these off.
//!
//! Token ids are frozen: a test pins them, and the lens that keeps them in an index must name [`VERSION`].

mod ids;
mod language;
mod lexical;
mod notebook;
mod reader;
mod rule;
mod shape;
mod table;
mod tree;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use language::Language;
pub use reader::CodeReader;

/// Raised when the same source gives other tokens than before, whatever the reason: the rule, the lexer or a grammar.
pub const VERSION: u32 = 1;

/// One token of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// A frozen hash of what the token is; never 0.
    pub id: u32,
    /// Where it begins in [`Code::text`]. Starts never fall.
    pub start: u32,
    /// Where it ends, behind its start. A string that code stands in ends behind the tokens of that code.
    pub end: u32,
}

/// Which details count. By default none does: the tokens are normalised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Names are told apart.
    pub identifiers: bool,
    /// Numbers, strings and the like are told apart.
    pub literals: bool,
    /// The words of comments are tokens.
    pub comments: bool,
}

/// A source file that was read.
#[derive(Clone, Debug)]
pub struct Code<'a> {
    /// What is shown and what the tokens point into: the file itself, or the code cells of a notebook.
    pub text: Cow<'a, str>,
    /// In the order of the text.
    pub tokens: Vec<Token>,
    /// Why the file was not parsed but read word by word, in words for the user.
    pub degraded: Option<String>,
    /// The id of every name, unless names are kept apart: for those who compare spellings afterwards.
    pub identifier: u32,
    /// The id of every literal, unless they are kept apart.
    pub literal: u32,
}

/// Every language that is known, in the order of the table; the last one stands for all others.
pub fn languages() -> &'static [Language] {
    &table::LANGUAGES
}
