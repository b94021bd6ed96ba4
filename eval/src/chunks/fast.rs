//! `FastCDC` by the `fastcdc` crate (its v2020), with any parameters, so that it can be held against TTTD at the same mean.

use fastcdc::v2020::{MASKS, cut};
use lookalike_core::chunk::Parameters;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// How far the mean of the rival may be from that of TTTD.
pub(super) const NEAR: f64 = 0.02;
/// Parameters beside the best of a bisection that are tried as well.
const AROUND: usize = 4;

/// Parameters of `FastCDC`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Fast {
    min: usize,
    /// Up to here cuts are made hard, from here on easy.
    normal: usize,
    max: usize,
    /// A place is a cut with a probability of one in 2 to the power of this: plus `level` before `normal`, minus `level` after.
    bits: u32,
    level: u32,
}

/// Where the parameters come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Setting {
    /// As the crate does it: normalisation level 1, chunks from a quarter to four times the middle.
    Usual,
    /// The paper's level 2.
    Level2,
    /// Level 1 between the two thresholds of TTTD.
    Thresholds,
}

impl Setting {
    pub(super) const ALL: [Self; 3] = [Self::Usual, Self::Level2, Self::Thresholds];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Usual => "FastCDC",
            Self::Level2 => "FastCDC, level 2",
            Self::Thresholds => "FastCDC, thresholds of TTTD",
        }
    }

    /// The crate tests two bytes at a time, so that all lengths must be even.
    fn fast(self, normal: usize, bits: u32, tttd: &Parameters) -> Fast {
        let even = |length: usize| length.next_multiple_of(2).max(2);
        let level = if self == Self::Level2 { 2 } else { 1 };
        let (min, max) = match self {
            Self::Usual | Self::Level2 => (normal / 4, 4 * normal),
            Self::Thresholds => (tttd.tmin as usize, tttd.tmax as usize),
        };
        let (min, max) = (even(min), even(max));
        Fast { min, normal: even(normal).clamp(min, max), max, bits, level }
    }

    /// The parameters that deliver a mean, told by `mean_of`. Where masks of several widths do, those that fit the middle best: that is how
    /// the crate chooses them. None if none comes near enough.
    pub(super) fn tuned(self, tttd: &Parameters, wanted: f64, mean_of: impl Fn(&Fast) -> f64) -> Option<Fast> {
        let about = wanted.log2().round() as u32;
        let level = if self == Self::Level2 { 2 } else { 1 };
        let widths = (about.saturating_sub(3).max(5 + level)..=about + 1).filter(|bits| bits + level < 26);
        let (low, high) = match self {
            Self::Usual | Self::Level2 => (wanted / 16.0, wanted * 2.0),
            Self::Thresholds => (f64::from(tttd.tmin), f64::from(tttd.tmax)),
        };
        let found = widths.filter_map(|bits| {
            let fast = |half: usize| self.fast(2 * half, bits, tttd);
            let (mut low, mut high) = ((low / 2.0) as usize, (high / 2.0) as usize);
            // the mean grows with the middle
            while high - low > 1 {
                let middle = usize::midpoint(low, high);
                if mean_of(&fast(middle)) < wanted { low = middle } else { high = middle }
            }
            // but not everywhere: one of those around may come nearer
            let around = low.saturating_sub(AROUND).max(1)..=high + AROUND;
            let off = |half: usize| (mean_of(&fast(half)) / wanted - 1.0).abs();
            let (off, best) = around.map(|half| (off(half), half)).min_by(|a, b| a.0.total_cmp(&b.0))?;
            (off <= NEAR).then(|| (((2 * best) as f64).log2() - f64::from(bits), fast(best)))
        });
        found.min_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).map(|(_, fast)| fast)
    }
}

impl Fast {
    /// Calls `each` with the length of every chunk, in order.
    #[inline]
    pub(super) fn lengths(&self, data: &[u8], mut each: impl FnMut(usize)) {
        let [hard, easy] = [self.bits + self.level, self.bits - self.level].map(|bits| MASKS[bits as usize]);
        let mut rest = data;
        while !rest.is_empty() {
            let (_, length) = cut(rest, self.min, self.normal, self.max, hard, easy, hard << 1, easy << 1);
            each(length);
            rest = &rest[length..];
        }
    }

    /// Calls `each` with the length and the hash of every chunk, in order.
    #[inline]
    pub(super) fn chunks(&self, data: &[u8], mut each: impl FnMut(usize, u128)) {
        let mut start = 0;
        self.lengths(data, |length| {
            each(length, xxh3_128(&data[start..start + length]));
            start += length;
        });
    }

    /// Mean length of the chunks of all these.
    pub(super) fn mean<'a>(&self, all: impl IntoIterator<Item = &'a [u8]>) -> f64 {
        let (mut bytes, mut chunks) = (0, 0u64);
        for data in all {
            bytes += data.len();
            self.lengths(data, |_| chunks += 1);
        }
        bytes as f64 / chunks.max(1) as f64
    }

    pub(super) fn text(&self) -> String {
        format!("from {} to {}, middle {}, {} ± {} bits", self.min, self.max, self.normal, self.bits, self.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Corpus;

    fn text() -> Vec<u8> {
        let corpus = Corpus::new(1, 400, 0.0);
        (0..200).flat_map(|index| corpus.text(index).into_bytes()).collect()
    }

    #[test]
    fn chunks_cover_all_and_are_hashed() {
        let text = text();
        let fast = Setting::Usual.fast(800, 10, &Parameters::for_mean(1000).unwrap());
        let (mut at, mut chunks) = (0, 0);
        fast.chunks(&text, |length, hash| {
            assert_eq!(hash, xxh3_128(&text[at..at + length]));
            assert!(length <= fast.max && (length >= fast.min || at + length == text.len()), "{length}");
            at += length;
            chunks += 1;
        });
        assert_eq!(at, text.len());
        assert!((fast.mean([&text[..]]) - text.len() as f64 / f64::from(chunks)).abs() < 1e-9);
    }

    #[test]
    fn every_setting_delivers_the_mean_that_is_wanted() {
        let text = text();
        for mean in [100, 300, 1000, 3000] {
            let tttd = Parameters::for_mean(mean).unwrap();
            for setting in Setting::ALL {
                let mean_of = |fast: &Fast| fast.mean([&text[..]]);
                let fast = setting.tuned(&tttd, f64::from(mean), mean_of).expect("parameters");
                let off = mean_of(&fast) / f64::from(mean) - 1.0;
                assert!(off.abs() <= NEAR, "{setting:?} {mean}: {} is off by {off}", fast.text());
            }
        }
    }
}
