//! `lookalike simhash build`: a store of all fingerprints of a file.

use super::{file, is_wide, resources};
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::verb::Verb;
use anyhow::Result;
use lookalike::hamming::store::{BuildOptions, OnlineStore};
use std::path::PathBuf;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashBuild,
    "simhash build",
    "Make a store of all fingerprints of a file, to be asked with lookup and online",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "Fingerprints are sorted outside of memory and written as tables that are used where they lie, every byte under a checksum. Ids \
     are those of the file, or the numbers of its rows; names, such as URLs, are kept with them.",
)
.after(
    "Examples:
  lookalike simhash build seen.u64 -o seen
  lookalike simhash build seen.tsv -o seen                                       fingerprints and URLs, as fingerprint prints them
  lookalike simhash build seen.parquet --fingerprint-field simhash -o seen --memory 8G",
);

fn run(args: &Args) -> Result<u8> {
    let (path, store): (PathBuf, PathBuf) = (args.value("fingerprints"), args.value("output"));
    output::check_new_store(&store)?;
    let file = file(args, &path);
    let options =
        BuildOptions { distance: args.value("distance"), design: args.get("design"), resources: resources(args) };
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let built = if is_wide(args) {
        OnlineStore::<u128>::build(&store, &file, &options, &bars, &cancel)
    } else {
        OnlineStore::<u64>::build(&store, &file, &options, &bars, &cancel)
    }?;
    output::summary(args, &built)?;
    Ok(crate::SUCCESS)
}
