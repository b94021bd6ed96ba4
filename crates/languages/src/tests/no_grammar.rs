//! A build without grammars knows the same languages, reads any file, and says what it lacks.

use super::{lexed, read, samples};
use crate::{Degraded, languages};

#[test]
fn files_are_read_word_by_word_and_say_so() {
    assert!(languages().iter().all(|language| !language.has_grammar()));
    for (language, sample) in samples() {
        let code = read(language.name(), sample);
        assert_eq!(code.degraded, Some(Degraded::GrammarNotBuiltIn { language: language.title() }));
        assert!(code.tokens.len() > 10, "{}", language.name());
    }
    assert_eq!(read("perl", "my $x = 1; # one").degraded, None, "it never had one");
}

#[test]
fn comments_and_strings_are_those_of_the_language() {
    assert_eq!(lexed("python", "x = 'a' # b"), ["x", "=", "'a'"]);
    assert_eq!(lexed("haskell", "x {- b -} y -- c"), ["x", "y"]);
}
