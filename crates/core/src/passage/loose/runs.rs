//! Equal runs: stretches that are the same word by word, however common their words are.

use super::Rules;
use super::points::{for_each_common, product};
use super::prepared::Prepared;
use super::token::equal;

/// Tokens that may be compared for each token of the documents: a bound for text made of nothing but repetitions.
const COMPARED_PER_TOKEN: usize = 16;

/// A maximal equal run, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) length: u32,
}

/// The maximal runs of at least `rules.run` tokens through the grams that both documents have. Of grams that are common in both,
/// each occurrence is held against one of the other document.
pub(super) fn find(a: &Prepared, a_tokens: &[u32], b: &Prepared, b_tokens: &[u32], rules: &Rules) -> Vec<Run> {
    let mut starts: Vec<(i64, u32)> = Vec::new();
    let mut start = |x: u64, y: u64| starts.push((i64::from(x as u32) - i64::from(y as u32), x as u32));
    for_each_common(&a.grams, &b.grams, |of_a, of_b| {
        if of_a.len() * of_b.len() <= rules.often {
            product(of_a, of_b).for_each(|(x, y)| start(x, y));
        } else {
            for i in 0..of_a.len().max(of_b.len()) {
                start(of_a[i % of_a.len()], of_b[i % of_b.len()]);
            }
        }
    });
    starts.sort_unstable();
    let mut left = COMPARED_PER_TOKEN * (a_tokens.len() + b_tokens.len());
    let mut runs = Vec::new();
    // where the last run ended, and on which diagonal
    let mut last = (i64::MIN, 0);
    for (diagonal, x) in starts {
        let y = (i64::from(x) - diagonal) as usize;
        let x = x as usize;
        if last.0 == diagonal && x < last.1 {
            continue;
        }
        let least = if last.0 == diagonal { last.1 } else { 0 };
        let same = |(a, b): &(&u32, &u32)| equal(**a, **b);
        let before = a_tokens[least..x].iter().rev().zip(b_tokens[..y].iter().rev());
        let back = before.take(left).take_while(same).count();
        let after = a_tokens[x..].iter().zip(&b_tokens[y..]);
        let ahead = after.take(left).take_while(same).count();
        left = left.saturating_sub(back + ahead);
        last = (diagonal, x + ahead);
        if back + ahead >= rules.run {
            runs.push(Run { a: (x - back) as u32, b: (y - back) as u32, length: (back + ahead) as u32 });
        }
    }
    runs
}
