//! Every row of the table is sound.

use super::samples;
use crate::{Language, languages};
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_found() {
    let mut names = BTreeSet::new();
    let mut files = BTreeSet::new();
    for row in languages() {
        for name in row.aliases().iter().chain([&row.name()]) {
            assert!(names.insert(name.to_lowercase()), "{name} twice");
            assert!(std::ptr::eq(Language::by_name(&name.to_uppercase()).expect("a name"), row), "{name}");
        }
        for extension in row.extensions() {
            assert!(files.insert(*extension), "{extension} twice");
            let found = Language::by_file_name(&format!("a.b/c.d.{}", extension.to_uppercase()));
            assert!(std::ptr::eq(found.expect("an extension"), row), "{extension}");
        }
    }
    assert_eq!(Language::by_file_name("a/Rakefile").map(Language::name), Some("ruby"));
    assert_eq!(Language::by_file_name("a.py/readme").map(Language::name), None);
    assert_eq!(Language::by_file_name("a.unheard-of").map(Language::name), None);
    assert_eq!(Language::other().name(), "other");
}

/// The file `samples/NAME.txt` is all that a new row needs beside itself.
#[test]
fn every_language_with_a_grammar_has_a_sample() {
    let with_grammar = languages().iter().filter(|row| row.has_grammar());
    assert!(with_grammar.map(Language::name).eq(samples().iter().map(|(language, _)| language.name())));
}
