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
    if small.len() * 32 < large.len() {
        shared_by_search(small, large)
    } else if small.len() < MIN_LANES {
        shared_by_merge(small, large)
    } else {
        shared_by_lanes(small, large)
    }
}

/// Parts that are merged side by side, and from how many elements on.
const LANES: usize = 3;
const MIN_LANES: usize = 64;

/// Merges parts of both side by side: a step of one merge waits for the step before it, and that of another need not.
fn shared_by_lanes<T: Ord + Copy>(a: &[T], b: &[T]) -> usize {
    let (mut rest_a, mut rest_b) = (a, b);
    let mut lanes: [(&[T], &[T]); LANES] = std::array::from_fn(|lane| {
        let (part_a, more) = rest_a.split_at(rest_a.len() / (LANES - lane));
        let at = more.first().map_or(rest_b.len(), |first| rest_b.partition_point(|x| x < first));
        let (part_b, more_b) = rest_b.split_at(at);
        (rest_a, rest_b) = (more, more_b);
        (part_a, part_b)
    });
    let mut n = 0;
    loop {
        // so many steps end in no lane
        let steps = lanes.iter().map(|(a, b)| a.len().min(b.len())).min().unwrap_or(0);
        if steps == 0 {
            break;
        }
        let (mut i, mut j) = ([0; LANES], [0; LANES]);
        for _ in 0..steps {
            for lane in 0..LANES {
                let (x, y) = (lanes[lane].0[i[lane]], lanes[lane].1[j[lane]]);
                n += usize::from(x == y);
                i[lane] += usize::from(x <= y);
                j[lane] += usize::from(y <= x);
            }
        }
        for (lane, (a, b)) in lanes.iter_mut().enumerate() {
            (*a, *b) = (&a[i[lane]..], &b[j[lane]..]);
        }
    }
    n + lanes.iter().map(|(a, b)| shared_by_merge(a, b)).sum::<usize>()
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

/// From how many times the length of the other on a slice is searched and not walked through.
const MUCH_LONGER: usize = 16;

/// The next place of a sorted slice, from one on, where `is_before` no longer holds. A slice that is much longer than the other, of `others`
/// elements, is searched in steps that double: so the work is that of the shorter.
#[inline]
pub fn advance<T>(sorted: &[T], from: usize, others: usize, is_before: impl Fn(&T) -> bool) -> usize {
    if sorted.len() / MUCH_LONGER <= others {
        return from + usize::from(sorted.get(from).is_some_and(&is_before));
    }
    search_from(sorted, from, is_before)
}

/// The same of any slice, in steps that double: the place is near.
#[inline]
pub fn search_from<T>(sorted: &[T], from: usize, is_before: impl Fn(&T) -> bool) -> usize {
    let mut step = 1;
    while sorted.get(from + step).is_some_and(&is_before) {
        step *= 2;
    }
    let (least, most) = (from + step / 2, (from + step).min(sorted.len()));
    least + sorted[least..most].partition_point(is_before)
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
    if features.len() < MIN_SPREAD || !sort_by_place(features) {
        features.sort_unstable();
    }
    features.dedup();
}

/// From how many features on they are sorted by their places.
const MIN_SPREAD: usize = 128;
/// Places that are worth it: with more, what is counted no longer fits into the nearer caches.
const MAX_PLACE_BITS: u32 = 16;
/// Features of one place, at most, for them to be sorted one by one.
const MAX_AT_PLACE: u32 = 24;

/// Features are hashes, so the highest bits of each tell about where it goes; those that go to one place are few, and are put in order there.
/// Changes nothing where they are many, and says so.
fn sort_by_place(features: &mut Vec<u64>) -> bool {
    let bits = (features.len().ilog2() + 1).min(MAX_PLACE_BITS);
    let shift = (u64::BITS - features.iter().fold(0, |all, f| all | f).leading_zeros()).saturating_sub(bits);
    let mut places = vec![0u32; 1 << bits];
    for feature in features.iter() {
        places[(feature >> shift) as usize] += 1;
    }
    let (mut before, mut most) = (0, 0);
    for place in &mut places {
        most = most.max(*place);
        before += std::mem::replace(place, before);
    }
    if most > MAX_AT_PLACE {
        return false;
    }
    let mut sorted = vec![0; features.len()];
    for feature in features.iter() {
        let place = &mut places[(feature >> shift) as usize];
        sorted[*place as usize] = *feature;
        *place += 1;
    }
    for at in 1..sorted.len() {
        let (feature, mut to) = (sorted[at], at);
        while to > 0 && sorted[to - 1] > feature {
            sorted[to] = sorted[to - 1];
            to -= 1;
        }
        sorted[to] = feature;
    }
    *features = sorted;
    true
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
            prop_assert_eq!(shared_by_lanes(&a, &b), naive);
            prop_assert_eq!(shared_by_lanes(&b, &a), naive);
        }

        #[test]
        fn lanes_equal_one_merge(a: BTreeSet<u16>, b: BTreeSet<u16>, both: BTreeSet<u16>) {
            let set = |own: BTreeSet<u16>| own.union(&both).copied().collect::<Vec<u16>>();
            let (a, b) = (set(a), set(b));
            prop_assert_eq!(shared_by_lanes(&a, &b), shared_by_merge(&a, &b));
        }

        #[test]
        fn any_features_become_a_set(features: Vec<u64>, shift in 0u32..64, repeats in 1usize..40) {
            let features: Vec<u64> = std::iter::repeat_n(features, repeats).flatten().map(|f| f >> shift).collect();
            let (mut sorted, mut set) = (features.clone(), features);
            sorted.sort_unstable();
            if !set.is_empty() && sort_by_place(&mut set) {
                prop_assert_eq!(&set, &sorted);
            }
            sorted.dedup();
            into_set(&mut set);
            prop_assert_eq!(set, sorted);
        }

        #[test]
        fn steps_that_double_arrive_where_single_steps_do(sorted: BTreeSet<u16>, from in 0usize..300, border: u16) {
            let sorted: Vec<u16> = sorted.into_iter().collect();
            let from = from.min(sorted.len());
            let naive = from + sorted[from..].iter().take_while(|x| **x < border).count();
            let few = sorted.len() / MUCH_LONGER;
            if let Some(fewer) = few.checked_sub(1) {
                prop_assert_eq!(advance(&sorted, from, fewer, |x| *x < border), naive);
            }
            prop_assert_eq!(advance(&sorted, from, few, |x| *x < border), naive.min(from + 1));
            prop_assert_eq!(search_from(&sorted, from, |x| *x < border), naive);
            prop_assert_eq!(search_from(&sorted, from, |_| true), sorted.len());
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
