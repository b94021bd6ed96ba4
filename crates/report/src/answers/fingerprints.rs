//! Fingerprints and what is near them: an online store, a batch, a file.

use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count};
use lookalike::hamming::store::{BuildSummary, Match, Matches};
use lookalike::hamming::{AllPairs, BatchResult, FingerprintBits, FingerprintCluster};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Clusters, and members of each, that fit on a screen; the rest is counted.
pub const NEAR_SHOWN: usize = 20;

/// What is near the fingerprints that were asked about.
pub struct FingerprintMatches<'a, F: FingerprintBits> {
    /// Each with what is near it.
    pub answers: &'a [(F, Matches<F>)],
    /// What ids are called, where they have names.
    pub names: &'a BTreeMap<u64, String>,
}

#[derive(Serialize)]
struct Answers {
    answers: Vec<Answer>,
}

#[derive(Serialize)]
struct Answer {
    query: String,
    count: u64,
    complete: bool,
    matches: Vec<MatchRow>,
}

#[derive(Serialize)]
struct MatchRow {
    id: Value,
    fingerprint: String,
    distance: u32,
}

fn digits<F: FingerprintBits>(fingerprint: F) -> String {
    format!("{fingerprint:0width$x}", width = F::WIDTH as usize / 4)
}

impl<F: FingerprintBits> Serialize for FingerprintMatches<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hit = |hit: &Match<F>| MatchRow {
            id: self.names.get(&hit.id).map_or_else(|| hit.id.into(), |name| name.as_str().into()),
            fingerprint: digits(hit.fingerprint),
            distance: hit.distance,
        };
        let answer = |(query, found): &(F, Matches<F>)| Answer {
            query: digits(*query),
            count: found.count,
            complete: found.complete,
            matches: found.matches.iter().map(hit).collect(),
        };
        Answers { answers: self.answers.iter().map(answer).collect() }.serialize(serializer)
    }
}

impl<F: FingerprintBits> Show for FingerprintMatches<'_, F> {
    /// The nearest first.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        for (query, found) in self.answers {
            let least = if found.complete { "" } else { "at least " };
            writeln!(
                out,
                "{BOLD}{}{BOLD:#}  {DIM}{least}{}{DIM:#}",
                digits(*query),
                count(found.count, "fingerprint")
            )?;
            for hit in &found.matches {
                let id = self.names.get(&hit.id).map_or_else(|| hit.id.to_string(), |name| clean(name).into_owned());
                writeln!(out, "  {:>2}  {}  {id}", hit.distance, digits(hit.fingerprint))?;
            }
        }
        Ok(())
    }
}

impl Show for BuildSummary {
    /// Writes what was made and how much room it takes.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let each = |bytes: u64| bytes as f64 / self.fingerprints.max(1) as f64;
        writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}design {}{DIM:#}", count(self.fingerprints, "fingerprint"), self.design)?;
        if self.repeated > 0 {
            writeln!(out, "  {} with an id that has it already: left out", count(self.repeated, "fingerprint"))?;
        }
        writeln!(
            out,
            "  {:>10}  {:.2} bytes a fingerprint, with ids and checksums",
            bytes(self.bytes),
            each(self.bytes)
        )?;
        writeln!(out, "  {:>10}  {:.2} the tables alone", bytes(self.table_bytes), each(self.table_bytes))
    }
}

/// Writes a line for each pair: query, fingerprint, distance.
pub fn write_batch(out: &mut dyn Write, batch: &BatchResult) -> io::Result<()> {
    writeln!(out, "query\tid\tdistance")?;
    for pair in batch.pairs() {
        let pair = pair.map_err(io::Error::other)?;
        let (query, fingerprint) = (batch.query_names.name(pair.query), batch.fingerprint_names.name(pair.fingerprint));
        writeln!(out, "{}\t{}\t{}", clean(&query), clean(&fingerprint), pair.distance)?;
    }
    Ok(())
}

/// Writes one JSON object, with the pairs on lines of their own.
pub fn write_batch_json(out: &mut dyn Write, batch: &BatchResult) -> io::Result<()> {
    let BatchResult { fingerprints, queries, pairs, queries_held, passes, design, .. } = batch;
    let (schema, version) = (lookalike::report::SCHEMA, env!("CARGO_PKG_VERSION"));
    write!(
        out,
        "{{\"schema\":{schema},\"lookalike\":\"{version}\",\"fingerprints\":{fingerprints},\"queries\":{queries},"
    )?;
    let held = if *queries_held { "queries" } else { "fingerprints" };
    write!(out, "\"pairs\":{pairs},\"held\":\"{held}\",\"passes\":{passes},\"design\":\"{design}\",\"listed\":[")?;
    let mut comma = "";
    for pair in batch.pairs() {
        let pair = pair.map_err(io::Error::other)?;
        let name = |name: String| serde_json::to_string(&name).map_err(io::Error::other);
        let (query, id) =
            (name(batch.query_names.name(pair.query))?, name(batch.fingerprint_names.name(pair.fingerprint))?);
        write!(out, "{comma}\n{{\"query\":{query},\"id\":{id},\"distance\":{}}}", pair.distance)?;
        comma = ",";
    }
    writeln!(out, "\n]}}")
}

/// Writes a summary and the first `most` clusters, with at most `limit` and at most `most` members each.
pub fn write_near(out: &mut dyn Write, near: &AllPairs, limit: Option<u64>, most: usize) -> io::Result<()> {
    let all = format!("{}, {} different", count(near.fingerprints, "fingerprint"), commas(near.distinct));
    writeln!(out, "{BOLD}{all}{BOLD:#}")?;
    let pairs = format!("{} of different fingerprints", count(near.pairs, "pair"));
    writeln!(out, "  {pairs}, {}, {} could go\n", count(near.clusters, "cluster"), commas(near.redundant))?;
    let mut shown = 0;
    near.for_each_cluster(limit.or(Some(most as u64)), |cluster| {
        shown += 1;
        if shown > most {
            return Ok(());
        }
        let FingerprintCluster { representative, size, members } = cluster;
        writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}", clean(&representative), count(size, "fingerprint"))?;
        for member in members.iter().take(most) {
            writeln!(out, "  {:>2}  {}", member.distance, clean(&member.id))?;
        }
        let rest = (size - 1).saturating_sub(members.len().min(most) as u64);
        if rest > 0 {
            writeln!(out, "      {DIM}and {} more{DIM:#}", commas(rest))?;
        }
        Ok::<_, io::Error>(())
    })?;
    if shown > most {
        writeln!(out, "{DIM}and {}; {}{DIM:#}", count((shown - most) as u64, "more cluster"), hints::ALL)?;
    }
    Ok(())
}

/// Writes one JSON object, with the clusters on lines of their own.
pub fn write_near_json(out: &mut dyn Write, near: &AllPairs, limit: Option<u64>) -> io::Result<()> {
    let AllPairs { fingerprints, distinct, pairs, compared, clusters, redundant, .. } = near;
    let (schema, version) = (lookalike::report::SCHEMA, env!("CARGO_PKG_VERSION"));
    write!(
        out,
        "{{\"schema\":{schema},\"lookalike\":\"{version}\",\"fingerprints\":{fingerprints},\"distinct\":{distinct},"
    )?;
    write!(
        out,
        "\"pairs\":{pairs},\"compared\":{compared},\"cluster_count\":{clusters},\"redundant\":{redundant},\"clusters\":["
    )?;
    let mut comma = "";
    near.for_each_cluster(limit, |cluster| {
        write!(out, "{comma}\n{}", serde_json::to_string(&cluster).map_err(io::Error::other)?)?;
        comma = ",";
        Ok::<_, io::Error>(())
    })?;
    writeln!(out, "\n]}}")
}

/// Writes a line for each pair of different fingerprints, each by the first id that has it.
pub fn write_near_pairs(out: &mut dyn Write, near: &AllPairs) -> io::Result<()> {
    writeln!(out, "a\tb\tdistance")?;
    near.for_each_pair(|a, b, distance| {
        writeln!(out, "{}\t{}\t{distance}", clean(&a), clean(&b))
            .map_err(|source| lookalike::Error::from(lookalike::StoreError::Write { what: "the pairs".into(), source }))
    })
    .map_err(io::Error::other)
}
