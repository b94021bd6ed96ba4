//! Pairs by how much they resemble each other, and a sample of each stratum that does not depend on the order of anything.

use super::options::STEPS;
use lookalike_core::sets::Overlap;
use std::collections::BinaryHeap;

/// Counts all pairs and draws some.
pub(super) struct Strata {
    strata: Vec<CountedStratum>,
    per_stratum: usize,
}

/// A stratum that is being counted.
#[derive(Default)]
struct CountedStratum {
    from: f64,
    pairs: u64,
    /// Those with the least keys so far, the greatest of them on top.
    drawn: BinaryHeap<Draw>,
}

/// A pair that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Draw {
    /// A hash of both contents: pairs with the least are drawn.
    key: u64,
    pub(super) a: u32,
    pub(super) b: u32,
    features: [u32; 3],
    pub(super) stratum: usize,
}

impl Draw {
    /// What was counted; the same whichever of the two comes first.
    pub(super) fn overlap(&self) -> Overlap {
        let [a, b, shared] = self.features;
        Overlap { a, b, shared }
    }
}

/// Where strata begin: at the least resemblance, and at every twentieth above it.
pub(super) fn starts(explored: f64) -> Vec<f64> {
    let twentieth = |at: u32| f64::from(at) / f64::from(STEPS);
    std::iter::once(explored).chain((0..STEPS).map(twentieth).filter(|from| *from > explored)).collect()
}

impl Strata {
    pub(super) fn new(explored: f64, per_stratum: usize) -> Self {
        let stratum = |from: f64| CountedStratum { from, ..CountedStratum::default() };
        Self { strata: starts(explored).into_iter().map(stratum).collect(), per_stratum }
    }

    /// Takes a pair; `contents` are parts of the content ids of both documents.
    pub(super) fn add(&mut self, (a, b): (u32, u32), contents: [u32; 2], overlap: Overlap) {
        let resemblance = overlap.resemblance();
        let Some(at) = self.strata.partition_point(|stratum| stratum.from <= resemblance).checked_sub(1) else {
            return;
        };
        let stratum = &mut self.strata[at];
        stratum.pairs += 1;
        let key = key(contents);
        if stratum.drawn.len() < self.per_stratum || stratum.drawn.peek().is_some_and(|most| key < most.key) {
            stratum.drawn.push(Draw { key, a, b, features: [overlap.a, overlap.b, overlap.shared], stratum: at });
            if stratum.drawn.len() > self.per_stratum {
                stratum.drawn.pop();
            }
        }
    }

    /// Where each stratum begins and how many pairs it has; and the pairs that were drawn: the first of each stratum, then the
    /// second of each, so that whoever judges some of them has judged some of all.
    pub(super) fn finish(self) -> (Vec<(f64, u64)>, Vec<Draw>) {
        let sizes = self.strata.iter().map(|stratum| (stratum.from, stratum.pairs)).collect();
        let mut drawn: Vec<(usize, u64, Draw)> = Vec::new();
        for stratum in self.strata {
            let sorted = stratum.drawn.into_sorted_vec().into_iter().enumerate();
            drawn.extend(sorted.map(|(place, draw)| (place, draw.key, draw)));
        }
        drawn.sort_unstable();
        (sizes, drawn.into_iter().map(|(_, _, draw)| draw).collect())
    }
}

/// Mixes two numbers in any order (the finalizer of `MurmurHash3`).
fn key([a, b]: [u32; 2]) -> u64 {
    let mut h = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
    for multiplier in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        h = (h ^ (h >> 33)).wrapping_mul(multiplier);
    }
    h ^ (h >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_where_strata_begin() {
        for explored in [0.3, 0.32, 0.05, 0.5] {
            let starts = starts(explored);
            assert!((starts[0] - explored).abs() < 1e-12);
            assert!(starts.windows(2).all(|two| two[0] < two[1] && two[1] - two[0] < 0.0501));
            for at in 10..20 {
                assert!(starts.contains(&(f64::from(at) / 20.0)), "{explored} {at}");
            }
        }
    }

    #[test]
    fn the_sample_does_not_depend_on_the_order() {
        let pairs: Vec<(u32, u32, u32)> = (0..2000).map(|at| (at, at + 5000, 60 + at * 7919 % 40)).collect();
        let sample = |pairs: &mut dyn Iterator<Item = &(u32, u32, u32)>, swap: bool| {
            let mut strata = Strata::new(0.3, 10);
            for (a, b, shared) in pairs {
                let overlap = Overlap { a: 100, b: 100, shared: *shared };
                let (a, b) = if swap { (*b, *a) } else { (*a, *b) };
                strata.add((a, b), [a.wrapping_mul(2_654_435_761), b.wrapping_mul(2_654_435_761)], overlap);
            }
            let (sizes, drawn) = strata.finish();
            let names: Vec<(u32, usize)> = drawn.iter().map(|draw| (draw.a.min(draw.b), draw.stratum)).collect();
            (sizes, names)
        };
        let first = sample(&mut pairs.iter(), false);
        assert_eq!(first, sample(&mut pairs.iter().rev(), true));
        let counted: u64 = first.0.iter().map(|size| size.1).sum();
        assert_eq!(counted, 2000);
        let full = first.0.iter().filter(|size| size.1 >= 10).count();
        assert!(first.1.len() >= 10 * full && full > 5);
        // the first of every stratum comes before the second of any
        let seen: std::collections::BTreeSet<usize> = first.1[..full].iter().map(|draw| draw.1).collect();
        assert_eq!(seen.len(), full);
        // and a larger sample holds the smaller
        let mut more = Strata::new(0.3, 20);
        for (a, b, shared) in &pairs {
            let contents = [a.wrapping_mul(2_654_435_761), b.wrapping_mul(2_654_435_761)];
            more.add((*a, *b), contents, Overlap { a: 100, b: 100, shared: *shared });
        }
        let more: Vec<u32> = more.finish().1.iter().map(|draw| draw.a).collect();
        assert!(first.1.iter().all(|(name, _)| more.contains(name)));
    }
}
