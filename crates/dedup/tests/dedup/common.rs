//! Corpora that are made here, and what comes of them.

use lookalike_dedup::{Dedup, DedupOptions, DedupResult, Error, Kept};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that look random and are always the same.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    pub(crate) fn words(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| format!("w{}", self.below(4000))).collect()
    }
}

/// A document: its id and its text.
pub(crate) type Text = (String, String);

/// Families of near-copies and copies, and many that are alone.
pub(crate) fn texts(families: usize) -> Vec<Text> {
    let mut random = Random::new(7);
    let mut texts = Vec::new();
    for family in 0..families {
        let length = 20 + random.below(200);
        let words = random.words(length);
        texts.push((format!("f{family}"), words.join(" ")));
        if family % 3 == 0 {
            for copy in 0..=random.below(3) {
                let mut words = words.clone();
                for _ in 0..random.below(1 + words.len() / 20) {
                    let at = random.below(words.len());
                    words[at] = format!("x{copy}");
                }
                texts.push((format!("f{family}-near{copy}"), words.join(" ")));
            }
        }
        if family % 7 == 0 {
            texts.push((format!("f{family}-same"), words.join(" ")));
        }
    }
    let mut shuffled = Vec::new();
    while !texts.is_empty() {
        shuffled.push(texts.swap_remove(random.below(texts.len())));
    }
    shuffled
}

pub(crate) fn line((id, text): &Text) -> String {
    format!("{}\n", serde_json::json!({ "id": id, "n": id.len(), "text": text, "more": { "x": [1, 2.50] } }))
}

/// Writes texts as so many shards.
pub(crate) fn shards(dir: &Path, texts: &[Text], count: usize) -> PathBuf {
    let folder = dir.join("in");
    fs::create_dir_all(&folder).unwrap();
    for shard in 0..count {
        let lines: String = texts.iter().skip(shard).step_by(count).map(line).collect();
        fs::write(folder.join(format!("shard-{shard}.jsonl")), lines).unwrap();
    }
    folder
}

pub(crate) fn options(change: impl FnOnce(&mut DedupOptions)) -> DedupOptions {
    let mut options = DedupOptions::default();
    change(&mut options);
    options
}

pub(crate) fn run(input: &Path, out: Option<&Path>, options: &DedupOptions) -> Result<DedupResult, Error> {
    let output = Dedup::new(options.clone()).run(&[input.to_owned()], out)?;
    Ok(output.documents().expect("whole documents"))
}

/// By the id of what goes, the id of what stays.
pub(crate) fn removed(result: &DedupResult) -> BTreeMap<String, String> {
    let catalogue = &result.linked.documents.catalogue;
    let pair = |r: &lookalike_dedup::Removal| (catalogue.id(r.document).unwrap(), kept(result, r));
    result.removals.all().iter().map(pair).collect()
}

/// The id of what stays.
pub(crate) fn kept(result: &DedupResult, removal: &lookalike_dedup::Removal) -> String {
    match removal.kept {
        Kept::Document(document) => result.linked.documents.catalogue.id(document).unwrap(),
        Kept::Known(at) => result.removals.known()[at as usize].id.clone(),
    }
}

/// Word 5-grams.
pub(crate) fn shingles(text: &str) -> BTreeSet<Vec<&str>> {
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(5).map(<[&str]>::to_vec).collect()
}

pub(crate) fn resemblance(a: &str, b: &str) -> f64 {
    let (a, b) = (shingles(a), shingles(b));
    let shared = a.intersection(&b).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}

/// Every file below a folder and its bytes.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}
