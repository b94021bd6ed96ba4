//! The four parameters of TTTD, from the mean that is asked for.

use serde::Serialize;

/// Bytes that decide whether a chunk ends after the last of them.
pub const WINDOW: usize = 48;
/// Least mean length of chunks.
pub const SMALLEST_MEAN: u32 = 64;
/// Largest mean length of chunks.
pub const LARGEST_MEAN: u32 = 1 << 20;

/// Eshghi and Tang's optimum, and the mean that they measured with it.
const OPTIMUM: Parameters = Parameters { mean: 1015, tmin: 460, tmax: 2800, divisor: 540.0, backup: 270.0 };

/// The two thresholds and two divisors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parameters {
    /// Mean length of a chunk, in bytes.
    pub mean: u32,
    /// No chunk is shorter, but for the last of a file.
    pub tmin: u32,
    /// No chunk is longer.
    pub tmax: u32,
    /// A window ends a chunk with a probability of one in so many.
    pub divisor: f64,
    /// The same for the backup.
    pub backup: f64,
}

impl Parameters {
    /// All four scaled to a mean.
    pub fn for_mean(mean: u32) -> Result<Self, String> {
        if !(SMALLEST_MEAN..=LARGEST_MEAN).contains(&mean) {
            return Err(format!(
                "expected a mean chunk length from {SMALLEST_MEAN} to {LARGEST_MEAN} bytes, found {mean}"
            ));
        }
        // thresholds in whole numbers (the half is rounded up), so that they are the same everywhere
        let (wide, per) = (u64::from(mean), u64::from(OPTIMUM.mean));
        let whole = |length: u32| ((2 * u64::from(length) * wide + per) / (2 * per)) as u32;
        let scale = f64::from(mean) / f64::from(OPTIMUM.mean);
        Ok(Self {
            mean,
            tmin: whole(OPTIMUM.tmin),
            tmax: whole(OPTIMUM.tmax),
            divisor: OPTIMUM.divisor * scale,
            backup: OPTIMUM.backup * scale,
        })
    }

    /// A fingerprint below this ends a chunk. In whole numbers, so that it is the same everywhere.
    pub(crate) fn main_below(&self) -> u64 {
        self.below(OPTIMUM.divisor)
    }

    /// The same for the backup.
    pub(crate) fn backup_below(&self) -> u64 {
        self.below(OPTIMUM.backup)
    }

    fn below(&self, divisor: f64) -> u64 {
        ((u128::from(OPTIMUM.mean) << 64) / (divisor as u128 * u128::from(self.mean))) as u64
    }
}
