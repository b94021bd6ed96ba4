//! JSON: one object, or one object a line.

use lookalike::{Comparison, Report};
use serde::Serialize;
use std::io::{self, Write};

/// The whole report as one JSON object.
pub fn write_json(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    line(out, report)
}

/// A comparison as one JSON object.
pub fn write_comparison_json(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    line(out, comparison)
}

/// One object a line: first the scan itself, then what was skipped, the templates and the clusters; `type` tells them apart.
pub fn write_ndjson(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    line(out, &Typed { kind: "scan", value: &report.head() })?;
    report.skipped.iter().try_for_each(|skip| line(out, &Typed { kind: "skipped", value: skip }))?;
    report.templates.iter().try_for_each(|template| line(out, &Typed { kind: "template", value: template }))?;
    report.clusters.iter().try_for_each(|cluster| line(out, &Typed { kind: "cluster", value: cluster }))
}

#[derive(Serialize)]
struct Typed<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    value: &'a T,
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
