//! `lookalike index remove`: names that an index should know no more.

use super::{open, path, tell, writer};
use crate::args::{Args, Spec};
use crate::documents::names_of_stdin;
use crate::output;
use crate::progress::Bars;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::{Error, Index};

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::IndexRemove,
    "index remove",
    "Remove names from an index, and the documents that no name has any more",
    run,
)
.long(
    "What is not in the index is listed on standard error and makes the exit code 2; the rest is removed nevertheless.",
)
.after(
    "Examples:
  lookalike index remove pages.index https://a.example/old.html
  lookalike index remove pages.index --stdin < gone.txt
  lookalike index remove pages.index site/draft.html --sweep 2026-05-01     in that sweep only
  lookalike index remove pages.index --sweep 2062-05-01 --all               a sweep with a wrong date",
);

fn run(args: &Args) -> Result<u8> {
    let (path, sweep) = (path(args), args.get::<String>("sweep"));
    let sweep = sweep.as_deref();
    let mut names: Vec<String> = args.all("urls");
    if args.has("stdin") {
        names.extend(names_of_stdin()?);
    }
    let index = open(args)?;
    if args.has("all") {
        names = all_of(&index, sweep)?;
        if names.is_empty() {
            let date = sweep.unwrap_or_default();
            bail!("{}: has no sweep of {date}; lookalike index info lists them", path.display());
        }
    }
    let mut missing = Vec::new();
    for name in &names {
        if !has(&index, name, sweep)? {
            missing.push(name);
        }
    }
    let bars = Bars::new(args.has("quiet"));
    let changed = writer(args, &bars).remove(&names, sweep)?;
    let code = tell(args, "removed from", &changed)?;
    let place = sweep.map_or("this index".to_owned(), |date| format!("the sweep of {date}"));
    for name in &missing {
        output::message(&format!("warning: {name}: not in {place}; check its spelling"));
    }
    Ok(if missing.is_empty() { code } else { crate::WRONG })
}

/// The names that a sweep has seen.
fn all_of(index: &Index, sweep: Option<&str>) -> Result<Vec<String>, Error> {
    let wanted = index.sweeps().iter().position(|known| known.date.as_deref() == sweep);
    let mut names = Vec::new();
    index.for_each_history(|name, history| {
        if history.iter().any(|(sweep_index, _)| Some(*sweep_index as usize) == wanted) {
            names.push(name.to_owned());
        }
        Ok(())
    })?;
    Ok(names)
}

fn has(index: &Index, name: &str, sweep: Option<&str>) -> Result<bool, Error> {
    let date = |sweep_index: u32| index.sweeps().get(sweep_index as usize).and_then(|sweep| sweep.date.as_deref());
    Ok(index.find(name)?.iter().any(|(sweep_index, _)| sweep.is_none_or(|sweep| date(*sweep_index) == Some(sweep))))
}
