//! `lookalike compare`: two documents, side by side.

use crate::args::{Args, Source, Spec};
use crate::documents::resources;
use crate::lens::Lens;
use crate::recipes::{self, key};
use crate::verb::Verb;
use crate::{output, page};
use anyhow::{Result, bail};
use lookalike::report::Policy;
use lookalike::{CompareOptions, SimhashOptions, SimhashRecipe, simhash};
use lookalike_report::{ComparisonView, HtmlOptions, PageSubject};
use std::path::PathBuf;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Compare, "compare", "Compare two documents exactly and show where they differ", run)
        .lenses(&[Lens::Shingles, Lens::Simhash])
        .after(
            "Examples:
  lookalike compare old.html new.html                    resemblance, containment, and what differs
  lookalike compare report.md report.html --html pair.html   side by side, in a browser
  lookalike compare a.txt b.txt --json | jq .resemblance
  lookalike compare a.txt b.txt --lens simhash           how many bits their fingerprints differ in",
        );

/// What is asked of a comparison by words.
pub(crate) fn asked(args: &Args) -> CompareOptions {
    CompareOptions {
        recipe: recipes::shingles(args),
        key: key(args),
        policy: recipes::policy(args, Policy::default()),
        min_words: args.get("min-words"),
        max_size: args.value("max-size"),
        resources: resources(args),
    }
}

fn run(args: &Args) -> Result<u8> {
    let lens = args.get("lens").unwrap_or(Lens::Shingles);
    let args = &args.with_lens(lens, &Source::Flag)?;
    let (a, b): (PathBuf, PathBuf) = (args.value("a"), args.value("b"));
    if lens == Lens::Simhash {
        let usual = recipes::simhash_like(args, &SimhashRecipe::default())?;
        let options = SimhashOptions { distance: args.value("distance"), ..usual };
        let compared =
            simhash::compare(&a, &b, &options, &key(args), (args.value("max-size"), resources(args).memory))?;
        output::answer(args, &compared)?;
        return Ok(crate::SUCCESS);
    }
    let options = asked(args);
    output::check_targets(args, &["html", "output"])?;
    let comparison = lookalike::compare(&a, &b, &options)?;
    if let Some(path) = args.path("html") {
        if let Some(needed) = comparison.unaligned {
            bail!(
                "--html: the page shows where they differ, which takes {needed} bytes of memory; allow that much (--memory)"
            );
        }
        let options = HtmlOptions { made: page::now(), ..HtmlOptions::default() };
        page::write(args, &path, PageSubject::Comparison(&comparison), options)?;
    }
    output::answer(args, &ComparisonView { comparison: &comparison, top: args.value("top") })?;
    Ok(crate::SUCCESS)
}
