//! From which similarity on a pair is striking, and from which it is worth a look.
//!
//! The longer programs are, the less of them is alike by chance, and the less is left of a copy that was disguised: so the border falls with
//! the logarithm of their size. Where a cohort shows that chance alone would lift many pairs over it, as it does with thousands of short
//! programs for one exercise, it is where one in five of those above it would be there by chance. The numbers were chosen on labelled sets,
//! and hold on each of them if they are chosen on the others (`eval copies decide`). A passage of prose is no chance, however small a
//! part of a text it is: unrelated texts have none, so a number of words in common is enough.

use crate::lens::passages::chance::{Chance, share_of, straightened};
use crate::report::passages::{Calibration, PairClass};
use lookalike_core::passage::Family;

/// The straightened border of programs of one token, and how much it falls with each e-fold of their size.
const CODE: [f64; 2] = [1.0, 0.06];
/// The border of prose, and the words in common that it takes besides.
const PROSE: f64 = 0.01;
const PROSE_WORDS: u32 = 20;
/// The border of bytes.
const BYTES: f64 = 0.2;
/// The straightened similarity by which a pair may lie below the border and be worth a look.
const LOOK: f64 = 0.12;
/// A passage of so many tokens that few have is not there by chance. Of labelled pairs below the border that have one, 14 of 15 were copies.
const BEYOND_CHANCE: u32 = 200;
/// How many of those above the border may be there by chance.
const MAX_BY_CHANCE: f64 = 0.2;
/// The border is no higher than this.
const MAX_BORDER: f64 = 0.95;
/// The pairs whose sizes decide: this part of all that share anything, the most similar ones.
pub const TOP: u64 = 100;
/// As many of them at least.
pub const MIN_TOP: usize = 50;

/// What decides on the class of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Borders {
    pub striking: f64,
    pub look: f64,
    /// Tokens in passages that a striking pair has at least, in the mean of both sides.
    pub overlap: u32,
    /// Tokens of a passage that makes a pair striking below the border.
    pub beyond_chance: u32,
    /// Tokens of a passage that is worth a look, however small a part it is.
    pub long: u32,
}

impl Borders {
    /// The class of a pair with so many tokens in passages, in the mean of both sides, and in the longest of them.
    pub fn class(&self, similarity: f64, overlap: u32, longest: u32) -> PairClass {
        // what many have weighs little: a passage that all were given does not reach half of the border
        let is_no_chance =
            longest >= self.beyond_chance && straightened(similarity) >= straightened(self.striking) / 2.0;
        if overlap >= self.overlap && (similarity >= self.striking || is_no_chance) {
            PairClass::Striking
        } else if similarity >= self.look || longest >= self.long {
            PairClass::Look
        } else {
            PairClass::Ordinary
        }
    }
}

/// The border that a size asks for, in hundredths.
pub fn by_size(family: Family, size: f64) -> f64 {
    let share = match family {
        Family::Code => share_of(CODE[0] - CODE[1] * size.max(1.0).ln()),
        Family::Prose => PROSE,
        Family::Bytes => BYTES,
    };
    hundredths(share)
}

impl Borders {
    /// Those of a threshold: what else makes a pair striking is left out if the user gave it.
    pub fn new(family: Family, calibration: &Calibration, long: u32) -> Self {
        let is_given = calibration.source == "given";
        Self {
            striking: calibration.threshold,
            look: calibration.look,
            overlap: if family == Family::Prose && !is_given { PROSE_WORDS } else { 0 },
            beyond_chance: if is_given { u32::MAX } else { BEYOND_CHANCE },
            long,
        }
    }
}

/// Upwards; what is a little above a hundredth by rounding stays there.
fn hundredths(share: f64) -> f64 {
    (100.0 * share - 1e-6).ceil() / 100.0
}

/// The border that chance asks for: of the pairs found there and above, one in five at most is expected. Nothing if the border of the size is
/// enough for that.
pub fn by_chance(chance: &Chance, by_size: f64, found: impl Fn(f64) -> u64) -> Option<f64> {
    let is_clear = |share: &f64| match found(*share) {
        // nobody is accused
        0 => true,
        found => chance.expected(*share) <= MAX_BY_CHANCE * found as f64,
    };
    if is_clear(&by_size) {
        return None;
    }
    let hundredths = (1..=100).map(|percent| f64::from(percent) / 100.0);
    Some(hundredths.filter(|share| *share > by_size && *share < MAX_BORDER).find(is_clear).unwrap_or(MAX_BORDER))
}

/// From which similarity on pairs are worth a look.
pub fn look(border: f64) -> f64 {
    share_of((straightened(border) - LOOK).max(straightened(border) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_programs_have_a_lower_border() {
        let borders = [40.0, 80.0, 250.0, 450.0, 6000.0].map(|size| by_size(Family::Code, size));
        let expected = [0.5, 0.46, 0.39, 0.36, 0.22];
        assert!(borders.iter().zip(expected).all(|(border, expected)| (border - expected).abs() < 1e-9), "{borders:?}");
        assert!((by_size(Family::Prose, 200.0) - by_size(Family::Prose, 9000.0)).abs() < 1e-9);
    }

    #[test]
    fn chance_lifts_the_border_where_many_would_pass() {
        let sample: Vec<f64> = (0..1000).map(|at| 0.1 + f64::from(at) / 2000.0).collect();
        let found = |share: f64| sample.iter().filter(|s| **s >= share).count() as u64;
        let few = Chance::of(&sample, 1000, 100.0).unwrap();
        let lifted = by_chance(&few, 0.45, found).unwrap();
        assert!(lifted > 0.55, "{lifted}");
        // copies above chance bring it down again
        let with_copies = |share: f64| found(share) + 5000;
        assert!(by_chance(&few, 0.45, with_copies).is_none_or(|border| border < lifted));
        let many = Chance::of(&sample, 10_000_000, 100.0).unwrap();
        assert_eq!(by_chance(&many, 0.45, with_copies), Some(MAX_BORDER));
        assert_eq!(by_chance(&many, 0.45, |_| 0), None, "nobody is there");
    }

    #[test]
    fn classes() {
        let borders = Borders { striking: 0.4, look: 0.3, overlap: 20, beyond_chance: 200, long: 100 };
        let pairs = [(0.4, 20, 9), (0.4, 19, 9), (0.2, 200, 200), (0.3, 200, 199), (0.1, 200, 200), (0.29, 90, 99)];
        let classes = pairs.map(|(similarity, overlap, longest)| borders.class(similarity, overlap, longest));
        let [striking, look, ordinary] = [PairClass::Striking, PairClass::Look, PairClass::Ordinary];
        assert_eq!(classes, [striking, look, striking, look, look, ordinary]);
    }

    #[test]
    fn what_is_worth_a_look_is_below_the_border() {
        for border in [0.04, 0.25, 0.45, 0.95] {
            assert!(look(border) < border && look(border) > border / 5.0, "{border}: {}", look(border));
        }
    }
}
