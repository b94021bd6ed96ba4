//! How many pairs are at each distance, and how many of them are near by their labels.

use super::candidates::distance;
use super::documents::{Documents, Truth};
use crate::quality::Point;
use rayon::prelude::*;

/// Pairs by distance.
#[derive(Clone)]
pub(super) struct Distances {
    found: Vec<u64>,
    right: Vec<u64>,
}

/// Bits of the widest fingerprint.
const MOST: usize = 128;

impl Distances {
    /// Pairs of documents with the same words are left out.
    pub(super) fn of(documents: &Documents, fingerprints: &[Option<u128>]) -> Self {
        let mut distances = Self { found: vec![0; MOST + 1], right: vec![0; MOST + 1] };
        match &documents.truth {
            Truth::Pairs(labels) => {
                for label in labels {
                    let [a, b] = [label.pair.0, label.pair.1].map(|number| number as usize);
                    if documents.words[a] != documents.words[b]
                        && let (Some(a), Some(b)) = (fingerprints[a], fingerprints[b])
                    {
                        distances.add(distance(a, b), label.positive);
                    }
                }
                distances
            }
            Truth::Clusters(clusters) => {
                let known: Vec<(u128, u64, u32)> = fingerprints
                    .iter()
                    .zip(documents.words.iter().zip(clusters))
                    .filter_map(|(fingerprint, (words, cluster))| Some(((*fingerprint)?, *words, *cluster)))
                    .collect();
                let row = |mut sum: Self, at: usize| {
                    let (fingerprint, words, cluster) = known[at];
                    for (other, other_words, other_cluster) in &known[at + 1..] {
                        if words != *other_words {
                            sum.add(distance(fingerprint, *other), cluster == *other_cluster);
                        }
                    }
                    sum
                };
                let empty = distances;
                (0..known.len()).into_par_iter().fold(|| empty.clone(), row).reduce(|| empty.clone(), |a, b| a.plus(&b))
            }
        }
    }

    fn add(&mut self, distance: usize, right: bool) {
        self.found[distance] += 1;
        self.right[distance] += u64::from(right);
    }

    /// Both counted together.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        for (mine, theirs) in [(&mut self.found, &other.found), (&mut self.right, &other.right)] {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
        self
    }

    /// What is found if all pairs up to each distance are taken. The threshold of a point is its distance.
    pub(super) fn points(&self) -> Vec<Point> {
        let relevant = self.right.iter().sum();
        let mut sum = (0, 0);
        let point = |(distance, (found, right)): (usize, (&u64, &u64))| {
            sum = (sum.0 + found, sum.1 + right);
            Point::new(distance as f64, sum.0, sum.1, relevant)
        };
        self.found.iter().zip(&self.right).enumerate().map(point).collect()
    }

    /// The most that is found while at least nine of ten pairs are right.
    pub(super) fn recall_while_right(&self) -> f64 {
        let right = self.points().into_iter().filter(|point| point.found > 0 && point.precision >= 0.9);
        right.map(|point| point.recall).fold(0.0, f64::max)
    }

    /// The mean precision over all pairs that should be found, as they are found with growing distance.
    pub(super) fn average_precision(&self) -> f64 {
        let points = self.points();
        let before = std::iter::once(0.0).chain(points.iter().map(|point| point.recall));
        points.iter().zip(before).map(|(point, before)| (point.recall - before) * point.precision).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::Label;

    #[test]
    fn pairs_by_hand() {
        let words = vec![1, 2, 3, 1];
        let texts = vec![String::new(); 4];
        let fingerprints = [Some(0b0000), Some(0b0001), Some(0b0111), Some(0b0000)];
        let clusters = Truth::Clusters(vec![7, 7, 8, 7]);
        let documents = Documents { texts, words, truth: clusters };
        // 0-1 and 1-3 at 1 and right, 0-2 and 2-3 at 3, 1-2 at 2; 0-3 have the same words
        let distances = Distances::of(&documents, &fingerprints);
        assert_eq!(&distances.found[..4], [0, 2, 1, 2]);
        assert_eq!(&distances.right[..4], [0, 2, 0, 0]);
        assert!((distances.average_precision() - 1.0).abs() < 1e-12);
        assert!((distances.recall_while_right() - 1.0).abs() < 1e-12);
        let label = |pair, positive| Label { pair, positive, category: String::new() };
        let truth = Truth::Pairs(vec![label((0, 2), true), label((1, 2), false), label((0, 3), true)]);
        let distances = Distances::of(&Documents { truth, ..documents }, &fingerprints);
        assert_eq!(&distances.found[..4], [0, 0, 1, 1]);
        assert!((distances.average_precision() - 0.5).abs() < 1e-12);
        assert_eq!(distances.points()[3].found, 2);
        assert!(distances.recall_while_right().abs() < 1e-12);
    }
}
