//! Two documents by every lens that applies, each read once, and what they are to each other.
//!
//! Lenses do not see each other; here, above them, their evidence is joined. Documents are taken apart one after the other. What needs both
//! at once (passages, letters, bytes one by one, and fingerprints) is for documents of at most [`MAX_DETAILED_BYTES`] together: a limit that
//! does not depend on the memory, so neither does the answer.

mod closely;
mod comparison;
mod pair;
#[cfg(test)]
mod tests;

pub use closely::CloseScratch;
pub use comparison::{ByteSide, ByteSides, Comparison, LeftOut};
pub use pair::{KnownWords, PairComparer, PairRelation, PairScratch, PairSide, pair_memory};

use crate::Error;
use crate::lens::chunks::compare::{ChunkComparer, Chunks};
use crate::lens::passages::compare::MEMORY_PER_BYTE;
use crate::lens::shingles::compare::{CompareOptions, ReadSide, ShingleComparer, ShingleComparison, ShingleRelation};
use crate::report::policy::Policy;
use crate::run::document::read_document;
use closely::{CloseComparer, CloseSide};
use lookalike_core::lens::Lens;
use lookalike_core::relation::{Evidence, Relation, Rules, ShingleEvidence, classify, sentence};
use lookalike_corpus::Body;
use std::borrow::Cow;
use std::path::Path;

/// Bytes of two documents together up to which every lens looks at them. Beyond, chunks and shingles do.
pub const MAX_DETAILED_BYTES: u64 = 4 << 20;

/// Compares two documents; `-` is standard input.
pub fn compare(a: &Path, b: &Path, options: &CompareOptions) -> Result<Comparison, Error> {
    let read = |path: &Path| read_document(path, options.max_size, options.resources.memory);
    compare_bodies(|| read(a), || read(b), options)
}

/// Compares two texts, which are called `a` and `b`.
pub fn compare_texts(a: &str, b: &str, options: &CompareOptions) -> Result<Comparison, Error> {
    let named = |id: &str, text| Ok((id.to_owned(), Body::Text(Cow::Borrowed(text))));
    compare_bodies(|| named("a", a), || named("b", b), options)
}

fn compare_bodies<'a>(
    a: impl FnOnce() -> Result<(String, Body<'a>), Error>,
    b: impl FnOnce() -> Result<(String, Body<'a>), Error>,
    options: &CompareOptions,
) -> Result<Comparison, Error> {
    let (shingles, chunks) = (ShingleComparer::new(options)?, ChunkComparer::new(&options.key)?);
    let read = |(id, body)| Side::new(id, body, &shingles, &chunks);
    let ((a, words_a), (b, words_b)) = (read(a()?)?, read(b()?)?);
    let mut left_out = Vec::new();
    let mut evidence = Evidence {
        identical: a.content == b.content,
        chunks: chunks.compare(&a.chunks, &b.chunks),
        ..Evidence::default()
    };
    let compared = match (words_a, words_b) {
        (Ok(x), Ok(y)) => Some(shingles.compare(x, y)?),
        (x, y) => {
            let reasons =
                [(&a, x), (&b, y)].map(|(side, read)| read.err().map(|reason| format!("{}: {reason}", side.id)));
            let reason = reasons.into_iter().flatten().collect::<Vec<_>>().join("; ");
            left_out.extend([Lens::Shingles, Lens::Simhash, Lens::Passages].map(|lens| LeftOut::new(lens, &reason)));
            None
        }
    };
    if let Some(compared) = &compared {
        evidence.same_words = compared.same_words;
        evidence.too_little = compared.class == ShingleRelation::TooLittle;
        evidence.other_format = compared.a.format != compared.b.format;
        let (of_a, of_b) = (compared.a.shingles, compared.b.shingles);
        evidence.shingles = Some(ShingleEvidence { shingles: [of_a, of_b], shared: compared.shared });
    }
    let bytes = a.bytes + b.bytes;
    match (&a.body, &b.body) {
        (Some(body_a), Some(body_b)) if bytes <= MAX_DETAILED_BYTES => {
            if let (Some(x), Some(y)) = (body_a.as_bytes(), body_b.as_bytes()) {
                evidence.chunks = chunks.compare_bytes(x, y);
            }
            if let Some(compared) = &compared {
                let pair = Pair { ids: [&a.id, &b.id], bodies: [body_a, body_b], compared, options };
                left_out.extend(pair.look(&mut evidence)?);
            }
        }
        _ if compared.is_some() => {
            let reason = format!("{bytes} bytes together; at most {MAX_DETAILED_BYTES} are looked at so closely");
            left_out.extend([Lens::Simhash, Lens::Passages].map(|lens| LeftOut::new(lens, &reason)));
        }
        _ => {}
    }
    let (relation, sentence) = relate(&evidence, &options.policy);
    let sides = compared.is_none().then(|| ByteSides::new(a.byte_side(), b.byte_side()));
    Ok(Comparison { relation, sentence, evidence, left_out, shingles: compared, bytes: sides })
}

/// The rules, as a policy changes them.
pub fn rules(policy: &Policy) -> Rules {
    let rules = Rules { version: policy.threshold, ..Rules::default() };
    Rules { inside: policy.contained.unwrap_or(rules.inside), ..rules }
}

/// What the evidence says two documents are to each other, as a word and as a sentence.
fn relate(evidence: &Evidence, policy: &Policy) -> (Relation, String) {
    let relation = classify(evidence, &rules(policy));
    (relation, sentence(relation, evidence))
}

/// One of the two documents.
struct Side<'a> {
    id: String,
    bytes: u64,
    content: u128,
    chunks: Chunks,
    /// Unless it is too large to be looked at closely.
    body: Option<Body<'a>>,
}

/// The words of a document as the shingles lens reads them, or why it has none.
type Words = Result<ReadSide, String>;

impl<'a> Side<'a> {
    fn new(
        id: String,
        body: Body<'a>,
        shingles: &ShingleComparer<'_>,
        chunks: &ChunkComparer,
    ) -> Result<(Self, Words), Error> {
        let read = match shingles.read(id.clone(), &body) {
            Ok(read) => Ok(read),
            // what has bytes is compared by them
            Err(Error::Document { reason, .. }) if body.len() > 0 && body.as_bytes().is_some() => Err(reason),
            Err(error) => return Err(error),
        };
        let (bytes, content, chunks) = (body.len(), body.content_id(), chunks.read(&body));
        let body = Some(body).filter(|_| bytes <= MAX_DETAILED_BYTES);
        Ok((Self { id, bytes, content, chunks, body }, read))
    }

    fn byte_side(self) -> ByteSide {
        ByteSide { id: self.id, bytes: self.bytes }
    }
}

/// Two documents with text that are small enough for a close look.
struct Pair<'a> {
    ids: [&'a str; 2],
    bodies: [&'a Body<'a>; 2],
    compared: &'a ShingleComparison,
    options: &'a CompareOptions,
}

impl Pair<'_> {
    /// Adds what fingerprints, passages and letters say; what could not be looked at, and why.
    fn look(&self, evidence: &mut Evidence) -> Result<Vec<LeftOut>, Error> {
        let memory = self.options.resources.memory;
        let [a, b] = [&self.compared.a, &self.compared.b];
        let needed = (a.text.len() + b.text.len()) as u64 * MEMORY_PER_BYTE;
        if let Some(needed) = self.compared.unaligned.or(Some(needed)).filter(|needed| *needed > memory) {
            let reason = format!("it takes {needed} bytes of memory; {memory} are allowed");
            return Ok([Lens::Simhash, Lens::Passages].map(|lens| LeftOut::new(lens, &reason)).into());
        }
        let close = CloseComparer::new(&self.options.recipe.text, &self.options.key)?;
        let mut scratch = CloseScratch::default();
        let mut read = |side: usize, text: &str, format| -> CloseSide {
            close.read(self.ids[side], self.bodies[side], (text, format), None, &mut scratch)
        };
        let sides = [&read(0, &a.text, a.format), &read(1, &b.text, b.format)];
        Ok(close.look(sides, evidence))
    }
}
