//! `lookalike compare`: two documents, side by side.

use crate::args::{Args, Source, Spec};
use crate::documents::resources;
use crate::lens::Lens;
use crate::recipes::{self, key};
use crate::verb::Verb;
use crate::{output, page};
use anyhow::{Result, bail};
use lookalike::report::Policy;
use lookalike::simhash::FingerprintComparison;
use lookalike::{CompareOptions, Comparison, ShingleComparison, SimhashOptions, SimhashRecipe, shingles, simhash};
use lookalike_report::{ComparisonView, HtmlOptions, PageSubject, ShingleComparisonView, Show};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) const SPEC: Spec =
    Spec::new(Verb::Compare, "compare", "Say what two documents are to each other, and show where they differ", run)
        .lenses(&[Lens::Shingles, Lens::Simhash, Lens::All])
        .after(
            "Examples:
  lookalike compare old.html new.html                    what they are to each other, and what differs
  lookalike compare scan.pdf print.pdf                   the same text, though one of them is full of OCR errors?
  lookalike compare report.md report.html --html pair.html   side by side, in a browser
  lookalike compare a.txt b.txt --json | jq .relation
  lookalike compare a.txt b.txt --lens simhash           how many bits their fingerprints differ in",
        );

/// A comparison that was asked for: by all lenses, or by one.
pub enum Comparer {
    /// By all that apply.
    All(CompareOptions),
    /// By shingles.
    Shingles(CompareOptions),
    /// By fingerprints: with a key, the largest document and the memory.
    Simhash(Box<SimhashOptions>, String, (u64, u64)),
}

/// What it tells.
pub enum Compared {
    /// By all lenses.
    All(Box<Comparison>),
    /// By shingles.
    Shingles(Box<ShingleComparison>),
    /// By fingerprints.
    Simhash(Box<FingerprintComparison>),
}

/// The one lens that was named; none if it is all of them, named or not.
fn one_lens(args: &Args) -> Option<Lens> {
    args.get("lens").filter(|lens| *lens != Lens::All)
}

/// What is asked of a comparison.
pub(crate) fn asked(args: &Args) -> Result<Comparer> {
    let lens = one_lens(args);
    let args = &args.with_lens(lens.unwrap_or(Lens::Shingles), &Source::Flag)?;
    let limits = (args.value("max-size"), resources(args).memory);
    if lens == Some(Lens::Simhash) {
        let usual = recipes::simhash_like(args, &SimhashRecipe::default())?;
        let options = SimhashOptions { distance: args.value("distance"), ..usual };
        return Ok(Comparer::Simhash(Box::new(options), key(args), limits));
    }
    let options = CompareOptions {
        recipe: recipes::shingles(args),
        key: key(args),
        policy: recipes::policy(args, Policy::default()),
        min_words: args.get("min-words"),
        max_size: limits.0,
        resources: resources(args),
    };
    Ok(if lens.is_some() { Comparer::Shingles(options) } else { Comparer::All(options) })
}

impl Comparer {
    /// Compares two files.
    pub fn files(&self, a: &Path, b: &Path) -> Result<Compared, lookalike::Error> {
        Ok(match self {
            Self::All(options) => Compared::All(Box::new(lookalike::compare(a, b, options)?)),
            Self::Shingles(options) => Compared::Shingles(Box::new(shingles::compare(a, b, options)?)),
            Self::Simhash(options, key, limits) => {
                Compared::Simhash(Box::new(simhash::compare(a, b, options, key, *limits)?))
            }
        })
    }

    /// Compares two texts.
    pub fn texts(&self, a: &str, b: &str) -> Result<Compared, lookalike::Error> {
        Ok(match self {
            Self::All(options) => Compared::All(Box::new(lookalike::compare_texts(a, b, options)?)),
            Self::Shingles(options) => Compared::Shingles(Box::new(shingles::compare_texts(a, b, options)?)),
            Self::Simhash(options, key, (_, memory)) => {
                Compared::Simhash(Box::new(simhash::compare_texts(a, b, options, key, *memory)?))
            }
        })
    }
}

impl Compared {
    /// As an answer that shows so many differences.
    pub fn view(&self, top: usize) -> ComparedView<'_> {
        match self {
            Self::All(comparison) => ComparedView::All(ComparisonView { comparison, top }),
            Self::Shingles(comparison) => ComparedView::Shingles(ShingleComparisonView { comparison, top }),
            Self::Simhash(comparison) => ComparedView::Simhash(comparison),
        }
    }

    /// Two texts side by side, if both have some.
    fn page(&self) -> Option<(&ShingleComparison, Option<&Comparison>)> {
        match self {
            Self::All(comparison) => Some((comparison.shingles.as_ref()?, Some(comparison))),
            Self::Shingles(comparison) => Some((comparison, None)),
            Self::Simhash(_) => None,
        }
    }
}

/// What a comparison tells, as an answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum ComparedView<'a> {
    /// By all lenses.
    All(ComparisonView<'a>),
    /// By shingles.
    Shingles(ShingleComparisonView<'a>),
    /// By fingerprints.
    Simhash(&'a FingerprintComparison),
}

impl Show for ComparedView<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::All(view) => view.show(out),
            Self::Shingles(view) => view.show(out),
            Self::Simhash(view) => view.show(out),
        }
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::All(view) => view.write_json(out),
            Self::Shingles(view) => view.write_json(out),
            Self::Simhash(view) => view.write_json(out),
        }
    }
}

fn run(args: &Args) -> Result<u8> {
    let (a, b): (PathBuf, PathBuf) = (args.value("a"), args.value("b"));
    let comparer = asked(args)?;
    let args = &args.with_lens(one_lens(args).unwrap_or(Lens::Shingles), &Source::Flag)?;
    if !matches!(comparer, Comparer::Simhash(..)) {
        output::check_targets(args, &["html", "output"])?;
    }
    let compared = comparer.files(&a, &b)?;
    if let Some(path) = args.path("html") {
        let Some((texts, all)) = compared.page() else {
            bail!("--html: the page shows two texts, and one of these documents has none; leave it out")
        };
        if let Some(needed) = texts.unaligned {
            bail!(
                "--html: the page shows where they differ, which takes {needed} bytes of memory; allow that much (--memory)"
            );
        }
        let options = HtmlOptions { made: page::now(), ..HtmlOptions::default() };
        page::write(args, &path, PageSubject::Comparison(texts, all), options)?;
    }
    let top = if matches!(compared, Compared::Simhash(_)) { 0 } else { args.value("top") };
    output::answer(args, &compared.view(top))?;
    Ok(crate::SUCCESS)
}
