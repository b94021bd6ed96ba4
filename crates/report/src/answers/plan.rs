//! Which designs there are for so many fingerprints.

use super::show::Show;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas};
use lookalike::hamming::plan::{Candidate, PlanRequest};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// The designs that there are for so many fingerprints.
pub struct DesignPlan<'a> {
    /// What is request.
    pub request: &'a PlanRequest,
    /// The designs, best first.
    pub candidates: &'a [Candidate],
}

#[derive(Serialize)]
struct DesignRow {
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

impl From<&Candidate> for DesignRow {
    fn from(candidate: &Candidate) -> Self {
        let Candidate { design, tables, lead, radius, bytes, probes, compared, micros, paper, fits } = *candidate;
        let (design, lead_bits, microseconds) = (design.to_string(), lead.into(), micros);
        Self { design, tables, lead_bits, radius, bytes, probes, compared, microseconds, paper, fits }
    }
}

impl Serialize for DesignPlan<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut plan = serializer.serialize_struct("DesignPlan", 5)?;
        plan.serialize_field("fingerprints", &self.request.fingerprints)?;
        plan.serialize_field("bits", &self.request.width)?;
        plan.serialize_field("distance", &self.request.k)?;
        plan.serialize_field("memory", &self.request.memory)?;
        plan.serialize_field("designs", &self.candidates.iter().map(DesignRow::from).collect::<Vec<_>>())?;
        plan.end()
    }
}

impl Show for DesignPlan<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let PlanRequest { width, fingerprints, k, memory, .. } = *self.request;
        writeln!(
            out,
            "{BOLD}{} fingerprints of {width} bits, distance {k}, memory {}{BOLD:#}\n",
            commas(fingerprints),
            bytes(memory)
        )?;
        writeln!(
            out,
            "  {DIM}{:<12} {:>6} {:>7} {:>6} {:>10} {:>9} {:>14} {:>14}{DIM:#}",
            "design", "tables", "leading", "radius", "room", "probes", "compared", "time"
        )?;
        for candidate in self.candidates {
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
}

/// Microseconds as people read them.
fn time(micros: f64) -> String {
    match micros {
        ..1000.0 => format!("{micros:.1} µs"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}
