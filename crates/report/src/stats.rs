//! The paper's table: what each phase counted, took and used.

use crate::units::{bytes, commas};
use lookalike::{Phase, Report, Usage};
use std::io::{self, Write};

/// Time and CPU by phase, and what was counted on the way.
pub fn write_stats(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    phases(out, &report.phases, report.usage)
}

/// The same of any lens.
pub(crate) fn phases(out: &mut dyn Write, phases: &[Phase], usage: Option<Usage>) -> io::Result<()> {
    writeln!(out, "\n{:<10} {:>10} {:>10}  counted", "phase", "seconds", "CPU s")?;
    let (mut wall, mut cpu) = (0.0, 0.0);
    for phase in phases {
        let counted: Vec<String> =
            phase.counts.iter().map(|(what, n)| format!("{} {}", commas(*n), what.replace('_', " "))).collect();
        let (seconds, cpu_seconds) = (phase.seconds.unwrap_or_default(), phase.cpu_seconds.unwrap_or_default());
        wall += seconds;
        cpu += cpu_seconds;
        writeln!(out, "{:<10} {seconds:>10.3} {cpu_seconds:>10.3}  {}", phase.name, counted.join(", "))?;
    }
    writeln!(out, "{:<10} {wall:>10.3} {cpu:>10.3}", "total")?;
    if let Some(usage) = usage {
        let peak = usage.peak_memory.map_or_else(|| "unknown here".to_owned(), bytes);
        writeln!(out, "spilled to disk: {}; peak memory: {peak}", bytes(usage.spilled_bytes))?;
    }
    Ok(())
}
