//! Source code becomes the tokens of its tree.

mod grammars;
mod kinds;
mod rule;
mod tree;

#[cfg(test)]
mod tests;

use lookalike_languages::message::{self, Request};
use std::io;

pub use tree::TreeReader;

/// Answers requests to parse source code.
#[derive(Default)]
pub(crate) struct CodeParser {
    trees: TreeReader,
}

impl CodeParser {
    /// Appends the answer to a request of a [`CodeReader`](lookalike_languages::CodeReader) to `out`.
    pub(crate) fn answer(&mut self, mut request: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let Request { language, detail, text } = message::read_request(&mut request)?;
        message::write_answer(&self.trees.read(&text, language, detail), out)
    }
}
