//! Pairs of a batch: tab-separated lines, or JSON.

use crate::clean::clean;
use lookalike::Error;
use lookalike::hamming::Batch;
use std::io::{self, Write};

/// Writes a line for each pair: query, fingerprint, distance.
pub fn write_batch(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    writeln!(out, "query\tid\tdistance")?;
    for pair in batch.pairs() {
        let pair = pair.map_err(io::Error::other)?;
        let (query, print) = (batch.query_names.name(pair.query), batch.print_names.name(pair.print));
        writeln!(out, "{}\t{}\t{}", clean(&query), clean(&print), pair.distance)?;
    }
    Ok(())
}

/// Writes one JSON object, with the pairs on lines of their own.
pub fn write_batch_json(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let Batch { prints, queries, pairs, queries_held, passes, design, .. } = batch;
    let (schema, version) = (lookalike::SCHEMA, env!("CARGO_PKG_VERSION"));
    write!(out, "{{\"schema\":{schema},\"lookalike\":\"{version}\",\"fingerprints\":{prints},\"queries\":{queries},")?;
    let held = if *queries_held { "queries" } else { "fingerprints" };
    write!(out, "\"pairs\":{pairs},\"held\":\"{held}\",\"passes\":{passes},\"design\":\"{design}\",\"listed\":[")?;
    let mut comma = "";
    for pair in batch.pairs() {
        let pair = pair.map_err(|error: Error| io::Error::other(error))?;
        let name = |name: String| serde_json::to_string(&name).map_err(io::Error::other);
        let (query, id) = (name(batch.query_names.name(pair.query))?, name(batch.print_names.name(pair.print))?);
        write!(out, "{comma}\n{{\"query\":{query},\"id\":{id},\"distance\":{}}}", pair.distance)?;
        comma = ",";
    }
    writeln!(out, "\n]}}")
}
