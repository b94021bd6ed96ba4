//! `lookalike recluster`: the last phase again, with another policy.

use super::templates::of_run;
use crate::args::{Args, Source, Spec};
use crate::lens::Lens;
use crate::verb::Verb;
use crate::{output, recipes};
use anyhow::Result;
use lookalike::chunks::{self, TemplateList};
use std::path::PathBuf;

pub(super) const SPEC: Spec = Spec::new(
    Verb::Recluster,
    "recluster",
    "Cluster a saved run again with a higher threshold, another linkage or other templates",
    run,
)
.lenses(&[Lens::Shingles, Lens::Chunks])
.long("Repeats only the last phase on what lookalike scan --save RUN has kept. The originals are not needed.")
.after("What is not given stays as it was when the run was saved.");

fn run(args: &Args) -> Result<u8> {
    let run: PathBuf = args.value("run");
    let lens = if chunks::is_run(&run) { Lens::Chunks } else { Lens::Shingles };
    // where there is no run, that is what to tell
    let checked = if run.join("run.json").exists() { Some(args.with_lens(lens, &Source::File(&run))?) } else { None };
    let args = checked.as_ref().unwrap_or(args);
    output::check_targets(args, &["output", "xlsx"])?;
    let report = if lens == Lens::Chunks {
        let templates = match args.path("templates") {
            Some(list) => TemplateList::read(&list, true)?,
            None => TemplateList::read(&of_run(&run), false)?,
        };
        chunks::recluster(&run, |saved| recipes::policy_of_files(args, saved), &templates)?
    } else {
        lookalike::recluster(&run, |saved| recipes::policy(args, saved))?
    };
    output::report(args, &report, &|_, _| None)?;
    Ok(output::found(args, &report))
}
