//! Exact resemblance and containment of two feature sets.

/// Sizes of two sets and of what they share; every exact number of a report is a ratio of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Features of the first set.
    pub a: u32,
    /// Features of the second set.
    pub b: u32,
    /// Features in both.
    pub shared: u32,
}

impl Overlap {
    /// Overlap of two sorted slices without repeats.
    pub fn of(a: &[u64], b: &[u64]) -> Self {
        Self { a: a.len() as u32, b: b.len() as u32, shared: shared(a, b) as u32 }
    }

    /// `|A ∩ B| / |A ∪ B|`. Two empty sets have no features in both: 0.
    pub fn resemblance(self) -> f64 {
        ratio(self.shared, self.a as u64 + self.b as u64 - self.shared as u64)
    }

    /// `|A ∩ B| / |A|`: how much of the first is in the second.
    pub fn a_in_b(self) -> f64 {
        ratio(self.shared, self.a as u64)
    }

    /// `|A ∩ B| / |B|`: how much of the second is in the first.
    pub fn b_in_a(self) -> f64 {
        ratio(self.shared, self.b as u64)
    }

    /// The same pair seen from the other side.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, shared: self.shared }
    }
}

fn ratio(part: u32, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// How many elements two sorted slices without repeats share.
pub fn shared<T: Ord + Copy>(a: &[T], b: &[T]) -> usize {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if small.len() * 32 < large.len() { shared_by_search(small, large) } else { shared_by_merge(small, large) }
}

/// Merge without branches on the data: random features would mispredict every second step.
fn shared_by_merge<T: Ord + Copy>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        n += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    n
}

fn shared_by_search<T: Ord>(small: &[T], mut large: &[T]) -> usize {
    let mut n = 0;
    for x in small {
        match large.binary_search(x) {
            Ok(at) => {
                n += 1;
                large = &large[at + 1..];
            }
            Err(at) => large = &large[at..],
        }
    }
    n
}

/// Sorts and drops repeats: a list of features becomes a set.
pub fn into_set(features: &mut Vec<u64>) {
    features.sort_unstable();
    features.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_the_definition(a: BTreeSet<u8>, b: BTreeSet<u8>, far in 0u64..100_000) {
            let wide: BTreeSet<u64> = b.iter().map(|x| *x as u64).chain(1000..1000 + far).collect();
            let a: Vec<u64> = a.iter().map(|x| *x as u64 * 7).collect();
            let b: Vec<u64> = wide.into_iter().collect();
            let naive = a.iter().filter(|x| b.contains(x)).count();
            prop_assert_eq!(shared(&a, &b), naive);
            prop_assert_eq!(shared(&b, &a), naive);
            prop_assert_eq!(shared_by_merge(&a, &b), naive);
        }

        #[test]
        fn distance_is_a_metric(a: BTreeSet<u8>, b: BTreeSet<u8>, c: BTreeSet<u8>) {
            prop_assume!(!a.is_empty() && !b.is_empty() && !c.is_empty());
            let v = |s: &BTreeSet<u8>| s.iter().map(|x| *x as u64).collect::<Vec<_>>();
            let d = |x: &BTreeSet<u8>, y: &BTreeSet<u8>| 1.0 - Overlap::of(&v(x), &v(y)).resemblance();
            prop_assert!(d(&a, &c) <= d(&a, &b) + d(&b, &c) + 1e-12);
            prop_assert!(d(&a, &a).abs() < 1e-12);
        }
    }

    #[test]
    fn a_part_is_contained() {
        let o = Overlap::of(&[1, 2], &[1, 2, 3, 4]);
        assert!((o.a_in_b() - 1.0).abs() < 1e-12);
        assert!((o.b_in_a() - 0.5).abs() < 1e-12);
        assert!((o.resemblance() - 0.5).abs() < 1e-12);
    }
}
