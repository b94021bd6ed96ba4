//! Two documents by their fingerprints.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::count;
use lookalike::simhash::Compared;
use std::io::{self, Write};

/// Writes how far two documents are from each other, with colours.
pub fn write_distance(out: &mut dyn Write, compared: &Compared) -> io::Result<()> {
    for (name, side) in [("a", &compared.a), ("b", &compared.b)] {
        let words = count(u64::from(side.words), "word");
        writeln!(out, "{BOLD}{name}  {}{BOLD:#}  {DIM}{words}{DIM:#}", clean(&side.id))?;
    }
    writeln!(out)?;
    for (name, side) in [("a", &compared.a), ("b", &compared.b)] {
        writeln!(out, "  {:<12} {}", format!("fingerprint {name}"), side.fingerprint)?;
    }
    let bits = compared.a.fingerprint.len() * 4;
    writeln!(out, "  {:<13} {BOLD}{}{BOLD:#} of {bits} bits", "distance", compared.distance)?;
    let k = compared.k;
    let class = if compared.identical {
        "identical: the same bytes".to_owned()
    } else if compared.near {
        format!("near: at most {k} bits; whether they resemble is told by lookalike compare without --lens")
    } else {
        format!("different: more than {k} bits")
    };
    writeln!(out, "  {:<13} {BOLD}{class}{BOLD:#}", "class")
}

/// The same as one JSON object.
pub fn write_distance_json(out: &mut dyn Write, compared: &Compared) -> io::Result<()> {
    serde_json::to_writer(&mut *out, compared)?;
    out.write_all(b"\n")
}
