//! From text to a tree within bounds, and from a tree to tokens.

use super::grammars::Grammar;
use super::kinds::{NodeKinds, Step};
use lookalike_languages::{Degraded, Language, Token, TokenDetail, ids, lexical};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// Bytes of the pieces in which text is given to the parser, so that its reads can be counted.
const PIECE_BYTES: usize = 1024;

/// How often each piece may be read on average. Of real code it is ten times at most; a scanner that runs to the end of
/// the file at each token reads them all once per token.
const MAX_READS_PER_PIECE: usize = 64;

/// Steps of the parser are counted in hundreds. Real code takes three steps per byte at most, broken or not.
const MAX_STEPS_PER_BYTE: usize = 4;

/// Reads and steps that any file may take, whatever its size: a token between two pieces is read often.
const FREE_READS: usize = 4_000;
const FREE_STEPS: usize = 2_000;

/// The largest share of a file, in per cent, that may fit into no construct before the tree is worth less than the words.
const MAX_UNPARSED_PERCENT: usize = 30;

/// A parser of all languages that have a grammar.
pub struct TreeReader {
    parser: Parser,
    /// Name of the language that the parser is set to.
    current: Option<&'static str>,
    /// The kinds of nodes of each language that was read so far, by name.
    kinds: BTreeMap<&'static str, NodeKinds>,
}

impl Default for TreeReader {
    fn default() -> Self {
        Self { parser: Parser::new(), current: None, kinds: BTreeMap::new() }
    }
}

impl TreeReader {
    /// The tokens of a text in a language that has a grammar, or the reason for which it cannot be parsed.
    pub fn read(
        &mut self,
        text: &str,
        language: &'static Language,
        detail: TokenDetail,
    ) -> Result<Vec<Token>, Degraded> {
        let refused = || Degraded::GrammarVersion { language: language.title() };
        let grammar = Grammar::of(language).ok_or_else(refused)?;
        if self.current != Some(language.name()) {
            self.current = None;
            self.parser.set_language(&(grammar.load)()).map_err(|_| refused())?;
            self.current = Some(language.name());
        }
        let kinds = self.kinds.entry(language.name()).or_insert_with(|| NodeKinds::of(grammar, language));
        let tree = parse(&mut self.parser, text).ok_or(Degraded::TooTangled { language: language.title() })?;
        let (loose, all) = unparsed(&tree);
        if loose * 100 > all * MAX_UNPARSED_PERCENT {
            return Err(Degraded::Unparsed { percent: loose * 100 / all, language: language.title() });
        }
        let mut tokens = Vec::new();
        walk(&tree, text, kinds, language, detail, &mut tokens);
        Ok(tokens)
    }
}

/// Parses `text`, or gives up when the parser does much more work than a text of this length should take. What counts is
/// work, never time, so that the answer is the same on every machine.
fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let bytes = text.as_bytes();
    let mut reads = MAX_READS_PER_PIECE * (bytes.len() / PIECE_BYTES) + FREE_READS;
    let mut hundreds = (MAX_STEPS_PER_BYTE * bytes.len() + FREE_STEPS) / 100;
    let exhausted = Cell::new(false);
    let mut piece = |at: usize, _| {
        reads = reads.saturating_sub(1);
        if reads == 0 {
            // the scanner sees the end of the file, and stops
            exhausted.set(true);
            return &[][..];
        }
        // A piece ends where a character does: the scanner would ask for the rest of it, and takes no for the address 0.
        let end = text.ceil_char_boundary((at / PIECE_BYTES + 1) * PIECE_BYTES);
        bytes.get(at..end).unwrap_or_default()
    };
    let mut progress = |_: &tree_sitter::ParseState| {
        hundreds = hundreds.saturating_sub(1);
        if hundreds == 0 || exhausted.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut piece, None, Some(options));
    if tree.is_none() {
        // or it would go on with the same text
        parser.reset();
    }
    tree.filter(|_| !exhausted.get())
}

/// Adds the tokens of a tree.
fn walk(
    tree: &Tree,
    text: &str,
    kinds: &NodeKinds,
    language: &'static Language,
    detail: TokenDetail,
    tokens: &mut Vec<Token>,
) {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let (step, id) = kinds.step(node.kind_id());
        let inside = match step {
            Step::Skip | Step::Comment | Step::Literal | Step::Text | Step::Foreign => false,
            Step::Template => {
                push(tokens, node, text, id, detail.literals);
                cursor.goto_first_child()
            }
            Step::Descend | Step::Leaf | Step::Identifier | Step::Error => cursor.goto_first_child(),
        };
        if inside {
            continue;
        }
        match step {
            Step::Leaf => push(tokens, node, text, id, false),
            Step::Identifier => push(tokens, node, text, id, detail.identifiers),
            Step::Literal => push(tokens, node, text, id, detail.literals),
            Step::Text => {
                push(tokens, node, text, ids::of_name(kinds.family, text_of(node, text).as_bytes()), false);
            }
            Step::Comment if detail.comments => {
                lexical::comment(text_of(node, text), node.start_byte() as u32, language, tokens);
            }
            Step::Foreign | Step::Error => {
                lexical::read(text_of(node, text), node.start_byte() as u32, language, detail, tokens);
            }
            Step::Skip | Step::Descend | Step::Template | Step::Comment => {}
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

#[inline]
fn push(tokens: &mut Vec<Token>, node: Node<'_>, text: &str, id: u32, with_text: bool) {
    let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
    // what the parser inserted to recover has no text
    if start < end {
        let id = if with_text { ids::with_text(id, text_of(node, text).as_bytes()) } else { id };
        tokens.push(Token { id, start, end });
    }
}

fn text_of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The number of bytes in tokens that the parser could put into no construct, and of all bytes in tokens. Constructs inside of an ERROR,
/// such as the methods of a class whose last bracket is missing, are no errors.
fn unparsed(tree: &Tree) -> (usize, usize) {
    if !tree.root_node().has_error() {
        return (0, 1);
    }
    let mut cursor = tree.walk();
    let (mut loose, mut all) = (0, 0);
    let mut in_error = vec![true];
    loop {
        let node = cursor.node();
        let error = node.is_error();
        if cursor.goto_first_child() {
            in_error.push(error);
            continue;
        }
        let length = node.end_byte() - node.start_byte();
        all += length;
        if error || in_error.last() == Some(&true) {
            loose += length;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (loose, all.max(1));
            }
            in_error.pop();
        }
    }
}
