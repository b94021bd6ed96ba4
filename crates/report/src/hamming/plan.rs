//! Which designs there are for so many fingerprints.

use crate::shares::{BOLD, DIM};
use crate::units::{bytes, commas};
use crate::versioned::write_versioned;
use lookalike::hamming::plan::{Candidate, Wanted};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Plan {
    fingerprints: u64,
    bits: u32,
    k: u32,
    memory: u64,
    designs: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    design: String,
    tables: u64,
    lead_bits: [u32; 2],
    radius: u32,
    bytes: u64,
    probes: f64,
    compared: f64,
    microseconds: f64,
    paper: bool,
    fits: bool,
}

/// The designs as one JSON object.
pub fn write_plan_json(out: &mut dyn Write, wanted: &Wanted, candidates: &[Candidate]) -> io::Result<()> {
    let row = |of: &Candidate| {
        let Candidate { design, tables, lead, radius, bytes, probes, compared, micros, paper, fits } = *of;
        let (design, lead_bits, microseconds) = (design.to_string(), lead.into(), micros);
        Row { design, tables, lead_bits, radius, bytes, probes, compared, microseconds, paper, fits }
    };
    let designs = candidates.iter().map(row).collect();
    let Wanted { width, prints, k, memory, .. } = *wanted;
    write_versioned(out, &Plan { fingerprints: prints, bits: width, k, memory, designs })
}

/// Writes the designs as a table.
pub fn write_plan(out: &mut dyn Write, wanted: &Wanted, candidates: &[Candidate]) -> io::Result<()> {
    let Wanted { width, prints, k, memory, .. } = *wanted;
    writeln!(
        out,
        "{BOLD}{} fingerprints of {width} bits, distance {k}, memory {}{BOLD:#}\n",
        commas(prints),
        bytes(memory)
    )?;
    writeln!(
        out,
        "  {DIM}{:<12} {:>6} {:>7} {:>6} {:>10} {:>9} {:>14} {:>14}{DIM:#}",
        "design", "tables", "leading", "radius", "room", "probes", "compared", "time"
    )?;
    for candidate in candidates {
        let Candidate { design, tables, lead, radius, .. } = *candidate;
        let leading = if lead.0 == lead.1 { lead.0.to_string() } else { format!("{}-{}", lead.0, lead.1) };
        let note = match (candidate.paper, candidate.fits) {
            (true, true) => "  the paper's",
            (true, false) => "  the paper's; more than the memory",
            (false, true) => "",
            (false, false) => "  more than the memory",
        };
        writeln!(
            out,
            "  {:<12} {tables:>6} {leading:>7} {radius:>6} {:>10} {:>9} {:>14} {:>14}{DIM}{note}{DIM:#}",
            design.to_string(),
            bytes(candidate.bytes),
            commas(candidate.probes as u64),
            commas(candidate.compared as u64),
            time(candidate.micros),
        )?;
    }
    writeln!(
        out,
        "\n{DIM}probes: places in memory that a question looks at; compared: fingerprints held against the query; both and the time are"
    )?;
    writeln!(
        out,
        "expected values for fingerprints that are spread evenly, all tables in memory. The first that fits is the one to take.{DIM:#}"
    )
}

/// Microseconds as people read them.
fn time(micros: f64) -> String {
    match micros {
        ..1000.0 => format!("{micros:.1} µs"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}
