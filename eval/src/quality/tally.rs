//! Counts listed pairs against clusters while they stream by: there can be tens of millions.

use super::metrics::Point;

/// Steps of the score at which pairs are counted.
const STEPS: usize = 1_000;

/// What was listed, by score; and each document's nearest neighbours.
pub(super) struct Tally<'a> {
    clusters: &'a [u32],
    /// Clusters and their sizes, by cluster.
    sizes: Vec<(u32, u64)>,
    found: Vec<u64>,
    right: Vec<u64>,
    nearest: Vec<Nearest>,
}

/// The documents that score highest with one, and how many of them are of its cluster.
#[derive(Clone, Copy, Default)]
struct Nearest {
    score: f64,
    tied: u32,
    right: u32,
}

impl<'a> Tally<'a> {
    pub(super) fn new(clusters: &'a [u32]) -> Self {
        let empty = vec![0; STEPS + 1];
        let mut sorted = clusters.to_vec();
        sorted.sort_unstable();
        let sizes = sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect();
        Self { clusters, sizes, found: empty.clone(), right: empty, nearest: vec![Nearest::default(); clusters.len()] }
    }

    pub(super) fn add(&mut self, a: u32, b: u32, score: f64) {
        let right = self.clusters[a as usize] == self.clusters[b as usize];
        // a hair up, so that a score at a threshold is of it whatever the rounding
        let step = ((score * STEPS as f64 + 1e-9) as usize).min(STEPS);
        self.found[step] += 1;
        self.right[step] += u64::from(right);
        for document in [a, b] {
            let nearest = &mut self.nearest[document as usize];
            if score > nearest.score {
                *nearest = Nearest { score, tied: 0, right: 0 };
            }
            if score >= nearest.score {
                nearest.tied += 1;
                nearest.right += u32::from(right);
            }
        }
    }

    /// What is found if everything from the threshold on is taken.
    pub(super) fn at(&self, threshold: f64) -> Point {
        let from = (threshold * STEPS as f64).round() as usize;
        let sum = |counts: &[u64]| counts[from..].iter().sum();
        Point::new(threshold, sum(&self.found), sum(&self.right), self.relevant())
    }

    /// The threshold with the highest F1; of equals the highest.
    pub(super) fn best(&self) -> Point {
        let all = (1..=STEPS).map(|step| self.at(step as f64 / STEPS as f64));
        all.reduce(|best, point| if point.f1 >= best.f1 { point } else { best }).unwrap_or_default()
    }

    /// Of the documents that have a fellow: the share whose nearest neighbour is one. Among equals each is as good as any.
    pub(super) fn nearest_right(&self) -> f64 {
        let alone = |cluster: &u32| {
            self.sizes.binary_search_by_key(cluster, |size| size.0).is_ok_and(|at| self.sizes[at].1 == 1)
        };
        let (mut documents, mut right) = (0.0, 0.0);
        for (nearest, cluster) in self.nearest.iter().zip(self.clusters) {
            if !alone(cluster) {
                documents += 1.0;
                right += if nearest.tied == 0 { 0.0 } else { f64::from(nearest.right) / f64::from(nearest.tied) };
            }
        }
        right / documents
    }

    /// Pairs within clusters.
    fn relevant(&self) -> u64 {
        self.sizes.iter().map(|&(_, size)| size * (size - 1) / 2).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // clusters {0, 1, 2}, {3, 4}, {5}: four pairs are relevant
        let clusters = [0, 0, 0, 1, 1, 2];
        let mut tally = Tally::new(&clusters);
        for (a, b, score) in [(0, 1, 0.8), (2, 3, 0.6), (3, 4, 0.6), (0, 5, 0.3), (1, 2, 0.1)] {
            tally.add(a, b, score);
        }
        let point = tally.at(0.6);
        assert_eq!((point.found, point.right, point.relevant), (3, 2, 4));
        assert_eq!(tally.at(0.1).right, 3);
        assert!((tally.best().f1 - 2.0 / 3.0).abs() < 1e-12, "{:?}", tally.best());
        // 0 and 1 right, 2 wrong, 3 half, 4 right; 5 has no fellow
        assert!((tally.nearest_right() - 3.5 / 5.0).abs() < 1e-12);
    }
}
