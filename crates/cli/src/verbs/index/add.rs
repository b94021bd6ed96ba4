//! `lookalike index add`: more documents for an index.

use super::{LENSES, corpus, lens_of, open, path, tell_read, writer};
use crate::args::{Args, Source, Spec};
use crate::documents::inputs;
use crate::output;
use crate::progress::Bars;
use crate::recipes::{self, key};
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::index::IndexWriter;
use lookalike::report::Skip;
use lookalike::simhash::Idf;
use lookalike::{ChunkRecipe, Index, Recipe, ShingleRecipe};
use std::sync::Arc;

pub(in crate::verbs) const SPEC: Spec = Spec::new(Verb::IndexAdd, "index add", "Add documents to an index", run)
    .lenses(LENSES)
    .long(
        "A name that is there already, in the same sweep, gets the new document. What did not change costs only the reading. Readers \
         see the index as it was until all is done; then they see all of it.",
    )
    .after(
        "Examples:
  lookalike index add pages.index site/                  what is new or has changed
  find site -newer pages.index -print0 | lookalike index add pages.index --stdin -0
  lookalike index add pages.index crawl.jsonl.zst --id-field url --sweep 2026-05-08

Lens and policy are those of the index. Lens flags need not be given; if they are, they must be the same.",
    );

fn run(args: &Args) -> Result<u8> {
    let path = path(args);
    let lens = lens_of(&path)?;
    let args = &args.with_lens(lens, &Source::File(&path))?;
    let (bars, sweep) = (Bars::new(args.has("quiet")), args.get::<String>("sweep"));
    let index = open(args)?;
    let writer = required(args, &index)?.of(writer(args, &bars).corpus(corpus(args, lens)));
    let changed = writer.add(inputs(args)?, sweep.as_deref())?;
    let code = tell_read(args, "added to", &changed)?;
    let is_unread = changed.skipped.iter().any(Skip::is_unread);
    if (changed.observed > 0 || is_unread) && !args.has("quiet") {
        warn(args)?;
    }
    Ok(code)
}

/// The recipe that what is added must have, and weights that go with it.
pub struct Required(Option<Recipe>, Option<Arc<Idf>>);

impl Required {
    /// A writer that asks for it.
    pub fn of(self, mut writer: IndexWriter<'_>) -> IndexWriter<'_> {
        if let Some(recipe) = self.0 {
            writer = writer.require(recipe);
        }
        if let Some(idf) = self.1 {
            writer = writer.idf(idf);
        }
        writer
    }
}

/// The recipe of the index, and what flags say otherwise: the library then tells what differs.
pub(crate) fn required(args: &Args, index: &Index) -> Result<Required> {
    Ok(match index.recipe() {
        Recipe::Shingles(own) => Required(Some(recipe(args, own)?.into()), None),
        Recipe::Simhash(own) => {
            let options = recipes::simhash_like(args, own)?;
            Required(Some(options.recipe.into()), options.idf)
        }
        Recipe::Chunks(own) => {
            let mean = args.get("avg-chunk").unwrap_or(own.parameters.mean);
            Required(Some(ChunkRecipe::new(mean, &key(args))?.into()), None)
        }
        Recipe::Passages(_) => Required(None, None),
    })
}

/// What the last sweep did not see counts as gone: tells when that may not be meant.
fn warn(args: &Args) -> Result<()> {
    let index = open(args)?;
    let sweep: Option<String> = args.get("sweep");
    let dated: Vec<_> = index.sweeps().iter().filter(|sweep| sweep.date.is_some()).collect();
    if sweep.is_none() && !dated.is_empty() {
        output::message(
            "warning: added without a date to an index that has dates: it counts as older than all; use --sweep",
        );
    }
    if let Some(unread) = dated.iter().find(|last| last.date == sweep).and_then(|last| last.unread.first()) {
        output::message(&format!(
            "note: this sweep could not read all of {unread}; until that is added with the same --sweep, nothing counts as gone \
             because this sweep has not seen it"
        ));
    } else if let [.., before, last] = dated[..]
        && last.date == sweep
        && last.observations * 2 < before.observations
    {
        output::message(&format!(
            "note: this sweep has seen {} names, the one before {}; what the last sweep has not seen counts as gone; \
             add the rest with the same --sweep",
            last.observations, before.observations
        ));
    }
    Ok(())
}

/// The recipe of an index of shingles, and what flags say otherwise.
fn recipe(args: &Args, own: &ShingleRecipe) -> Result<ShingleRecipe> {
    match (own.is_features(), args.get::<String>("features-field")) {
        (true, None) => bail!(
            "{} has features that were brought along, not words; say with --features-field FIELD where they are",
            path(args).display()
        ),
        (false, Some(_)) => {
            Ok(recipes::shingles_like(args, ShingleRecipe { sampling: own.sampling, ..ShingleRecipe::features() }))
        }
        _ => Ok(recipes::shingles_like(args, own.clone())),
    }
}
