//! The arithmetic of the measurements: medians, percentiles, shares, and how numbers are written.

use serde::Serialize;

/// The number that this share of all are not above: the nearest rank, so it is always one of them. Zero of none.
pub(crate) fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or_default()
}

/// The middle of all; of an even number the mean of the two in the middle. Zero of none.
pub(crate) fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    Spread::of(numbers).map_or(0.0, |spread| spread.median)
}

pub(crate) fn sorted(numbers: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = numbers.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A share of nothing is nothing.
pub(crate) fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

/// A median with the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let sorted = sorted(numbers);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let middle = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) };
        Some(Self { median, min, max })
    }

    /// The median, and the ends where they differ from it as shown.
    pub(crate) fn text(self) -> String {
        let [median, min, max] = [self.median, self.min, self.max].map(number);
        if min == max { median } else { format!("{median} ({min}–{max})") }
    }
}

/// Three digits or so: more would be noise.
pub(crate) fn number(x: f64) -> String {
    match x {
        100.0.. => thousands(x.round() as u64),
        10.0.. => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

/// With commas between groups of three.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|part| str::from_utf8(part).ok()).collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_numbers() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        let at = |share| percentile(&hundred, share).to_string();
        assert_eq!([at(0.0), at(0.5), at(0.99), at(1.0)], ["1", "50", "99", "100"]);
        let few = [1.0, 2.0, 10.0];
        assert_eq!([0.5, 0.99].map(|share| percentile(&few, share).to_string()), ["2", "10"]);
        assert_eq!(percentile(&[], 0.5).to_string(), "0");
    }

    #[test]
    fn a_spread_is_median_and_ends() {
        let of = |numbers: &[f64]| Spread::of(numbers.iter().copied());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3.0, 1.0, 2.0]), Some(Spread { median: 2.0, min: 1.0, max: 3.0 }));
        assert_eq!(of(&[4.0, 1.0]), Some(Spread { median: 2.5, min: 1.0, max: 4.0 }));
        assert_eq!(of(&[4.0, 1.0]).map(Spread::text).as_deref(), Some("2.50 (1.00–4.00)"));
        assert_eq!(of(&[4.0]).map(Spread::text).as_deref(), Some("4.00"));
        assert_eq!([median([3.0, 1.0, 2.0]), median([4.0, 1.0]), median([])].map(|m| m.to_string()), ["2", "2.5", "0"]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(["0.00", "1.23", "12.3", "123", "12,346"], [0.001, 1.234, 12.34, 123.4, 12_345.6].map(number));
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(thousands));
    }
}
