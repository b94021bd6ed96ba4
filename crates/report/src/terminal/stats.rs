//! What each phase counted, took and used, and what winnowing selected beside what its paper expects (figures 3 and 4).

use super::lines::write_title;
use crate::section::Findings;
use crate::style::DIM;
use crate::units::{bytes, commas, percent};
use lookalike::report::{Phase, Usage};
use lookalike::report::{RankRow, WinnowStats};
use std::io::{self, Write};

/// Rows of the table of ranks.
const RANKS: usize = 20;
/// Columns of its longest bar.
const BAR: f64 = 40.0;

/// Time and CPU by phase, and what was counted on the way. Of passages first density, gaps and ranks by family.
pub(super) fn write(out: &mut dyn Write, findings: Findings<'_>) -> io::Result<()> {
    let (report, winnowing) = match findings {
        Findings::Clusters(report) => (report, None),
        Findings::Passages(report, passages) => (report, passages.winnowing.as_ref()),
    };
    let Some(usage) = report.head.usage else { return Ok(()) };
    for family in winnowing.into_iter().flatten() {
        densities(out, family)?;
        ranks(out, family)?;
    }
    phases(out, &report.head.phases, usage)
}

/// The paper's table.
fn phases(out: &mut dyn Write, phases: &[Phase], usage: Usage) -> io::Result<()> {
    writeln!(out, "\n{:<10} {:>10} {:>10}  counted", "phase", "seconds", "CPU s")?;
    let (mut wall, mut cpu) = (0.0, 0.0);
    for phase in phases {
        let counted: Vec<String> =
            phase.counts.iter().map(|(what, n)| format!("{} {}", commas(*n), what.replace('_', " "))).collect();
        let (seconds, cpu_seconds) = (phase.seconds.unwrap_or_default(), phase.cpu_seconds.unwrap_or_default());
        wall += seconds;
        cpu += cpu_seconds;
        let line = format!("{:<10} {seconds:>10.3} {cpu_seconds:>10.3}  {}", phase.name, counted.join(", "));
        writeln!(out, "{}", line.trim_end())?;
    }
    let between = (usage.seconds - wall, usage.cpu_seconds - cpu);
    if between.0 >= 0.0005 {
        writeln!(out, "{:<10} {:>10.3} {:>10.3}", "between", between.0, between.1.max(0.0))?;
    }
    writeln!(out, "{:<10} {:>10.3} {:>10.3}", "total", usage.seconds, usage.cpu_seconds)?;
    let peak = usage.peak_memory.map_or_else(|| "unknown here".to_owned(), bytes);
    writeln!(out, "spilled to disk: {}; peak memory: {peak}", bytes(usage.spilled_bytes))
}

/// Figure 3.
fn densities(out: &mut dyn Write, family: &WinnowStats) -> io::Result<()> {
    let zero = &family.zero_mod;
    let share = |part: u64| if family.hashes == 0 { 0.0 } else { part as f64 / family.hashes as f64 };
    let one_in = if zero.p == 0 { 0.0 } else { 1.0 / zero.p as f64 };
    write_title(out, &format!("Winnowing of {}", family.family), &format!("windows of {} hashes", family.w))?;
    let mut row = |name: &str, value: String, about: &str| {
        let about = if about.is_empty() { String::new() } else { format!("  {DIM}{about}{DIM:#}") };
        writeln!(out, "  {name:<33} {value:>13}{about}")
    };
    row("hashes computed", commas(family.hashes), "")?;
    row("winnowing fingerprints", commas(family.fingerprints), "")?;
    row("  measured density", format!("{:.6}", family.density), "")?;
    row("  expected density", format!("{:.6}", family.expected), "2/(w+1), on random data")?;
    row("  longest gap", commas(family.longest_gap), &format!("never more than w = {}", family.w))?;
    row(&format!("fingerprints for 0 mod {}", zero.p), commas(zero.fingerprints), "")?;
    row("  measured density", format!("{:.6}", share(zero.fingerprints)), "")?;
    row("  expected density", format!("{one_in:.6}"), "1/p")?;
    row("  longest run with no fingerprint", commas(zero.longest_gap), "no bound")?;
    let [once, twice, thrice, more] = family.occurring.map(percent);
    writeln!(
        out,
        "  of different fingerprints {once} occur once, {twice} twice, {thrice} three times, {more} more often"
    )
}

/// Figure 4: the frequency of a fingerprint falls with its rank by a power.
fn ranks(out: &mut dyn Write, family: &WinnowStats) -> io::Result<()> {
    let shown = sampled(&family.ranks);
    let Some(most) = family.ranks.iter().map(|row| row.frequency).max() else { return Ok(()) };
    writeln!(out, "\n  {:>12} {:>12}  {DIM}logarithm of the frequency{DIM:#}", "rank", "frequency")?;
    let whole = (most.max(2) as f64).ln();
    for RankRow { rank, frequency } in shown {
        let bar = "▪".repeat(((*frequency).max(1) as f64).ln().mul_add(BAR / whole, 1.0) as usize);
        writeln!(out, "  {:>12} {:>12}  {bar}", commas(*rank), commas(*frequency))?;
    }
    writeln!(
        out,
        "  slope of log frequency over log rank {:.2}  {DIM}the paper found -0.70 on web pages{DIM:#}",
        family.slope
    )
}

/// Rows at about equal distances of the logarithm of the rank, the first and the last among them.
fn sampled(rows: &[RankRow]) -> Vec<&RankRow> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    if rows.len() <= RANKS {
        return rows.iter().collect();
    }
    let log = |row: &RankRow| (row.rank.max(1) as f64).ln();
    let step = (log(last) - log(first)) / (RANKS - 1) as f64;
    let mut next = log(first);
    let mut shown = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if log(row) + 1e-9 >= next || at + 1 == rows.len() {
            shown.push(row);
            next = log(row) + step;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_sampled_from_end_to_end() {
        let rows: Vec<RankRow> = (1..=1000).map(|rank| RankRow { rank, frequency: 1001 - rank }).collect();
        let shown = sampled(&rows);
        assert!(shown.len() <= RANKS + 1 && shown.len() > RANKS / 2, "{}", shown.len());
        assert_eq!([shown[0].rank, shown[shown.len() - 1].rank], [1, 1000]);
        assert_eq!(sampled(&rows[..5]).len(), 5);
        assert!(sampled(&[]).is_empty());
    }
}
