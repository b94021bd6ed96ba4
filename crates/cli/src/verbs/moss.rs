//! `lookalike moss`: the command line of MOSS, answered on this machine.

use super::copies::{Heads, compare};
use crate::args::{Args, Spec};
use crate::documents::{paths, with_archives};
use crate::lens::Lens;
use crate::output;
use crate::remote;
use crate::verb::Verb;
use anyhow::Result;
use lookalike::{CohortOptions, CorpusOptions, MaxDf, PassageRecipe, PassagesOptions};
use std::path::PathBuf;

pub(super) const SPEC: Spec = Spec::new(Verb::Moss, "moss", "Find who copied what, with the flags of MOSS", run)
    .lenses(&[Lens::Passages])
    .long(
        "Takes the command line of MOSS's own script, but sends nothing anywhere: the answer is printed, and with -o written as a \
         page. lookalike copies does the same with more to choose.",
    )
    .after(
        "Examples:
  lookalike moss -l java *.java
  lookalike moss -l c -b given.c -m 4 -o result.html */prog1.c
  lookalike moss -l python -d alice/*.py bob/*.py -c 'Exercise 3'",
    );

fn run(args: &Args) -> Result<u8> {
    let options = PassagesOptions {
        recipe: PassageRecipe::new(&args.value("moss-language"), None, None)?,
        base: remote::inputs(args, "moss-base")?,
        cohort: CohortOptions { per_folder: args.has("moss-by-folder"), ..CohortOptions::default() },
        max_df: MaxDf::Submissions(args.value("moss-most")),
        limit: args.get("moss-number"),
        ..PassagesOptions::default()
    };
    output::check_targets(args, &["html"])?;
    if args.has("moss-experimental") && !args.has("quiet") {
        output::message("note: -x chooses another server of MOSS, and has no meaning here: nothing is sent anywhere");
    }
    let inputs = args.all::<PathBuf>("programs").iter().map(|file| file.display().to_string()).collect();
    let heads = Heads { inputs, places: Vec::new(), title: args.get("moss-comment") };
    let corpus = with_archives(CorpusOptions::default());
    let code = compare(args, paths(args, "programs")?, options, corpus, &heads)?;
    // MOSS ends with an address; so do we
    if let Some(page) = args.path("html") {
        let whole = page.canonicalize().unwrap_or(page).display().to_string();
        output::to(None, true, |out| writeln!(out, "\n{}", lookalike_report::clean(&whole)))?;
    }
    Ok(code)
}
