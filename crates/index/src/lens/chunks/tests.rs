//! An index of chunks answers as comparing with every document would, however it came about, and says so when it cannot.

use crate::tests::faults::flip;
use crate::tests::support::{Dice, Documents, jsonl, part_of, resources, writer};
use crate::*;
use lookalike_core::chunk::{Chunker, Parameters};
use lookalike_core::lens::Lens;
use lookalike_corpus::Input;
use lookalike_engine::report::cluster::Class;
use lookalike_engine::{ChunksOptions, Error, IndexError};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const MEAN: u32 = 64;

fn options() -> ChunksOptions {
    ChunksOptions { mean: MEAN, ..ChunksOptions::default() }
}

/// Letters without meaning, versions of those before, stretches of them, zeros, and a template in front of most.
fn corpus(seed: u64, documents: usize) -> Documents {
    let mut dice = Dice(seed);
    let letters =
        |dice: &mut Dice, n: usize| -> String { (0..n).map(|_| char::from(b'a' + dice.roll(26) as u8)).collect() };
    let template = letters(&mut dice, 600);
    let mut all: Vec<String> = Vec::new();
    for at in 0..documents {
        let length = 60 + dice.roll(1500);
        let mut text = match (dice.roll(5), all.get(dice.roll(at + 1))) {
            (0, Some(other)) => {
                let place = dice.roll(other.len());
                format!("{}an edit{}", &other[..place], &other[place..])
            }
            (1, Some(other)) => other[dice.roll(other.len())..].to_owned(),
            (2, _) => "0".repeat(length),
            _ => letters(&mut dice, length),
        };
        if dice.roll(4) > 0 {
            text = format!("{template}{text}");
        }
        if dice.roll(9) == 0 {
            text.truncate(600);
        }
        all.push(if text.is_empty() { "x".into() } else { text });
    }
    all.into_iter().enumerate().map(|(at, text)| (format!("d{at:04}"), text)).collect()
}

fn build(path: &Path, documents: &Documents) -> Result<ChangeSummary, Error> {
    writer(path).build(options(), jsonl(documents), None)
}

fn add(path: &Path, documents: &Documents) -> Result<ChangeSummary, Error> {
    writer(path).add(jsonl(documents), None)
}

fn open(path: &Path) -> Index {
    Index::open(path, "").unwrap()
}

fn asking(asked: ChunksQuery) -> QueryOptions {
    QueryOptions::from(asked).with_limit(100_000)
}

fn ask(index: &Index, text: &str, asked: ChunksQuery) -> Result<(SearchResult, ChunkMatches), Error> {
    let result = index.query(&Query::Text { id: "asked", text }, &asking(asked))?;
    let matches = result.matches.chunks().expect("an index of chunks").clone();
    Ok((result, matches))
}

/// The chunks of a text and how often it has each.
fn chunks(text: &str) -> BTreeMap<(u128, usize), usize> {
    let mut chunks = BTreeMap::new();
    Chunker::new(Parameters::for_mean(MEAN).unwrap(), "")
        .chunks(text.as_bytes(), |chunk| *chunks.entry((chunk.hash, chunk.length)).or_default() += 1);
    chunks
}

/// Every document compared with the query: names of the same content together, and the bytes that they share with it.
fn naive(all: &Documents, query: &str, asked: ChunksQuery) -> BTreeSet<(Vec<String>, u64)> {
    let mut contents: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, text) in all {
        contents.entry(text).or_default().push(name.clone());
    }
    let most = ((contents.len() as f64 * asked.max_df) as usize).max(100);
    let lists: Vec<_> = contents.keys().map(|text| chunks(text)).collect();
    let own = chunks(query);
    let is_frequent = |chunk: &(u128, usize)| lists.iter().filter(|list| list.contains_key(chunk)).count() > most;
    let frequent: BTreeSet<&(u128, usize)> = own.keys().filter(|chunk| is_frequent(chunk)).collect();
    let enough = |shared: usize, of: usize| {
        shared > 0 && shared as u64 >= asked.min_shared && shared as f64 / of as f64 >= asked.threshold
    };
    let made_of_frequent = enough(frequent.iter().map(|chunk| chunk.1 * own[*chunk]).sum(), query.len());
    let mut found = BTreeSet::new();
    for ((text, names), list) in contents.iter().zip(&lists) {
        let both = || own.iter().filter_map(|(chunk, times)| Some((chunk, *times.min(list.get(chunk)?))));
        let shared: usize = both().map(|(chunk, times)| chunk.1 * times).sum();
        let linked = made_of_frequent || both().any(|(chunk, _)| !frequent.contains(chunk));
        if *text == query || linked && enough(shared, text.len().min(query.len())) {
            found.insert((names.clone(), shared as u64));
        }
    }
    found
}

/// Asks in both ways; gives how many were found, and how many chunks were frequent.
fn agree(index: &Index, all: &Documents, query: &str, asked: ChunksQuery) -> (usize, u64) {
    let (result, answer) = ask(index, query, asked).unwrap();
    let names = |found: &ChunkMatch| {
        let mut names: Vec<String> = found.seen.iter().map(|seen| seen.url.clone()).collect();
        names.sort();
        (names, found.shared_bytes)
    };
    let found: BTreeSet<(Vec<String>, u64)> = answer.matches.iter().map(names).collect();
    assert_eq!(found, naive(all, query, asked), "{asked:?}");
    assert_eq!((answer.unfollowed, answer.uncompared, result.more), (0, 0, 0));
    assert_eq!(result.known, all.values().any(|text| text == query));
    let order = answer.matches.iter().map(|found| (found.class != Class::Identical, u64::MAX - found.shared_bytes));
    assert!(order.is_sorted(), "the very document, then by bytes in common");
    for found in &answer.matches {
        let shares = [found.query_share * query.len() as f64, found.document_share * found.bytes as f64];
        assert!(shares.iter().all(|bytes| (bytes - found.shared_bytes as f64).abs() < 1e-6), "{found:?}");
    }
    (found.len(), answer.frequent)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_comparing_with_every_document_would_find_is_found(
        seed: u64, documents in 1usize..260, threshold in 0.05f64..1.0, min_shared in 0u64..300, max_df in 0.1f64..1.0,
    ) {
        let all = corpus(seed, documents);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index");
        build(&path, &all).unwrap();
        let index = open(&path);
        let asked = ChunksQuery { threshold, min_shared, max_df };
        for text in all.values().step_by(7) {
            agree(&index, &all, text, asked);
            agree(&index, &all, &format!("{}{}", &text[text.len() / 3..], "new words at its end ".repeat(9)), asked);
        }
    }
}

#[test]
fn a_template_leads_nowhere_unless_it_is_all_there_is() {
    let all = corpus(3, 300);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all).unwrap();
    let index = open(&path);
    let usual = ChunksQuery::default();
    let mut dice = Dice(99);
    let own: String = (0..4000).map(|_| char::from(b'A' + dice.roll(26) as u8)).collect();
    let framed = all.values().find(|text| text.len() > 1200).unwrap();
    let template = &framed[..600];
    let (found, frequent) = agree(&index, &all, &format!("{template}{own}"), usual);
    assert!(found == 0 && frequent > 3, "{found} documents by {frequent} frequent chunks");
    let (found, frequent) = agree(&index, &all, template, usual);
    assert!(found > 100 && frequent == 0, "{found} documents have the template");
    // as a scan, where nothing is frequent
    let everything = ChunksQuery { max_df: 1.0, ..usual };
    assert!(agree(&index, &all, &format!("{template}{own}"), everything).0 > 0);
}

/// All that can be asked of an index about these documents.
fn everything(path: &Path, documents: &Documents) -> Vec<String> {
    let index = open(path);
    let asked = ChunksQuery { threshold: 0.1, ..ChunksQuery::default() };
    documents.values().map(|text| serde_json::to_string(&ask(&index, text, asked).unwrap().0).unwrap()).collect()
}

#[test]
fn however_it_came_about_it_answers_the_same() {
    let all = corpus(5, 240);
    let part = |keep| part_of(&all, keep);
    let dir = tempfile::tempdir().unwrap();
    let [whole, grown, small] = ["whole", "grown", "small"].map(|name| dir.path().join(name));
    build(&whole, &part(|at| at % 4 != 3)).unwrap();

    let mut first = part(|at| at % 2 == 0);
    // a document that will get another text, and one that goes and comes back
    first.insert("d0001".into(), "nothing of this stays".into());
    build(&grown, &first).unwrap();
    add(&grown, &part(|at| at % 4 == 3)).unwrap();
    assert_eq!(add(&grown, &part(|at| at % 4 != 3)).unwrap().unchanged, 120);
    let gone: Vec<String> = part(|at| at % 4 == 3 || at == 0).into_keys().collect();
    writer(&grown).remove(&gone, None).unwrap();
    add(&grown, &part(|at| at == 0)).unwrap();

    let truth = everything(&whole, &all);
    assert!(truth.iter().any(|answer| answer.contains("d0000")));
    assert_eq!(everything(&grown, &all), truth);
    writer(&grown).merge().unwrap();
    assert_eq!(everything(&grown, &all), truth);
    assert_eq!(open(&grown).info().unwrap().segments.len(), 1);

    let narrow = IndexWriter::new(&small).resources(resources(16 << 20, 1));
    narrow.build(options(), jsonl(&part(|at| at % 4 != 3)), None).unwrap();
    assert_eq!(everything(&small, &all), truth);
    let bytes = |path: &Path| fs::read(path.join("000001.seg")).map(|bytes| bytes.len()).ok();
    assert_eq!(bytes(&small), bytes(&whole));
}

/// More documents than the sample in which frequent chunks are counted.
#[test]
fn what_is_frequent_among_very_many_is_told_by_a_sample() {
    let mut dice = Dice(11);
    let mut letters = |n: usize| -> String { (0..n).map(|_| char::from(b'a' + dice.roll(26) as u8)).collect() };
    let (often, seldom) = (letters(500), letters(500));
    let document = |at: usize| {
        let head = if at.is_multiple_of(3) { &seldom } else { &often };
        (format!("d{at}"), format!("{head}{}", letters(200)))
    };
    let all: Documents = (0..6000).map(document).collect();
    let dir = tempfile::tempdir().unwrap();
    let [whole, grown] = ["whole", "grown"].map(|name| dir.path().join(name));
    build(&whole, &all).unwrap();
    let halves: [Documents; 2] = [0, 1].map(|half| {
        let kept = all.iter().enumerate().filter(|(at, _)| at % 2 == half);
        kept.map(|(_, (name, text))| (name.clone(), text.clone())).collect()
    });
    build(&grown, &halves[0]).unwrap();
    add(&grown, &halves[1]).unwrap();
    let own = "entirely different words in capital letters or not ".repeat(40);
    let found = |path: &Path, text: &str| {
        let answer = ask(&open(path), text, ChunksQuery::default()).unwrap().1;
        (answer.matches.len(), answer.frequent, answer.uncompared)
    };
    for path in [&whole, &grown] {
        let (matches, frequent, _) = found(path, &format!("{often}{own}"));
        assert!(matches == 0 && frequent > 3, "two thirds have it: {matches} {frequent}");
        let (matches, frequent, uncompared) = found(path, &format!("{seldom}{own}"));
        assert_eq!((matches, frequent, uncompared), (2000, 0, 0), "a third has it");
    }
}

#[test]
fn any_bytes_will_do_and_the_original_need_not_be_there() {
    let mut dice = Dice(1);
    let mut bytes = |n: usize| -> Vec<u8> { (0..n).map(|_| dice.roll(256) as u8).collect() };
    let image = bytes(40_000);
    let newer = [&image[..20_000], &bytes(50), &image[20_000..]].concat();
    let archive = [bytes(30_000), image.clone(), bytes(9000)].concat();
    let dir = tempfile::tempdir().unwrap();
    let (files, path) = (dir.path().join("files"), dir.path().join("index"));
    fs::create_dir(&files).unwrap();
    for (name, content) in
        [("image", &image), ("archive.tar", &archive), ("zeros", &vec![0; 50_000]), ("none", &vec![])]
    {
        fs::write(files.join(name), content).unwrap();
    }
    let built = writer(&path).build(ChunksOptions::default(), vec![Input::Path(files.clone())], None).unwrap();
    assert_eq!((built.added, built.skipped.len(), &*built.skipped[0].reason), (3, 1, "empty"));
    fs::remove_dir_all(&files).unwrap();
    let index = open(&path);
    let ask = |bytes: &[u8]| -> Vec<(String, Class, f64)> {
        let result = index.query(&Query::Bytes { id: "asked", bytes }, &QueryOptions::default()).unwrap();
        let found = result.matches.chunks().unwrap().matches.clone();
        let name = |url: &str| url.rsplit('/').next().unwrap().to_owned();
        found.into_iter().map(|m| (name(&m.seen[0].url), m.class, m.query_share)).collect()
    };
    let found = ask(&newer);
    let [image_found, archive_found] = &found[..] else { panic!("{found:?}") };
    assert!(image_found.0 == "image" && image_found.1 == Class::Near && image_found.2 > 0.9, "{found:?}");
    assert!(archive_found.0 == "archive.tar" && archive_found.1 == Class::Contained, "{found:?}");
    assert_eq!(ask(&image)[0], ("image".to_owned(), Class::Identical, 1.0));
    let few = ask(&vec![0; 9000]);
    assert!(few.len() == 1 && few[0].0 == "zeros" && few[0].1 == Class::Contained, "{few:?}");
    assert!(ask(&bytes(5000)).is_empty());
    let by_name = index.query(&Query::Url(&format!("{}/image", files.display())), &QueryOptions::default()).unwrap();
    assert_eq!(by_name.matches.chunks().unwrap().matches.len(), 2, "by its name, without the file");
}

#[test]
fn what_it_is_not_made_for_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("chunks");
    let all = corpus(2, 5);
    let keyed = || writer(&path).key("secret");
    keyed().build(options(), jsonl(&all), None).unwrap();
    let is_wrong_key = |error: Error| matches!(error, Error::WrongKey { .. });
    assert!(is_wrong_key(Index::open(&path, "other").map(drop).unwrap_err()));
    assert!(is_wrong_key(add(&path, &all).unwrap_err()));
    let unkeyed = open(&path);
    assert_eq!(unkeyed.lens(), Lens::Chunks);
    assert!(is_wrong_key(ask(&unkeyed, "text", ChunksQuery::default()).unwrap_err()));
    let by_name = unkeyed.query(&Query::Url("d0000"), &QueryOptions::default()).unwrap();
    assert!(by_name.known && !by_name.seen().is_empty(), "what it keeps needs no key");
    assert!(matches!(unkeyed.members(0), Err(Error::NotOfLens { lens: Lens::Chunks, .. })));
    assert!(matches!(unkeyed.lost("d0000", &LostOptions::default()), Err(Error::NotOfLens { .. })));
    let index = Index::open(&path, "secret").unwrap();
    assert!(ask(&index, &all["d0000"], ChunksQuery::default()).unwrap().0.known);
    let unknown = index.query(&Query::Url("nobody"), &QueryOptions::default());
    assert!(matches!(unknown, Err(Error::Index { reason: IndexError::UnknownName { .. }, .. })));
    assert!(matches!(ask(&index, "", ChunksQuery::default()), Err(Error::Document { .. })));
    for asked in [
        ChunksQuery { threshold: 0.0, ..ChunksQuery::default() },
        ChunksQuery { max_df: 1.5, ..ChunksQuery::default() },
    ] {
        assert!(matches!(ask(&index, "text", asked), Err(Error::OutOfRange { .. })));
    }
    for options in
        [ChunksOptions { refine: Some(32), ..options() }, ChunksOptions { exact: true, ..ChunksOptions::default() }]
    {
        let refused = writer(&dir.path().join("never")).build(options, jsonl(&all), None);
        assert!(matches!(refused, Err(Error::Conflict(..))), "{refused:?}");
    }
}

#[test]
fn no_flipped_byte_gives_a_wrong_answer() {
    let all = corpus(8, 6);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all).unwrap();
    let ask = || -> Result<String, Error> {
        let index = Index::open(&path, "")?;
        let mut answers = String::new();
        for name in all.keys() {
            answers += &serde_json::to_string(&index.query(&Query::Url(name), &QueryOptions::default())?).unwrap();
        }
        Ok(answers)
    };
    let noticed = flip(&path, 13, 1, ask);
    assert!(noticed > 20, "{noticed}");
}
