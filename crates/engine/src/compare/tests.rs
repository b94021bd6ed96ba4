//! Relations of made-up documents, and what no order, memory or format may change.

use super::*;
use lookalike_core::relation::Relation;
use std::fs;

/// Different words for different seeds, in sentences of twelve and paragraphs of four sentences.
fn text(seed: u64, words: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let syllables = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];
    let mut out = String::new();
    for at in 1..=words {
        let letters = next();
        for place in 0..2 + letters % 3 {
            out.push_str(syllables[(letters >> (8 + 4 * place)) as usize % syllables.len()]);
        }
        out.push_str(if at % 48 == 0 {
            ".\n\n"
        } else if at % 12 == 0 {
            ".\n"
        } else {
            " "
        });
    }
    out
}

/// One letter in `every` is another one.
fn misread(text: &str, every: usize) -> String {
    let mut letters = 0;
    let wrong = |c: char| {
        letters += usize::from(c.is_alphabetic());
        if c.is_alphabetic() && (letters * 7919) % every == 0 { 'x' } else { c }
    };
    text.chars().map(wrong).collect()
}

fn compared(a: &str, b: &str) -> Comparison {
    let options = CompareOptions::default();
    let there = compare_texts(a, b, &options).unwrap();
    let back = compare_texts(b, a, &options).unwrap();
    assert_eq!(there.evidence.mirrored(), back.evidence);
    assert_eq!(there.relation.mirrored(), back.relation);
    there
}

fn relation(a: &str, b: &str) -> Relation {
    compared(a, b).relation
}

#[test]
fn relations_of_texts() {
    let base = text(1, 600);
    assert_eq!(relation(&base, &base), Relation::Identical);
    assert_eq!(relation(&base, &base.to_uppercase().replace('\n', "  ")), Relation::SameText);
    assert_eq!(relation(&base, &format!("{}{}", &base[..2600], text(2, 60))), Relation::Version);
    let words: Vec<&str> = base.split(' ').collect();
    assert_eq!(relation(&words[100..200].join(" "), &base), Relation::AInB);
    assert_eq!(relation(&base, &words[100..200].join(" ")), Relation::BInA);
    let quoted = format!("{}\n\n{}\n\n{}", text(3, 200), words[200..260].join(" "), text(4, 200));
    assert_eq!(relation(&base, &quoted), Relation::Passages);
    assert_eq!(relation(&base, &text(5, 600)), Relation::Unrelated);
    assert_eq!(relation("one two three", "four five six"), Relation::TooLittle);
}

#[test]
fn small_errors_are_no_version() {
    let base = text(6, 600);
    for every in [100, 20, 10] {
        let found = compared(&base, &misread(&base, every));
        assert_eq!(found.relation, Relation::SmallErrors, "one in {every}: {:?}", found.evidence);
        let rate = found.evidence.alignment.unwrap().error_rate();
        assert!((0.5..1.5).contains(&(rate * every as f64)), "one in {every}: {rate}");
    }
}

#[test]
fn heads_and_feet_are_a_template() {
    let (head, foot) = (text(7, 60), text(8, 40));
    let page = |seed: u64| format!("{head}\n\n{}\n\n{foot}", text(seed, 500));
    assert_eq!(relation(&page(9), &page(10)), Relation::Template);
}

#[test]
fn documents_without_text_are_compared_by_bytes() {
    let folder = tempfile::tempdir().unwrap();
    // other letters for other seeds: words that both have by chance are no bytes in common
    let noise = |seed: u64| -> Vec<u8> {
        text(seed, 4000).bytes().flat_map(|byte| [byte ^ (seed as u8) << 4, 0, byte ^ seed as u8]).collect()
    };
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let (mut changed, original) = (noise(11), write("a.bin", &noise(11)));
    changed[5000] ^= 1;
    let changed = write("b.bin", &changed);
    let found = compare(&original, &changed, &CompareOptions::default()).unwrap();
    assert_eq!(found.relation, Relation::Version, "{:?}", found.left_out);
    assert!(found.shingles.is_none() && found.left_out.len() == 3);
    let other = write("c.bin", &noise(12));
    assert_eq!(compare(&original, &other, &CompareOptions::default()).unwrap().relation, Relation::Unrelated);
    let empty = write("empty.txt", b"");
    assert!(matches!(compare(&empty, &original, &CompareOptions::default()), Err(Error::Document { .. })));
}

#[test]
fn pages_that_share_markup_are_a_template() {
    let folder = tempfile::tempdir().unwrap();
    let style = (0..80).map(|n| format!(".class-{n} {{ margin: {n}px; }}\n")).collect::<Vec<_>>().concat();
    let page = |name: &str, seed: u64| {
        let body = text(seed, 200);
        let path = folder.path().join(name);
        fs::write(&path, format!("<html><head><style>{style}</style></head><body><p>{body}</p></body></html>"))
            .unwrap();
        path
    };
    let found = compare(&page("a.html", 13), &page("b.html", 14), &CompareOptions::default()).unwrap();
    assert_eq!(found.relation, Relation::Template, "{:?}", found.evidence);
}

#[test]
fn large_documents_are_compared_by_shingles_and_chunks() {
    let base = text(15, 500_000);
    assert!(2 * base.len() as u64 > MAX_DETAILED_BYTES);
    let found = compare_texts(&base, &base[1000..], &CompareOptions::default()).unwrap();
    assert_eq!(found.relation, Relation::Version);
    assert_eq!(found.left_out.iter().map(|left| left.lens).collect::<Vec<_>>(), [Lens::Simhash, Lens::Passages]);
}
