//! Shares of a whole that was sampled in strata, with 95% intervals.
//!
//! Wilson's interval is right for one stratum, also where all or none of a sample is a hit. Strata are put together by the squares of
//! their reaches below and above (the method of variance estimates recovery, Zou and Donner), and where a share is of something that was estimated
//! itself, the interval is Fieller's: all shares that the reaches do not exclude.

use lookalike_core::sketch::Estimate;

/// Of a normal law, 95% are within this many deviations.
const Z: f64 = 1.959_964;
/// Halvings until an end is found to nine digits.
const HALVINGS: usize = 32;

/// `hits` of `sampled`, drawn without putting back from `of`. Nothing is known of what was not sampled at all.
pub(super) fn share(hits: u64, sampled: u64, of: f64) -> Estimate {
    if sampled == 0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    let (n, p) = (sampled as f64, hits as f64 / sampled as f64);
    if n >= of {
        return Estimate::exact(p);
    }
    // the more of the whole is in the sample, the less is left to err about
    let n = n * (of - 1.0) / (of - n);
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let reach = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Estimate { value: p, low: (middle - reach).clamp(0.0, p), high: (middle + reach).clamp(p, 1.0) }
}

/// How many of a stratum are in question, and the share of them that are hits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) size: Estimate,
    pub(super) share: Estimate,
    /// Nothing of it was sampled: it may be anything, and does not err by chance.
    pub(super) is_unknown: bool,
}

/// The share of hits of all parts together; none if nothing is in question.
pub(super) fn combined(parts: &[Part]) -> Option<Estimate> {
    let size: f64 = parts.iter().map(|part| part.size.value).sum();
    let hits: f64 = parts.iter().map(|part| part.size.value * part.share.value).sum();
    if size <= 0.0 {
        return None;
    }
    let value = (hits / size).clamp(0.0, 1.0);
    // a share is below all that is possible if even then fewer hits would be expected than were found, beyond what chance does
    let too_low = |at: f64| hits - at * size > reach(parts, at, false);
    let too_high = |at: f64| at * size - hits > reach(parts, at, true);
    Some(Estimate { value, low: end(value, 0.0, too_low), high: end(value, 1.0, too_high) })
}

/// How far the hits beyond a share may be off, towards fewer or towards more of them.
fn reach(parts: &[Part], at: f64, is_above: bool) -> f64 {
    let reaches = |part: &Part| {
        let Part { size, share, .. } = part;
        let off = if is_above { share.high - share.value } else { share.value - share.low };
        // a part with more hits than the share brings it up, the others down
        let beyond = share.value - at;
        let grows = (beyond > 0.0) == is_above;
        let more = if grows { size.high - size.value } else { size.value - size.low };
        [size.value * off, (beyond * more).abs()]
    };
    let (mut squares, mut unknown) = (0.0, 0.0);
    for part in parts {
        let [of_share, of_size] = reaches(part);
        if part.is_unknown {
            unknown += of_share + of_size;
        } else {
            squares += of_share * of_share + of_size * of_size;
        }
    }
    squares.sqrt() + unknown
}

/// The last share on the way from the middle to a limit that is not excluded.
fn end(middle: f64, limit: f64, is_excluded: impl Fn(f64) -> bool) -> f64 {
    if !is_excluded(limit) {
        return limit;
    }
    let (mut inside, mut outside) = (middle, limit);
    for _ in 0..HALVINGS {
        let half = f64::midpoint(inside, outside);
        if is_excluded(half) { outside = half } else { inside = half }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_wilsons() {
        for (hits, n) in [(0, 40), (3, 40), (20, 40), (40, 40)] {
            let one = share(hits, n, 1e9);
            let expected = Estimate::of(hits as u32, n as u32);
            let all = combined(&[Part { size: Estimate::exact(1000.0), share: one, is_unknown: false }]).unwrap();
            for (a, b) in [(all.low, expected.low), (all.value, expected.value), (all.high, expected.high)] {
                assert!((a - b).abs() < 1e-6, "{hits} {n} {all:?} {expected:?}");
            }
        }
    }

    #[test]
    fn what_was_looked_at_in_full_is_known() {
        assert_eq!(share(3, 7, 7.0), Estimate::exact(3.0 / 7.0));
        let wide = share(3, 7, 1e6);
        let narrow = share(3, 7, 10.0);
        assert!(wide.low < narrow.low && narrow.high < wide.high);
        assert_eq!(share(0, 0, 5.0), Estimate { value: 0.5, low: 0.0, high: 1.0 });
        assert_eq!(combined(&[]), None);
    }

    #[test]
    fn what_nobody_looked_at_may_be_anything() {
        let known = Part { size: Estimate::exact(100.0), share: Estimate::exact(1.0), is_unknown: false };
        let unknown = Part { size: Estimate::exact(100.0), share: share(0, 0, 100.0), is_unknown: true };
        let all = combined(&[known, unknown, unknown, unknown]).unwrap();
        assert!((all.low - 0.25).abs() < 1e-6 && (all.high - 1.0).abs() < 1e-6, "{all:?}");
    }

    #[test]
    fn few_of_very_many_weigh_heavily() {
        // five thousand hits, and a million others of which none of forty is one
        let found = Part { size: Estimate::exact(5000.0), share: Estimate::exact(1.0), is_unknown: false };
        let none = share(0, 40, 1e6);
        let scaled = |e: Estimate| Estimate { value: 1e6 * e.value, low: 1e6 * e.low, high: 1e6 * e.high };
        let missed = Part { size: scaled(none), share: Estimate::exact(0.0), is_unknown: false };
        let recall = combined(&[found, missed]).unwrap();
        assert!((recall.value - 1.0).abs() < 1e-9 && (recall.high - 1.0).abs() < 1e-9);
        assert!((recall.low - 5000.0 / (5000.0 + 1e6 * none.high)).abs() < 1e-6, "{recall:?}");
    }
}
