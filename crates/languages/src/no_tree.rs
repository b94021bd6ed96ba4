//! The twin of `tree.rs` in a build without grammars: there is no [`Grammar`], so nothing is ever parsed.

use super::language::Language;
use super::{Degraded, Token, TokenDetail};

/// No grammar is built in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Grammar {}

pub(super) fn for_each_kind(grammar: Grammar, _visit: impl FnMut(&str, bool, bool)) {
    match grammar {}
}

/// A parser that is never asked.
pub(super) struct TreeReader;

impl TreeReader {
    pub(super) fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as the reader with grammars is called")]
    pub(super) fn read(
        &mut self,
        grammar: Grammar,
        _text: &str,
        _language: &'static Language,
        _detail: TokenDetail,
    ) -> Result<Vec<Token>, Degraded> {
        match grammar {}
    }
}
