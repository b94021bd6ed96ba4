//! The measure of PAN: precision, recall and granularity of passages, and plagdet, which is made of all three.
//!
//! Potthast, Stein, Barrón-Cedeño and Rosso, "An Evaluation Framework for Plagiarism Detection", 2010: macro averages over
//! passages, in characters of both documents.

use serde::Serialize;
use std::ops::Range;

/// A passage: characters of both documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
}

impl Span {
    fn overlaps(&self, other: &Self) -> bool {
        let common = |x: &Range<usize>, y: &Range<usize>| x.start < y.end && y.start < x.end;
        common(&self.a, &other.a) && common(&self.b, &other.b)
    }

    /// The share of its characters that the others hold.
    fn held_by(&self, others: &[&Self]) -> f64 {
        let in_a = covered(&self.a, others.iter().map(|other| other.a.clone()));
        let in_b = covered(&self.b, others.iter().map(|other| other.b.clone()));
        (in_a + in_b) as f64 / (self.a.len() + self.b.len()) as f64
    }
}

/// How much of a range others cover.
fn covered(range: &Range<usize>, others: impl Iterator<Item = Range<usize>>) -> usize {
    let mut others: Vec<Range<usize>> = others.collect();
    others.sort_by_key(|other| other.start);
    let (mut sum, mut upto) = (0, range.start);
    for other in others {
        let (start, end) = (other.start.max(upto), other.end.min(range.end));
        sum += end.saturating_sub(start);
        upto = upto.max(end);
    }
    sum
}

/// Sums over pairs of documents.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Passages that are to be found, and the sum of the shares of them that are.
    cases: usize,
    recalled: f64,
    /// Passages that were found, and the sum of the shares of them that are right.
    detections: usize,
    right: f64,
    /// Cases of which anything was found, and the detections of each summed.
    detected: usize,
    pieces: usize,
}

impl Tally {
    /// Adds the cases and the detections of one pair of documents.
    pub(super) fn add(&mut self, cases: &[Span], detections: &[Span]) {
        for case in cases {
            let hits: Vec<&Span> = detections.iter().filter(|detection| detection.overlaps(case)).collect();
            self.cases += 1;
            self.recalled += case.held_by(&hits);
            self.detected += usize::from(!hits.is_empty());
            self.pieces += hits.len();
        }
        for detection in detections {
            let hits: Vec<&Span> = cases.iter().filter(|case| detection.overlaps(case)).collect();
            self.detections += 1;
            self.right += detection.held_by(&hits);
        }
    }

    pub(super) fn plus(mut self, other: Self) -> Self {
        self.cases += other.cases;
        self.recalled += other.recalled;
        self.detections += other.detections;
        self.right += other.right;
        self.detected += other.detected;
        self.pieces += other.pieces;
        self
    }

    pub(super) fn scores(&self) -> Scores {
        let mean = |sum: f64, of: usize| if of == 0 { 0.0 } else { sum / of as f64 };
        let (recall, precision) = (mean(self.recalled, self.cases), mean(self.right, self.detections));
        let granularity = if self.detected == 0 { 1.0 } else { mean(self.pieces as f64, self.detected) };
        let f1 = if recall + precision > 0.0 { 2.0 * recall * precision / (recall + precision) } else { 0.0 };
        let plagdet = f1 / (1.0 + granularity).log2();
        let (cases, detections) = (self.cases, self.detections);
        Scores { cases, detections, recall, precision, granularity, plagdet }
    }
}

/// What comes of the sums.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Scores {
    pub(super) cases: usize,
    pub(super) detections: usize,
    pub(super) recall: f64,
    pub(super) precision: f64,
    pub(super) granularity: f64,
    pub(super) plagdet: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(a: Range<usize>, b: Range<usize>) -> Span {
        Span { a, b }
    }

    fn scores(cases: &[Span], detections: &[Span]) -> [String; 4] {
        let mut tally = Tally::default();
        tally.add(cases, detections);
        let Scores { recall, precision, granularity, plagdet, .. } = tally.scores();
        [recall, precision, granularity, plagdet].map(|score| format!("{score:.3}"))
    }

    #[test]
    fn what_is_right_is_one() {
        let case = span(10..20, 100..130);
        assert_eq!(scores(std::slice::from_ref(&case), std::slice::from_ref(&case)), ["1.000"; 4]);
    }

    #[test]
    fn both_sides_count_by_their_characters() {
        // 5 of 10 and 30 of 30 are found; 5 of 10 and 30 of 60 are right
        let (case, detection) = (span(10..20, 100..130), span(15..25, 90..150));
        // F1 of 35/40 and 35/70
        assert_eq!(scores(&[case], &[detection]), ["0.875", "0.500", "1.000", "0.636"]);
    }

    #[test]
    fn one_side_is_not_enough() {
        let (case, detection) = (span(10..20, 100..130), span(10..20, 130..150));
        assert_eq!(scores(&[case], &[detection]), ["0.000", "0.000", "1.000", "0.000"]);
    }

    #[test]
    fn pieces_cost_though_all_is_found() {
        let case = span(0..100, 0..100);
        let halves = [span(0..50, 0..50), span(50..100, 50..100)];
        // 1 / log2(1 + 2)
        assert_eq!(scores(&[case], &halves), ["1.000", "1.000", "2.000", "0.631"]);
    }

    #[test]
    fn what_is_found_twice_counts_once() {
        let case = span(0..100, 0..100);
        let two = [span(0..60, 0..60), span(40..80, 40..80)];
        assert_eq!(scores(&[case], &two)[..3], ["0.800", "1.000", "2.000"]);
    }

    #[test]
    fn pairs_are_averaged_by_passages() {
        let case = span(0..100, 0..100);
        let mut tally = Tally::default();
        tally.add(std::slice::from_ref(&case), std::slice::from_ref(&case));
        tally.add(&[], std::slice::from_ref(&case));
        let mut other = Tally::default();
        other.add(&[case], &[]);
        let scores = tally.plus(other).scores();
        assert_eq!([scores.cases, scores.detections], [2, 2]);
        assert_eq!([scores.recall, scores.precision].map(|s| format!("{s:.2}")), ["0.50", "0.50"]);
        assert_eq!(Tally::default().scores().plagdet.to_string(), "0");
    }
}
