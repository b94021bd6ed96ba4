//! What a process does that parses for another.

use crate::Degraded;
use crate::language::Reading;
use crate::message::{self, Request};
use crate::tree::TreeReader;
use std::io;

/// Parses what other processes send.
pub struct CodeParser {
    trees: TreeReader,
}

impl Default for CodeParser {
    fn default() -> Self {
        Self { trees: TreeReader::new() }
    }
}

impl CodeParser {
    /// Puts the answer to a request of a [`CodeReader`](crate::CodeReader) behind what is in `out`.
    pub fn answer(&mut self, mut request: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let Request { language, detail, text } = message::read_request(&mut request)?;
        let tokens = match language.reading {
            Reading::Tree(Some(grammar)) => self.trees.read(grammar, &text, language, detail),
            _ => Err(Degraded::GrammarNotBuiltIn { language: language.title() }),
        };
        message::write_answer(&tokens, out)
    }
}
