//! Which pairs a page lists: all, if there are not too many, else those that are most alike: by their resemblance, or with the chunks lens by
//! the share of the smaller that both have.

use crate::scan_view::ScanView;
use lookalike::{ComparedPair, Error};

/// Pairs that a page lists. A browser regroups so many while the threshold is dragged.
const MAX_PAIRS: u64 = 300_000;
/// Steps of likeness in which they are counted.
const STEPS: usize = 1000;

/// The pairs of a page.
pub(super) struct Listed {
    pub(super) pairs: Vec<ComparedPair>,
    /// Every pair from this resemblance (share of the smaller) on is listed.
    pub(super) from: f64,
    /// How many there are, listed or not.
    pub(super) all: u64,
}

pub(super) fn list(scan: &dyn ScanView, visible: impl Fn(u32) -> bool) -> Result<Listed, Error> {
    // the chunks lens has one number for both: its threshold moves containment
    let by_bytes = scan.report().chunks().is_some();
    let contained = scan.report().head.policy.contained.filter(|_| !by_bytes);
    let alike = |pair: &ComparedPair| if by_bytes { pair.containment() } else { pair.resemblance() };
    // who may represent is decided by the samples, so a pair matters if either number does
    let sample = |pair: &ComparedPair| ComparedPair { features: pair.sample, ..*pair };
    let step = |pair: &ComparedPair| (alike(pair).max(alike(&sample(pair))) * STEPS as f64) as usize;
    let inside = |pair: &ComparedPair| {
        contained.is_some_and(|least| pair.containment().max(sample(pair).containment()) >= least)
    };
    // containment links at any threshold: of those pairs all are needed
    let (mut others, mut contained, mut all) = (vec![0u64; STEPS + 1], vec![0u64; STEPS + 1], 0);
    scan.compared(&mut |pair| {
        let counts = if inside(&pair) { &mut contained } else { &mut others };
        counts[step(&pair)] += 1;
        all += u64::from(alike(&pair) >= scan.explored()?);
        Ok(())
    })?;
    // where not all pairs are known, those that are show what made the clusters, and no more
    let known = scan.explored()? <= 1.0;
    let lowest = if known { scan.explored()? } else { scan.report().head.policy.threshold };
    let cut = cut(&others, &contained, (lowest * STEPS as f64) as usize);
    let mut pairs = Vec::with_capacity(cut.pairs);
    scan.compared(&mut |pair| {
        let wanted = step(&pair) >= cut.step || cut.contained && inside(&pair);
        if wanted && visible(pair.a) && visible(pair.b) {
            pairs.push(pair);
        }
        Ok(())
    })?;
    let from = match (cut.contained, cut.whole) {
        _ if !known => NOWHERE,
        (true, true) => lowest,
        (true, false) => cut.step as f64 / STEPS as f64,
        (false, _) => NOWHERE,
    };
    Ok(Listed { pairs, from, all })
}

/// Above every threshold: it cannot be moved.
const NOWHERE: f64 = 2.0;

/// Where the list ends.
#[derive(Debug, PartialEq, Eq)]
struct Cut {
    /// All pairs from this step on are listed.
    step: usize,
    /// Those by containment are listed whatever their resemblance.
    contained: bool,
    /// Nothing was cut.
    whole: bool,
    /// How many pairs that makes, hidden ones included.
    pairs: usize,
}

fn cut(others: &[u64], contained: &[u64], lowest: usize) -> Cut {
    let all_contained: u64 = contained.iter().sum();
    let fits = all_contained <= MAX_PAIRS;
    let (mut step, mut room) = (STEPS + 1, if fits { MAX_PAIRS - all_contained } else { MAX_PAIRS });
    while step > lowest {
        let more = others[step - 1] + if fits { 0 } else { contained[step - 1] };
        if more > room {
            break;
        }
        room -= more;
        step -= 1;
    }
    Cut { step, contained: fits, whole: step == lowest, pairs: (MAX_PAIRS - room) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_an_end() {
        let steps = |at: &[(usize, u64)]| {
            let mut counts = vec![0; STEPS + 1];
            for (step, n) in at {
                counts[*step] = *n;
            }
            counts
        };
        let none = steps(&[]);
        assert_eq!(
            cut(&steps(&[(400, 9), (900, MAX_PAIRS - 9)]), &none, 300),
            Cut { step: 300, contained: true, whole: true, pairs: MAX_PAIRS as usize }
        );
        let full = steps(&[(400, 10), (900, MAX_PAIRS - 9)]);
        assert_eq!(
            cut(&full, &none, 300),
            Cut { step: 401, contained: true, whole: false, pairs: MAX_PAIRS as usize - 9 }
        );
        // near pairs are mostly contained too: they count, once
        let near = steps(&[(950, MAX_PAIRS - 5)]);
        assert_eq!(
            cut(&steps(&[(800, 5), (500, 1)]), &near, 300),
            Cut { step: 501, contained: true, whole: false, pairs: MAX_PAIRS as usize }
        );
        let many = steps(&[(950, MAX_PAIRS - 5), (400, 6)]);
        assert_eq!(
            cut(&steps(&[(800, 5)]), &many, 300),
            Cut { step: 401, contained: false, whole: false, pairs: MAX_PAIRS as usize }
        );
    }
}
