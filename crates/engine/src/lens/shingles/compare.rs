//! Two documents by their shingles, exactly, and where they differ.

use crate::Error;
use crate::lens::shingles::feature_set::FeatureSet;
use crate::lens::shingles::sketcher::{Sketched, Sketcher};
use crate::report::policy::Policy;
use crate::run::document::read_document;
use crate::run::parsers;
use crate::run::text::{Source, Text};
use lookalike_core::align::{align, covered};
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::sets;
use lookalike_core::sketch::{PairEstimate, SampleOverlap};
use lookalike_core::{shingle, text};
use lookalike_corpus::{Body, Options as CorpusOptions};
use lookalike_extract::Format;
use lookalike_store::{ExternalSort, Resources, TempSpace};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// How two documents are compared.
#[derive(Clone)]
pub struct CompareOptions {
    /// How documents become features.
    pub recipe: ShingleRecipe,
    /// The secret behind the fingerprints; empty for none.
    pub key: String,
    /// From which resemblance on they are near, and from which containment on one is inside the other.
    pub policy: Policy,
    /// With fewer words in one of them there is too little text to tell. None is the words of a shingle.
    pub min_words: Option<u32>,
    /// Largest document that is read.
    pub max_size: u64,
    /// Memory and spill folder; one thread does it.
    pub resources: Resources,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            recipe: ShingleRecipe::words(10),
            key: String::new(),
            policy: Policy { contained: Some(0.9), ..Policy::default() },
            min_words: None,
            max_size: CorpusOptions::default().max_size,
            resources: Resources::default(),
        }
    }
}

/// How two documents relate by their shingles.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShingleComparison {
    /// Version of this form.
    pub schema: u32,
    /// Version of the program.
    pub lookalike: &'static str,
    /// How documents became features.
    pub recipe: String,
    /// The first document.
    pub a: Side,
    /// The second document.
    pub b: Side,
    /// What they are to each other.
    pub class: ShingleRelation,
    /// Exact resemblance.
    pub resemblance: f64,
    /// Share of the first's shingles that the second has.
    pub a_in_b: f64,
    /// Share of the second's shingles that the first has.
    pub b_in_a: f64,
    /// Shingles that both have.
    pub shared: u32,
    /// What the sketches alone would say.
    pub estimate: PairEstimate,
    /// They have the same words in the same order, however few.
    #[serde(skip)]
    pub same_words: bool,
    /// Equal and differing passages, from start to end.
    #[serde(skip)]
    pub passages: Vec<Passage>,
    /// The memory that it takes to say where they differ, if that is more than is allowed: there are no passages and no texts then.
    #[serde(skip)]
    pub unaligned: Option<u64>,
}

/// One of the two documents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// Its name.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its words.
    pub words: usize,
    /// Its different shingles.
    pub shingles: u32,
    /// Its visible text.
    #[serde(skip)]
    pub text: String,
    /// How it is written, where that is something else.
    #[serde(skip)]
    pub source: Option<Source>,
    /// What it was read as.
    #[serde(skip)]
    pub format: Format,
}

/// A passage of both texts: byte ranges into [`Side::text`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands in the first text.
    pub a: Range<usize>,
    /// Where it stands in the second text.
    pub b: Range<usize>,
    /// The same words.
    pub equal: bool,
    /// A differing passage whose words all stand elsewhere in the other document: it moved.
    pub moved: bool,
}

/// What two documents are to each other by their shingles alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ShingleRelation {
    /// The same bytes.
    Identical,
    /// The same words.
    Lexical,
    /// The same shingles.
    Shingle,
    /// They resemble each other.
    Near,
    /// One is inside the other.
    Contained,
    /// None of these.
    Different,
    /// One of them has too little text to tell.
    #[serde(rename = "too little text")]
    TooLittle,
}

/// Bytes of memory that a word takes while two texts are aligned: its place, its hashes, its window, whether it stands elsewhere.
const ALIGNED_MEMORY_PER_WORD: u64 = 96;
/// The same of a byte: as it is written, as it is seen.
const ALIGNED_MEMORY_PER_BYTE: u64 = 4;

/// Compares two documents; `-` is standard input. One is read after the other: both need not be in memory at once, unless they are aligned.
pub fn compare(a: &Path, b: &Path, options: &CompareOptions) -> Result<ShingleComparison, Error> {
    let comparer = ShingleComparer::new(options)?;
    let read = |path: &Path| {
        let (id, body) = read_document(path, options.max_size, options.resources.memory)?;
        comparer.read(id, &body)
    };
    comparer.compare(read(a)?, read(b)?)
}

/// Compares two texts, which are called `a` and `b`.
pub fn compare_texts(a: &str, b: &str, options: &CompareOptions) -> Result<ShingleComparison, Error> {
    let comparer = ShingleComparer::new(options)?;
    let read = |id: &str, text| comparer.read(id.to_owned(), &Body::Text(Cow::Borrowed(text)));
    comparer.compare(read("a", a)?, read("b", b)?)
}

/// Reads documents, then compares two of them.
pub struct ShingleComparer<'a> {
    options: &'a CompareOptions,
    sketcher: Sketcher,
    min_words: u32,
    space: Arc<TempSpace>,
}

impl<'a> ShingleComparer<'a> {
    pub fn new(options: &'a CompareOptions) -> Result<Self, Error> {
        options.policy.check()?;
        options.resources.check()?;
        parsers::limit_memory(options.resources.memory);
        let sketcher = Sketcher::new(&options.recipe, &options.key)?;
        let min_words = options.min_words.unwrap_or(sketcher.min_words);
        // what little there is, is compared all the same: two are not many
        let sketcher = sketcher.with_min_words(Some(0));
        Ok(Self { options, sketcher, min_words, space: Arc::new(options.resources.temp_space()?) })
    }

    /// Reads one of the two.
    pub fn read(&self, id: String, body: &Body<'_>) -> Result<ReadSide, Error> {
        ReadSide::new(&self.sketcher, &self.space, self.options.resources.memory, id, body)
    }

    /// Compares what was read.
    pub fn compare(&self, mut a: ReadSide, mut b: ReadSide) -> Result<ShingleComparison, Error> {
        let options = self.options;
        let overlap = a.features.overlap(&b.features)?;
        let class = if a.sketched.content == b.sketched.content {
            ShingleRelation::Identical
        } else if a.sketched.words.min(b.sketched.words) < self.min_words {
            ShingleRelation::TooLittle
        } else if a.has_words_of(&b) {
            ShingleRelation::Lexical
        } else if overlap.a == overlap.shared && overlap.b == overlap.shared {
            ShingleRelation::Shingle
        } else if overlap.resemblance() >= options.policy.threshold {
            ShingleRelation::Near
        } else if options.policy.contained.is_some_and(|c| overlap.a_in_b().max(overlap.b_in_a()) >= c) {
            ShingleRelation::Contained
        } else {
            ShingleRelation::Different
        };
        let same_words = a.has_words_of(&b);
        let needed = a.aligned_memory() + b.aligned_memory();
        let unaligned = (needed > options.resources.memory).then_some(needed);
        let texts = a.text.take().zip(b.text.take()).filter(|_| unaligned.is_none());
        let passages =
            texts.as_ref().map(|(a, b)| passages(&a.visible, &b.visible, &self.sketcher)).unwrap_or_default();
        let (text_a, text_b) = texts.unzip();
        let sampling = options.recipe.sampling;
        let estimate = SampleOverlap::of(sampling, &a.sketched.sketch, &b.sketched.sketch).estimate(sampling);
        Ok(ShingleComparison {
            schema: crate::report::SCHEMA,
            lookalike: env!("CARGO_PKG_VERSION"),
            recipe: options.recipe.to_string(),
            class,
            resemblance: overlap.resemblance(),
            a_in_b: overlap.a_in_b(),
            b_in_a: overlap.b_in_a(),
            shared: overlap.shared,
            estimate,
            same_words,
            passages,
            unaligned,
            a: a.side(overlap.a, text_a),
            b: b.side(overlap.b, text_b),
        })
    }
}

/// A document that was read.
pub struct ReadSide {
    id: String,
    sketched: Sketched,
    features: FeatureSet,
    format: Format,
    /// Unless it takes too much memory.
    text: Option<Text>,
}

impl ReadSide {
    fn new(
        sketcher: &Sketcher,
        space: &Arc<TempSpace>,
        memory: u64,
        id: String,
        body: &Body<'_>,
    ) -> Result<Self, Error> {
        let wrong = |reason: String| Error::Document { id: id.clone(), reason };
        let needed = body.len() + sketcher.extractor.memory(&id, body);
        if needed > memory {
            return Err(Error::DocumentMemory { id, bytes: body.len(), needed, allowed: memory });
        }
        let sketched = sketcher.sketch(&id, body, &mut sketcher.scratch()).map_err(wrong)?;
        let budget = usize::try_from(memory / 8).unwrap_or(usize::MAX);
        let mut features = ExternalSort::new(space, "the features of a document", budget);
        let mut pushed = Ok(());
        let each = |some: &[u64]| {
            if pushed.is_ok() {
                pushed = some.iter().try_for_each(|feature| features.push(*feature));
            }
        };
        sketcher.for_each_feature(&id, body, each).map_err(wrong)?;
        pushed?;
        let features = FeatureSet::of_sorted(space, features, |_| true)?;
        let format = sketcher.extractor.format(&id, body).unwrap_or(Format::Text);
        let mut side = Self { id, sketched, features, format, text: None };
        if side.aligned_memory() + body.len() + sketcher.extractor.shown_memory(&side.id, body) <= memory {
            let text = sketcher.extractor.shown(&side.id, body);
            let text = text.map_err(|reason| Error::Document { id: side.id.clone(), reason })?;
            side.format = text.format;
            side.text = Some(text);
        }
        Ok(side)
    }

    fn has_words_of(&self, other: &Self) -> bool {
        (self.sketched.lexical, self.sketched.words) == (other.sketched.lexical, other.sketched.words)
    }

    /// What it takes to be aligned.
    fn aligned_memory(&self) -> u64 {
        self.sketched.bytes * ALIGNED_MEMORY_PER_BYTE + u64::from(self.sketched.words) * ALIGNED_MEMORY_PER_WORD
    }

    fn side(self, shingles: u32, text: Option<Text>) -> Side {
        let (text, source) = text.map(|text| (text.visible, text.source)).unwrap_or_default();
        let (bytes, words) = (self.sketched.bytes, self.sketched.words as usize);
        Side { id: self.id, bytes, words, shingles, text, source, format: self.format }
    }
}

/// Equal and differing passages of two texts, from start to end.
fn passages(a: &str, b: &str, sketcher: &Sketcher) -> Vec<Passage> {
    let (w, fp) = (sketcher.recipe.w, &sketcher.hasher);
    let [(all_a, set_a), (all_b, set_b)] = [a, b].map(|text| {
        let mut all = Vec::new();
        shingle::extend_from_text(text, w, fp, &mut all);
        let mut set = all.clone();
        sets::into_set(&mut set);
        (all, set)
    });
    let (words_a, words_b) = (text::words(a, fp), text::words(b, fp));
    let hashes = |words: &[text::Word]| words.iter().map(|w| w.hash).collect::<Vec<u64>>();
    let shared_a = covered(&all_a, words_a.len(), w, &set_b);
    let shared_b = covered(&all_b, words_b.len(), w, &set_a);
    let span = |words: &[text::Word], range: &Range<usize>| match (words.get(range.start), range.is_empty()) {
        (Some(first), false) => first.span.start..words[range.end - 1].span.end.max(first.span.end),
        (Some(first), true) => first.span.start..first.span.start,
        (None, _) => words.last().map_or(0..0, |last| last.span.end..last.span.end),
    };
    let passages = align(&hashes(&words_a), &hashes(&words_b)).into_iter().map(|p| Passage {
        a: span(&words_a, &p.a),
        b: span(&words_b, &p.b),
        equal: p.equal,
        moved: !p.equal && shared_a[p.a].iter().all(|s| *s) && shared_b[p.b].iter().all(|s| *s),
    });
    passages.collect()
}
