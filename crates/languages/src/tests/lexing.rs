//! Word by word: small examples by hand.

use super::{lexed, names};

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
    assert_eq!(lexed("python", "f\"a\" r'b' '''c\nd'''"), ["f\"a\"", "r'b'", "'''c\nd'''"]);
    assert_eq!(lexed("rust", "&'a str 'b' '\\n' 'ü'"), ["&", "'", "a", "str", "'b'", "'\\n'", "'ü'"]);
    assert_eq!(lexed("sql", r"'a\' b"), [r"'a\'", "b"]);
    assert_eq!(lexed("other", "\"\\é\" a"), ["\"\\é\"", "a"]);
    assert_eq!(lexed("other", "\"a\\"), ["\"a\\"]);
}
