//! Repeated stretches of words go, whatever the memory, the threads and the shards.

use crate::common::{Random, Text, files, options};
use crate::cut_common::{CutRow, cut, evidence, odd_line, shard, summary};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::text::{canonical, words};
use lookalike_dedup::{DedupOptions, Error, Granularity, SubstringOptions};
use std::collections::HashMap;
use std::fs;

fn substrings(min_tokens: u32) -> DedupOptions {
    options(|o| o.granularity = Granularity::Substrings(SubstringOptions { min_tokens }))
}

/// Texts with stretches of others in them.
fn texts(count: usize) -> Vec<Text> {
    let mut random = Random::new(5);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for _ in 0..count {
        let length = 20 + random.below(300);
        let mut words = random.words(length);
        if !texts.is_empty() && random.below(3) > 0 {
            // boilerplate is in very many
            let from = if random.below(3) == 0 { &texts[0] } else { &texts[random.below(texts.len())] };
            let start = random.below(from.len());
            let stretch: Vec<String> = from[start..].iter().take(10 + random.below(150)).cloned().collect();
            let at = random.below(words.len());
            words.splice(at..at, stretch);
        }
        texts.push(words);
    }
    let spell = |(number, words): (usize, Vec<String>)| {
        let separators = [" ", ", ", "\n", "."];
        let text: String = words.iter().flat_map(|word| [word, separators[number % 3]]).collect();
        (format!("d{number}"), if number % 5 == 0 { text.to_uppercase() } else { text })
    };
    texts.into_iter().enumerate().map(spell).collect()
}

/// What is left of the texts: every N-gram is looked up among all before it.
fn naive(texts: &[Text], n: usize) -> Vec<Option<String>> {
    let mut seen: HashMap<Vec<String>, (usize, usize)> = HashMap::new();
    let mut left = Vec::new();
    for (document, (_, text)) in texts.iter().enumerate() {
        let spans: Vec<_> = words(text, &FeatureHasher::default()).into_iter().map(|word| word.span).collect();
        let words: Vec<String> = canonical(text).split(' ').map(str::to_owned).collect();
        let mut gone = vec![false; spans.len()];
        for position in 0..(spans.len() + 1).saturating_sub(n) {
            let gram = words[position..position + n].to_vec();
            let (kept, at) = *seen.entry(gram).or_insert((document, position));
            if kept != document || at + n <= position {
                gone[position..position + n].fill(true);
            }
        }
        let (mut rest, mut last) = (String::new(), 0);
        for at in 0..spans.len() {
            if gone[at] && (at == 0 || !gone[at - 1]) {
                rest.push_str(&text[last..spans[at].start]);
            }
            if gone[at] {
                last = spans[at].end;
            }
        }
        rest.push_str(&text[last..]);
        left.push((gone.is_empty() || gone.contains(&false)).then_some(rest));
    }
    left
}

#[test]
fn the_answer_is_that_of_the_definition_whatever_the_memory_and_the_threads() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(1500);
    let input = dir.path().join("in/corpus.jsonl");
    shard(&input, &texts);
    for (n, runs) in [(50, vec![(1, 16 << 20), (3, 1 << 30)]), (15, vec![(2, 16 << 20)])] {
        let left = naive(&texts, n as usize);
        let kept = texts.iter().zip(&left).filter_map(|((id, _), left)| Some(odd_line(id, left.as_ref()?)));
        let expected: String = kept.collect();
        let mut first = None;
        for (threads, memory) in runs {
            let mut options = substrings(n);
            (options.scan.resources.threads, options.scan.resources.memory) = (threads, memory);
            let out = dir.path().join(format!("out-{n}-{threads}"));
            let result = cut(&input, Some(&out), &options).unwrap();
            assert!(fs::read_to_string(out.join("corpus/corpus.jsonl")).unwrap() == expected, "{n} {threads}");
            assert!(result.summary.cut_pieces > 100);
            let first = first.get_or_insert_with(|| files(&out));
            assert!(*first == files(&out));
        }
    }
}

#[test]
fn every_stretch_stands_where_the_evidence_says() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(400);
    let input = dir.path().join("in/corpus.jsonl");
    shard(&input, &texts);
    let out = dir.path().join("out");
    let result = cut(&input, Some(&out), &substrings(20)).unwrap();
    let by_id: HashMap<&str, &str> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let rows = evidence(&out);
    for CutRow { id, start, end, words, duplicate_of, duplicate_of_start, text } in &rows {
        let stretch = &by_id[id.as_str()][*start..*end];
        assert_eq!(*text, stretch.chars().take(80).collect::<String>());
        let stretch = canonical(stretch);
        assert!(stretch.split(' ').count() == *words && *words >= 20);
        let first = canonical(&by_id[duplicate_of.as_str()][*duplicate_of_start..]);
        assert!(first == stretch || first.starts_with(&(stretch + " ")), "{id} {start}");
    }
    let summary = summary(&out);
    assert_eq!(summary["cut_pieces"], rows.len());
    assert_eq!((&summary["min_tokens"], &summary["granularity"]), (&20.into(), &"substring".into()));
    let gone: usize = result
        .cuts
        .of(0..u32::MAX)
        .flat_map(|cuts| cuts.unwrap().ranges)
        .map(|range| (range.end - range.start) as usize)
        .sum();
    assert_eq!(summary["cut_bytes"], gone);
    assert!(result.summary.most_repeated[0].count > 2);
}

#[test]
fn odd_records() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in/a.jsonl");
    let long = "一二三四五六七八九十、百千万億。";
    let mut lines = String::from("\u{feff}");
    lines += &odd_line("first", &format!("{long} and {long}"));
    lines += "\n{\"id\":\"null\",\"text\":null}\n";
    lines += &odd_line("same", long);
    lines += &odd_line("short", "百千万");
    lines += &odd_line("empty", "");
    lines += &odd_line("tail", &format!("猫「{long}」犬"));
    fs::create_dir_all(input.parent().unwrap()).unwrap();
    fs::write(&input, &lines).unwrap();
    let out = dir.path().join("out");
    let result = cut(&input, Some(&out), &substrings(14)).unwrap();
    let expected = lines
        .replace(&odd_line("first", &format!("{long} and {long}")), &odd_line("first", &format!("{long} and 。")))
        .replace(&odd_line("same", long), "")
        .replace(&odd_line("tail", &format!("猫「{long}」犬")), &odd_line("tail", "猫「。」犬"));
    assert_eq!(fs::read_to_string(out.join("corpus/a.jsonl")).unwrap(), expected);
    assert_eq!(result.summary.removed_documents, 1);
    assert_eq!(result.summary.uncompared.not_compared.values().sum::<u64>(), 2);
    for found in [0, 10_001] {
        assert!(matches!(cut(&input, None, &substrings(found)), Err(Error::WrongOption { .. })));
    }
}

#[test]
fn a_document_that_takes_more_memory_than_there_is_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in/a.jsonl");
    shard(&input, &[("short".into(), "a b".into()), ("long".into(), "a b ".repeat(300_000))]);
    let out = dir.path().join("out");
    let mut options = substrings(50);
    options.scan.resources.memory = 16 << 20;
    let Err(Error::Engine(lookalike_engine::Error::DocumentMemory { id, needed, .. })) =
        cut(&input, Some(&out), &options)
    else {
        panic!("it fits")
    };
    assert_eq!(id, "long");
    // with as much as it says, the run goes on
    options.scan.resources.memory = 2 * needed;
    options.resume = true;
    let result = cut(&input, Some(&out), &options).unwrap();
    // the first fifty words stay, and all others repeat them
    assert_eq!(result.summary.cut_words, 600_000 - 50);
    assert!(result.summary.cut_pieces <= 600_000 / 50, "{}", result.summary.cut_pieces);
}
