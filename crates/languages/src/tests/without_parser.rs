//! Without the parser program the same languages are known, any file is read, and the reason names the program.

use super::{lexed, read, samples};
use crate::{CodeReader, Degraded, TokenDetail};
use lookalike_process::NoParser;

#[test]
fn files_are_read_word_by_word_and_say_so() {
    for (language, sample) in samples() {
        let code = read(language.name(), sample);
        // the leaves of some files are known from their words
        let is_told = language.leaf_rules.is_some();
        let expected = Some(Degraded::NoParser(NoParser::NotFound)).filter(|_| !is_told);
        assert_eq!(code.degraded, expected, "{}", language.name());
        assert!(code.tokens.len() > 10, "{}", language.name());
        // the words of comments are in no leaf
        let detail = TokenDetail { comments: true, ..TokenDetail::default() };
        let degraded = CodeReader::new().read(sample, language, detail).degraded;
        assert_eq!(degraded, Some(Degraded::NoParser(NoParser::NotFound)), "{}", language.name());
    }
    assert_eq!(read("perl", "my $x = 1; # one").degraded, None, "it has no grammar");
}

#[test]
fn the_reason_names_the_program_and_how_to_build_it() {
    let reason = read("lua", "x = 1\n").degraded.expect("a reason").to_string();
    assert!(reason.starts_with("needs lookalike-parser"), "{reason}");
    for command in ["cargo install --path crates/parser", "cargo build --release -p lookalike-parser"] {
        assert!(reason.contains(command), "{reason}");
    }
}

#[test]
fn comments_and_strings_are_those_of_the_language() {
    assert_eq!(lexed("python", "x = 'a' # b"), ["x", "=", "'a'"]);
    assert_eq!(lexed("haskell", "x {- b -} y -- c"), ["x", "y"]);
}

#[test]
fn keywords_and_operators_are_those_of_the_language() {
    let code = read("lua", "if x ~= y then z() end");
    let word = |at: usize| &code.text[code.tokens[at].start as usize..code.tokens[at].end as usize];
    assert_eq!((word(0), word(2)), ("if", "~="));
    assert!(code.tokens[0].id != code.identifier && code.tokens[1].id == code.identifier);
}
