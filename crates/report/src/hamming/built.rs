//! A store that was made.

use crate::shares::{BOLD, DIM};
use crate::units::{bytes, count};
use lookalike::hamming::online::Built;
use std::io::{self, Write};

/// Writes what was made and how much room it takes, in our code and in the paper's.
pub fn write_built(out: &mut dyn Write, built: &Built) -> io::Result<()> {
    let each = |bytes: u64| bytes as f64 / built.prints.max(1) as f64;
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}design {}{DIM:#}", count(built.prints, "fingerprint"), built.design)?;
    if built.repeated > 0 {
        writeln!(out, "  {} with an id that has it already: left out", count(built.repeated, "fingerprint"))?;
    }
    writeln!(
        out,
        "  {:>10}  {:.2} bytes a fingerprint, with ids and checksums",
        bytes(built.bytes),
        each(built.bytes)
    )?;
    writeln!(out, "  {:>10}  {:.2} the tables alone", bytes(built.table_bytes), each(built.table_bytes))?;
    let paper = "in the paper's code, which must be read from the start of a block";
    writeln!(out, "  {:>10}  {:.2} the same {paper}", bytes(built.paper_bytes), each(built.paper_bytes))
}
