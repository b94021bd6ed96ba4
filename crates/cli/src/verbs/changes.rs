//! `lookalike changes`: how pages change, move and die.

use super::index::open;
use crate::args::{Args, Spec};
use crate::output;
use crate::verb::Verb;
use anyhow::Result;
use lookalike::index::{ChangesOptions, PageChange};
use lookalike_report::{RowForm, RowWriter, write_changes_csv, write_changes_html};
use std::path::PathBuf;

pub(super) const SPEC: Spec = Spec::new(
    Verb::Changes,
    "changes",
    "Show how pages change from sweep to sweep: how often, how much, where they move, how long they live",
    run,
)
.after(
    "Examples:
  lookalike changes pages.index
  lookalike changes pages.index --html changes.html
  lookalike changes pages.index --csv > sweeps.csv            a row for each two sweeps
  lookalike changes pages.index --pages moved.csv             a row for each page that moved, died, was born or changed

It takes at least two sweeps: documents that were added with --sweep DATE.",
);

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["html", "pages", "output"])?;
    let changes = open(args)?.changes(&ChangesOptions { threshold: args.value("threshold") })?;
    if let Some(path) = args.path("html") {
        let source = args.value::<PathBuf>("index").display().to_string();
        output::to(Some(&path), false, |out| write_changes_html(out, &changes, &source))?;
    }
    if let Some(path) = args.path("pages") {
        let form = RowForm::of_file(&path);
        output::to(Some(&path), false, |out| {
            let mut rows = RowWriter::new::<PageChange>(out, form)?;
            changes.pages.iter().try_for_each(|page| rows.write(page))?;
            rows.finish().map(drop)
        })?;
    }
    if args.has("csv") {
        output::to(args.path("output").as_deref(), false, |out| write_changes_csv(out, &changes))?;
    } else {
        output::answer(args, &changes)?;
    }
    Ok(crate::SUCCESS)
}
