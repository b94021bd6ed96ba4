//! Documents that are each read once and held against many others, whole, in memory: what a scan by all lenses compares by.
//!
//! The relation is that of [`super::compare`], which compares two documents and also says where they differ. So is the evidence, but for what
//! takes long and cannot change the relation: where words tell what two documents are to each other, only bytes of equal chunks are counted, and
//! passages of duplicates are not sought.

use super::closely::{CloseComparer, CloseScratch, CloseSide, of_visible_text};
use super::{MAX_DETAILED_BYTES, relate, rules};
use crate::Error;
use crate::lens::chunks::compare::{ChunkComparer, Chunks};
use crate::lens::passages::compare::MEMORY_PER_BYTE;
use crate::lens::shingles::compare::CompareOptions;
use crate::lens::shingles::sketcher::Sketcher;
use crate::report::policy::Policy;
use crate::run::text_extractor::TextExtractor;
use lookalike_core::recipe::TextRecipe;
use lookalike_core::relation::{Evidence, Relation, ShingleEvidence, can_change_by_passages};
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use lookalike_core::text::Fold;
use lookalike_corpus::Body;
use lookalike_extract::Format;
use std::borrow::Cow;

/// Reads documents, then compares any two of them.
pub struct PairComparer {
    policy: Policy,
    pub extractor: TextExtractor,
    pub sketcher: Sketcher,
    min_words: u32,
    pub chunks: ChunkComparer,
    pub close: CloseComparer,
}

/// A document that was read.
pub struct PairSide {
    bytes: u64,
    content: u128,
    /// Unless it is too large to be looked at closely.
    body: Option<Body<'static>>,
    chunks: Chunks,
    words: Option<Words>,
}

/// What an earlier reading learnt of the words of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownWords {
    pub count: u32,
    /// Hash of the words in their order.
    pub lexical: u128,
    pub fingerprint: u64,
}

/// Its words, if it has any.
struct Words {
    format: Format,
    count: u32,
    lexical: u128,
    /// Different shingles, in ascending order.
    shingles: Vec<u64>,
    /// Unless it is too large to be looked at closely.
    close: Option<CloseSide>,
}

/// Bytes of two documents with text together up to which those in common are counted one by one, where nothing else tells. In larger ones
/// equal chunks tell as much.
const MAX_COUNTED_BYTES: u64 = 128 << 10;

/// Buffers of one worker.
#[derive(Default)]
pub struct PairScratch {
    text: String,
    pub close: CloseScratch,
}

/// What two documents are to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRelation {
    pub relation: Relation,
    pub sentence: String,
    pub evidence: Evidence,
}

/// Bytes of memory that a document takes at most while it is compared: itself, and for each word its text, its place, its shingle, its token, its
/// seeds; one that is too large to be looked at closely, chunks and shingles only.
pub fn pair_memory(bytes: u64, words: u32) -> u64 {
    const PER_WORD: u64 = 112;
    const PER_WORD_OF_LARGE: u64 = 16;
    let words = u64::from(words);
    if bytes > MAX_DETAILED_BYTES {
        return 512 + bytes / 16 + words * PER_WORD_OF_LARGE;
    }
    512 + bytes + words * PER_WORD
}

impl PairComparer {
    pub fn new(options: &CompareOptions) -> Result<Self, Error> {
        options.policy.check()?;
        let recipe = &options.recipe;
        // the text is folded when its words are taken
        let extractor =
            TextExtractor::new(&TextRecipe { fold: Fold::None, ..recipe.text.clone() })?.with_weight(MEMORY_PER_BYTE);
        let mut of_text = recipe.clone();
        of_text.text = of_visible_text(&recipe.text);
        let sketcher = Sketcher::new(&of_text, &options.key)?;
        let min_words = options.min_words.unwrap_or(sketcher.min_words);
        // what little there is, is compared all the same
        let sketcher = sketcher.with_min_words(Some(0));
        let close = CloseComparer::new(&recipe.text, &options.key)?;
        Ok(Self {
            policy: options.policy,
            extractor,
            sketcher,
            min_words,
            chunks: ChunkComparer::new(&options.key)?,
            close,
        })
    }

    /// With fewer words there is too little text to tell.
    pub fn min_words(&self) -> u32 {
        self.min_words
    }

    /// Reads a document. What is known of its words need not be found again.
    pub fn read(
        &self,
        id: &str,
        body: Body<'static>,
        known: Option<KnownWords>,
        scratch: &mut PairScratch,
    ) -> PairSide {
        let (bytes, content, chunks) = (body.len(), body.content_id(), self.chunks.read(&body));
        let words = match self.extractor.text(id, &body, &mut scratch.text) {
            Ok(visible) => {
                let (text, format) = (visible.text, visible.format);
                self.words(id, &body, (text, format), known, &mut scratch.close)
            }
            Err(_) => None,
        };
        PairSide { bytes, content, body: Some(body).filter(|_| bytes <= MAX_DETAILED_BYTES), chunks, words }
    }

    fn words(
        &self,
        id: &str,
        body: &Body<'_>,
        (text, format): (&str, Format),
        known: Option<KnownWords>,
        scratch: &mut CloseScratch,
    ) -> Option<Words> {
        let visible = Body::Text(Cow::Borrowed(text));
        let (count, lexical) = if let Some(known) = known {
            (known.count, known.lexical)
        } else {
            let sketched = self.sketcher.sketch(id, &visible, &mut self.sketcher.scratch()).ok()?;
            (sketched.words, sketched.lexical)
        };
        let is_close = body.len() <= MAX_DETAILED_BYTES;
        let fingerprint = known.map(|known| known.fingerprint);
        let close = is_close.then(|| self.close.read(id, body, (text, format), fingerprint, scratch));
        let Sketcher { recipe, hasher, .. } = &self.sketcher;
        let shingles = match &close {
            // the same words
            Some(close) if recipe.text.fold == Fold::None => {
                shingle::set_of_words(close.letters.words().iter().copied(), recipe.w, hasher)
            }
            _ => self.sketcher.set(id, &visible).ok()?,
        };
        Some(Words { format, count, lexical, shingles, close })
    }

    /// Compares two of them.
    pub fn compare(&self, a: &PairSide, b: &PairSide) -> PairRelation {
        let mut evidence = Evidence {
            identical: a.content == b.content,
            chunks: self.chunks.compare(&a.chunks, &b.chunks),
            ..Evidence::default()
        };
        let words = a.words.as_ref().zip(b.words.as_ref());
        if let Some((x, y)) = words {
            let Overlap { a, b, shared } = Overlap::of(&x.shingles, &y.shingles);
            evidence.same_words = (x.lexical, x.count) == (y.lexical, y.count);
            evidence.too_little = !evidence.identical && x.count.min(y.count) < self.min_words;
            evidence.other_format = x.format != y.format;
            evidence.shingles = Some(ShingleEvidence { shingles: [a, b], shared });
        }
        let is_close = a.bytes + b.bytes <= MAX_DETAILED_BYTES;
        if let Some((Some(x), Some(y))) = words.map(|(x, y)| (&x.close, &y.close)).filter(|_| is_close)
            && !evidence.too_little
        {
            self.close.look_at_letters([x, y], &mut evidence);
            if can_change_by_passages(&evidence, &rules(&self.policy)) {
                self.close.look_at_passages([x, y], &mut evidence);
            }
        }
        let (mut relation, mut sentence) = relate(&evidence, &self.policy);
        // bytes one by one take as long as all the rest: where words tell, those of equal chunks are enough
        let is_told = words.is_some() && (relation != Relation::Unrelated || a.bytes + b.bytes > MAX_COUNTED_BYTES);
        if let (Some(x), Some(y)) = (bytes_of(a), bytes_of(b))
            && is_close
            && !is_told
        {
            evidence.chunks = self.chunks.compare_bytes(x, y);
            (relation, sentence) = relate(&evidence, &self.policy);
        }
        PairRelation { relation, sentence, evidence }
    }
}

fn bytes_of(side: &PairSide) -> Option<&[u8]> {
    side.body.as_ref().and_then(Body::as_bytes)
}
