//! Rows, rules, ids and bounds.

mod content;
mod highlight;
mod lexing;
mod notebooks;
mod processes;
mod rows;
mod without_parser;

use super::{Code, CodeReader, Language, TokenDetail, ids, languages, lexical, vocabulary};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

fn language(name: &str) -> &'static Language {
    Language::by_name(name).expect("a row of the table")
}

/// A small program in each language that has a row with a grammar, in the order of the table. Each has a comment, a
/// branch, a call, a number, a string and names, if the language has them.
fn samples() -> &'static [(&'static Language, String)] {
    static SAMPLES: LazyLock<Vec<(&Language, String)>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        let sample = |row: &'static Language| {
            let text = fs::read_to_string(folder.join(row.name()).with_extension("txt")).ok()?;
            Some((row, text.replace("\r\n", "\n")))
        };
        languages().iter().filter_map(sample).collect()
    });
    &SAMPLES
}

/// The spans of the tokens of a text that is read word by word.
fn lexed<'a>(name: &str, text: &'a str) -> Vec<&'a str> {
    let mut tokens = Vec::new();
    lexical::read(text, 0, language(name), TokenDetail::default(), &mut tokens);
    tokens.iter().map(|token| &text[token.start as usize..token.end as usize]).collect()
}

fn read<'a>(name: &str, text: &'a str) -> Code<'a> {
    CodeReader::new().read(text, language(name), TokenDetail::default())
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
    vocabulary::words_of_grammar(language.name()).for_each(|word| drop(add(word)));
    let code = read(name, text);
    let of = |token: &super::Token| {
        let text = &code.text[token.start as usize..token.end as usize];
        known.get(&token.id).cloned().unwrap_or_else(|| format!("|{text}|"))
    };
    code.tokens.iter().map(of).collect::<Vec<_>>().join(" ")
}
