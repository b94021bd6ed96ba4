//! `lookalike collapse`: search results in, groups out.

use super::index::open;
use crate::args::{Args, Spec};
use crate::documents::names_of_stdin;
use crate::output;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike_report::write_collapsed_text;

pub(super) const SPEC: Spec = Spec::new(
    Verb::Collapse,
    "collapse",
    "Collapse search results: put those that look alike under the first of them",
    run,
)
.long("Reads ranked URLs or ids on standard input, best first, one per line. What is not in the index stays as it is.")
.after(
    "Examples:
  search 'opening hours' | lookalike collapse pages.index
  search 'opening hours' | lookalike collapse pages.index --json
  search 'opening hours' | lookalike collapse pages.index --plain | grep -vP '^\\t'      the best of each group",
);

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output"])?;
    let index = open(args)?;
    let ranked = names_of_stdin()?;
    if ranked.is_empty() {
        bail!("standard input is empty: expected URLs or ids, best first, one per line");
    }
    let collapsed = index.collapse(ranked)?;
    if args.has("plain") {
        output::to(args.path("output").as_deref(), false, |out| write_collapsed_text(out, &collapsed))?;
    } else {
        output::answer(args, &collapsed)?;
    }
    Ok(crate::SUCCESS)
}
