//! `lookalike simhash batch`: every fingerprint of a file that is near one of another.

use super::{file, is_wide, search};
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::verb::Verb;
use anyhow::Result;
use lookalike::hamming;
use lookalike_report::{write_batch, write_batch_json};
use std::path::PathBuf;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashBatch,
    "simhash batch",
    "Find every fingerprint of a file that is near one of another file",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "The smaller file is held in memory, the other passes by at the speed of the disk. Each pair comes once, by query, the nearest \
     first: id of the query, id of the fingerprint, distance. Where a file has no ids they are the numbers of its rows, from 0.",
)
.after(
    "Examples:
  lookalike simhash batch seen.u64 new.u64 -o pairs.tsv
  lookalike simhash batch seen.u64 new.u64 --distance 6
  lookalike simhash fingerprint new/ | lookalike simhash batch seen.tsv - --limit 1",
);

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output"])?;
    let [fingerprints, queries] = ["fingerprints", "asked"].map(|name| file(args, &args.value::<PathBuf>(name)));
    let (options, bars, cancel) = (search(args), Bars::new(args.has("quiet")), cancel_on_signal());
    let batch = if is_wide(args) {
        hamming::batch::<u128>(&fingerprints, &queries, &options, &bars, &cancel)
    } else {
        hamming::batch::<u64>(&fingerprints, &queries, &options, &bars, &cancel)
    }?;
    output::to(args.path("output").as_deref(), false, |out| {
        if args.has("json") { write_batch_json(out, &batch) } else { write_batch(out, &batch) }
    })?;
    if !args.has("quiet") {
        let (fingerprints, queries, pairs) = (batch.fingerprints, batch.queries, batch.pairs);
        output::message(&format!("{fingerprints} fingerprints, {queries} queries, {pairs} pairs"));
    }
    Ok(crate::SUCCESS)
}
