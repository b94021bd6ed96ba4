//! What the simhash lens found, on a terminal: distances of fingerprints, and resemblance where it was verified.

mod clusters;
mod comparison;
mod summary;

pub use comparison::{write_distance, write_distance_json};

use crate::terminal::{Explain, Shown, skipped};
use lookalike::Report;
use lookalike::simhash::Simhash;
use std::io::{self, Write};

pub(crate) fn write_simhash(
    out: &mut dyn Write,
    report: &Report,
    found: &Simhash,
    shown: Shown,
    explain: &Explain<'_>,
) -> io::Result<()> {
    summary::write(out, report, found)?;
    clusters::write(out, report, found, shown, explain)?;
    skipped(out, &report.skipped)
}
