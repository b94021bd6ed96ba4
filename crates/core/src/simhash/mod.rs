//! Charikar's simhash: a document becomes one row of 64 (or 128) bits, and alike documents become rows that differ in few.
//!
//! Every feature (a word or a phrase of the canonical form) is hashed to f bits and votes with its weight: at each place for 1
//! where its hash has a 1, for 0 where it has a 0. The fingerprint is what the majority says at each place (Manku, Jain and
//! Das Sarma 2007, section 2).
//!
//! * [`Counter`]: the votes, counted for all places at once.
//! * [`Ngrams`]: how many words a feature has. * [`Weight`], [`Idf`]: what it weighs. * [`StopWords`]: which words do not count.
//! * [`Simhasher`]: a text becomes a fingerprint. * [`SimhashRecipe`]: the line that names all of that.
//!
//! A document without a feature has no fingerprint: were it all zeros, all empty documents would be copies of each other, which is
//! one of the spikes that the paper found (section 4.2).
//!
//! Integers only: the same text gives the same fingerprint on every machine. Golden vectors pin it.

mod counter;
mod hasher;
mod idf;
mod ngrams;
mod occurrences;
mod recipe;
mod stop_lists;
mod stop_words;
#[cfg(test)]
mod tests;
mod weight;

pub use counter::Counter;
pub use hasher::{Scratch, Simhasher};
pub use idf::{FeatureWeight, Idf, IdfBuilder};
pub use ngrams::Ngrams;
pub use recipe::SimhashRecipe;
pub use stop_words::{Languages, StopWords};
pub use weight::Weight;
