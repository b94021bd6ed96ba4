//! What a teacher sees: a summary, the pairs, their passages, the clusters, and what was left out.

use super::{left_out, passages, summary, table};
use crate::terminal::skipped;
use lookalike::copies::Copies;
use std::io::{self, Write};

/// How much of a report is shown; the rest is counted.
#[derive(Clone, Copy, Debug)]
pub struct CopiesShown {
    /// Pairs in the table.
    pub pairs: usize,
    /// Of them, those whose passages are listed.
    pub explained: usize,
    /// Passages of such a pair.
    pub passages: usize,
}

impl CopiesShown {
    /// So many pairs, and passages of the first three.
    pub fn top(pairs: usize) -> Self {
        Self { pairs, explained: pairs.min(3), passages: 5 }
    }
}

/// Writes the report with colours; the caller strips them where they are not wanted.
pub fn write_copies(out: &mut dyn Write, report: &Copies, shown: CopiesShown) -> io::Result<()> {
    summary::write(out, report)?;
    table::write(out, report, shown.pairs)?;
    passages::write(out, report, shown)?;
    summary::clusters(out, report, shown.pairs)?;
    left_out::write(out, report)?;
    skipped(out, &report.skipped)?;
    summary::caveat(out, report)
}
