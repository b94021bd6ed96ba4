//! Passages that two token sequences share.
//!
//! [`exact`] finds runs of equal tokens, for code: greedy string tiling, longest first, no token in two passages. [`loose`] finds passages
//! of [`prose`], also where words were replaced, moved or left out.

pub mod exact;
mod family;
pub mod loose;
pub mod prose;

pub use family::Family;

use std::ops::Range;

/// A stretch of each of two sequences that comes from the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its tokens in the first.
    pub a: Range<u32>,
    /// Its tokens in the second.
    pub b: Range<u32>,
    /// How many of them are equal.
    pub equal: u32,
}
