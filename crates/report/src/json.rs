//! JSON: one object, or one object a line.

use lookalike::{Comparison, Report};
use serde::Serialize;
use serde_json::json;
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
    let mut head = serde_json::to_value(report)?;
    if let Some(fields) = head.as_object_mut() {
        for list in ["skipped", "templates", "clusters"] {
            fields.remove(list);
        }
    }
    typed(out, "scan", &head)?;
    report.skipped.iter().try_for_each(|skip| typed(out, "skipped", skip))?;
    report.templates.iter().try_for_each(|template| typed(out, "template", template))?;
    report.clusters.iter().try_for_each(|cluster| typed(out, "cluster", cluster))
}

fn typed(out: &mut dyn Write, kind: &str, value: &impl Serialize) -> io::Result<()> {
    let mut object = json!({ "type": kind });
    if let (Some(object), serde_json::Value::Object(fields)) = (object.as_object_mut(), serde_json::to_value(value)?) {
        object.extend(fields);
    }
    line(out, &object)
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
