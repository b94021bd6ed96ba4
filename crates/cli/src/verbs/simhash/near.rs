//! `lookalike simhash near`: pairs and clusters of one file.

use super::{file, is_wide, search};
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::verb::Verb;
use anyhow::Result;
use lookalike::hamming::{self, SearchOptions};
use lookalike_report::{NEAR_SHOWN, write_near, write_near_json, write_near_pairs};
use std::path::PathBuf;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashNear,
    "simhash near",
    "Find all fingerprints of a file that are near each other, and their clusters",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "Clusters are stars: the first of each in the file represents it, and every member is within the distance of it. Fingerprints \
     that are the same are together. --linkage single makes connected components.",
)
.after(
    "Examples:
  lookalike simhash near docs.tsv
  lookalike simhash near docs.tsv --distance 6
  lookalike simhash near crawl.u64 --pairs pairs.tsv --json -o clusters.json",
);

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output", "pairs"])?;
    let file = file(args, &args.value::<PathBuf>("fingerprints"));
    let options = SearchOptions { keep_pairs: args.path("pairs").is_some(), ..search(args) };
    let linkage = args.value("linkage");
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let near = if is_wide(args) {
        hamming::all_pairs::<u128>(&file, linkage, &options, &bars, &cancel)
    } else {
        hamming::all_pairs::<u64>(&file, linkage, &options, &bars, &cancel)
    }?;
    if let Some(path) = args.path("pairs") {
        output::to(Some(&path), false, |out| write_near_pairs(out, &near))?;
    }
    let (json, output) = (args.has("json"), args.path("output"));
    // the list is cut for screens only
    let most = if output.is_some() { usize::MAX } else { NEAR_SHOWN };
    output::to(output.as_deref(), !json, |out| {
        if json { write_near_json(out, &near, options.limit) } else { write_near(out, &near, options.limit, most) }
    })?;
    Ok(crate::SUCCESS)
}
