//! `lookalike recluster`: the last phase again, with another policy.

use super::templates::of_run;
use crate::args::{Args, Source, Spec};
use crate::lens::Lens;
use crate::verb::Verb;
use crate::{output, recipes};
use anyhow::Result;
use lookalike::Report;
use lookalike::templates::TemplateList;
use std::path::PathBuf;

pub(super) const SPEC: Spec = Spec::new(
    Verb::Recluster,
    "recluster",
    "Cluster a saved run again with a higher threshold, another distance or linkage, or other templates",
    run,
)
.lenses(&[Lens::Shingles, Lens::Chunks, Lens::Simhash])
.long("Repeats only the last phase on what lookalike scan --save RUN has kept. The originals are not needed.")
.after(
    "Examples:
  lookalike scan docs/ --save run                        keep what clustering needs
  lookalike recluster run --threshold 0.8                only closer ones
  lookalike recluster run --linkage single --json > chains.json
  lookalike recluster seen --distance 6                  of fingerprints (scan --lens simhash --save seen)

What is not given stays as it was when the run was saved.",
);

/// The run, clustered again; and the arguments as its lens takes them, if it is one.
pub(crate) fn again(args: &Args) -> Result<(Report, Option<Args>)> {
    let run: PathBuf = args.value("run");
    let lens = lookalike::saved_lens(&run).map_or(Lens::Shingles, Lens::from);
    // where there is no run, that is what to tell
    let checked = if run.join("run.json").exists() { Some(args.with_lens(lens, &Source::File(&run))?) } else { None };
    let args = checked.as_ref().unwrap_or(args);
    if lens == Lens::Simhash {
        let report = lookalike::simhash::recluster(&run, |options| {
            options.distance = args.get("distance").unwrap_or(options.distance);
            options.linkage = args.get("linkage").unwrap_or(options.linkage);
            options.length_ratio = args.get("length-ratio").or(options.length_ratio);
        })?;
        return Ok((report, checked));
    }
    let templates = match (lens, args.path("templates")) {
        (Lens::Chunks, Some(list)) => TemplateList::read(&list, true)?,
        (Lens::Chunks, None) => TemplateList::read(&of_run(&run), false)?,
        _ => TemplateList::default(),
    };
    let policy = if lens == Lens::Chunks { recipes::policy_of_files } else { recipes::policy };
    let report = lookalike::recluster(&run, |saved| policy(args, saved), &templates)?;
    Ok((report, checked))
}

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output", "xlsx"])?;
    let (report, checked) = &again(args)?;
    let args = checked.as_ref().unwrap_or(args);
    output::report(args, report, &|_, _| None)?;
    Ok(output::found(args, report))
}
