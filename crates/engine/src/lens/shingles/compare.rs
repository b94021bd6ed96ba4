//! Two documents, exactly.

use crate::Error;
use crate::lens::shingles::sketcher::Sketcher;
use crate::report::policy::Policy;
use crate::run::document::read_document;
use crate::run::text::{Source, Text};
use lookalike_core::align::{align, covered};
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::sets::{self, Overlap};
use lookalike_core::sketch::{PairEstimate, SampleOverlap};
use lookalike_core::{shingle, text};
use lookalike_corpus::{Body, Options as CorpusOptions};
use lookalike_extract::Format;
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// How two documents are compared.
#[derive(Clone)]
pub struct CompareOptions {
    /// How documents become features.
    pub recipe: ShingleRecipe,
    /// The secret behind the fingerprints; empty for none.
    pub key: String,
    /// From which resemblance on they are near, and from which containment on one is inside the other.
    pub policy: Policy,
    /// Largest document that is read.
    pub max_size: u64,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            recipe: ShingleRecipe::words(10),
            key: String::new(),
            policy: Policy { contained: Some(0.9), ..Policy::default() },
            max_size: CorpusOptions::default().max_size,
        }
    }
}

/// How two documents relate.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
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
    pub class: Relation,
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
    /// Equal and differing passages, from start to end.
    #[serde(skip)]
    pub passages: Vec<Passage>,
}

/// One of the two documents.
#[derive(Clone, Debug, Serialize)]
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

/// What two documents are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
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
}

/// Compares two documents; `-` is standard input.
pub fn compare(a: &Path, b: &Path, options: &CompareOptions) -> Result<Comparison, Error> {
    compare_bodies(read_document(a, options.max_size)?, read_document(b, options.max_size)?, options)
}

/// Compares two texts, which are called `a` and `b`.
pub fn compare_texts(a: &str, b: &str, options: &CompareOptions) -> Result<Comparison, Error> {
    let named = |id: &str, text| (id.to_owned(), Body::Text(Cow::Borrowed(text)));
    compare_bodies(named("a", a), named("b", b), options)
}

fn compare_bodies(
    (id_a, body_a): (String, Body<'_>),
    (id_b, body_b): (String, Body<'_>),
    options: &CompareOptions,
) -> Result<Comparison, Error> {
    options.policy.check()?;
    let sketcher = Sketcher::new(&options.recipe, &options.key)?;
    let wrong = |id: &str, reason: String| Error::Document { id: id.to_owned(), reason };
    let mut scratch = sketcher.scratch();
    let sketch_a = sketcher.sketch(&id_a, &body_a, &mut scratch).map_err(|e| wrong(&id_a, e))?;
    let sketch_b = sketcher.sketch(&id_b, &body_b, &mut scratch).map_err(|e| wrong(&id_b, e))?;
    let Text { visible: text_a, source: source_a, format: format_a } =
        sketcher.extractor.shown(&id_a, &body_a).map_err(|e| wrong(&id_a, e))?;
    let Text { visible: text_b, source: source_b, format: format_b } =
        sketcher.extractor.shown(&id_b, &body_b).map_err(|e| wrong(&id_b, e))?;
    let (w, fp) = (options.recipe.w, &sketcher.hasher);
    let [(all_a, set_a), (all_b, set_b)] = [&text_a, &text_b].map(|text| {
        let mut all = Vec::new();
        shingle::extend_from_text(text, w, fp, &mut all);
        let mut set = all.clone();
        sets::into_set(&mut set);
        (all, set)
    });
    let overlap = Overlap::of(&set_a, &set_b);
    let class = if body_a.content_id() == body_b.content_id() {
        Relation::Identical
    } else if (sketch_a.lexical, sketch_a.words) == (sketch_b.lexical, sketch_b.words) {
        Relation::Lexical
    } else if set_a == set_b {
        Relation::Shingle
    } else if overlap.resemblance() >= options.policy.threshold {
        Relation::Near
    } else if options.policy.contained.is_some_and(|c| overlap.a_in_b().max(overlap.b_in_a()) >= c) {
        Relation::Contained
    } else {
        Relation::Different
    };
    let (words_a, words_b) = (text::words(&text_a, fp), text::words(&text_b, fp));
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
    let passages = passages.collect();
    let sampling = options.recipe.sampling;
    Ok(Comparison {
        schema: crate::report::SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        recipe: options.recipe.to_string(),
        class,
        resemblance: overlap.resemblance(),
        a_in_b: overlap.a_in_b(),
        b_in_a: overlap.b_in_a(),
        shared: overlap.shared,
        estimate: SampleOverlap::of(sampling, &sketch_a.sketch, &sketch_b.sketch).estimate(sampling),
        passages,
        a: Side {
            id: id_a,
            bytes: sketch_a.bytes,
            words: words_a.len(),
            shingles: overlap.a,
            text: text_a,
            source: source_a,
            format: format_a,
        },
        b: Side {
            id: id_b,
            bytes: sketch_b.bytes,
            words: words_b.len(),
            shingles: overlap.b,
            text: text_b,
            source: source_b,
            format: format_b,
        },
    })
}
