//! A scan by all lenses: each document is read once, candidates of any lens are compared once, by every lens.
//!
//! ```text
//! read ──► features of every lens ──► postings ──► pairs that one lens finds ──► compared by all ──► relations ──► clusters
//!          and a fingerprint          Hamming tables                             as `compare` does
//! ```
//!
//! Lenses do not see each other; here, above them, their features and their evidence are joined.

mod engine;
mod join;
mod reading;
#[cfg(test)]
mod tests;
mod verify;

pub use engine::AllEngine;

use crate::Error;
use crate::report::policy::Policy;
use lookalike_core::recipe::ShingleRecipe;

/// What is asked of a scan by all lenses.
#[derive(Clone, Debug)]
pub struct AllOptions {
    /// How documents become text and shingles.
    pub recipe: ShingleRecipe,
    /// From which share on documents are versions of each other, and one inside the other; how links become clusters.
    pub policy: Policy,
    /// With fewer words there is too little text to tell. None is the words of a shingle.
    pub min_words: Option<u32>,
}

impl Default for AllOptions {
    fn default() -> Self {
        let policy = Policy { contained: Some(0.9), ..Policy::default() };
        Self { recipe: ShingleRecipe::words(10), policy, min_words: None }
    }
}

impl AllOptions {
    /// Fails if they have no meaning.
    pub fn check(&self) -> Result<(), Error> {
        self.policy.check()
    }
}
