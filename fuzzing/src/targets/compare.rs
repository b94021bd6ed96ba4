//! Two arbitrary documents compared, and the comparison shown.

use lookalike::shingles::compare;
use lookalike::{CompareOptions, FeatureHasher, Format, ShingleComparison, ShingleRecipe, ShingleRelation};
use lookalike_core::text::words;
use crate::{check_terminal, folder};
use lookalike_report::{ComparisonView, ShingleComparisonView, HtmlOptions, PageSubject, Show, write_html};
use std::fs;
use std::path::{Path, PathBuf};

/// Between the two documents. It is no UTF-8, and no character in UTF-16.
const BETWEEN: &[u8] = b"\xff\xff";

pub(crate) fn fuzz(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let middle = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (a, b) = middle.map_or_else(|| bytes.split_at(bytes.len() / 2), |at| (&bytes[..at], &bytes[at + 2..]));
    // short documents need short shingles to have some in common
    let w = [1, 2, 3, 10][usize::from(choice % 4)];
    let options = CompareOptions { recipe: ShingleRecipe::words(w), ..CompareOptions::default() };
    let (name_a, name_b) = ("a".to_owned() + extension(choice >> 2), "b".to_owned() + extension(choice >> 4));
    let (path_a, path_b) = (write(&name_a, a), write(&name_b, b));

    all_lenses(&path_a, &path_b, &options);
    same(a, &path_a, &options);
    same(b, &path_b, &options);
    match (compare(&path_a, &path_b, &options), compare(&path_b, &path_a, &options)) {
        (Ok(there), Ok(back)) => {
            check(&there);
            check(&back);
            assert_eq!(seen_from_a(&there), seen_from_b(&back));
        }
        (Err(_), Err(_)) => {}
        (there, back) => panic!("only one way: {:?}, {:?}", there.err(), back.err()),
    }
}

/// By all lenses: what is said of the one is mirrored in what is said of the other.
fn all_lenses(a: &Path, b: &Path, options: &CompareOptions) {
    match (lookalike::compare(a, b, options), lookalike::compare(b, a, options)) {
        (Ok(there), Ok(back)) => {
            assert_eq!(there.relation.mirrored(), back.relation);
            assert_eq!(there.evidence.mirrored(), back.evidence);
            let mut shown = Vec::new();
            ComparisonView { comparison: &there, top: 20 }.show(&mut shown).expect("a Vec takes anything");
            check_terminal(&shown);
        }
        (Err(_), Err(_)) => {}
        (there, back) => panic!("only one way: {:?}, {:?}", there.err(), back.err()),
    }
}

fn extension(choice: u8) -> &'static str {
    ["", ".txt", ".html", ".md"][usize::from(choice % 4)]
}

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("the folder is ours");
    path
}

/// A document is identical to itself, unless it is none: binary, or without words.
fn same(bytes: &[u8], path: &Path, options: &CompareOptions) {
    match compare(path, path, options) {
        Ok(c) => {
            assert_eq!((c.class, c.resemblance, c.a_in_b, c.b_in_a), (ShingleRelation::Identical, 1.0, 1.0, 1.0));
            assert!(c.passages.iter().all(|passage| passage.equal));
            check(&c);
        }
        Err(error) => {
            let mut scratch = String::new();
            let format = path.to_str().and_then(Format::from_name);
            if let Ok(text) = lookalike_extract::visible_text(bytes, format, &lookalike_extract::PageRules::default(), &mut scratch) {
                assert!(words(text, &FeatureHasher::default()).is_empty(), "{error}: {text:?}");
            }
        }
    }
}

fn check(c: &ShingleComparison) {
    for share in [c.resemblance, c.a_in_b, c.b_in_a] {
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
    assert!(c.resemblance <= c.a_in_b && c.resemblance <= c.b_in_a, "{} {} {}", c.resemblance, c.a_in_b, c.b_in_a);
    let mut shown = Vec::new();
    ShingleComparisonView { comparison: c, top: usize::MAX }.show(&mut shown).expect("a Vec takes anything");
    check_terminal(&shown);
    for side in [&c.a, &c.b] {
        // what leads from the text to its source leads to the same words
        for piece in side.source.iter().flat_map(|source| &source.pieces) {
            let raw = &side.source.as_ref().expect("it has pieces").raw;
            let (visible, written) = (piece.visible..piece.visible + piece.length, piece.raw..piece.raw + piece.length);
            assert_eq!(side.text[visible], raw[written]);
        }
    }
    // the script in it takes longer than all the rest: now and then is enough
    if (c.a.bytes + c.b.bytes) % 16 == 0 {
        let mut written = Vec::new();
        let page = write_html(PageSubject::Comparison(c, None), &HtmlOptions::default(), &mut written);
        page.expect("a Vec takes anything");
        assert_eq!(written.windows(7).filter(|w| w == b"<script").count(), 4, "documents add no markup");
    }
}

type Numbers = (ShingleRelation, [f64; 3], u32, [(u64, usize, u32); 2]);

fn seen_from_a(c: &ShingleComparison) -> Numbers {
    let [a, b] = [&c.a, &c.b].map(|side| (side.bytes, side.words, side.shingles));
    (c.class, [c.resemblance, c.a_in_b, c.b_in_a], c.shared, [a, b])
}

fn seen_from_b(c: &ShingleComparison) -> Numbers {
    let (class, [resemblance, b_in_a, a_in_b], common, [b, a]) = seen_from_a(c);
    (class, [resemblance, a_in_b, b_in_a], common, [a, b])
}
