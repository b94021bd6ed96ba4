//! Word by word: small examples by hand.

use super::{ids_of, language, names, read};
use crate::code::{Keep, lexical};

/// The spans of the tokens of a text that is read word by word.
fn lexed<'a>(name: &str, text: &'a str) -> Vec<&'a str> {
    let mut tokens = Vec::new();
    lexical::read(text, 0, language(name), Keep::default(), &mut tokens);
    tokens.iter().map(|token| &text[token.start as usize..token.end as usize]).collect()
}

#[test]
fn words_numbers_strings_and_operators() {
    assert_eq!(names("other", "x += 0x1F * 'a' // c"), "<identifier> |+=| <literal> * <literal>");
    assert_eq!(lexed("other", "a1_b 1.5e-3 0xe-1"), ["a1_b", "1.5e-3", "0xe", "-", "1"]);
    assert_eq!(lexed("other", "1..2 3.max"), ["1", "..", "2", "3", ".", "max"]);
    assert_eq!(lexed("other", "a===b!==c"), ["a", "===", "b", "!==", "c"]);
    assert_eq!(lexed("other", "größe→1"), ["größe", "→", "1"]);
    assert_eq!(lexed("other", "a\u{a0}b\u{0}c"), ["a", "b", "c"]);
}

#[test]
fn comments_are_gone() {
    assert_eq!(lexed("other", "a // b\nc # d\ne /* f\n */ g"), ["a", "c", "e", "g"]);
    assert_eq!(lexed("python", "a // b # c"), ["a", "//", "b"]);
    assert_eq!(lexed("haskell", "a {- b -} -- c\nd"), ["a", "d"]);
    assert_eq!(lexed("ruby", "a\n=begin\nb\n=end\nc"), ["a", "c"]);
    assert_eq!(lexed("other", "a /* never closed"), ["a"]);
}

#[test]
fn strings_end_where_they_may() {
    assert_eq!(lexed("other", r#"a "b \" c" d"#), ["a", r#""b \" c""#, "d"]);
    assert_eq!(lexed("other", "a \"never closed\nb"), ["a", "\"never closed", "b"]);
    assert_eq!(lexed("python", "f\"a\" r'b' '''c\nd''' if\"e\""), ["f\"a\"", "r'b'", "'''c\nd'''", "if", "\"e\""]);
    assert_eq!(lexed("rust", "&'a str 'b' '\\n' 'ü'"), ["&", "'", "a", "str", "'b'", "'\\n'", "'ü'"]);
    assert_eq!(lexed("sql", r"'a\' b"), [r"'a\'", "b"]);
    assert_eq!(lexed("other", "\"\\é\" a"), ["\"\\é\"", "a"]);
    assert_eq!(lexed("other", "\"a\\"), ["\"a\\"]);
}

#[test]
fn keywords_count_as_themselves() {
    let lexed = |name: &str, text: &str| {
        let mut tokens = Vec::new();
        lexical::read(text, 0, language(name), Keep::default(), &mut tokens);
        tokens.iter().map(|token| token.id).collect::<Vec<_>>()
    };
    assert_ne!(lexed("python", "if"), lexed("python", "while"));
    assert_eq!(lexed("python", "iff"), lexed("python", "whiles"));
    assert_eq!(lexed("sql", "SELECT"), lexed("sql", "select"));
    assert_ne!(lexed("sql", "SELECT"), lexed("sql", "selects"));
    // the leaves of a tree and the words of the same text are the same tokens
    let tree = ids_of("python", "if x > 1:\n    y = 'a'\n", Keep::default());
    assert!(lexed("python", "if x > 1:\n    y = 'a'\n").iter().all(|id| tree.contains(id)));
}

#[test]
fn what_cannot_be_parsed_says_so() {
    let java = "public class A { void f() { int x = 1; } }";
    let why = read("python", java).degraded.expect("no Python");
    assert!(why.ends_with(" % of it cannot be parsed as Python"), "{why}");
    assert_eq!(read("other", java).degraded, None, "nothing was promised");
    let reason = |name: &str, text: &str| read(name, text).degraded.unwrap_or_default();
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
    assert_eq!(read("python", &large).degraded.as_deref(), Some("larger than 2 MiB"));
}
