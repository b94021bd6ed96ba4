//! `lookalike index list`: what an index knows, name by name.

use super::open;
use crate::args::{Args, Spec};
use crate::output;
use crate::verb::Verb;
use anyhow::{Result, anyhow, bail};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use lookalike::Index;
use lookalike::index::IndexEntry;

pub(crate) const SPEC: Spec = Spec::new(
    Verb::IndexList,
    "index list",
    "List the names of an index: content id, when they were first and last seen, size",
    run,
)
.after(
    "Examples:
  lookalike index list pages.index
  lookalike index list pages.index --gone --csv > gone.csv                      what is not in the last sweep
  lookalike index list pages.index --include 'https://a.example/help/*' --json
  lookalike index list pages.index --sweep 2026-05-01                           what a sweep saw",
);

fn run(args: &Args) -> Result<u8> {
    let index = open(args)?;
    let (include, exclude) = (globs(args, "include")?, globs(args, "exclude")?);
    let sweep = args.get::<String>("sweep").map(|date| sweep_index(&index, &date)).transpose()?;
    let (gone, min, max) = (args.has("gone"), args.value::<u64>("min-size"), args.get::<u64>("max-size"));
    let is_wanted =
        |entry: &IndexEntry| !(gone && entry.current) && entry.bytes >= min && max.is_none_or(|max| entry.bytes <= max);
    let rows = output::rows::<IndexEntry>(args, |write| {
        index.for_each_history(|url, history| {
            if !(include.is_empty() || include.is_match(url)) || exclude.is_match(url) {
                return Ok(());
            }
            let seen = match sweep {
                None => history,
                // as it was then
                Some(sweep) => match history.binary_search_by_key(&sweep, |observation| observation.0) {
                    Ok(at) => &history[..=at],
                    Err(_) => return Ok(()),
                },
            };
            match index.entry(url, seen)?.filter(&is_wanted) {
                Some(entry) => write(&entry),
                None => Ok(()),
            }
        })
    })?;
    if rows == 0 {
        output::message("nothing matches");
    }
    Ok(crate::SUCCESS)
}

/// The place of a sweep among all.
fn sweep_index(index: &Index, date: &str) -> Result<u32> {
    let sweeps = index.sweeps();
    if let Some(at) = sweeps.iter().position(|sweep| sweep.date.as_deref() == Some(date)) {
        return Ok(at as u32);
    }
    let dates: Vec<&str> = sweeps.iter().filter_map(|sweep| sweep.date.as_deref()).collect();
    let known = match &dates[..] {
        [] => "it has no dates".to_owned(),
        [one] => format!("it has {one}"),
        [first, .., last] => format!("it has {} from {first} to {last}", dates.len()),
    };
    bail!("--sweep {date}: expected the date of a sweep of the index; {known}; lookalike index info lists them")
}

/// Globs of names: a name is one piece of text, so `*` goes over slashes.
fn globs(args: &Args, flag: &str) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in args.all::<String>(flag) {
        let wrong =
            |error: &globset::Error| anyhow!("--{flag} {glob:?}: {}; expected a glob such as *.html", error.kind());
        set.add(GlobBuilder::new(&glob).build().map_err(|error| wrong(&error))?);
    }
    set.build().map_err(|error| anyhow!("--{flag}: {error}; use fewer or shorter globs"))
}
