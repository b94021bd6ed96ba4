//! Every row reads its language by its grammar.

use super::super::grammars::GRAMMARS;
use super::{grammar, language, names, read, reader, samples, words};
use lookalike_languages::{TokenDetail, ids};
use std::fmt::Write;

fn ids_of(name: &str, text: &str, detail: TokenDetail) -> Vec<u32> {
    let code = reader().read(text, language(name), detail);
    code.tokens.iter().map(|token| token.id).collect()
}

#[test]
fn every_sample_is_parsed_without_an_error() {
    for (language, sample) in samples() {
        let name = language.name();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&(grammar(language).load)()).expect("a grammar of this version");
        let tree = parser.parse(sample, None).expect("a tree");
        assert!(!tree.root_node().has_error(), "{name}: {}", tree.root_node().to_sexp());
        assert_eq!(read(name, sample).degraded, None, "{name}");
    }
}

#[test]
fn the_tokens_of_every_language_are_as_expected() {
    let mut all = String::new();
    for (language, sample) in samples() {
        let name = language.name();
        writeln!(all, "{name}: {}\n", names(name, sample)).expect("a string");
    }
    insta::assert_snapshot!(all);
}

/// Every role that a row gives is for a kind that its grammar has: a misspelled or renamed one would be silent.
#[test]
fn rows_name_kinds_that_exist() {
    for grammar in GRAMMARS {
        for (kind, _) in grammar.kinds {
            let known = [true, false].map(|named| (grammar.load)().id_for_node_kind(kind, named));
            assert_ne!(known, [0, 0], "{}: {kind}", grammar.language);
        }
    }
}

/// A file that is read word by word can be compared with those that are parsed.
#[test]
fn words_are_the_leaves_of_the_tree() {
    for (language, sample) in samples() {
        let name = language.name();
        let (words, _) = words(sample, language, TokenDetail::default());
        let words: Vec<u32> = words.iter().map(|token| token.id).collect();
        let leaves = ids_of(name, sample, TokenDetail::default());
        let share = common(&words, &leaves) * 200 / (words.len() + leaves.len());
        assert!(share >= 65, "{name}: {share}% are the same");
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
    let [identifier, assign, literal] = ids_of("python", "x = 1\n", TokenDetail::default())[..] else {
        panic!("three tokens")
    };
    assert_eq!([identifier, assign, literal], [pinned[0], name("python", "="), name("python", "<literal>")]);
    let all = TokenDetail { identifiers: true, literals: true, comments: true };
    assert_eq!(ids_of("python", "x = 1 # a\n", all), [0x6899_ac62, 0xb3dc_66de, 0xfc4e_3578, 0xe7aa_ecc7]);
}

#[test]
fn families_share_tokens_and_others_do_not() {
    let program = "function f(x) { return x + 1; }\n";
    let plain = |name| ids_of(name, program, TokenDetail::default());
    assert_eq!(plain("javascript"), plain("typescript"));
    assert_eq!(plain("javascript"), plain("tsx"));
    let program = "int f(int x) { return x + 1; }\n";
    assert_eq!(ids_of("c", program, TokenDetail::default()), ids_of("cpp", program, TokenDetail::default()));
    let java = ids_of("java", program, TokenDetail::default());
    assert!(ids_of("c", program, TokenDetail::default()).iter().all(|id| !java.contains(id)));
}

#[test]
fn details_count_only_if_they_are_kept() {
    let [names, literals, comments] = [(true, false, false), (false, true, false), (false, false, true)]
        .map(|(identifiers, literals, comments)| TokenDetail { identifiers, literals, comments });
    let changes =
        [("x = y", "a = y", names), ("x = 'a'", "x = 'b'", literals), ("x = 1 # a b", "x = 1 # a c", comments)];
    for (before, after, detail) in changes {
        assert_eq!(ids_of("python", before, TokenDetail::default()), ids_of("python", after, TokenDetail::default()));
        for other in [names, literals, comments] {
            let same = ids_of("python", before, other) == ids_of("python", after, other);
            assert_eq!(same, other != detail, "{before} {other:?}");
        }
    }
    let words = ids_of("python", "# a b\n", comments).len() - ids_of("python", "# a b\n", TokenDetail::default()).len();
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

#[test]
fn keywords_count_as_themselves() {
    let lexed = |name: &str, text: &str| {
        let (tokens, _) = words(text, language(name), TokenDetail::default());
        tokens.iter().map(|token| token.id).collect::<Vec<_>>()
    };
    assert_ne!(lexed("python", "if"), lexed("python", "while"));
    let (tokens, _) = words("if\"e\"", language("python"), TokenDetail::default());
    let spans: Vec<(u32, u32)> = tokens.iter().map(|token| (token.start, token.end)).collect();
    assert_eq!(spans, [(0, 2), (2, 5)], "a keyword is no prefix of a string");
    assert_eq!(lexed("python", "iff"), lexed("python", "whiles"));
    assert_eq!(lexed("sql", "SELECT"), lexed("sql", "select"));
    assert_ne!(lexed("sql", "SELECT"), lexed("sql", "selects"));
    // the leaves of a tree and the words of the same text are the same tokens
    let tree = ids_of("python", "if x > 1:\n    y = 'a'\n", TokenDetail::default());
    assert!(lexed("python", "if x > 1:\n    y = 'a'\n").iter().all(|id| tree.contains(id)));
}

#[test]
fn what_cannot_be_parsed_says_so() {
    let java = "public class A { void f() { int x = 1; } }";
    let why = read("python", java).degraded.expect("no Python").to_string();
    assert!(why.ends_with("% of it cannot be parsed as Python"), "{why}");
    assert_eq!(read("other", java).degraded, None, "nothing was promised");
    let reason = |name: &str, text: &str| read(name, text).degraded.map_or_else(String::new, |why| why.to_string());
    assert_eq!(reason("c", "int x; /* y"), "a comment that is never closed");
    let nested = |depth: usize| format!("x = {}1{}\n", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(reason("python", &nested(256)), "");
    assert_eq!(reason("python", &nested(257)), "brackets in brackets more than 256 deep");
    let sum = |terms: usize| format!("x = 1{}\n", " + a".repeat(terms));
    assert_eq!(reason("python", &sum(490)), "");
    assert_eq!(reason("python", &sum(800)), "a line of more than 1000 words and signs");
    let again = |lines: usize| "x += 1\n".repeat(lines);
    assert_eq!(reason("python", &again(340)), "");
    assert_eq!(reason("python", &again(700)), "long parts of it are the same again and again");
    let table = format!("x = [\n{}]\n", "1, 2, a,\n".repeat(1_000));
    assert_eq!(reason("python", &table), "", "tables repeat themselves");
    let large = "x = 1\n".repeat(400_000);
    assert_eq!(reason("python", &large), "larger than 2 MiB");
}
