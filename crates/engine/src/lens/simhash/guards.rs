//! What keeps two documents apart though their fingerprints are near: lengths that differ too much.
//!
//! Whether two lengths fit depends on their quotient alone, so documents that are sorted by length fit in runs, and pairs can be counted
//! without being made.

/// Which lengths may be linked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guards {
    ratio: Option<f64>,
}

impl Guards {
    pub fn new(ratio: Option<f64>) -> Self {
        Self { ratio }
    }

    /// Whether any two lengths may be linked.
    pub fn are_open(self) -> bool {
        self.ratio.is_none()
    }

    /// Whether documents of so many words may be linked.
    pub fn fits(self, a: u32, b: u32) -> bool {
        self.ratio.is_none_or(|ratio| f64::from(a.min(b)) >= ratio * f64::from(a.max(b)))
    }

    /// Those that fit a length, of lengths in descending order.
    pub fn fitting<T>(self, length: u32, sorted: &[T], of: impl Fn(&T) -> u32) -> std::ops::Range<usize> {
        let first = sorted.partition_point(|other| of(other) > length && !self.fits(length, of(other)));
        let many = sorted[first..].partition_point(|other| of(other) > length || self.fits(length, of(other)));
        first..first + many
    }

    /// How many pairs fit, one of each side; both sides in descending order.
    pub fn between<T>(self, a: &[T], b: &[T], of: impl Fn(&T) -> u32) -> u64 {
        if self.ratio.is_none() {
            return a.len() as u64 * b.len() as u64;
        }
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        few.iter().map(|one| self.fitting(of(one), many, &of).len() as u64).sum()
    }

    /// How many pairs of one side fit.
    pub fn within<T>(self, all: &[T], of: impl Fn(&T) -> u32) -> u64 {
        if self.ratio.is_none() {
            let n = all.len() as u64;
            return n * n.saturating_sub(1) / 2;
        }
        (0..all.len()).map(|at| self.fitting(of(&all[at]), &all[at + 1..], &of).len() as u64).sum()
    }

    /// Cuts lengths in descending order into runs that hang together: their beginnings.
    pub fn runs<T>(self, all: &[T], of: impl Fn(&T) -> u32) -> Vec<usize> {
        (0..all.len()).filter(|at| *at == 0 || !self.fits(of(&all[*at - 1]), of(&all[*at]))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn descending(mut lengths: Vec<u32>) -> Vec<u32> {
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    #[test]
    fn by_hand() {
        let guards = Guards::new(Some(0.8));
        assert!(guards.fits(80, 100) && guards.fits(100, 80) && !guards.fits(79, 100));
        assert_eq!(guards.fitting(100, &[130, 125, 100, 80, 79], |n| *n), 1..4);
        assert_eq!(guards.runs(&[130, 125, 100, 80, 60], |n| *n), [0, 4]);
        assert!(Guards::new(None).fits(1, 1_000_000));
    }

    proptest! {
        #[test]
        fn counts_are_those_of_all_pairs(
            a in prop::collection::vec(1u32..60, 0..20),
            b in prop::collection::vec(1u32..60, 0..20),
            ratio in prop::option::of(0.05f64..=1.0),
        ) {
            let guards = Guards::new(ratio);
            let (a, b) = (descending(a), descending(b));
            let between = a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y))).filter(|(x, y)| guards.fits(*x, *y)).count();
            prop_assert_eq!(guards.between(&a, &b, |n| *n), between as u64);
            let within = (0..a.len()).flat_map(|x| (0..x).map(move |y| (x, y))).filter(|(x, y)| guards.fits(a[*x], a[*y])).count();
            prop_assert_eq!(guards.within(&a, |n| *n), within as u64);
        }
    }
}
