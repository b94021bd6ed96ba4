//! Patterns as inputs.

use std::path::{Path, PathBuf};

use lookalike_corpus::{Corpus, Error, Input, Options};

use crate::common::{ids, items_of, make, open, write};

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    make(
        dir.path(),
        &[
            "b/1.txt",
            "b/2.md",
            "a/1.txt",
            "a/deep/3.txt",
            "a/deep/er/4.txt",
            "a/.hidden.txt",
            "c[1].txt",
            "c1.txt",
            "d/x.txt/5.txt",
        ],
    );
    dir
}

fn found(root: &Path, pattern: &str) -> Vec<String> {
    ids(&items_of(&root.join(pattern), Options::default()), root)
}

#[test]
fn what_patterns_match() {
    let dir = folder();
    for (pattern, expected) in [
        ("*/1.txt", &["a/1.txt", "b/1.txt"][..]),
        ("b/*", &["b/1.txt", "b/2.md"]),
        ("b/?.md", &["b/2.md"]),
        ("{b,a}/[12].*", &["a/1.txt", "b/1.txt", "b/2.md"]),
        ("a/**/*.txt", &["a/1.txt", "a/deep/3.txt", "a/deep/er/4.txt"]),
        ("**/4.txt", &["a/deep/er/4.txt"]),
        ("a/*/*.txt", &["a/deep/3.txt"]),
        // a folder that matches is read as a folder
        ("a/de*", &["a/deep/3.txt", "a/deep/er/4.txt"]),
        ("a/de*/", &["a/deep/3.txt", "a/deep/er/4.txt"]),
        ("d/*.txt", &["d/x.txt/5.txt"]),
        ("{a/deep,b}/*", &["a/deep/3.txt", "a/deep/er/4.txt", "b/1.txt", "b/2.md"]),
        ("a/.*.txt", &["a/.hidden.txt"]),
        // what is there is no pattern
        ("c[1].txt", &["c[1].txt"]),
        ("c[12].txt", &["c1.txt"]),
    ] {
        assert_eq!(found(dir.path(), pattern), expected, "{pattern}");
    }
}

#[test]
fn what_is_matched_is_as_if_named() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["2.jsonl", "1.jsonl", "3.other"] {
        write(&dir.path().join(name), b"{\"id\":\"x\",\"text\":\"y\"}\n");
    }
    let corpus = open(vec![Input::Path(dir.path().join("*.jsonl"))], Options::default());
    let paths: Vec<PathBuf> = ["1.jsonl", "2.jsonl"].map(|name| dir.path().join(name)).into();
    assert_eq!(corpus.sources(), paths);
    assert!(corpus.is_named(&paths[0].display().to_string()));
    assert_eq!(corpus.total_bytes(), Some(44));
}

#[test]
fn nothing_that_matches() {
    let dir = folder();
    for pattern in ["*.none", "none/*.txt", "b/1.txt/*", "**/none"] {
        let error = Corpus::open(vec![Input::Path(dir.path().join(pattern))], Options::default()).unwrap_err();
        assert!(matches!(&error, Error::NoMatch { pattern: named } if named.ends_with(pattern)), "{error}");
    }
    let error = Corpus::open(vec![Input::Path("no/such{".into())], Options::default()).unwrap_err().to_string();
    assert!(error.contains("no/such{") && error.contains("not valid"), "{error}");
    let error = Corpus::open(vec![Input::Path("no/such".into())], Options::default()).unwrap_err();
    assert!(matches!(error, Error::Missing { .. }));
}

#[cfg(unix)]
#[test]
fn links_that_lead_back() {
    let dir = folder();
    std::os::unix::fs::symlink("..", dir.path().join("a/up")).unwrap();
    assert_eq!(found(dir.path(), "**/3.txt"), ["a/deep/3.txt"]);
    // named part by part, a link is followed; what it leads to was not read before
    assert_eq!(found(dir.path(), "a/up/b/*.md"), ["a/up/b/2.md"]);
}
