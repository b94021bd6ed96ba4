//! The highlights of code that is parsed.

use super::{language, reader, samples};
use lookalike_languages::{Highlights, MarkKind, TokenDetail};

fn highlights(name: &str, text: &str, detail: TokenDetail) -> (Highlights, Vec<(MarkKind, String)>) {
    let code = reader().read(text, language(name), detail);
    let found = code.highlights();
    let marks = found.marks.iter().map(|m| (m.kind, code.text[m.start as usize..m.end as usize].to_owned())).collect();
    (found, marks)
}

const JAVA: &str = "/* a sum */\nclass A {\n    int total = 0x1F; // first\n    String name = \"größe\"; char c = 'x';\n    boolean b = total > .5;\n}\n";

#[test]
fn comments_strings_and_keywords_are_told_whatever_counts() {
    for detail in [
        TokenDetail::default(),
        TokenDetail { identifiers: true, literals: true, comments: true },
        TokenDetail { comments: true, ..TokenDetail::default() },
    ] {
        let (found, marks) = highlights("java", JAVA, detail);
        let wanted = [
            (MarkKind::Comment, "/* a sum */"),
            (MarkKind::Comment, "// first"),
            (MarkKind::String, "\"größe\""),
            (MarkKind::String, "'x'"),
        ];
        assert_eq!(marks, wanted.map(|(kind, text)| (kind, text.to_owned())), "{detail:?}");
        let words: Vec<&str> = found.keywords.iter().map(String::as_str).collect();
        // keywords are known from the grammar
        let known = ["boolean", "class", "int"].iter().filter(|word| words.contains(word)).count();
        assert_eq!(known, 3, "{words:?}");
        assert!(!["A", "String", "total", "name", "b"].iter().any(|word| words.contains(word)), "{words:?}");
    }
}

#[test]
fn marks_rise_and_lie_between_characters_in_every_language() {
    for (language, text) in samples() {
        let code = reader().read(text, language, TokenDetail::default());
        let found = code.highlights();
        let mut end = 0;
        for mark in &found.marks {
            assert!(mark.start >= end && mark.end > mark.start, "{}: {mark:?}", language.name());
            assert!(code.text.get(mark.start as usize..mark.end as usize).is_some(), "{}", language.name());
            end = mark.end;
        }
        assert!(found.marks.iter().any(|mark| mark.kind == MarkKind::Comment), "{}: no comment", language.name());
        assert!(found.keywords.iter().all(|word| !word.contains(' ')), "{}", language.name());
    }
}
