//! `lookalike lost`: where did the content of a URL go?

use super::index::{least_share, open};
use crate::args::{Args, Spec};
use crate::output;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::Index;
use lookalike::index::{LostOptions, LostStatus, Redirect};
use std::path::PathBuf;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Lost, "lost", "Find where the content of a dead or changed URL lives now", run)
        .long(
            "Takes what the URL had when it was last seen, or before it became something else, and looks for it in the last sweep: \
             moved to another URL, split over several, taken into a larger page, changed where it was, or gone.",
        )
        .after(
            "Examples:
  lookalike lost pages.index https://a.example/faq.html
  lookalike lost pages.index https://a.example/faq.html --json
  lookalike lost pages.index --all --csv -o redirects.csv       every URL that is gone, and where its content lives now

An index knows the past if its documents were added with dates, sweep by sweep:
  lookalike index add pages.index crawl.jsonl --id-field url --sweep 2026-05-08",
        );

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output"])?;
    let index = open(args)?;
    let undated = index.sweeps().iter().all(|sweep| sweep.date.is_none());
    if args.has("all") {
        note_undated(undated);
        return all(args, &index);
    }
    let (url, at): (String, Option<String>) = (args.value("address"), args.get("at"));
    let options =
        LostOptions { least: least_share(args)?, at: at.clone(), limit: args.value("limit"), ..LostOptions::default() };
    let lost = index.lost(&url, &options)?;
    if lost.status == LostStatus::Unknown {
        let by_then = at.map_or(String::new(), |date| format!(" by {date}"));
        let path: PathBuf = args.value("index");
        bail!("{url}: was never seen by {}{by_then}; check its spelling", path.display());
    }
    note_undated(undated);
    if args.has("csv") {
        output::rows::<Redirect>(args, |write| write(&lost.into()))?;
    } else {
        output::answer(args, &lost)?;
    }
    Ok(crate::SUCCESS)
}

fn note_undated(undated: bool) {
    if undated {
        output::message("note: this index has no dates, so all that it holds counts as there; add with --sweep DATE");
    }
}

/// The redirect map.
fn all(args: &Args, index: &Index) -> Result<u8> {
    let options = LostOptions { least: least_share(args)?, ..LostOptions::default() };
    let rows = output::rows::<Redirect>(args, |write| index.redirects(&options, &mut |redirect| write(&redirect)))?;
    if rows == 0 {
        output::message("no URL is gone: all are in the last sweep");
    }
    Ok(crate::SUCCESS)
}
