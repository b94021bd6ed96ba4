//! The tokens of one family in a submission, in one sequence.

use crate::lens::passages::spelling::Spelling;
use lookalike_core::passage::{Family, exact};
use std::ops::Range;
use std::sync::OnceLock;

/// The weight of a token that only two submissions have.
pub const FULL: u8 = 250;

/// The files of one family in one submission.
pub struct Stream {
    pub family: Family,
    /// Their tokens with a 0 between files.
    pub tokens: Vec<u32>,
    /// How each is spelt; nothing of prose.
    pub spellings: Vec<Spelling>,
    /// Its k-grams, if anything but prose was compared.
    pub exact: OnceLock<exact::GramHashes>,
    /// Index of each file in the submission, and of its first token here.
    pub files: Vec<(usize, u32)>,
}

impl Stream {
    /// A single document.
    pub fn of(family: Family, tokens: Vec<u32>, spellings: Vec<Spelling>) -> Self {
        Self { family, tokens, spellings, exact: OnceLock::new(), files: vec![(0, 0)] }
    }

    /// How some tokens are spelt.
    pub fn spelt(&self, tokens: &Range<u32>) -> &[Spelling] {
        &self.spellings[tokens.start as usize..tokens.end as usize]
    }

    /// The file that a token stands in, and its place there.
    pub fn place(&self, token: u32) -> (usize, usize) {
        let (file, first) = self.files[self.files.partition_point(|(_, first)| *first <= token) - 1];
        (file, (token - first) as usize)
    }
}

/// A stream, and how much each of its tokens tells, of [`FULL`].
#[derive(Clone, Copy)]
pub struct WeighedStream<'a> {
    pub stream: &'a Stream,
    pub weights: &'a [u8],
}

impl WeighedStream<'_> {
    /// How much a token tells.
    pub fn weight_of(&self, token: u32) -> u64 {
        u64::from(self.weights[token as usize])
    }

    /// How much some tokens tell together.
    pub fn weight(&self, tokens: &Range<u32>) -> u64 {
        self.weights[tokens.start as usize..tokens.end as usize].iter().map(|weight| u64::from(*weight)).sum()
    }
}
