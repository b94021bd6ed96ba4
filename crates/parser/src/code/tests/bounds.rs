//! Hostile input: no panic, no endless work, and sound spans whatever the text.

use super::{reader, samples};
use lookalike_languages::{Code, Language, TokenDetail, languages};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Generous, for slow machines with other work; what is quadratic takes minutes.
const PATIENCE: Duration = Duration::from_secs(30);

fn check(code: &Code) {
    let mut last = 0;
    for token in &code.tokens {
        assert!(last <= token.start, "starts never fall");
        assert_ne!(token.id, 0);
        let text = code.text.get(token.start as usize..token.end as usize);
        assert!(text.is_some_and(|text| !text.is_empty()), "{token:?}");
        last = token.start;
    }
}

fn any_language() -> impl Strategy<Value = &'static Language> {
    (0..languages().len()).prop_map(|row| &languages()[row])
}

fn any_detail() -> impl Strategy<Value = TokenDetail> {
    any::<[bool; 3]>().prop_map(|[identifiers, literals, comments]| TokenDetail { identifiers, literals, comments })
}

/// Text that looks like code of no language.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\"\"\"".to_owned()),
        "[a-zA-Z_0-9 \n\t]{1,8}",
        "[-+*/%&|^!~<>=?:;,.(){}\\[\\]\"'`#@$\\\\]{1,4}",
        "\\PC{1,3}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// A sample with pieces of it cut out, doubled or put elsewhere.
fn mutated() -> impl Strategy<Value = (&'static Language, String)> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8), 1..6);
    (0..samples().len(), edits).prop_map(|(sample, edits)| {
        let (language, text) = &samples()[sample];
        let mut text: Vec<char> = text.chars().collect();
        for (a, b, edit) in edits {
            if text.is_empty() {
                break;
            }
            let (a, b) = (a.index(text.len()), b.index(text.len()));
            let (from, to) = (a.min(b), a.max(b));
            match edit {
                0 => drop(text.drain(from..to.min(from + 20))),
                1 => text.extend_from_within(from..to),
                2 => text.swap(a, b),
                _ => text.insert(a, ['"', '{', '(', '\u{0}', '\n', 'é', '\'', '<'][b % 8]),
            }
        }
        (*language, text.into_iter().collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_read(text in soup(), language in any_language(), detail in any_detail()) {
        check(&reader().read(&text, language, detail));
    }

    #[test]
    fn broken_code_is_read((language, text) in mutated(), detail in any_detail()) {
        check(&reader().read(&text, language, detail));
    }

    /// A reader that has read other files reads this one as a new one does.
    #[test]
    fn readers_remember_nothing(texts in prop::collection::vec(mutated(), 1..6)) {
        let mut used = reader();
        for (language, text) in &texts {
            let fresh = reader().read(text, language, TokenDetail::default());
            let again = used.read(text, language, TokenDetail::default());
            prop_assert_eq!(fresh.tokens, again.tokens);
            prop_assert_eq!(fresh.degraded, again.degraded);
        }
    }
}

/// One pattern again and again in each language: deep nesting, endless strings, an error in each line.
#[test]
fn patterns_made_to_take_forever() {
    let patterns =
        ["(", "{", "if x:\n ", "\"", "/*", "<a>", "x=", "\n", "`${", "%w(\n", "] {+\n", "--if\n", "}void\n", "é", "\0"];
    let mut reader = reader();
    for language in languages() {
        for pattern in patterns {
            let text = pattern.repeat(20_000 / pattern.len());
            let start = Instant::now();
            check(&reader.read(&text, language, TokenDetail::default()));
            assert!(start.elapsed() < PATIENCE, "{} {pattern:?}: {:?}", language.name(), start.elapsed());
        }
    }
}

#[test]
fn large_files_are_read_in_one_pass() {
    let minified = "var a=function(b){return b.c?d[e]:\"f\"+1.5};".repeat(200_000);
    let mut reader = reader();
    for text in
        [minified, "a".repeat(5_000_000), "\"".repeat(5_000_000), "/*".repeat(2_500_000), "x\n".repeat(2_500_000)]
    {
        let start = Instant::now();
        let code = reader.read(&text, Language::by_name("javascript").expect("a row"), TokenDetail::default());
        check(&code);
        assert!(code.degraded.is_some());
        assert!(start.elapsed() < PATIENCE);
    }
}

/// What a scanner written in C would read outside of its memory.
#[test]
fn text_that_scanners_read_wrongly() {
    let wide = ["echo {\u{10ffff}", "echo {12\u{4e2d}", "echo {1..\u{1f600}}", "echo {1..9}"];
    let long = "\u{e9}\u{4e2d}".repeat(10_000);
    for language in languages() {
        for text in wide.iter().copied().chain([long.as_str()]) {
            check(&reader().read(text, language, TokenDetail::default()));
        }
    }
    let degraded = |text| {
        let bash = languages().iter().find(|language| language.name() == "bash").unwrap();
        reader().read(text, bash, TokenDetail::default()).degraded.is_some()
    };
    assert_eq!(wide.map(degraded), [true, true, true, false]);
}
