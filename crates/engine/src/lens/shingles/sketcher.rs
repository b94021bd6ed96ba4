//! A document's body becomes text, features and a sketch.

use crate::error::Error;
use crate::report::Skip;
use crate::run::text_extractor::TextExtractor;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::lexical_hash::LexicalHasher;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::secret_hash::{SecretHasher, SecretKey};
use lookalike_core::shingle::{self, Batches, Shingler};
use lookalike_core::sketch::{Sampler, Sketch};
use lookalike_core::{align, sets};
use lookalike_corpus::Body;
use lookalike_extract::VisibleText;
use lookalike_store::{SharedSpool, SharedSpoolWriter};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// Makes sketches and feature sets by one recipe.
#[derive(Clone, Debug)]
pub struct Sketcher {
    pub recipe: ShingleRecipe,
    pub hasher: FeatureHasher,
    pub extractor: TextExtractor,
    /// A document of fewer words has too little text to tell what it is like: only documents with the same bytes are alike.
    pub min_words: u32,
    /// What words are hashed by, where the hash tells only of this run.
    secret: Option<SecretKey>,
}

/// Buffers of one worker, used for document after document.
pub struct SketchScratch {
    buffers: Buffers,
    lexical: Lexical,
    sampler: Sampler,
    /// Where features go, if anybody wants them.
    features: Option<FeatureWriter>,
}

/// Writes the features of documents.
struct FeatureWriter {
    spool: SharedSpoolWriter,
    /// Those of the document at hand, unless they are too many.
    features: Vec<u64>,
}

impl FeatureWriter {
    /// Takes features of the document at hand, which had so many.
    fn extend(&mut self, before: u32, features: &[u64]) {
        if before == 0 {
            // what a document left that could not be read
            self.features.clear();
        }
        if self.features.len() == before as usize && self.features.len() + features.len() <= SharedSpool::MAX_RECORD {
            self.features.extend_from_slice(features);
        } else {
            // too many, and none are left
            self.features.clear();
        }
    }

    /// Writes those of the document at hand, all of so many; their place.
    fn finish(&mut self, count: u32) -> Option<u64> {
        let place = if self.features.len() == count as usize { self.spool.append(&self.features) } else { None };
        self.features.clear();
        place
    }
}

impl SketchScratch {
    /// The same where the features of each document are written to a spool.
    #[must_use]
    pub fn with_features(self, spool: &Arc<SharedSpool>) -> Self {
        Self { features: Some(FeatureWriter { spool: spool.writer(), features: Vec::new() }), ..self }
    }
}

/// What tells whether two documents have the same words.
enum Lexical {
    /// In any run, on any machine.
    Stored(Box<LexicalHasher>),
    /// In this run.
    Secret(SecretHasher),
}

impl Lexical {
    fn word(&mut self, word: &[u8]) {
        match self {
            Self::Stored(hasher) => hasher.word(word),
            Self::Secret(hasher) => hasher.word(word),
        }
    }

    fn finish(&mut self) -> u128 {
        match self {
            Self::Stored(hasher) => hasher.finish(),
            Self::Secret(hasher) => hasher.finish(),
        }
    }
}

/// What features are made in.
#[derive(Default)]
struct Buffers {
    text: String,
    words: Batches,
    shingles: Vec<u64>,
}

/// Ready-made features that are taken at once.
const BATCH_FEATURES: usize = 512;

/// What the first phase learns of a document.
pub struct Sketched {
    pub bytes: u64,
    /// Content id: the first half of the BLAKE3 hash.
    pub content: u128,
    /// What tells identical documents: the content id, or what conceals it.
    pub identity: u128,
    /// Hash of the words in their order, which nobody can forge; for one run, if the sketcher is.
    pub lexical: u128,
    pub words: u32,
    /// Bytes of text that were left out as the frame of a page.
    pub left_out: u64,
    /// Shingles, repeats included: the document's size.
    pub shingles: u32,
    /// Hash of the shingles in any order: equal for documents with the same shingles.
    pub unordered: u64,
    pub sketch: Sketch,
    /// It has too little text, so it is known by its bytes, and its sketch is empty.
    pub too_little: bool,
    /// Where its features are, if they were written.
    pub features: Option<u64>,
}

impl Sketched {
    /// Why it is not compared, if it has too little text.
    pub fn too_little(&self, id: &str, min_words: u32) -> Option<Skip> {
        self.too_little.then(|| Skip::too_little(id, self.words, min_words))
    }
}

/// The words of a shingle: with fewer there is nothing to compare but the whole. Features that the caller brings may be few.
pub fn default_min_words(recipe: &ShingleRecipe) -> u32 {
    recipe.w as u32
}

/// Words that are a document's own.
pub struct OwnWords {
    pub own: usize,
    /// Words of the document.
    pub all: usize,
    /// The longest stretch of its own words.
    pub longest: usize,
}

impl Sketcher {
    pub fn new(recipe: &ShingleRecipe, key: &str) -> Result<Self, Error> {
        let hasher = recipe.feature_hasher(key).ok_or_else(|| Error::WrongKey { recipe: recipe.to_string() })?;
        let extractor = TextExtractor::new(&recipe.text)?;
        Ok(Self { recipe: recipe.clone(), hasher, extractor, min_words: default_min_words(recipe), secret: None })
    }

    /// The same for documents that are compared with each other only, and of which nothing is stored: their words are hashed by a secret of
    /// this run, which is quicker and cannot be forged either.
    #[must_use]
    pub fn for_one_run(self) -> Self {
        // the standard library draws it as it draws the keys of its maps
        let random = RandomState::new();
        Self { secret: Some(std::array::from_fn(|at| random.hash_one(at))), ..self }
    }

    /// The same with another least number of words.
    #[must_use]
    pub fn with_min_words(self, min_words: Option<u32>) -> Self {
        Self { min_words: min_words.unwrap_or(self.min_words), ..self }
    }

    pub fn scratch(&self) -> SketchScratch {
        let lexical = match &self.secret {
            Some(secret) => Lexical::Secret(SecretHasher::new(secret)),
            None => Lexical::Stored(Box::new(LexicalHasher::new(&self.hasher))),
        };
        let sampler = Sampler::new(self.recipe.sampling);
        SketchScratch { buffers: Buffers::default(), sampler, lexical, features: None }
    }

    /// The sketch of a text in memory, or why it has none.
    pub fn sketch_text(&self, id: &str, text: &str, scratch: &mut SketchScratch) -> Result<Sketched, String> {
        self.sketch(id, &Body::Text(text.into()), scratch)
    }

    /// The sketch of a document, or why it has none.
    pub fn sketch(&self, id: &str, body: &Body<'_>, scratch: &mut SketchScratch) -> Result<Sketched, String> {
        let (bytes, content) = (body.len(), body.content_id());
        let SketchScratch { sampler, lexical, buffers, features: writer } = scratch;
        let (mut sum, mut shingles) = (0u64, 0);
        let (words, left_out) = self.for_each_batch(id, body, buffers, Some(lexical), |features| {
            sampler.extend(features);
            if let Some(writer) = writer {
                writer.extend(shingles, features);
            }
            sum = features.iter().fold(sum, |sum, feature| sum.wrapping_add(*feature));
            shingles += features.len() as u32;
        })?;
        let (sketch, lexical_hash) = (sampler.finish(), lexical.finish());
        let features = writer.as_mut().and_then(|writer| writer.finish(shingles));
        if shingles == 0 {
            return Err(if bytes == 0 { "empty".into() } else { "empty: no words in it".into() });
        }
        let too_little = words < self.min_words;
        let (lexical, unordered, sketch) = if too_little {
            lexical.word(&content.to_le_bytes());
            let lexical = lexical.finish();
            (lexical, self.hasher.chain(lexical as u64, u64::from(words)), Sketch::default())
        } else {
            // a sketch that is the whole set tells more than the sum: repeats do not count
            let is_whole = sketch.is_whole(self.recipe.sampling);
            let rest = if is_whole { 0 } else { self.hasher.chain(sum, u64::from(shingles)) };
            let unordered = sketch.features.iter().fold(rest, |h, feature| self.hasher.chain(h, *feature));
            (lexical_hash, unordered, sketch)
        };
        Ok(Sketched {
            bytes,
            content,
            identity: content,
            lexical,
            words,
            left_out,
            shingles,
            unordered,
            sketch,
            too_little,
            features,
        })
    }

    /// Calls `each` with the features of a document in order, repeats included, some hundred at a time. How many words there are.
    pub fn for_each_feature(&self, id: &str, body: &Body<'_>, each: impl FnMut(&[u64])) -> Result<u32, String> {
        self.for_each_batch(id, body, &mut Buffers::default(), None, each).map(|(words, _)| words)
    }

    fn for_each_batch(
        &self,
        id: &str,
        body: &Body<'_>,
        Buffers { text, words: batches, shingles: some }: &mut Buffers,
        lexical: Option<&mut Lexical>,
        mut each: impl FnMut(&[u64]),
    ) -> Result<(u32, u64), String> {
        if let Body::Features(items) = body {
            if let Some(lexical) = lexical {
                for item in items {
                    lexical.word(item.as_bytes());
                }
            }
            for items in items.chunks(BATCH_FEATURES) {
                some.clear();
                some.extend(items.iter().map(|item| self.hasher.permute(self.hasher.word(item.as_bytes()))));
                each(some);
            }
            return Ok((items.len() as u32, 0));
        }
        let mut shingler = Shingler::new(self.recipe.w, self.hasher);
        let VisibleText { text, left_out, .. } = self.extractor.text(id, body, text)?;
        let mut take = |batch: &[u64]| {
            some.clear();
            shingler.extend(batch, some);
            each(some);
        };
        match lexical {
            Some(Lexical::Stored(lexical)) => batches.for_each_with(text, &self.hasher, lexical, &mut take),
            Some(Lexical::Secret(secret)) => batches.for_each_with_secret(text, &self.hasher, secret, &mut take),
            None => batches.for_each(text, &self.hasher, &mut take),
        }
        some.clear();
        some.extend(shingler.finish());
        each(some);
        Ok((shingler.words() as u32, left_out as u64))
    }

    /// The whole feature set of a text in memory.
    pub fn set_of_text(&self, id: &str, text: &str) -> Result<Vec<u64>, String> {
        self.set(id, &Body::Text(text.into()))
    }

    /// The whole feature set of a document.
    pub fn set(&self, id: &str, body: &Body<'_>) -> Result<Vec<u64>, String> {
        if let Body::Features(items) = body {
            return Ok(shingle::set_of_items(items.iter().map(AsRef::as_ref), &self.hasher));
        }
        let mut scratch = String::new();
        let mut features = Vec::new();
        shingle::extend_from_text(
            self.extractor.text(id, body, &mut scratch)?.text,
            self.recipe.w,
            &self.hasher,
            &mut features,
        );
        sets::into_set(&mut features);
        Ok(features)
    }

    /// The words that stand in none of these shingles.
    pub fn own_words(&self, id: &str, body: &Body<'_>, frequent: &[u64]) -> Result<OwnWords, String> {
        if let Body::Features(items) = body {
            let set = shingle::set_of_items(items.iter().map(AsRef::as_ref), &self.hasher);
            return Ok(OwnWords { own: set.len() - sets::shared(&set, frequent), all: set.len(), longest: 0 });
        }
        let (mut scratch, mut shingles) = (String::new(), Vec::new());
        let text = self.extractor.text(id, body, &mut scratch)?.text;
        let words = shingle::extend_from_text(text, self.recipe.w, &self.hasher, &mut shingles);
        let covered = align::covered(&shingles, words, self.recipe.w, frequent);
        let runs = covered.split(|covered| *covered);
        let (own, longest) = runs.fold((0, 0), |(own, longest), run| (own + run.len(), longest.max(run.len())));
        Ok(OwnWords { own, all: words, longest })
    }
}
