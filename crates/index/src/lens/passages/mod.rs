//! Passages in an index: where does this text come from?
//!
//! A document's features are its winnowed fingerprints, and its tokens are its payload, so that passages are found to their true ends
//! without the original. Nothing is an estimate here.

pub(crate) mod passages_lens;
mod search;
#[cfg(test)]
mod tests;
mod tokens;
