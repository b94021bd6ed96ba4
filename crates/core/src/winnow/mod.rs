//! Winnowing (Schleimer, Wilkerson, Aiken 2003): which k-grams of a document are its fingerprints.
//!
//! A document is a sequence of tokens. Every k of them in a row are a k-gram with a hash; of every w hashes in a row at least one is
//! selected. So whatever two documents share of t = w + k - 1 tokens in a row, they share a fingerprint, and what is shorter than k
//! tokens is never found. What a token is, only the front-ends know.
//!
//! Token 0 equals nothing, not even itself: it stands between files and for what is ignored. No k-gram has one.

mod grams;
#[cfg(test)]
mod naive;
mod select;
#[cfg(test)]
mod tests;

pub use grams::{Gram, for_each_gram};
pub use select::{Select, Winnower, select};

/// Noise threshold and guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winnowing {
    /// Noise threshold: tokens in a k-gram. Nothing shorter is found.
    pub k: u32,
    /// Guarantee: every shared run of so many tokens is found.
    pub t: u32,
}

impl Winnowing {
    /// Hashes in a window.
    pub fn w(&self) -> usize {
        (self.t - self.k + 1) as usize
    }

    /// The share of hashes that is selected of random data.
    pub fn density(&self) -> f64 {
        2.0 / (self.w() as f64 + 1.0)
    }
}

/// A selected k-gram: its hash, and the token it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KgramFingerprint {
    /// Hash of the k-gram.
    pub hash: u64,
    /// Index of its first token.
    pub position: u32,
}
