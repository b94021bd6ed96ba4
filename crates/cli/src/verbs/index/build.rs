//! `lookalike index build`: a new index.

use super::{LENSES, path, tell_read};
use crate::args::{Args, Source, Spec};
use crate::documents::{corpus_without, inputs, limit, with_archives};
use crate::lens::Lens;
use crate::progress::{Bars, cancel_on_signal};
use crate::recipes::{self, key};
use crate::verb::Verb;
use anyhow::Result;
use lookalike::copies::CopiesOptions;
use lookalike::simhash::SimhashRecipe;
use lookalike::{Policy, ScanOptions, index};

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

Lens and policy are fixed when an index is built. Queries may ask for another threshold.",
        );

fn run(args: &Args) -> Result<u8> {
    let lens = args.get("lens").unwrap_or(Lens::Shingles);
    let args = &args.with_lens(lens, &Source::Flag)?;
    let (path, table) = (path(args), args.path("idf"));
    let ours = [Some(path.as_path()), table.as_deref()];
    let corpus = corpus_without(args, ours.into_iter().flatten());
    let scan = limit(args, ScanOptions { corpus, key: key(args), ..ScanOptions::default() });
    let (inputs, sweep) = (inputs(args), args.get::<String>("sweep"));
    let (sweep, bars, cancel) = (sweep.as_deref(), Bars::new(args.has("quiet")), cancel_on_signal());
    let changed = match lens {
        Lens::Passages => {
            let scan = ScanOptions { corpus: with_archives(scan.corpus.clone()), ..scan };
            let options = recipes::passages(args, CopiesOptions { scan, ..CopiesOptions::default() })?;
            index::build_passages(&path, inputs, sweep, &options, &bars, &cancel)?
        }
        Lens::Simhash => {
            let options = recipes::simhash_like(args, &SimhashRecipe::default(), scan)?;
            index::build_simhash(&path, inputs, sweep, &options, &bars, &cancel)?
        }
        Lens::Shingles | Lens::Chunks => {
            let options = ScanOptions {
                recipe: recipes::shingles(args),
                policy: recipes::policy(args, Policy::default()),
                common: recipes::max_df_documents(args)?.unwrap_or(u32::MAX),
                ..scan
            };
            index::build(&path, inputs, sweep, &options, &bars, &cancel)?
        }
    };
    tell_read(args, "built", &changed)
}
