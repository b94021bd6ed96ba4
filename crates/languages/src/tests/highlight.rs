//! What a reader's eye tells apart.

use super::super::{CodeReader, Highlights, MarkKind, TokenDetail};
use super::{language, samples};

fn highlights(name: &str, text: &str, detail: TokenDetail) -> (Highlights, Vec<(MarkKind, String)>) {
    let code = CodeReader::new().read(text, language(name), detail);
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
        let known = ["boolean", "class", "int"].iter().filter(|word| words.contains(word)).count();
        // where comments count, only a tree has the type `boolean`
        assert_eq!(known, if detail.comments { 2 } else { 3 }, "{words:?}");
        assert!(!["A", "String", "total", "name", "b"].iter().any(|word| words.contains(word)), "{words:?}");
    }
}

#[test]
fn code_in_a_string_is_no_string() {
    let text = "total = 3\nprint(f\"sum {total} of\")\n# end\n";
    let (found, marks) = highlights("python", text, TokenDetail::default());
    let strings: Vec<&str> = marks.iter().filter(|m| m.0 == MarkKind::String).map(|m| m.1.as_str()).collect();
    assert!(strings.iter().all(|string| !string.contains("total")), "{strings:?}");
    assert!(strings.concat().contains("sum"), "{strings:?}");
    assert_eq!(marks.last(), Some(&(MarkKind::Comment, "# end".to_owned())));
    assert!(!found.keywords.contains(&"total".to_owned()));
}

#[test]
fn a_word_that_is_mostly_a_name_is_a_name() {
    let text = "match = 1\nprint(match, match)\nif match:\n    pass\n";
    let (found, _) = highlights("python", text, TokenDetail::default());
    assert!(!found.keywords.contains(&"match".to_owned()), "{:?}", found.keywords);
}

#[test]
fn marks_rise_and_lie_between_characters_in_every_language() {
    for (language, text) in samples() {
        let code = CodeReader::new().read(text, language, TokenDetail::default());
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
