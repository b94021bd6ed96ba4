//! The one way in which all labelled sets are scanned, and the default beside it.

use super::command::Pair;

/// Flags of a scan that lists pairs.
pub(super) struct Recipe {
    pub(super) name: &'static str,
    /// What makes features.
    lens: &'static [&'static str],
}

/// Which pairs are listed: those of which at least 5 % of one is in the other. Pairs with a lower score are not told apart.
const LISTED: [&str; 4] = ["--threshold", "0.05", "--contained", "0.05"];

impl Recipe {
    pub(super) fn lens(&self) -> &[&'static str] {
        self.lens
    }

    /// The flags of a scan for pairs.
    pub(super) fn flags(&self) -> Vec<&'static str> {
        [self.lens, &LISTED].concat()
    }
}

/// The first is the recipe: pairs of words, all of them.
///
/// Rewritten text keeps few long runs of words, so w must be small; but single words would find whatever is on the same subject. Texts
/// are short, so everything is kept: a sample says little of them. The second shows what the default, which is made
/// for near-copies, does on the same sets.
pub(super) const RECIPES: [Recipe; 2] =
    [Recipe { name: "w=2, whole", lens: &["-w", "2", "--sketch", "mod:1"] }, Recipe { name: "default", lens: &[] }];

/// The one score of a pair: the mean of the two containments (Kulczyński's coefficient).
///
/// Resemblance forgets a copied paragraph in a long document, since the union is large. The larger containment takes every short
/// text for a copy. The mean sees both: a pair scores half if one is inside the other, and one if they are the same.
pub(super) fn score(pair: Pair) -> f64 {
    f64::midpoint(pair.a_in_b, pair.b_in_a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_scores_half_and_an_equal_one() {
        let score = |a_in_b, b_in_a| score(Pair { resemblance: 0.0, a_in_b, b_in_a });
        assert!((score(1.0, 1.0) - 1.0).abs() < 1e-12);
        assert!((score(1.0, 0.02) - 0.51).abs() < 1e-12);
    }
}
