//! Rows, rules, ids and bounds.

mod bounds;
mod lexing;
mod notebooks;
mod rows;
mod samples;

use super::language::Reading;
use super::{Code, CodeReader, Keep, Language, ids, vocabulary};
use std::collections::BTreeMap;

fn language(name: &str) -> &'static Language {
    Language::by_name(name).expect("a row of the table")
}

fn read<'a>(name: &str, text: &'a str) -> Code<'a> {
    CodeReader::new().read(text, language(name), Keep::default())
}

fn ids_of(name: &str, text: &str, keep: Keep) -> Vec<u32> {
    let code = CodeReader::new().read(text, language(name), keep);
    code.tokens.iter().map(|token| token.id).collect()
}

/// The tokens of a text by name; what has no name of its own is its text between bars.
fn names(name: &str, text: &str) -> String {
    let language = language(name);
    let mut known = BTreeMap::new();
    let mut add =
        |name: &str| known.insert(ids::of_name(ids::family(language.family()), name.as_bytes()), name.to_owned());
    add(vocabulary::IDENTIFIER);
    add(vocabulary::LITERAL);
    (0..128u8).for_each(|byte| drop(add(&char::from(byte).to_string())));
    if let Reading::Tree(grammar) = language.reading {
        let grammar = grammar();
        for name in (0..grammar.node_kind_count()).filter_map(|kind| grammar.node_kind_for_id(kind as u16)) {
            add(&format!("<{name}>"));
            add(name.strip_prefix("keyword_").unwrap_or(name));
        }
    }
    let code = read(name, text);
    let of = |token: &super::Token| {
        let text = &code.text[token.start as usize..token.end as usize];
        known.get(&token.id).cloned().unwrap_or_else(|| format!("|{text}|"))
    };
    code.tokens.iter().map(of).collect::<Vec<_>>().join(" ")
}
