//! Hashes of all k-grams, rolled: each costs two multiplications, whatever k.

use crate::feature_hash::FeatureHasher;

/// A k-gram: its hash and the index of its first token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gram {
    /// Its hash.
    pub hash: u64,
    /// Index of its first token.
    pub position: u32,
}

/// The base of the polynomial: odd, so that no token loses weight by being far from the end.
const BASE: u64 = 0x9fb2_1c65_1e98_df25;

/// A token as a 64-bit number, its bits mixed: tokens are small or have a pattern.
#[inline]
fn mixed(token: u32) -> u64 {
    let x = u64::from(token).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ (x >> 32)).wrapping_mul(0xa076_1d64_78bd_642f)
}

/// Calls `each` with every k-gram that has no token 0, in order.
///
/// The hash is the paper's rolling one: the k-gram read as a number in some base, modulo 2^64, then permuted.
#[inline]
pub fn for_each_gram(tokens: &[u32], k: usize, fp: &FeatureHasher, mut each: impl FnMut(Gram)) {
    assert!(k > 0, "a k-gram has at least one token");
    let leaving = (1..k).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let (mut rolled, mut run) = (0u64, 0usize);
    for (at, token) in tokens.iter().enumerate() {
        if *token == 0 {
            (rolled, run) = (0, 0);
            continue;
        }
        if run >= k {
            rolled = rolled.wrapping_sub(mixed(tokens[at - k]).wrapping_mul(leaving));
        }
        rolled = rolled.wrapping_mul(BASE).wrapping_add(mixed(*token));
        run += 1;
        if run >= k {
            each(Gram { hash: fp.permute(rolled), position: (at + 1 - k) as u32 });
        }
    }
}
