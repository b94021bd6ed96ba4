//! `lookalike simhash lookup`: who is near some fingerprints.

use super::{file, is_wide};
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::times::Times;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::hamming::store::{Matches, StoreNames, StoreReader};
use lookalike::hamming::{FingerprintBits, FingerprintReader};
use lookalike_report::{FingerprintMatches, clean, write_versioned_json};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashLookup,
    "simhash lookup",
    "Find what is near given fingerprints, in a store made by build or online (safe while it changes)",
    |args| if is_wide(args) { run::<u128>(args) } else { run::<u64>(args) },
)
.lenses(&[Lens::Simhash])
.after(
    "Examples:
  lookalike simhash lookup seen 0123456789abcdef
  lookalike simhash lookup seen 0123456789abcdef fedcba9876543210 --distance 1 --limit 3 --json
  lookalike simhash lookup seen --queries new.u64 --times           how fast is it, one after the other?

Exit codes: 0, and 1 with --exit-code if anything is near.",
);

fn run<F: FingerprintBits>(args: &Args) -> Result<u8> {
    let queries = args.all::<String>("fingerprint").iter().map(|text| parse(text)).collect::<Result<Vec<F>>>()?;
    let dir: PathBuf = args.value("store");
    if !dir.join("manifest.json").is_file() {
        bail!("{}: expected a store that lookalike simhash build or online made, found none", dir.display());
    }
    let (distance, limit) = (args.value("distance"), args.value("limit"));
    let begun = Instant::now();
    let store = StoreReader::<F>::open(&dir, distance)?;
    if let Some(queries) = args.path("queries") {
        let names = if StoreNames::exists(&dir) { Some(StoreNames::open(&dir)?) } else { None };
        return ask_all(args, &store, names, &queries, begun.elapsed());
    }
    let mut answers: Vec<(F, Matches<F>)> = Vec::new();
    for query in queries {
        answers.push((query, store.near(query, distance, limit)?));
    }
    let mut names = BTreeMap::new();
    if StoreNames::exists(&dir) {
        let mut stored = StoreNames::open(&dir)?;
        for hit in answers.iter().flat_map(|(_, found)| &found.matches) {
            names.insert(hit.id, stored.name(hit.id)?);
        }
    }
    output::answer(args, &FingerprintMatches { answers: &answers, names: &names })?;
    let found = args.has("exit-code") && answers.iter().any(|(_, found)| found.count > 0);
    Ok(if found { crate::FOUND } else { crate::SUCCESS })
}

/// How long questions took, and what was near.
#[derive(Serialize)]
struct Timing {
    near: u64,
    #[serde(flatten)]
    times: Times,
}

/// Asks about the fingerprints of a file.
fn ask_all<F: FingerprintBits>(
    args: &Args,
    store: &StoreReader<F>,
    mut names: Option<StoreNames>,
    queries: &Path,
    opened: Duration,
) -> Result<u8> {
    let (distance, limit) = (args.value("distance"), args.value("limit"));
    let file = file(args, queries);
    let mut queries: FingerprintReader<F> = FingerprintReader::open(&file.path, &file.options)?;
    let (mut fingerprints, mut ids, mut seconds, mut near) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut ask = |mut out: Option<&mut dyn Write>| -> Result<()> {
        loop {
            let first = queries.row();
            let read = queries.next_batch(&mut fingerprints, &mut ids)? as u64;
            if read == 0 {
                return Ok(());
            }
            for (at, fingerprint) in (0..).zip(&fingerprints) {
                let begun = Instant::now();
                let found = store.near(*fingerprint, distance, limit)?;
                seconds.push(begun.elapsed().as_secs_f64());
                near += found.count;
                if let Some(out) = &mut out {
                    let query = ids.get(at as usize).copied().unwrap_or(first + at);
                    for hit in found.matches {
                        match &mut names {
                            Some(names) => {
                                writeln!(out, "{query}\t{}\t{}", clean(&names.name(hit.id)?), hit.distance)?;
                            }
                            None => writeln!(out, "{query}\t{}\t{}", hit.id, hit.distance)?,
                        }
                    }
                }
            }
        }
    };
    if args.has("times") {
        ask(None)?;
        let timing = Timing { near, times: Times::new(seconds, opened) };
        output::to(None, false, |out| write_versioned_json(out, &timing))?;
    } else {
        output::produce(None, false, |out| ask(Some(out)))?;
    }
    Ok(crate::SUCCESS)
}

fn parse<F: FingerprintBits>(text: &str) -> Result<F> {
    let bare = text.strip_prefix("0x").unwrap_or(text);
    let fingerprint = (bare.len() == F::DIGITS).then(|| F::from_hex(bare.as_bytes())).flatten();
    match fingerprint {
        Some(fingerprint) => Ok(fingerprint),
        None => bail!("{text:?}: expected a fingerprint of {} hexadecimal digits", F::DIGITS),
    }
}
