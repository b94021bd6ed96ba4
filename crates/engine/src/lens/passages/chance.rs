//! What chance does in a cohort: how many pairs of submissions that have nothing to do with each other would be as similar.
//!
//! Most pairs of a cohort are such pairs. A sample of all that share anything is compared, and the lower half of it, where no copies are,
//! gives a law of the straightened similarity (the arcsine of its root, which makes shares well-behaved). It is the logistic law: its tail
//! falls evenly, as that of unrelated programs does, and not faster and faster as a normal one. Short programs spread more widely: the width
//! is never less than that of unrelated programs of their size. What lies far above the law was not made by chance, and does not count for
//! it (`eval copies decide`).

/// Pairs with anything in common that an estimate needs.
const MIN_PAIRS: usize = 50;
/// The width of unrelated programs: what is left of it however long they are, and the part that falls with the root of their tokens.
const WIDTHS: [f64; 2] = [0.05, 0.95];
/// The tail above the middle is longer than the quarter below it says, by this factor.
const TAIL: f64 = 1.15;
/// So many scales above the middle, two in a hundred pairs are there by chance: what is further up was not.
const FAR_UP: f64 = 4.0;
/// How often that is looked at: it settles soon.
const ROUNDS: usize = 12;
/// A quarter of a logistic law is this many scales below its middle, and of a normal one so many widths.
const QUARTILE_OF_SCALE: f64 = 1.098_612;
const QUARTILE_OF_WIDTH: f64 = 0.6745;
/// Nothing less is told as expected: the law was not seen further out.
pub const MIN_EXPECTED: f64 = 0.01;
/// What is stated and what was observed on labelled programs agree within this factor.
const WITHIN: f64 = 3.0;

/// Makes shares well-behaved.
pub fn straightened(share: f64) -> f64 {
    share.clamp(0.0, 1.0).sqrt().asin()
}

/// A share of its straightened value.
pub fn share_of(straightened: f64) -> f64 {
    straightened.clamp(0.0, std::f64::consts::FRAC_PI_2).sin().powi(2)
}

/// A law, and how many pairs it holds for.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    middle: f64,
    scale: f64,
    pairs: f64,
}

impl Chance {
    /// The law of a sample of so many candidates, of submissions of a size; none if there are too few.
    pub fn of(sampled: &[f64], candidates: u64, size: f64) -> Option<Self> {
        let mut sample: Vec<f64> = sampled.iter().map(|share| straightened(*share)).collect();
        if sample.len() < MIN_PAIRS {
            return None;
        }
        sample.sort_by(f64::total_cmp);
        let all = sample.len();
        // where very many copied, pairs fall into two heaps; chance made the lower one
        let heap = &sample[..heap(&sample)];
        let width = WIDTHS[0].hypot(WIDTHS[1] / size.max(1.0).sqrt());
        let (mut lower, mut law) = (heap, (0.0, 0.0));
        for _ in 0..ROUNDS {
            let quantile = |q: f64| lower[(q * (lower.len() - 1) as f64) as usize];
            let [low, middle] = [0.25, 0.5].map(quantile);
            let quartile = (middle - low).max(QUARTILE_OF_WIDTH * width);
            law = (middle, TAIL * quartile / QUARTILE_OF_SCALE);
            let cut = heap.partition_point(|x| *x < law.0 + FAR_UP * law.1);
            if cut == lower.len() {
                break;
            }
            lower = &heap[..cut];
        }
        let pairs = candidates as f64 * lower.len() as f64 / all as f64;
        Some(Self { middle: law.0, scale: law.1, pairs })
    }

    /// Pairs at or above a similarity that chance explains; [`MIN_EXPECTED`] stands for less.
    pub fn expected(&self, share: f64) -> f64 {
        self.all_expected(share).max(MIN_EXPECTED)
    }

    fn all_expected(&self, share: f64) -> f64 {
        self.pairs / (1.0 + ((straightened(share) - self.middle) / self.scale).exp())
    }

    /// From the least to the most that is to be reckoned with.
    pub fn interval(&self, share: f64) -> [f64; 2] {
        let expected = self.all_expected(share);
        [(expected / WITHIN).max(MIN_EXPECTED), (expected * WITHIN).max(MIN_EXPECTED)]
    }
}

/// How many of a rising sequence make the lower of two heaps; all of them if there is one. Two heaps are those that leave the least
/// variance within (Otsu's rule), if that is a fifth of the whole at most and the upper one is far up.
fn heap(rising: &[f64]) -> usize {
    let n = rising.len() as f64;
    let (sum, squares) = rising.iter().fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
    let whole = squares / n - (sum / n).powi(2);
    let (mut best, mut at) = (0.0, rising.len());
    let mut below = 0.0;
    for (count, x) in rising.iter().enumerate() {
        let count_f = count as f64;
        if count > 0 && count * 5 >= rising.len() {
            let (low, high) = (below / count_f, (sum - below) / (n - count_f));
            let between = count_f / n * (1.0 - count_f / n) * (high - low).powi(2);
            if between > best && high > straightened(0.5) {
                (best, at) = (between, count);
            }
        }
        below += x;
    }
    if best > 0.8 * whole { at } else { rising.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of a logistic law, and some copies.
    fn sample(middle: f64, scale: f64, pairs: u32, copies: u32) -> Vec<f64> {
        let part = |at: u32| f64::from(at) / f64::from(pairs);
        let law = (1..pairs).map(|at| share_of(middle + scale * (part(at) / (1.0 - part(at))).ln()));
        law.chain((0..copies).map(|_| 0.9)).collect()
    }

    #[test]
    fn what_is_stated_is_what_is_there() {
        for copies in [0, 20, 400] {
            let all = sample(0.5, 0.06, 5000, copies);
            let chance = Chance::of(&all, all.len() as u64, 1e6).unwrap();
            for share in [0.2, 0.3, 0.4, 0.5] {
                let found = all.iter().filter(|s| **s >= share && **s < 0.89).count() as f64;
                let [low, high] = chance.interval(share);
                assert!((low..=high).contains(&found), "{copies} copies: {found} of {low} to {high} from {share} on");
            }
        }
    }

    #[test]
    fn short_programs_spread_more_widely() {
        let all = sample(0.5, 0.01, 1000, 0);
        let of = |size: f64| Chance::of(&all, 1000, size).unwrap().expected(0.5);
        assert!(of(50.0) > 10.0 * of(500.0) && of(500.0) > of(5e6));
    }

    #[test]
    fn the_lower_of_two_heaps_is_chance() {
        let mut all = sample(0.3, 0.02, 400, 0);
        all.extend((0..600).map(|at| 0.85 + f64::from(at % 10) / 100.0));
        let chance = Chance::of(&all, 1000, 1e6).unwrap();
        assert!(chance.expected(0.05) > 250.0 && chance.expected(0.5) < 0.1, "{chance:?}");
    }

    #[test]
    fn few_pairs_tell_nothing() {
        assert!(Chance::of(&[0.1; 49], 1000, 100.0).is_none());
    }

    #[test]
    fn shares_are_straightened_and_back() {
        for share in [0.0, 0.1, 0.5, 1.0] {
            assert!((share_of(straightened(share)) - share).abs() < 1e-12);
        }
    }
}
