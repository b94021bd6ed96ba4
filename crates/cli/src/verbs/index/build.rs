//! `lookalike index build`: a new index.

use super::{LENSES, corpus, path, tell_read, writer};
use crate::args::{Args, Source, Spec};
use crate::documents::inputs;
use crate::lens::Lens;
use crate::output;
use crate::progress::Bars;
use crate::recipes;
use crate::verb::Verb;
use anyhow::Result;
use lookalike::report::Policy;
use lookalike::{ChunksOptions, CorpusOptions, LensOptions, PassagesOptions, ShinglesOptions, SimhashRecipe};

pub(in crate::verbs) const SPEC: Spec =
    Spec::new(Verb::IndexBuild, "index build", "Make a new index of documents", run)
        .lenses(LENSES)
        .long(
            "Reads what lookalike scan reads and writes a new folder. It appears whole: what stops before the end leaves no index.",
        )
        .after(
            "Examples:
  lookalike index build pages.index site/
  lookalike index build pages.index crawl.jsonl.zst --id-field url --sweep 2026-05-01
  zcat crawl.gz | lookalike index build pages.index - --id-field url -w 5
  lookalike index build library.index books/ --lens passages         where do passages come from?
  lookalike index build seen.index crawl.jsonl.zst --lens simhash    was this page seen?
  lookalike index build files.index backup/ --lens chunks            do we have this file, or a version of it?

Lens and policy are fixed when an index is built. Queries may ask for another threshold.",
        );

/// What is asked of a new index.
pub(crate) fn asked(args: &Args, lens: Lens) -> Result<(LensOptions, CorpusOptions)> {
    let options = match lens {
        Lens::Passages => PassagesOptions::from(recipes::passages(args)?).into(),
        Lens::Simhash => recipes::simhash_like(args, &SimhashRecipe::default())?.into(),
        Lens::Chunks => ChunksOptions { mean: args.value("avg-chunk"), ..ChunksOptions::default() }.into(),
        Lens::Shingles | Lens::All => ShinglesOptions {
            policy: recipes::policy(args, Policy::default()),
            max_df: recipes::max_df_documents(args)?.unwrap_or(u32::MAX),
            ..ShinglesOptions::new(recipes::shingles(args))
        }
        .into(),
    };
    Ok((options, corpus(args, lens)))
}

fn run(args: &Args) -> Result<u8> {
    let lens = args.get("lens").unwrap_or(Lens::Shingles);
    let args = &args.with_lens(lens, &Source::Flag)?;
    output::check_new_store(&path(args))?;
    let (options, corpus) = asked(args, lens)?;
    let (bars, sweep) = (Bars::new(args.has("quiet")), args.get::<String>("sweep"));
    let changed = writer(args, &bars).corpus(corpus).build(options, inputs(args)?, sweep.as_deref())?;
    tell_read(args, "built", &changed)
}
