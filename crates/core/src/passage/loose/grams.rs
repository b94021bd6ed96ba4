//! The fingerprints by which a corpus is searched for pairs that share a passage.

use super::Rules;
use super::token::{is_light, mix, word};

/// Appends the hash of each `rules.key` heavy words in a row, in whatever order they stand, and the place of the first of them.
/// No gram crosses a border. Winnowed with windows of `rules.guarantee - rules.key + 1`, equal runs of `rules.guarantee` heavy words
/// share a fingerprint for certain.
pub fn grams(tokens: &[u32], rules: &Rules, out: &mut Vec<(u64, u32)>) {
    let mut row: Vec<(u64, u32)> = Vec::new();
    for (at, id) in tokens.iter().enumerate() {
        if word(*id) == 0 {
            gather(&row, rules.key, out);
            row.clear();
        } else if !is_light(*id) {
            row.push((mix(u64::from(word(*id))), at as u32));
        }
    }
    gather(&row, rules.key, out);
}

/// Sums do not care for order.
fn gather(row: &[(u64, u32)], key: usize, out: &mut Vec<(u64, u32)>) {
    let mut sum = 0u64;
    for (at, (hash, _)) in row.iter().enumerate() {
        sum = sum.wrapping_add(*hash);
        if at >= key {
            sum = sum.wrapping_sub(row[at - key].0);
        }
        if key > 0 && at + 1 >= key {
            out.push((mix(sum), row[at + 1 - key].1));
        }
    }
}
