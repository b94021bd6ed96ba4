//! What is near in a file: clusters and pairs.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{commas, count};
use lookalike::hamming::{Near, NearCluster};
use std::io::{self, Write};

/// Clusters and members that are shown; the rest is counted.
const SHOWN: usize = 20;

/// Writes a summary and the first clusters.
pub fn write_near(out: &mut dyn Write, near: &Near, limit: Option<u64>) -> io::Result<()> {
    let all = format!("{}, {} different", count(near.prints, "fingerprint"), commas(near.distinct));
    writeln!(out, "{BOLD}{all}{BOLD:#}")?;
    let pairs = format!("{} of different fingerprints", count(near.pairs, "pair"));
    writeln!(out, "  {pairs}, {}, {} could go\n", count(near.clusters, "cluster"), commas(near.redundant))?;
    let mut shown = 0;
    near.for_each_cluster(limit.or(Some(SHOWN as u64)), |cluster| {
        shown += 1;
        if shown > SHOWN {
            return Ok(());
        }
        let NearCluster { representative, size, members } = cluster;
        writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}", clean(&representative), count(size, "fingerprint"))?;
        for member in members.iter().take(SHOWN) {
            writeln!(out, "  {:>2}  {}", member.distance, clean(&member.id))?;
        }
        let rest = (size - 1).saturating_sub(members.len().min(SHOWN) as u64);
        if rest > 0 {
            writeln!(out, "      {DIM}and {} more{DIM:#}", commas(rest))?;
        }
        Ok::<_, io::Error>(())
    })?;
    if shown > SHOWN {
        writeln!(out, "{DIM}and {}; --json lists them all{DIM:#}", count((shown - SHOWN) as u64, "more cluster"))?;
    }
    Ok(())
}

/// Writes one JSON object, with the clusters on lines of their own.
pub fn write_near_json(out: &mut dyn Write, near: &Near, limit: Option<u64>) -> io::Result<()> {
    let Near { prints, distinct, pairs, clusters, redundant, .. } = near;
    let (schema, version) = (lookalike::SCHEMA, env!("CARGO_PKG_VERSION"));
    write!(
        out,
        "{{\"schema\":{schema},\"lookalike\":\"{version}\",\"fingerprints\":{prints},\"distinct\":{distinct},"
    )?;
    write!(out, "\"pairs\":{pairs},\"cluster_count\":{clusters},\"redundant\":{redundant},\"clusters\":[")?;
    let mut comma = "";
    near.for_each_cluster(limit, |cluster| {
        write!(out, "{comma}\n{}", serde_json::to_string(&cluster).map_err(io::Error::other)?)?;
        comma = ",";
        Ok::<_, io::Error>(())
    })?;
    writeln!(out, "\n]}}")
}

/// Writes a line for each pair of different fingerprints, each by the first id that has it.
pub fn write_near_pairs(out: &mut dyn Write, near: &Near) -> io::Result<()> {
    writeln!(out, "a\tb\tdistance")?;
    near.for_each_pair(|a, b, distance| {
        writeln!(out, "{}\t{}\t{distance}", clean(&a), clean(&b))
            .map_err(|source| lookalike::Error::from(lookalike::StoreError::Write { what: "the pairs".into(), source }))
    })
    .map_err(io::Error::other)
}
