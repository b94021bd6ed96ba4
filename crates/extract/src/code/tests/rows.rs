//! Every row of the table is sound, and reads its language.

use super::samples::SAMPLES;
use super::{ids_of, language, names, read};
use crate::code::language::Reading;
use crate::code::{Keep, Language, ids, languages, lexical};
use std::collections::BTreeSet;
use std::fmt::Write;

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

#[test]
fn every_grammar_has_a_sample_that_it_parses_without_an_error() {
    let with_grammar = languages().iter().filter(|row| matches!(row.reading, Reading::Tree(_)));
    assert!(with_grammar.map(Language::name).eq(SAMPLES.map(|(name, _)| name)));
    for (name, sample) in SAMPLES {
        let Reading::Tree(grammar) = language(name).reading else { unreachable!("filtered above") };
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar()).expect("a grammar of this version");
        let tree = parser.parse(sample, None).expect("a tree");
        assert!(!tree.root_node().has_error(), "{name}: {}", tree.root_node().to_sexp());
        assert_eq!(read(name, sample).degraded, None, "{name}");
    }
}

#[test]
fn the_tokens_of_every_language_are_as_expected() {
    let mut all = String::new();
    for (name, sample) in SAMPLES {
        writeln!(all, "{name}: {}\n", names(name, sample)).expect("a string");
    }
    insta::assert_snapshot!(all);
}

/// Every role that a row gives is for a kind that its grammar has: a misspelled or renamed one would be silent.
#[test]
fn rows_name_kinds_that_exist() {
    for row in languages() {
        let Reading::Tree(grammar) = row.reading else {
            assert!(row.kinds.is_empty(), "{}", row.name());
            continue;
        };
        for (kind, _) in row.kinds {
            let known = [true, false].map(|named| grammar().id_for_node_kind(kind, named));
            assert_ne!(known, [0, 0], "{}: {kind}", row.name());
        }
    }
}

/// A file that is read word by word can be compared with those that are parsed.
#[test]
fn words_are_the_leaves_of_the_tree() {
    for (name, sample) in SAMPLES {
        let mut words = Vec::new();
        lexical::read(sample, 0, language(name), Keep::default(), &mut words);
        let words: Vec<u32> = words.iter().map(|token| token.id).collect();
        let leaves = ids_of(name, sample, Keep::default());
        let share = common(&words, &leaves) * 200 / (words.len() + leaves.len());
        assert!(share >= 65, "{name}: {share} % are the same");
    }
}

/// The length of the longest common subsequence.
fn common(a: &[u32], b: &[u32]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if x == y { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

#[test]
fn ids_are_frozen() {
    let name = |family, name: &str| ids::of_name(ids::family(family), name.as_bytes());
    let pinned =
        [name("python", "<identifier>"), name("java", "<identifier>"), name("c", "+="), ids::with_text(7, b"x")];
    assert_eq!(pinned, [0x3eb2_ae05, 0x8451_81be, 0x67ed_65c1, 0xe497_10b6]);
    let [identifier, assign, literal] = ids_of("python", "x = 1\n", Keep::default())[..] else {
        panic!("three tokens")
    };
    assert_eq!([identifier, assign, literal], [pinned[0], name("python", "="), name("python", "<literal>")]);
    let all = Keep { identifiers: true, literals: true, comments: true };
    assert_eq!(ids_of("python", "x = 1 # a\n", all), [0x6899_ac62, 0xb3dc_66de, 0xfc4e_3578, 0xe7aa_ecc7]);
}

#[test]
fn families_share_tokens_and_others_do_not() {
    let program = "function f(x) { return x + 1; }\n";
    let plain = |name| ids_of(name, program, Keep::default());
    assert_eq!(plain("javascript"), plain("typescript"));
    assert_eq!(plain("javascript"), plain("tsx"));
    let program = "int f(int x) { return x + 1; }\n";
    assert_eq!(ids_of("c", program, Keep::default()), ids_of("cpp", program, Keep::default()));
    let java = ids_of("java", program, Keep::default());
    assert!(ids_of("c", program, Keep::default()).iter().all(|id| !java.contains(id)));
}

#[test]
fn details_count_only_if_they_are_kept() {
    let [names, literals, comments] = [(true, false, false), (false, true, false), (false, false, true)]
        .map(|(identifiers, literals, comments)| Keep { identifiers, literals, comments });
    let changes =
        [("x = y", "a = y", names), ("x = 'a'", "x = 'b'", literals), ("x = 1 # a b", "x = 1 # a c", comments)];
    for (before, after, detail) in changes {
        assert_eq!(ids_of("python", before, Keep::default()), ids_of("python", after, Keep::default()));
        for keep in [names, literals, comments] {
            let same = ids_of("python", before, keep) == ids_of("python", after, keep);
            assert_eq!(same, keep != detail, "{before} {keep:?}");
        }
    }
    let words = ids_of("python", "# a b\n", comments).len() - ids_of("python", "# a b\n", Keep::default()).len();
    assert_eq!(words, 2, "a token for each word of a comment");
}

#[test]
fn spans_are_those_of_leaves() {
    let code = read("python", "def f():\n    return 1, f'a{b}c'\n");
    let spans: Vec<&str> = code.tokens.iter().map(|t| &code.text[t.start as usize..t.end as usize]).collect();
    let of = |id: u32| code.tokens.iter().filter(|token| token.id == id).count();
    assert_eq!((of(code.identifier), of(code.literal)), (2, 2));
    assert_eq!(spans, ["def", "f", "(", ")", ":", "return", "1", ",", "f'a{b}c'", "{", "b", "}"]);
}
