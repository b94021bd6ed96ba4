//! Grammars, rules and bounds, in this process.

mod bounds;
mod grammars;
mod highlight;
mod leaves;
mod words;

use super::grammars::Grammar;
use super::tree::TreeReader;
use lookalike_languages::{Code, CodeReader, Language, Token, TokenDetail, ids, languages, lexical};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

fn language(name: &str) -> &'static Language {
    Language::by_name(name).expect("a row of the table")
}

fn grammar(language: &Language) -> &'static Grammar {
    Grammar::of(language).expect("a grammar")
}

/// A small program in each language that has a grammar, in the order of the table. Each has a comment, a
/// branch, a call, a number, a string and names, if the language has them.
fn samples() -> &'static [(&'static Language, String)] {
    static SAMPLES: LazyLock<Vec<(&Language, String)>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/samples");
        let sample = |row: &'static Language| {
            let text = fs::read_to_string(folder.join(row.name()).with_extension("txt")).ok()?;
            Some((row, text.replace("\r\n", "\n")))
        };
        languages().iter().filter_map(sample).collect()
    });
    &SAMPLES
}

/// A reader that parses in this process: a crash fails the test.
fn reader() -> CodeReader {
    let mut trees = TreeReader::default();
    CodeReader::with(move |text, language, detail| trees.read(text, language, detail))
}

/// The tokens of a text that is read word by word, and whether its last comment is closed.
fn words(text: &str, language: &'static Language, detail: TokenDetail) -> (Vec<Token>, bool) {
    let mut words = Vec::new();
    let closed = lexical::read(text, 0, language, detail, &mut words);
    (words, closed)
}

fn read<'a>(name: &str, text: &'a str) -> Code<'a> {
    reader().read(text, language(name), TokenDetail::default())
}

/// The tokens of a text by name; what has no name of its own is its text between bars.
fn names(name: &str, text: &str) -> String {
    let language = language(name);
    let mut known = BTreeMap::new();
    let mut add =
        |name: &str| known.insert(ids::of_name(ids::family(language.family()), name.as_bytes()), name.to_owned());
    add(ids::IDENTIFIER);
    add(ids::LITERAL);
    (0..128u8).for_each(|byte| drop(add(&char::from(byte).to_string())));
    let grammar = (grammar(language).load)();
    for kind in 0..grammar.node_kind_count() as u16 {
        let name = grammar.node_kind_for_id(kind).unwrap_or_default();
        add(&format!("<{name}>"));
        add(name.strip_prefix("keyword_").unwrap_or(name));
    }
    let code = read(name, text);
    let of = |token: &Token| {
        let text = &code.text[token.start as usize..token.end as usize];
        known.get(&token.id).cloned().unwrap_or_else(|| format!("|{text}|"))
    };
    code.tokens.iter().map(of).collect::<Vec<_>>().join(" ")
}
