//! Who is near the fingerprints that were asked about.

use crate::shares::{BOLD, DIM};
use crate::units::count;
use crate::versioned::write_versioned;
use lookalike::hamming::Print;
use lookalike::hamming::online::Found;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Answers {
    answers: Vec<Answer>,
}

#[derive(Serialize)]
struct Answer {
    query: String,
    count: u64,
    complete: bool,
    hits: Vec<Hit>,
}

#[derive(Serialize)]
struct Hit {
    id: u64,
    fingerprint: String,
    distance: u32,
}

fn digits<F: Print>(print: F) -> String {
    format!("{print:0width$x}", width = F::WIDTH as usize / 4)
}

/// Writes one JSON object.
pub fn write_found_json<F: Print>(out: &mut dyn Write, answers: &[(F, Found<F>)]) -> io::Result<()> {
    let hit = |hit: &lookalike::hamming::online::Hit<F>| Hit {
        id: hit.id,
        fingerprint: digits(hit.print),
        distance: hit.distance,
    };
    let answer = |(query, found): &(F, Found<F>)| Answer {
        query: digits(*query),
        count: found.count,
        complete: found.complete,
        hits: found.hits.iter().map(hit).collect(),
    };
    write_versioned(out, &Answers { answers: answers.iter().map(answer).collect() })
}

/// Writes who is near, the nearest first.
pub fn write_found<F: Print>(out: &mut dyn Write, answers: &[(F, Found<F>)]) -> io::Result<()> {
    for (query, found) in answers {
        let least = if found.complete { "" } else { "at least " };
        writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{least}{}{DIM:#}", digits(*query), count(found.count, "fingerprint"))?;
        for hit in &found.hits {
            writeln!(out, "  {:>2}  {}  {}", hit.distance, digits(hit.print), hit.id)?;
        }
    }
    Ok(())
}
