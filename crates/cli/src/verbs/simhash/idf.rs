//! `lookalike simhash idf`: how many documents have each feature, in a file.

use super::tell_skipped;
use crate::args::{Args, Spec};
use crate::documents::{corpus, inputs, options};
use crate::lens::Lens;
use crate::progress::{Bars, cancel_on_signal};
use crate::verb::Verb;
use crate::{output, recipes};
use anyhow::Result;
use lookalike::SimhashRecipe;
use lookalike::simhash::count;
use lookalike_report::write_versioned_json;
use std::path::PathBuf;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashIdf,
    "simhash idf",
    "Count how many documents have each feature, so that rare ones can weigh more",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "A feature that df of D documents have weighs 1 + 2·log2(D/df), rounded down. The table lists the features that most documents \
     have; those of one document, and the rarest beyond --limit, are not listed and weigh the most. Its name is part of the recipe \
     of fingerprints that are made with it.",
)
.after(
    "Examples:
  lookalike simhash idf docs/ -o docs.lki
  lookalike scan --lens simhash docs/ --idf docs.lki --verify
  lookalike simhash fingerprint docs/ --idf docs.lki

The table fits fingerprints with the same --ngrams, --stop-words, --format and --key.",
);

fn run(args: &Args) -> Result<u8> {
    let path: PathBuf = args.value("output");
    let scan = options(args, corpus(args));
    let simhash = recipes::simhash_like(args, &SimhashRecipe::default())?;
    output::check_target(&path, false)?;
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let counted = count(inputs(args)?, &scan, &simhash, (args.value("limit"), &path), (&bars, &cancel))?;
    if args.has("json") {
        output::to(None, false, |out| write_versioned_json(out, &counted))?;
    } else if !args.has("quiet") {
        output::to(None, true, |out| {
            writeln!(
                out,
                "{}  idf={}  {} of {} features of {} documents  {}",
                path.display(),
                counted.idf,
                counted.features,
                counted.found,
                counted.read.documents,
                counted.read.recipe
            )
        })?;
    }
    Ok(tell_skipped(args, &counted.read))
}
