//! Of the pairs that the command calls striking, how many did people call copies?

use super::labelled::Answer;
use crate::numbers::share;
use crate::table::table;
use serde::Serialize;

/// Copies among pairs, with the 95 % interval of their share.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Copies {
    pub(super) pairs: usize,
    pub(super) copies: usize,
}

/// What people said of labelled pairs at or above the threshold; each pair once.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Calibrated {
    pub(super) threshold: f64,
    /// All of them.
    pub(super) striking: Copies,
    /// Those of which as few are expected by chance as is ever told.
    pub(super) least_expected: Copies,
}

impl Copies {
    fn of(answer: &Answer, least: f64) -> Self {
        let striking = answer.pairs.iter().filter(|pair| !pair.repeated && pair.score >= least);
        let copies = striking.clone().filter(|pair| pair.copy).count();
        Self { pairs: striking.count(), copies }
    }

    fn plus(self, other: Self) -> Self {
        Self { pairs: self.pairs + other.pairs, copies: self.copies + other.copies }
    }

    /// Wilson's interval of 95 %.
    fn interval(self) -> [f64; 2] {
        const Z: f64 = 1.959_964;
        let (n, p) = (self.pairs as f64, share(self.copies, self.pairs));
        if self.pairs == 0 {
            return [0.0, 1.0];
        }
        let whole = 1.0 + Z * Z / n;
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        [(middle - half) / whole, (middle + half) / whole]
    }

    /// `75.0 % (72 to 78) of 888`
    fn text(self) -> String {
        if self.pairs == 0 {
            return "–".to_owned();
        }
        let [low, high] = self.interval().map(|end| 100.0 * end);
        format!("{:.1} % ({low:.0} to {high:.0}) of {}", 100.0 * share(self.copies, self.pairs), self.pairs)
    }
}

impl Calibrated {
    pub(super) fn of(answer: &Answer) -> Self {
        let Answer { threshold, least_expected, .. } = *answer;
        Self {
            threshold,
            striking: Copies::of(answer, threshold),
            least_expected: Copies::of(answer, threshold.max(least_expected)),
        }
    }
}

/// A row for each set, and one for all of them.
pub(super) fn section(sets: &[(&str, Calibrated)]) -> Vec<String> {
    let row = |name: &str, threshold: String, striking: Copies, least: Copies| {
        vec![name.to_owned(), threshold, striking.text(), least.text()]
    };
    let of =
        |(name, one): &(&str, Calibrated)| row(name, format!("{:.2}", one.threshold), one.striking, one.least_expected);
    let sum = |of: fn(&Calibrated) -> Copies| sets.iter().fold(Copies::default(), |sum, (_, one)| sum.plus(of(one)));
    let all = row("all", String::new(), sum(|one| one.striking), sum(|one| one.least_expected));
    let rows: Vec<_> = sets.iter().map(of).chain([all]).collect();
    vec![ABOUT.to_owned(), table(&["set", "threshold", "striking", "expected below 0.01"], &rows)]
}

const ABOUT: &str = "## Calibration

Of the labelled pairs at or above the threshold that the report estimates, the share that people called copies, with its 95 % interval (Wilson);
and of those of which fewer than 0.01 are expected by chance, the least that is told. Each pair counts once.";

#[cfg(test)]
mod tests {
    use super::super::labelled::Labelled;
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        let of = |copies: usize, pairs: usize| Copies { pairs, copies }.interval().map(|end| format!("{end:.3}"));
        assert_eq!(of(664, 888), ["0.718", "0.775"]);
        assert_eq!(of(14, 14), ["0.785", "1.000"]);
        assert_eq!(of(0, 0), ["0.000", "1.000"]);
    }

    #[test]
    fn striking_pairs_count_once() {
        let pair = |score: f64, copy, repeated| Labelled { score, overlap: 0, copy, group: String::new(), repeated };
        let pairs = vec![
            pair(0.9, true, false),
            pair(0.9, true, true),
            pair(0.5, false, false),
            pair(0.4, true, false),
            pair(0.3, true, false),
        ];
        let answer =
            Answer { pairs, not_compared: 0, threshold: 0.4, least_expected: 0.6, size: 1.0, table: Vec::new() };
        let found = Calibrated::of(&answer);
        assert_eq!((found.striking.copies, found.striking.pairs), (2, 3));
        assert_eq!((found.least_expected.copies, found.least_expected.pairs), (1, 1));
        let rows = section(&[("a", found), ("b", Calibrated::default())]).concat();
        assert!(rows.contains("66.7 % (21 to 94) of 3") && rows.contains("100.0 % (21 to 100) of 1"), "{rows}");
    }
}
