//! JSON: one object, or one object a line.

use lookalike::chunks::Chunks;
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
/// The chunks lens has further lists.
pub fn write_ndjson(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    line(out, &Typed { kind: "scan", value: &report.head() })?;
    lines(out, "skipped", &report.skipped)?;
    lines(out, "template", &report.templates)?;
    let Some(chunks) = &report.chunks else { return lines(out, "cluster", &report.clusters) };
    let Chunks { templates, common, suggestions, identical, folders, .. } = chunks;
    lines(out, "marked", templates)?;
    lines(out, "common", common)?;
    lines(out, "suggestion", suggestions)?;
    lines(out, "cluster", &report.clusters)?;
    lines(out, "identical", identical)?;
    lines(out, "folders", folders)
}

fn lines<T: Serialize>(out: &mut dyn Write, kind: &'static str, values: &[T]) -> io::Result<()> {
    values.iter().try_for_each(|value| line(out, &Typed { kind, value }))
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
