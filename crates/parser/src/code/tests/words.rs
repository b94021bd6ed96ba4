//! The words of the grammars, which `lookalike-languages` has as data.

use super::super::grammars::{GRAMMARS, Grammar};
use super::super::kinds::for_each_kind;
use super::super::rule::Role;
use lookalike_languages::languages;
use lookalike_languages::lexical::is_looked_for;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The words and operators that the grammars spell out and the lexical reading looks for: on each line the name of a language, then its
/// words in the order of their bytes. It is `words.txt` of `lookalike-languages`.
fn words_of_grammars() -> String {
    let mut text = String::new();
    for language in languages() {
        let Some(grammar) = Grammar::of(language) else { continue };
        let mut words = BTreeSet::new();
        for_each_kind(grammar, |role, is_visible| {
            // what is never shown is no word of the language
            if let Role::Keyword(word) = role
                && is_visible
                && is_looked_for(word)
            {
                words.insert(word.to_owned());
            }
        });
        text += language.name();
        for word in words {
            text.push(' ');
            text += &word;
        }
        text.push('\n');
    }
    text
}

/// To write the file anew: `UPDATE_WORDS=1 cargo test -p lookalike-parser words`.
#[test]
fn the_words_are_those_of_the_grammars() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/src/words.txt");
    let generated = words_of_grammars();
    if std::env::var_os("UPDATE_WORDS").is_some() {
        fs::write(&path, &generated).expect("a file of the source tree");
    }
    let written = fs::read_to_string(&path).expect("UTF-8");
    assert!(written == generated, "words.txt is not what the grammars say: UPDATE_WORDS=1 writes it anew");
    assert_eq!(generated.lines().count(), GRAMMARS.len(), "a line for each language");
    let is_plain = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
    assert!(generated.lines().all(|line| line.split(' ').all(is_plain)), "no word has white space in it");
}

#[test]
fn the_table_knows_which_languages_have_a_grammar() {
    for language in languages() {
        assert_eq!(language.has_grammar(), Grammar::of(language).is_some(), "{}", language.name());
    }
    let with_grammar = languages().iter().filter(|language| language.has_grammar());
    assert_eq!(with_grammar.count(), GRAMMARS.len(), "every grammar is that of a language");
}
