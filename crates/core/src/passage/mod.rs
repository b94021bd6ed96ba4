//! Passages that two token sequences share.
//!
//! [`exact`] finds runs of equal tokens, for code: greedy string tiling, longest first, no token in two passages.

pub mod exact;

use std::ops::Range;

/// A passage that two sequences share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its tokens in the first.
    pub a: Range<u32>,
    /// Its tokens in the second.
    pub b: Range<u32>,
    /// How many of them are equal.
    pub equal: u32,
}
