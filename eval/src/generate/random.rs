//! Random numbers that depend on nothing but a seed and a place, so that any document can be made again on its own.

/// `SplitMix64` (Steele, Lea and Flood, 2014): one addition and one mix for each number.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The numbers of one place: a purpose and an index under a seed.
    pub(crate) fn at(seed: u64, purpose: u64, index: u64) -> Self {
        Self(mix(mix(mix(seed ^ STEP).wrapping_add(purpose)).wrapping_add(index)))
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `n`. The bias of the multiplication is below n / 2^32.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        ((u64::from(n) * (self.next() >> 32)) >> 32) as u32
    }

    /// Whether an event of this share happens; integers, so that every machine agrees.
    #[inline]
    pub(crate) fn chance(&mut self, millionths: u32) -> bool {
        self.below(1_000_000) < millionths
    }
}

#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly() {
        let mut random = Random::at(1, 2, 3);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|n| n.abs_diff(10_000) < 500), "{counts:?}");
        let hits = (0..100_000).filter(|_| random.chance(250_000)).count();
        assert!(hits.abs_diff(25_000) < 700, "{hits}");
    }

    #[test]
    fn places_differ() {
        let first = |seed, purpose, index| Random::at(seed, purpose, index).next();
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        let all = [first(1, 2, 3), first(1, 3, 2), first(2, 1, 3), first(1, 2, 4)];
        assert!((1..4).all(|i| !all[..i].contains(&all[i])), "{all:?}");
    }
}
