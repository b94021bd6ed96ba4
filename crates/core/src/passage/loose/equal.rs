//! How much of a passage is the same word by word.

use super::token::word;
use rustc_hash::FxHashSet;

/// Words that stand together make company.
const COMPANY: usize = 3;

/// How many tokens of two stretches stand in both with the same neighbours; the smaller count of the two sides.
pub(super) fn equal_tokens(a: &[u32], b: &[u32]) -> u32 {
    if a.iter().map(|id| word(*id)).eq(b.iter().map(|id| word(*id))) {
        return a.len() as u32;
    }
    in_company(a, &companies(b)).min(in_company(b, &companies(a)))
}

fn company(words: &[u32]) -> u64 {
    words.iter().fold(0, |h, id| (h ^ u64::from(word(*id))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

fn companies(tokens: &[u32]) -> FxHashSet<u64> {
    tokens.windows(COMPANY).map(company).collect()
}

fn in_company(tokens: &[u32], companies: &FxHashSet<u64>) -> u32 {
    let (mut count, mut counted) = (0, 0);
    for (at, words) in tokens.windows(COMPANY).enumerate() {
        if companies.contains(&company(words)) {
            count += at + COMPANY - counted.max(at);
            counted = at + COMPANY;
        }
    }
    count as u32
}
