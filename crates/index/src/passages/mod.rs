//! An index of the passages lens: where does this text come from?
//!
//! It is an index like any other: segments, names, sweeps, merges. A document's features are its winnowed fingerprints, and beside them it
//! keeps its tokens, so that passages are found to their true ends without the original. Nothing is an estimate here.

mod answers;
mod ask;
pub(crate) mod reading;
#[cfg(test)]
mod tests;
mod tokens;

pub use answers::{FoundPassage, PassageAnswer, PassageQuery, PassageSource, Position};
pub use ask::PassageIndex;
