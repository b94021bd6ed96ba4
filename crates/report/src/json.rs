//! JSON: one object, or one object a line.

use crate::renderer::{Renderer, Source, unsupported};
use crate::section::{Findings, ReportNumbers};
use lookalike::report::Chunks;
use lookalike::report::SCHEMA;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a value that has its version as one JSON object on one line.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// The same with the version of the form and of the program before everything else.
pub fn write_versioned_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    write_json(out, &Versioned { schema: SCHEMA, lookalike: env!("CARGO_PKG_VERSION"), value })
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    lookalike: &'static str,
    #[serde(flatten)]
    value: &'a T,
}

/// The whole report as one object; `docs/report.schema.json` describes it.
pub(crate) struct Json;

impl Renderer for Json {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let (Findings::Clusters(report) | Findings::Passages(report, _)) = source.findings;
        write_json(out, report)
    }
}

/// One object a line: first the scan itself, then what was skipped, the templates and the clusters; `type` tells them apart.
/// The chunks lens has further lists.
pub(crate) struct Ndjson;

impl Renderer for Ndjson {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Findings::Clusters(report) = source.findings else { return Err(unsupported("ndjson")) };
        write_json(out, &Typed { kind: "scan", value: &ReportNumbers::new(report) })?;
        write_lines(out, "skipped", &report.skipped)?;
        write_lines(out, "template", report.shingles().map_or(&[][..], |shingles| &shingles.templates))?;
        write_lines(out, "pair", report.relations().map_or(&[][..], |found| &found.links))?;
        let Some(chunks) = report.chunks() else { return write_lines(out, "cluster", &report.clusters) };
        let Chunks { templates, frequent, suggestions, identical, folders, .. } = chunks;
        write_lines(out, "marked", templates)?;
        write_lines(out, "frequent", frequent)?;
        write_lines(out, "suggestion", suggestions)?;
        write_lines(out, "cluster", &report.clusters)?;
        write_lines(out, "identical", identical)?;
        write_lines(out, "folders", folders)
    }
}

fn write_lines<T: Serialize>(out: &mut dyn Write, kind: &'static str, values: &[T]) -> io::Result<()> {
    values.iter().try_for_each(|value| write_json(out, &Typed { kind, value }))
}

#[derive(Serialize)]
struct Typed<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    value: &'a T,
}
