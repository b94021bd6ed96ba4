//! Base code: what was given to all. Its tokens do not count and are never part of a passage.

use crate::Error;
use crate::lens::passages::family::Method;
use crate::lens::passages::tokenizer::{Scratch, Tokenizer};
use crate::lens::passages::weighing::Spelling;
use crate::report::Skip;
use crate::run::Session;
use crate::run::reading::{Outcome, read_all};
use lookalike_core::passage::Family;
use lookalike_corpus::{Corpus, Item};
use rustc_hash::FxHashSet;

/// The k-grams of all base code, by family.
#[derive(Default)]
pub struct Base {
    pub files: u64,
    grams: [FxHashSet<u64>; 3],
    pub skipped: Vec<Skip>,
}

enum Read {
    Grams(String, Family, Vec<u64>),
    Skipped(Skip),
}

impl Outcome for Read {
    fn id(&self) -> &str {
        match self {
            Self::Grams(id, ..) => id,
            Self::Skipped(skip) => &skip.id,
        }
    }

    fn skipped(skip: Skip) -> Self {
        Self::Skipped(skip)
    }
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
            let mut scratch = Scratch::default();
            move |item: Item<'_>| match item {
                Item::Skipped(skipped) => Read::Skipped(skipped.into()),
                Item::Document(document) => match tokenizer.read(&document.id, &document.body, &mut scratch) {
                    Err(reason) => Read::Skipped(Skip::because(document.id.into_owned(), reason)),
                    Ok(read) => {
                        let method = &methods[read.family as usize];
                        let mut grams = Vec::with_capacity(read.ids.len());
                        method.for_each_base_gram(&read.ids, &read.spellings, |hash, _| grams.push(hash));
                        Read::Grams(document.id.into_owned(), read.family, grams)
                    }
                },
            }
        };
        read_all(session, corpus, worker, |read| {
            match read {
                Read::Grams(_, family, grams) => {
                    base.files += 1;
                    base.grams[family as usize].extend(grams);
                }
                Read::Skipped(skip) => base.skipped.push(skip),
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
        let mut given = Vec::new();
        method.for_each_base_gram(tokens, spellings, |hash, stretch| {
            if grams.contains(&hash) {
                given.push(stretch);
            }
        });
        blank(tokens, given.into_iter())
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
