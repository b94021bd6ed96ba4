//! `compare`: every lens in one reading, and one sentence.

use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::words::{Random, sentences};
use serde_json::Value;
use std::fs;

fn compared(dir: &Dir, a: &str, b: &str, flags: &[&str]) -> Value {
    run(lookalike(["compare", a, b, "--json"]).args(flags).current_dir(dir.path())).json()
}

/// A text, and others that are something to it.
fn folder() -> Dir {
    let dir = Dir::new();
    let mut random = Random(27);
    let words = random.words(400);
    let text = sentences(&words);
    let misread = |c: (usize, char)| if c.0.is_multiple_of(19) && c.1.is_alphabetic() { 'x' } else { c.1 };
    dir.write("text.txt", &text);
    dir.write("identical.txt", &text);
    dir.write("same-text.html", format!("<html><body><p>{}</p></body></html>", text.to_uppercase()));
    dir.write("small-errors.txt", text.chars().enumerate().map(misread).collect::<String>());
    dir.write("version.txt", sentences(&random.mutate(&words, 20)));
    dir.write("b-in-a.txt", sentences(&words[100..200]));
    let quoted = format!("{}{}{}", random.text(150), sentences(&words[200..260]), random.text(150));
    dir.write("passages.txt", quoted);
    dir.write("unrelated.txt", random.text(400));
    dir.write("too-little.txt", "only three words");
    dir
}

#[test]
fn relations_by_name() {
    let dir = folder();
    for name in ["identical.txt", "same-text.html", "small-errors.txt", "version.txt", "b-in-a.txt", "passages.txt"] {
        let (relation, _) = name.split_once('.').expect("an extension");
        let there = compared(&dir, "text.txt", name, &[]);
        assert_eq!(there["relation"], relation, "{there:#}");
        let back = compared(&dir, name, "text.txt", &[]);
        let mirrored = if relation == "b-in-a" { "a-in-b" } else { relation };
        assert_eq!(back["relation"], mirrored, "{back:#}");
        assert_eq!(there["evidence"]["chunks"]["shared"], back["evidence"]["chunks"]["shared"]);
        for lens in ["shingles", "simhash", "passages", "alignment"] {
            assert!(there["evidence"][lens].is_object(), "{lens}: {there:#}");
        }
    }
    assert_eq!(compared(&dir, "text.txt", "too-little.txt", &[])["relation"], "too-little");
}

#[test]
fn what_each_lens_says_on_the_terminal() {
    let dir = folder();
    let shown = |name: &str, flags: &[&str]| {
        run(lookalike(["compare", "text.txt", name, "--top", "1"]).args(flags).current_dir(dir.path())).expect(0).stdout
    };
    insta::assert_snapshot!("small_errors", shown("small-errors.txt", &[]));
    insta::assert_snapshot!("passages", shown("passages.txt", &[]));
    insta::assert_snapshot!("one_lens", shown("small-errors.txt", &["--lens", "shingles"]));
}

#[test]
fn one_lens_alone_says_what_it_said() {
    let dir = folder();
    let alone = compared(&dir, "text.txt", "version.txt", &["--lens", "shingles"]);
    let all = compared(&dir, "text.txt", "version.txt", &[]);
    assert!(alone.get("relation").is_none() && alone.get("evidence").is_none(), "{alone:#}");
    for (field, value) in alone.as_object().expect("an object") {
        assert_eq!(&all[field], value, "{field}");
    }
}

#[test]
fn files_without_text_are_compared_by_bytes() {
    let dir = Dir::new();
    let mut bytes = Random(28).bytes(20_000);
    dir.write("a.bin", &bytes);
    bytes[7_000] ^= 1;
    dir.write("b.bin", &bytes);
    let found = compared(&dir, "a.bin", "b.bin", &[]);
    assert_eq!((&found["relation"], &found["a"]["bytes"]), (&"version".into(), &20_000.into()), "{found:#}");
    assert_eq!(found["left_out"].as_array().map(Vec::len), Some(3));
    let page = run(lookalike(["compare", "a.bin", "b.bin", "--html", "p.html"]).current_dir(dir.path())).expect(2);
    assert!(page.stderr.contains("--html") && page.stderr.contains("leave it out"), "{}", page.stderr);
    assert!(!dir.at("p.html").exists());
    let alone = run(lookalike(["compare", "a.bin", "b.bin", "--lens", "shingles"]).current_dir(dir.path())).expect(2);
    assert!(alone.stderr.contains("a.bin"), "{}", alone.stderr);
    dir.write("empty.txt", "");
    let empty = run(lookalike(["compare", "empty.txt", "a.bin"]).current_dir(dir.path())).expect(2);
    assert!(empty.stderr.contains("empty.txt"), "{}", empty.stderr);
}

/// What is on it, a browser tells (`web/tests/browser/pair.test.js`).
#[test]
fn a_page_by_all_lenses_and_by_one() {
    let dir = folder();
    let page = |flags: &[&str]| {
        let mut command = lookalike(["compare", "text.txt", "small-errors.txt", "--html", "pair.html"]);
        run(command.args(flags).current_dir(dir.path())).expect(0);
        fs::read_to_string(dir.at("pair.html")).expect("written").len()
    };
    assert!(page(&[]) > page(&["--lens", "shingles"]), "what the lenses say takes room");
}
