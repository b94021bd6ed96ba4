//! Stands in for renderers until they are there.
#![allow(clippy::pedantic)]
use lookalike::Report;
use lookalike::exchange::Sketched;
use std::io::{self, Write};

pub(crate) fn write_xlsx(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "{}", report.documents)
}

pub(crate) fn write_fdupes(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for set in report.chunks.iter().flat_map(|c| &c.identical) {
        for file in &set.files {
            writeln!(out, "{}", file.id)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

pub(crate) fn write_sketched(out: &mut dyn Write, sketched: &Sketched) -> io::Result<()> {
    writeln!(out, "{sketched:?}")
}
