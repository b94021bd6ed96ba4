//! The finder held against the definition.

use super::*;
use crate::cut::cuts::{CutPiece, DocumentCuts};
use lookalike_core::text::{canonical, words};
use lookalike_corpus::Input;
use lookalike_engine::ScanOptions;
use lookalike_engine::run::duplicates::DuplicateGroups;
use lookalike_engine::run::session::reading;
use lookalike_engine::run::text_extractor::TextExtractor;
use lookalike_store::{Cancel, Resources, Silent};
use proptest::prelude::*;
use std::collections::HashMap;
use std::ops::Range;

/// The definition: every N-gram is held against all before it. Documents are numbered as they are read: those without words are not.
fn naive(texts: &[String], n: usize) -> Vec<DocumentCuts> {
    let texts: Vec<&String> = texts.iter().filter(|text| !canonical(text).is_empty()).collect();
    let spans: Vec<Vec<Range<usize>>> = texts
        .iter()
        .map(|text| words(text, &FeatureHasher::default()).into_iter().map(|word| word.span).collect())
        .collect();
    let mut seen: HashMap<Vec<String>, Vec<(usize, usize)>> = HashMap::new();
    let mut cuts = Vec::new();
    for (document, text) in texts.iter().enumerate() {
        let words: Vec<String> = canonical(text).split(' ').map(str::to_owned).collect();
        assert_eq!(words.len(), spans[document].len());
        let mut gone = vec![false; words.len()];
        // where each repeated N-gram stands first
        let mut runs: Vec<(usize, usize, (usize, usize))> = Vec::new();
        for position in 0..(words.len() + 1).saturating_sub(n) {
            let places = seen.entry(words[position..position + n].to_vec()).or_default();
            if places.iter().any(|(other, at)| *other != document || at + n <= position) {
                gone[position..position + n].fill(true);
                let (kept, at) = places[0];
                match runs.last_mut() {
                    Some((start, length, first))
                        if *start + *length == position && *first == (kept, at.wrapping_sub(*length)) =>
                    {
                        *length += 1;
                    }
                    _ => runs.push((position, 1, (kept, at))),
                }
            }
            places.push((document, position));
        }
        // a character that is several words goes only with all of them
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for at in 1..words.len() {
                if spans[document][at].start < spans[document][at - 1].end && gone[at] != gone[at - 1] {
                    (gone[at], gone[at - 1], is_changed) = (false, false, true);
                }
            }
        }
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for at in 0..words.len() {
            let span = &spans[document][at];
            match ranges.last_mut() {
                Some(last) if gone[at] && at > 0 && gone[at - 1] => last.end = span.end as u32,
                _ if gone[at] => ranges.push(span.start as u32..span.end as u32),
                _ => {}
            }
        }
        let pieces = runs.into_iter().map(|(start, grams, (kept, kept_position))| {
            let length = grams - 1 + n;
            CutPiece {
                start: spans[document][start].start as u32,
                end: spans[document][start + length - 1].end as u32,
                words: length as u32,
                kept: kept as u32,
                kept_start: spans[kept][kept_position].start as u32,
            }
        });
        let pieces: Vec<CutPiece> = pieces.collect();
        if !ranges.is_empty() {
            let words = gone.iter().filter(|gone| **gone).count() as u32;
            cuts.push(DocumentCuts { document: document as u32, words, ranges, pieces });
        }
    }
    cuts
}

/// What the finder finds, with so many bits of the quick hash.
fn find(texts: &[String], n: usize, hash_bits: u64, resources: &Resources) -> Vec<DocumentCuts> {
    let mut options = ScanOptions::default();
    options.resources = resources.clone();
    let cancel = Cancel::default();
    let session = Session::new(&options, &Silent, &cancel).unwrap();
    let corpus = Corpus::open(vec![Input::texts(texts)], reading(&options)).unwrap();
    let asked = SubstringOptions { min_tokens: n as u32 };
    let finder = SubstringFinder { hash_bits, ..SubstringFinder::new(&session, &asked) };
    resources.pool().unwrap().install(|| {
        let (catalogue, mut fingerprints) = finder.read(&corpus).unwrap();
        let groups = DuplicateGroups::new(catalogue.len(), Vec::new());
        let documents = Documents::new(&session, corpus, TextExtractor::default(), (catalogue, groups)).unwrap();
        let cuts = finder.find(&documents, &mut fingerprints).unwrap();
        cuts.of(0..u32::MAX).map(Result::unwrap).collect()
    })
}

fn small(threads: usize) -> Resources {
    Resources { memory: 16 << 20, threads, ..Resources::default() }
}

fn check(texts: &[String], n: usize) {
    let expected = naive(texts, n);
    assert_eq!(find(texts, n, u64::MAX, &small(2)), expected, "{texts:?} {n}");
    // where N-grams are mistaken for each other, words decide
    assert_eq!(find(texts, n, 3, &small(1)), expected, "{texts:?} {n}");
}

#[test]
fn cases_by_hand() {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
    // the first stays, the second goes from its first to its last word
    let found = find(&texts(&["a b c d", "x (A b, C d)! y"]), 3, u64::MAX, &small(1));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].document, found[0].words, found[0].ranges.len()), (1, 4, 1));
    assert_eq!(found[0].ranges[0], 3..11);
    assert_eq!(found[0].pieces, [CutPiece { start: 3, end: 11, words: 4, kept: 0, kept_start: 0 }]);
    // what overlaps itself is no repeat, what follows itself is one
    assert!(find(&texts(&["a a a a a"]), 3, u64::MAX, &small(1)).is_empty());
    assert_eq!(find(&texts(&["a a a a a a"]), 3, u64::MAX, &small(1))[0].ranges[0], 6..11);
    for n in 1..6 {
        check(&texts(&["a a a a a a a a a"]), n);
        check(&texts(&["a b c d e f", "e f a b c", "d e f a b c d", "", "...", "f a"]), n);
        check(&texts(&["一二三四五六", "七三四五六八", "五六七三四五"]), n);
        // one character for several words
        check(&texts(&["株 式 x 1 2 3", "㍿ x ½ 3 ㍿", "会 社 ㍿ x ½"]), n);
    }
}

/// Texts of few words, with much between them, and stretches of earlier texts in later ones.
fn corpora() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![8 => 0usize..6, 2 => 6usize..40, 1 => 40usize..46];
    let separator = prop::sample::select(vec![" ", " ", " ", "\n", ", ", " — ", ".\n\n", "\u{a0}"]);
    let part = (prop::collection::vec((word, separator), 0..30), any::<prop::sample::Index>(), 0usize..40, 0usize..3);
    prop::collection::vec(prop::collection::vec(part, 0..4), 0..10).prop_map(|documents| {
        let spell = |word: usize| match word {
            40 => "㍿".to_owned(),
            41 => "½".to_owned(),
            42 => "漢字".to_owned(),
            43 => "Straße".to_owned(),
            44 => "STRASSE".to_owned(),
            45 => "don’t".to_owned(),
            word if word % 5 == 0 => format!("W{word}"),
            word => format!("w{word}"),
        };
        let mut texts: Vec<String> = Vec::new();
        for parts in documents {
            let mut text = String::new();
            for (words, from, length, kind) in parts {
                if kind > 0 && !texts.is_empty() {
                    let other = texts[from.index(texts.len())].clone();
                    let copied: Vec<&str> = other.split_inclusive(' ').skip(length % 7).take(length).collect();
                    text.push_str(&copied.concat());
                    text.push(' ');
                }
                for (word, separator) in words {
                    text.push_str(&(spell(word) + separator));
                }
            }
            texts.push(text);
        }
        texts
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn fast_is_naive(texts in corpora(), n in prop_oneof![1usize..5, 5usize..30]) {
        check(&texts, n);
    }
}
