//! From text to a tree within bounds, and from a tree to tokens.

use super::language::Language;
use super::vocabulary::Step;
use super::{Keep, Token, ids, lexical};
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// Text is handed to the parser in pieces of so many bytes, so that what it reads can be counted.
const PIECE: usize = 1024;

/// How often each piece may be read on average. Of real code it is ten times at most; a scanner that runs to the end of
/// the file at each token reads them all once per token.
const READS_PER_PIECE: usize = 64;

/// Steps of the parser are counted in hundreds. Real code takes three steps per byte at most, broken or not.
const STEPS_PER_BYTE: usize = 4;

/// A small file may take so many reads and steps whatever its size: a token between two pieces is read often.
const FREE_READS: usize = 4_000;
const FREE_STEPS: usize = 2_000;

/// Parses `text`, or gives up when the parser does much more work than a text of this length should take. What counts is
/// work, never time, so that the answer is the same on every machine.
pub(super) fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let bytes = text.as_bytes();
    let mut reads = READS_PER_PIECE * (bytes.len() / PIECE) + FREE_READS;
    let mut hundreds = (STEPS_PER_BYTE * bytes.len() + FREE_STEPS) / 100;
    let exhausted = Cell::new(false);
    let mut piece = |at: usize, _| {
        reads = reads.saturating_sub(1);
        if reads == 0 {
            // the scanner sees the end of the file, and stops
            exhausted.set(true);
            return &[][..];
        }
        let end = (at / PIECE + 1) * PIECE;
        bytes.get(at..end.min(bytes.len())).unwrap_or_default()
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
pub(super) fn walk(tree: &Tree, text: &str, language: &'static Language, keep: Keep, tokens: &mut Vec<Token>) {
    let vocabulary = language.vocabulary();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let (step, id) = vocabulary.kind(node.kind_id());
        let inside = match step {
            Step::Out | Step::Comment | Step::Literal | Step::Text | Step::Foreign => false,
            Step::Template => {
                push(tokens, node, text, id, keep.literals);
                cursor.goto_first_child()
            }
            Step::Through | Step::Leaf | Step::Identifier | Step::Error => cursor.goto_first_child(),
        };
        if inside {
            continue;
        }
        match step {
            Step::Leaf => push(tokens, node, text, id, false),
            Step::Identifier => push(tokens, node, text, id, keep.identifiers),
            Step::Literal => push(tokens, node, text, id, keep.literals),
            Step::Text => push(tokens, node, text, ids::of_name(vocabulary.family, of(node, text).as_bytes()), false),
            Step::Comment if keep.comments => {
                lexical::comment(of(node, text), node.start_byte() as u32, vocabulary, tokens);
            }
            Step::Foreign | Step::Error => {
                lexical::read(of(node, text), node.start_byte() as u32, language, keep, tokens);
            }
            Step::Out | Step::Through | Step::Template | Step::Comment => {}
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
    // what the parser put in to go on stands nowhere
    if start < end {
        let id = if with_text { ids::with_text(id, of(node, text).as_bytes()) } else { id };
        tokens.push(Token { id, start, end });
    }
}

fn of<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// How many of the bytes that are not between tokens the parser could put into no construct: `(those, all)`. What is in
/// an ERROR but parsed in itself, such as the methods of a class whose last bracket is missing, is fine.
pub(super) fn unparsed(tree: &Tree) -> (usize, usize) {
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
