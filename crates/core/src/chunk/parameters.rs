//! The four parameters of TTTD, from the mean that is asked for.

use crate::error::Error;
use serde::Serialize;

/// Bytes that decide whether a chunk ends after the last of them.
pub const WINDOW: usize = 48;
/// Least mean length of chunks.
pub const MIN_MEAN: u32 = 64;
/// Largest mean length of chunks.
pub const MAX_MEAN: u32 = 1 << 20;

/// Eshghi and Tang's optimum (the backup's divisor is half of D), and the mean that they measured with it.
const TMIN: u64 = 460;
const TMAX: u64 = 2800;
const D: u64 = 540;
const MEASURED: u64 = 1015;

/// The two thresholds and two divisors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Parameters {
    /// Mean length of a chunk, in bytes.
    pub mean: u32,
    /// No chunk is shorter, but for the last of a file.
    pub tmin: u32,
    /// No chunk is longer.
    pub tmax: u32,
    /// A window ends a chunk with a probability of one in so many. For people to read: what cuts is computed in whole numbers.
    pub divisor: f64,
    /// The same for the backup.
    pub backup: f64,
}

impl Parameters {
    /// All four scaled to a mean.
    pub fn for_mean(mean: u32) -> Result<Self, Error> {
        if !(MIN_MEAN..=MAX_MEAN).contains(&mean) {
            return Err(Error::ChunkMean { found: mean, min: MIN_MEAN, max: MAX_MEAN });
        }
        // in whole numbers, the half rounded up: the same on every machine
        let scaled = |length: u64| ((2 * length * u64::from(mean) + MEASURED) / (2 * MEASURED)) as u32;
        let mut parameters = Self { mean, tmin: scaled(TMIN), tmax: scaled(TMAX), divisor: 0.0, backup: 0.0 };
        parameters.divisor = parameters.scaled_divisor() as f64 / MEASURED as f64;
        parameters.backup = parameters.divisor / 2.0;
        Ok(parameters)
    }

    /// A fingerprint below this ends a chunk.
    pub(crate) fn main_below(&self) -> u64 {
        ((u128::from(MEASURED) << 64) / u128::from(self.scaled_divisor())) as u64
    }

    /// The same for the backup.
    pub(crate) fn backup_below(&self) -> u64 {
        ((u128::from(MEASURED) << 65) / u128::from(self.scaled_divisor())) as u64
    }

    /// D times [`MEASURED`].
    ///
    /// A chunk of Tmin bytes waits D - 1 more on average, since the window at Tmin may end it. That one byte does not shrink with the mean, and Tmin is
    /// rounded: at a mean of 65 bytes the two together would make chunks two hundredths too short. D makes up for them. At Eshghi and Tang's mean it is
    /// their D.
    fn scaled_divisor(&self) -> u64 {
        let mean = u64::from(self.mean);
        (TMIN + D) * mean - MEASURED * u64::from(self.tmin) + MEASURED.saturating_sub(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pinned forever. If this fails, the recipe needs a new version.
    #[test]
    fn golden_parameters() {
        let golden = [
            (64, 29, 177, 0x0750_ee7f_b9e1_615d, 0x0ea1_dcff_73c2_c2bb),
            (65, 29, 179, 0x071d_b0d9_0e0e_832c, 0x0e3b_61b2_1c1d_0658),
            (100, 45, 276, 0x04b4_2eb6_c717_2bee, 0x0968_5d6d_8e2e_57dd),
            (1000, 453, 2759, 0x007b_221c_2606_32c7, 0x00f6_4438_4c0c_658f),
            (1015, 460, 2800, u64::MAX / 540, u64::MAX / 270),
            (5000, 2266, 13793, 0x0018_a2f7_93df_a34f, 0x0031_45ef_27bf_469e),
            (8192, 3713, 22599, 0x000f_09ce_ce31_1136, 0x001e_139d_9c62_226d),
            (1 << 20, 475_217, 2_892_623, 0x0000_1e12_f78b_9c4d, 0x0000_3c25_ef17_389b),
        ];
        let mut found = Vec::new();
        for (mean, ..) in golden {
            let p = Parameters::for_mean(mean).unwrap();
            found.push((mean, p.tmin, p.tmax, p.main_below(), p.backup_below()));
        }
        assert_eq!(found, golden, "{found:#x?}");
    }

    #[test]
    fn all_four_are_scaled() {
        for mean in MIN_MEAN..=MAX_MEAN {
            let p = Parameters::for_mean(mean).unwrap();
            let scale = f64::from(mean) / 1015.0;
            let near = |found: f64, wanted: f64, off: f64| (found - wanted).abs() <= off;
            assert!(near(f64::from(p.tmin), 460.0 * scale, 0.5) && near(f64::from(p.tmax), 2800.0 * scale, 0.5));
            // one byte and what rounding takes from Tmin
            assert!(near(p.divisor, 540.0 * scale, 1.5) && near(p.backup * 2.0, p.divisor, 1e-9), "{p:?}");
            let cut = |below: u64| 2f64.powi(64) / below as f64;
            assert!(
                near(cut(p.main_below()) / p.divisor, 1.0, 1e-9) && near(cut(p.backup_below()) / p.backup, 1.0, 1e-9)
            );
        }
    }

    #[test]
    fn other_means_are_refused() {
        for mean in [0, 63, MAX_MEAN + 1, u32::MAX] {
            let message = Parameters::for_mean(mean).unwrap_err().to_string();
            assert!(
                message.contains("from 64 to 1048576 bytes") && message.ends_with(&format!("found {mean}")),
                "{message}"
            );
        }
    }
}
