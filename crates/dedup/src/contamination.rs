//! Documents that hold the text of a benchmark: whoever is trained on them has seen the questions.
//!
//! Every stretch of so many words of every item is known; each document is walked once, and where a stretch of an item stands, both are
//! compared word by word. So a document costs as much as its words, however many items there are.

use crate::Error;
use crate::options::DedupOptions;
use lookalike_core::feature_hash::{FeatureHasher, MAX_WINDOW};
use lookalike_core::shingle::Shingler;
use lookalike_core::text::{self, Word};
use lookalike_corpus::{Body, Corpus, Document, Error as CorpusError, FieldRole, Input, Place};
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::memory::{ReadCost, text_bytes};
use lookalike_engine::run::reading::{Outcome, read_all};
use lookalike_engine::run::session::reading;
use lookalike_engine::run::text_extractor::TextExtractor;
use lookalike_store::Unit;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Items of fewer words are too short to tell: a phrase like theirs stands anywhere.
const MIN_ITEM_WORDS: usize = 5;
/// Places of one stretch in the items that are followed; the rest of a stretch that so many share says little.
const MAX_PLACES: usize = 64;
/// Characters of a passage that are shown.
const MAX_PASSAGE_CHARS: usize = 400;

/// Benchmarks, and how much of an item a document must hold to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct ContaminationOptions {
    /// Files or folders of items.
    pub benchmarks: Vec<PathBuf>,
    /// The field of an item that holds its text.
    pub field: String,
    /// Words in a row that must be the same.
    pub words: usize,
    /// Least share of an item's words that stand in a document.
    pub share: f64,
}

impl Default for ContaminationOptions {
    /// Thirteen words in a row, as the field has it, and half of the item.
    fn default() -> Self {
        Self { benchmarks: Vec::new(), field: "text".into(), words: 13, share: 0.5 }
    }
}

/// A document that holds an item of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contamination {
    /// The document.
    pub id: String,
    /// Where it is.
    #[serde(skip)]
    pub place: Place,
    /// The item.
    pub item: String,
    /// The benchmark that it is of.
    pub benchmark: String,
    /// The share of the item's words that stand in the document.
    pub share: f64,
    /// Words of the longest passage that both have.
    pub words: u64,
    /// Where that passage stands in the text of the document, in bytes; none where the text was taken out of markup.
    pub bytes: Option<Range<u64>>,
    /// How it begins.
    pub passage: String,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Contaminations {
    /// In the order of the documents, and of the items for each.
    pub all: Vec<Contamination>,
    /// Items that could be looked for.
    pub items: u64,
    /// What could not.
    pub skipped: Vec<Skip>,
}

/// An item as it is looked for.
struct Item {
    id: String,
    benchmark: String,
    words: Vec<u64>,
}

/// All stretches of all items.
struct Benchmark {
    items: Vec<Item>,
    hasher: FeatureHasher,
    extractor: TextExtractor,
    /// By the number of words in a stretch, its hash: item and word.
    stretches: BTreeMap<usize, FxHashMap<u64, Vec<(u32, u32)>>>,
    least: f64,
}

/// Checks that the items of all benchmarks have the field of their text.
pub(crate) fn check_fields(options: &DedupOptions) -> Result<(), Error> {
    options.contamination.benchmarks.iter().try_for_each(|path| open(options, path).map(drop))
}

/// A benchmark, whose first items have the field of their text.
fn open(options: &DedupOptions, path: &Path) -> Result<Corpus, Error> {
    let mut asked = reading(&options.scan);
    options.contamination.field.clone_into(&mut asked.text_field);
    asked.category_field = None;
    asked.rank_field = None;
    let corpus = Corpus::open(vec![Input::Path(path.to_owned())], asked).map_err(lookalike_engine::Error::from)?;
    match corpus.check_fields(true) {
        // The ids of the corpus may be in another field.
        Err(CorpusError::MissingField(mut missing)) if missing.role == FieldRole::Text => {
            missing.role = FieldRole::Benchmark;
            Err(lookalike_engine::Error::from(CorpusError::MissingField(missing)).into())
        }
        _ => Ok(corpus),
    }
}

/// Looks for the items of benchmarks in a corpus.
pub(crate) fn find(
    options: &DedupOptions,
    asked: &ContaminationOptions,
    session: &Session<'_>,
    corpus: &Corpus,
) -> Result<Contaminations, Error> {
    let mut found = Contaminations::default();
    let benchmark = Benchmark::read(options, asked, &mut found.skipped)?;
    found.items = benchmark.items.len() as u64;
    let worker = || |document: Document<'_>| benchmark.look(&document);
    let extractor = &benchmark.extractor;
    let cost = ReadCost { most: 8, of: &|document| text_bytes(extractor, document) + 4 * document.body.len() };
    session.phase("contamination", Unit::Bytes, corpus.total_bytes(), |counts| {
        read_all(session, corpus, &cost, worker, |outcome| {
            if let Outcome::Document(some) = outcome {
                found.all.extend(some);
            }
            Ok(())
        })?;
        counts.insert("found", found.all.len() as u64);
        Ok(())
    })?;
    Ok(found)
}

impl Benchmark {
    fn read(options: &DedupOptions, asked: &ContaminationOptions, skipped: &mut Vec<Skip>) -> Result<Self, Error> {
        let extractor = TextExtractor::new(&options.shingles.recipe.text)?;
        let hasher = FeatureHasher::default();
        let mut items = Vec::new();
        for path in &asked.benchmarks {
            let corpus = open(options, path)?;
            let name = path.display().to_string();
            let before = items.len();
            let mut reader = corpus.reader();
            while let Some(batch) = reader.next() {
                batch.map_err(lookalike_engine::Error::from)?.read(&mut |item| match item {
                    lookalike_corpus::Item::Document(document) => {
                        match words_of(&extractor, &hasher, &document.id, &document.body) {
                            Ok(words) if words.len() >= MIN_ITEM_WORDS => {
                                let words = words.iter().map(|word| word.hash).collect();
                                items.push(Item { id: document.id.into_owned(), benchmark: name.clone(), words });
                            }
                            Ok(words) => {
                                skipped.push(Skip::too_little(&document.id, words.len() as u32, MIN_ITEM_WORDS as u32));
                            }
                            Err(reason) => skipped.push(Skip::because(document.id.into_owned(), reason)),
                        }
                    }
                    lookalike_corpus::Item::Skipped(other) => skipped.push(other.into()),
                });
            }
            if let Some(broken) = corpus.without_documents().into_iter().next() {
                return Err(Error::Damaged { id: broken.id, reason: broken.reason.to_string() });
            }
            if items.len() == before {
                let reason = "expected an index, or items of a benchmark with five words or more, found none";
                return Err(Error::Damaged { id: name, reason: reason.into() });
            }
        }
        let mut benchmark = Self { items, hasher, extractor, stretches: BTreeMap::new(), least: asked.share };
        for (number, item) in (0..).zip(&benchmark.items) {
            let length = asked.words.clamp(MIN_ITEM_WORDS, MAX_WINDOW).min(item.words.len());
            let known = benchmark.stretches.entry(length).or_default();
            for (at, hash) in (0..).zip(stretches(&benchmark.hasher, length, &item.words)) {
                let places = known.entry(hash).or_default();
                if places.len() < MAX_PLACES {
                    places.push((number, at));
                }
            }
        }
        Ok(benchmark)
    }

    /// The items that a document holds.
    fn look(&self, document: &Document<'_>) -> Outcome<Vec<Contamination>> {
        // what cannot be read was told when it was read first
        let Ok(words) = words_of(&self.extractor, &self.hasher, &document.id, &document.body) else {
            return Outcome::Document(Vec::new());
        };
        let mut shared: BTreeMap<u32, SharedWords> = BTreeMap::new();
        let hashes: Vec<u64> = words.iter().map(|word| word.hash).collect();
        for (length, known) in &self.stretches {
            for (start, hash) in stretches(&self.hasher, *length, &hashes).iter().enumerate() {
                for (item, at) in known.get(hash).into_iter().flatten() {
                    let same = &self.items[*item as usize].words[*at as usize..*at as usize + length];
                    if hashes[start..start + length] == *same {
                        shared.entry(*item).or_default().add(start, *at as usize, *length);
                    }
                }
            }
        }
        let told = shared.into_iter().filter_map(|(number, shared)| {
            let item = &self.items[number as usize];
            let share = shared.item.len() as f64 / item.words.len() as f64;
            (share >= self.least).then(|| self.tell(document, &words, item, share, &shared.longest))
        });
        Outcome::Document(told.collect())
    }

    fn tell(
        &self,
        document: &Document<'_>,
        words: &[Word],
        item: &Item,
        share: f64,
        longest: &Range<usize>,
    ) -> Contamination {
        let bytes = words[longest.start].span.start..words[longest.end - 1].span.end;
        let mut buffer = String::new();
        let text = self.extractor.text(&document.id, &document.body, &mut buffer).map_or("", |visible| visible.text);
        let passage: String = text.get(bytes.clone()).unwrap_or_default().chars().take(MAX_PASSAGE_CHARS).collect();
        // places in a text count only where it is the text of the record
        let is_plain = document.body.as_bytes().is_some_and(|body| body == text.as_bytes());
        Contamination {
            id: document.id.to_string(),
            place: document.place.clone(),
            item: item.id.clone(),
            benchmark: item.benchmark.clone(),
            share,
            words: longest.len() as u64,
            bytes: is_plain.then_some(bytes.start as u64..bytes.end as u64),
            passage,
        }
    }
}

/// What a document and an item have in common.
#[derive(Default)]
struct SharedWords {
    /// Words of the item.
    item: BTreeSet<usize>,
    /// The passage at hand: words of the document, and how far the item is ahead.
    passage: Range<usize>,
    ahead: isize,
    /// The longest.
    longest: Range<usize>,
}

impl SharedWords {
    fn add(&mut self, start: usize, at: usize, length: usize) {
        self.item.extend(at..at + length);
        let ahead = at.cast_signed() - start.cast_signed();
        if ahead == self.ahead && start <= self.passage.end && !self.passage.is_empty() {
            self.passage.end = start + length;
        } else {
            (self.passage, self.ahead) = (start..start + length, ahead);
        }
        if self.passage.len() > self.longest.len() {
            self.longest = self.passage.clone();
        }
    }
}

fn words_of(extractor: &TextExtractor, hasher: &FeatureHasher, id: &str, body: &Body<'_>) -> Result<Vec<Word>, String> {
    let mut buffer = String::new();
    Ok(text::words(extractor.text(id, body, &mut buffer)?.text, hasher))
}

/// The hashes of all stretches of so many words, in order.
fn stretches(hasher: &FeatureHasher, length: usize, words: &[u64]) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(words.len());
    Shingler::new(length, *hasher).extend(words, &mut hashes);
    hashes
}

/// The benchmarks among what a run is held against: what is no index.
pub fn is_benchmark(path: &Path) -> bool {
    !path.join("manifest.json").exists()
}
