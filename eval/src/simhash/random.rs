//! Files of random fingerprints with planted neighbours, the same for the same seed.

use anyhow::Result;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// How fingerprints are spread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    /// Each drawn by itself.
    Even,
    /// As the paper saw it: one in twenty is within three bits of one of four, and one value comes very often.
    Dense,
}

impl Spread {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Dense => "dense",
        }
    }
}

/// A fingerprint of a file: the same whenever it is asked for.
pub(crate) fn fingerprint(spread: Spread, row: u64, rows: u64) -> u64 {
    let own = mix(row);
    let often = (rows / 10).min(10_000_000);
    match spread {
        Spread::Dense if row % 20 == 1 => near(mix(!(row / 20 % 4)), own),
        Spread::Dense if row % 20 == 2 && row / 20 < often / 2 => mix(u64::MAX),
        Spread::Dense if row % 20 == 3 && row / 20 < often / 2 => mix(u64::MAX),
        _ => own,
    }
}

/// A query, and the row that it was made of: up to three bits differ.
pub(crate) fn query(spread: Spread, number: u64, rows: u64) -> (u64, u64) {
    let dice = mix(number ^ 0x5851_f42d_4c95_7f2d);
    let row = dice % rows;
    (near(fingerprint(spread, row, rows), mix(dice)), row)
}

/// Up to three bits flipped.
fn near(fingerprint: u64, dice: u64) -> u64 {
    (0..dice % 4).fold(fingerprint, |fingerprint, at| fingerprint ^ 1 << (dice >> (8 + 6 * at) & 63))
}

/// One number out of another, spread over all of them.
fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Writes little-endian numbers, if the file is not there yet.
pub(crate) fn write(path: &Path, numbers: impl Iterator<Item = u64>) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    let beside = path.with_extension("new");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&beside)?);
    for number in numbers {
        out.write_all(&number.to_le_bytes())?;
    }
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    Ok(std::fs::rename(beside, path)?)
}
