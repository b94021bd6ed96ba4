//! What takes a close look at two texts: fingerprints, passages, and words letter by letter.

use super::LeftOut;
use crate::Error;
use crate::lens::passages::compare::{PassageComparer, TokenSide};
use crate::lens::passages::tokenizer::TokenizerScratch;
use crate::lens::simhash::fingerprinter::{FingerprintScratch, Fingerprinter};
use crate::lens::simhash::options::SimhashOptions;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::TextRecipe;
use lookalike_core::relation::{Evidence, LetterText, SimhashEvidence, align_letters};
use lookalike_core::simhash::SimhashRecipe;
use lookalike_corpus::Body;
use lookalike_extract::Format;

/// Reads texts, then holds two of them against each other.
pub struct CloseComparer {
    pub fingerprinter: Fingerprinter,
    pub passages: PassageComparer,
    hasher: FeatureHasher,
    bits: u32,
}

/// What it keeps of a document; why not, where it cannot.
pub struct CloseSide {
    fingerprint: Result<u64, String>,
    tokens: Result<TokenSide, String>,
    pub letters: LetterText,
}

/// Buffers of one worker.
#[derive(Default)]
pub struct CloseScratch {
    fingerprint: FingerprintScratch<u64>,
    tokens: TokenizerScratch,
}

/// A recipe for visible text that was taken out of a document already.
pub(super) fn of_visible_text(recipe: &TextRecipe) -> TextRecipe {
    TextRecipe { format: Format::Text.to_string(), ..recipe.clone() }
}

impl CloseComparer {
    /// `text` says how documents became text.
    pub fn new(text: &TextRecipe, key: &str) -> Result<Self, Error> {
        let mut recipe = SimhashOptions::default().recipe;
        recipe.text = of_visible_text(text);
        Ok(Self {
            fingerprinter: Fingerprinter::new(&recipe, key, None)?,
            passages: PassageComparer::new(key)?,
            hasher: FeatureHasher::with_key(key),
            bits: recipe.bits,
        })
    }

    /// How fingerprints are made of documents that become text so.
    pub fn simhash_recipe(&self, text: &TextRecipe) -> SimhashRecipe {
        SimhashRecipe { text: text.clone(), ..self.fingerprinter.recipe().clone() }
    }

    /// Reads a document, given its visible text, and its fingerprint if that is known.
    pub fn read(
        &self,
        id: &str,
        body: &Body<'_>,
        (text, format): (&str, Format),
        fingerprint: Option<u64>,
        scratch: &mut CloseScratch,
    ) -> CloseSide {
        let mut made = || self.fingerprinter.fingerprint_text(id, text, &mut scratch.fingerprint);
        CloseSide {
            fingerprint: fingerprint.map_or_else(&mut made, Ok),
            tokens: self.passages.read((id, body), (text, format == Format::Text), &mut scratch.tokens),
            letters: LetterText::new(text.to_owned(), &self.hasher),
        }
    }

    /// Calls `each` with the k-gram fingerprints of a document, given its visible text. Its fingerprint.
    pub fn fingerprints(
        &self,
        id: &str,
        body: &Body<'_>,
        (text, format): (&str, Format),
        CloseScratch { fingerprint, tokens }: &mut CloseScratch,
        each: impl FnMut(u64),
    ) -> Result<u64, String> {
        // what has no tokens has no k-grams
        let _ = self.passages.fingerprints((id, body), (text, format == Format::Text), tokens, each);
        self.fingerprinter.fingerprint_text(id, text, fingerprint)
    }

    /// Adds what fingerprints, passages and letters say of two documents; what could not be looked at, and why.
    pub fn look(&self, sides: [&CloseSide; 2], evidence: &mut Evidence) -> Vec<LeftOut> {
        let mut left_out = self.look_at_letters(sides, evidence);
        left_out.extend(self.look_at_passages(sides, evidence));
        left_out
    }

    /// Adds what fingerprints and letters say.
    pub fn look_at_letters(&self, [a, b]: [&CloseSide; 2], evidence: &mut Evidence) -> Vec<LeftOut> {
        let mut left_out = Vec::new();
        match (&a.fingerprint, &b.fingerprint) {
            (Ok(a), Ok(b)) => {
                evidence.simhash = Some(SimhashEvidence { distance: (a ^ b).count_ones(), bits: self.bits });
            }
            (Err(reason), _) | (_, Err(reason)) => left_out.push(LeftOut::new(Lens::Simhash, reason)),
        }
        let mut letters = align_letters(&a.letters, &b.letters);
        if let (Ok(a), Ok(b)) = (&a.tokens, &b.tokens)
            && a.is_code()
            && b.is_code()
        {
            // names that changed are no errors of spelling
            (letters.respelled, letters.errors) = ([0, 0], 0);
        }
        evidence.alignment = Some(letters);
        left_out
    }

    /// Adds what passages say.
    pub fn look_at_passages(&self, [a, b]: [&CloseSide; 2], evidence: &mut Evidence) -> Option<LeftOut> {
        match (&a.tokens, &b.tokens) {
            (Ok(a), Ok(b)) => {
                evidence.passages = self.passages.compare(a, b);
                let is_other = evidence.passages.is_none();
                is_other.then(|| LeftOut::new(Lens::Passages, "one is a program and the other is not"))
            }
            (Err(reason), _) | (_, Err(reason)) => Some(LeftOut::new(Lens::Passages, reason)),
        }
    }
}
