//! Base code: what was given to all. Its tokens do not count and are never part of a passage.

use crate::Error;
use crate::lens::passages::family::Method;
use crate::lens::passages::spelling::Spelling;
use crate::lens::passages::tokenizer::{MAX_MEMORY_PER_BYTE, Tokenizer, TokenizerScratch};
use crate::report::Skip;
use crate::run::Session;
use crate::run::memory::ReadCost;
use crate::run::reading::{Outcome, read_all};
use lookalike_corpus::{Corpus, Document};
use rustc_hash::FxHashSet;

/// The k-grams of all base code, by family.
#[derive(Default)]
pub struct Base {
    pub files: u64,
    grams: [FxHashSet<u64>; 3],
    pub skipped: Vec<Skip>,
}

impl Base {
    /// Reads all base code.
    pub fn read(
        session: &Session<'_>,
        corpus: &Corpus,
        tokenizer: &Tokenizer,
        methods: &[Method; 3],
    ) -> Result<Self, Error> {
        let mut base = Self::default();
        let worker = || {
            let mut scratch = TokenizerScratch::default();
            move |document: Document<'_>| match tokenizer.read(&document.id, &document.body, &mut scratch) {
                Err(reason) => Outcome::Skipped(Skip::because(document.id.into_owned(), reason)),
                Ok(read) => {
                    let method = &methods[read.family as usize];
                    let mut grams = Vec::with_capacity(read.ids.len());
                    method.for_each_base_gram(&read.ids, &read.spellings, |hash, _| grams.push(hash));
                    Outcome::Document((read.family, grams))
                }
            }
        };
        let of = |document: &Document<'_>| tokenizer.memory(document, session.options.resources.memory);
        let cost = ReadCost { most: MAX_MEMORY_PER_BYTE, of: &of };
        read_all(session, corpus, &cost, worker, |outcome| {
            match outcome {
                Outcome::Document((family, grams)) => {
                    base.files += 1;
                    base.grams[family as usize].extend(grams);
                }
                Outcome::Skipped(skip) => base.skipped.push(skip),
            }
            Ok(())
        })?;
        Ok(base)
    }

    /// Replaces every token that is in a k-gram of the base by the token that equals nothing. How many there were.
    pub fn mask(&self, method: &Method, tokens: &mut [u32], spellings: &[Spelling]) -> u32 {
        let grams = &self.grams[method.family as usize];
        if grams.is_empty() {
            return 0;
        }
        let mut excluded = Vec::new();
        method.for_each_base_gram(tokens, spellings, |hash, stretch| {
            if grams.contains(&hash) {
                excluded.push(stretch);
            }
        });
        blank(tokens, excluded.into_iter())
    }
}

/// Replaces the tokens of some stretches; how many were not replaced before.
pub fn blank(tokens: &mut [u32], stretches: impl Iterator<Item = std::ops::Range<usize>>) -> u32 {
    let mut count = 0;
    for stretch in stretches {
        for token in &mut tokens[stretch] {
            count += u32::from(std::mem::take(token) != 0);
        }
    }
    count
}
