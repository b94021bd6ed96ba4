//! No document goes without evidence, and everything that must be found is found.

use crate::common::{Random, Text, kept, options, removed, resemblance, run, shards, texts};
use lookalike_core::cluster::Linkage;
use lookalike_engine::report::cluster::Class;
use std::collections::BTreeMap;

#[test]
fn who_goes_was_compared_with_who_stays() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(400);
    let input = shards(dir.path(), &texts, 3);
    let result = run(&input, None, &options(|_| {})).unwrap();
    let removed = removed(&result);
    let by_id: BTreeMap<&str, &str> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    assert!(removed.len() > 150, "{}", removed.len());
    for (gone, kept) in &removed {
        assert!(!removed.contains_key(kept), "{kept} stays for {gone}, and goes");
        assert!(resemblance(by_id[gone.as_str()], by_id[kept.as_str()]) >= 0.8, "{gone} {kept}");
    }
    // and nothing that stays is like anything else that stays
    let staying: Vec<&Text> = texts.iter().filter(|(id, _)| !removed.contains_key(id)).collect();
    for (at, a) in staying.iter().enumerate() {
        for b in &staying[at + 1..] {
            let family = |id: &str| id.split('-').next().unwrap_or_default().to_owned();
            if family(&a.0) == family(&b.0) {
                assert!(resemblance(&a.1, &b.1) < 0.8, "{} {}", a.0, b.0);
            }
        }
    }
    for removal in result.removals.all() {
        let catalogue = &result.linked.documents.catalogue;
        let (gone, kept) = (catalogue.id(removal.document).unwrap(), kept(&result, removal));
        let counted = resemblance(by_id[gone.as_str()], by_id[kept.as_str()]);
        assert!((result.removals.shares(removal).unwrap().resemblance - counted).abs() < 1e-9, "{gone} {kept}");
    }
}

/// Documents that drift by a twentieth at each step: each is like the next, the first is nothing like the last.
fn drift(steps: usize) -> Vec<Text> {
    let mut random = Random::new(3);
    let mut words = random.words(1000);
    let mut texts = Vec::new();
    for step in 0..steps {
        texts.push((format!("step{step:03}"), words.join(" ")));
        // one stretch of a twentieth
        let start = random.below(words.len() - 20);
        let new = random.words(20);
        words[start..start + 20].clone_from_slice(&new);
    }
    texts
}

#[test]
fn a_chain_removes_nobody_who_is_not_like_who_stays() {
    let dir = tempfile::tempdir().unwrap();
    let texts = drift(100);
    let input = shards(dir.path(), &texts, 2);
    let by_id: BTreeMap<&str, &str> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let stars = removed(&run(&input, None, &options(|_| {})).unwrap());
    assert!(stars.len() > 50, "{}", stars.len());
    for (gone, kept) in &stars {
        assert!(resemblance(by_id[gone.as_str()], by_id[kept.as_str()]) >= 0.8, "{gone} {kept}");
    }
    // what others do: one is left of a hundred, and it says so
    let single = run(&input, None, &options(|o| o.shingles.policy.linkage = Linkage::Single)).unwrap();
    assert_eq!(single.removals.all().len(), 99);
    let chained = single.removals.all().iter().filter(|removal| removal.class == Class::Chained);
    assert!(chained.clone().count() > 50);
    assert!(
        chained.clone().all(|removal| single.removals.shares(removal).unwrap().resemblance < 0.8),
        "and its number is told"
    );
}

#[test]
fn short_and_empty_documents_are_alike_only_if_they_are_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let texts = [
        "cat",
        "dog",
        "cat",
        "",
        "",
        "two words",
        "one two three four",
        "one two three four five",
        "one two three four five",
        "猫",
        "猫",
        "犬",
        "漢字だけの文章はどこで切れるのかわからない",
        "漢字だけの文章はどこで切れるのかわからない",
    ];
    let texts: Vec<Text> = texts.iter().enumerate().map(|(at, text)| (at.to_string(), (*text).to_owned())).collect();
    let input = shards(dir.path(), &texts, 1);
    let result = run(&input, None, &options(|_| {})).unwrap();
    let removed = removed(&result);
    let gone: Vec<&str> = removed.keys().map(String::as_str).collect();
    // of each two that are the same one goes; which of them is decided by their ids
    assert_eq!(gone, ["13", "2", "8", "9"], "{removed:?}");
    assert_eq!(result.summary.uncompared.not_compared["empty"], 2);
    assert!(result.removals.all().iter().all(|removal| removal.class == Class::Identical));
}

#[test]
fn the_answer_does_not_depend_on_shards_threads_or_memory() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(300);
    let first = removed(&run(&shards(&dir.path().join("a"), &texts, 1), None, &options(|_| {})).unwrap());
    let mut backwards = texts.clone();
    backwards.reverse();
    for (at, (texts, count, threads, memory)) in
        [(&texts, 5, 1, 64 << 20), (&backwards, 2, 3, 1 << 30), (&backwards, 7, 2, 20 << 20)].into_iter().enumerate()
    {
        let input = shards(&dir.path().join(at.to_string()), texts, count);
        let options = options(|o| (o.scan.resources.threads, o.scan.resources.memory) = (threads, memory));
        assert_eq!(removed(&run(&input, None, &options).unwrap()), first, "{at}");
    }
}
