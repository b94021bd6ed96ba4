//! `lookalike index`: sketches and postings kept on disk. Here are the verbs that only look or tidy up.

pub(crate) mod add;
pub(crate) mod build;
pub(super) mod list;
pub(super) mod remove;

use super::Group;
use crate::args::{Args, Spec};
use crate::documents::{self, resources, whole_files, with_archives};
use crate::lens::Lens;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::recipes::key;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::index::{self, ChangeSummary, IndexWriter};
use lookalike::simhash::read_idf;
use lookalike::{CorpusOptions, Error, Index};
use lookalike_report::{IndexChange, IndexCheck, IndexSnapshot};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const GROUP: Group = Group {
    name: "index",
    about: "Keep an index of documents on disk, for answers without a scan",
    long: "An index is a folder with the sketches of documents (or their tokens, fingerprints or chunks), not their texts. Documents are added day by day; lookalike query asks \
           for one document in milliseconds. With a date for each sweep it also knows the past: lookalike lost, holders and changes.",
    after: "Examples:
  lookalike index build pages.index site/            a new index of a folder
  lookalike index add pages.index new/               add documents, or new versions of them
  lookalike query pages.index draft.html             where have I seen this before?

A name is what a document is called: the URL or id of a JSON line, or the path of a file.
The same content is kept once, however many names it has.",
};

/// The lenses that an index can have.
pub(super) const LENSES: &[Lens] = &[Lens::Shingles, Lens::Passages, Lens::Simhash, Lens::Chunks];

pub(super) const INFO: Spec = Spec::new(
    Verb::IndexInfo,
    "index info",
    "Show what an index holds: documents, names, sweeps, clusters, recipe",
    |args| {
        let info = open(args)?.info()?;
        output::answer(args, &info)?;
        Ok(crate::SUCCESS)
    },
)
.after(
    "Examples:
  lookalike index info pages.index
  lookalike index info pages.index --json | jq .recipe
  lookalike index info pages.index -o about.txt",
);

pub(super) const MERGE: Spec = Spec::new(
    Verb::IndexMerge,
    "index merge",
    "Merge all segments of an index, and let go of what was removed",
    |args| {
        let bars = Bars::new(args.has("quiet"));
        tell(args, "merged", &writer(args, &bars).merge()?)
    },
)
.long(
    "Every change writes a new segment, and small ones are merged now and then by themselves. One segment answers fastest and takes \
     the least room; answers stay the same.",
)
.after(
    "Examples:
  lookalike index merge pages.index
  lookalike index merge pages.index --memory 2G
  lookalike index remove pages.index --sweep 2026-05-01 --all && lookalike index merge pages.index",
);

pub(super) const SNAPSHOT: Spec = Spec::new(
    Verb::IndexSnapshot,
    "index snapshot",
    "Copy an index as it is at this moment, while it is in use",
    |args| {
        let (path, copy) = (path(args), args.value::<PathBuf>("copy"));
        index::snapshot(&path, &copy)?;
        let (index, copy) = (path.display().to_string(), copy.display().to_string());
        output::answer(args, &IndexSnapshot { index: &index, copy: &copy })?;
        Ok(crate::SUCCESS)
    },
)
.long(
    "For backups: nobody has to stop, neither lookalike serve nor who adds documents, and what was acknowledged before is in the copy. \
     It is an index as any other. Where both folders are on one disk, files that never change again are linked, so it takes hardly \
     any time or room; take it to another disk from there. A store of fingerprints is copied in the same way.",
)
.after(
    "Examples:
  lookalike index snapshot pages.index backup/pages.2026-05-08
  lookalike index snapshot pages.index now.index && rsync -a now.index/ far:pages.index/ && rm -r now.index
  lookalike index snapshot seen backup/seen && lookalike serve backup/seen --read-only",
);

pub(super) const VERIFY: Spec =
    Spec::new(Verb::IndexVerify, "index verify", "Check every byte of an index", |args| {
        let path = path(args);
        let checked = index::verify(&path)?;
        output::answer(args, &IndexCheck { index: &path.display().to_string(), checked: &checked })?;
        Ok(if checked.damages.is_empty() { crate::SUCCESS } else { crate::WRONG })
    })
    .long(
        "Reads all files and compares them with their checksums. Damage is listed with file and offset, and makes the exit code 2.",
    )
    .after(
        "Examples:
  lookalike index verify pages.index
  lookalike index verify pages.index --json | jq .damages
  lookalike index verify pages.index && cp -r pages.index /backup/",
    );

/// Where the index is.
pub(super) fn path(args: &Args) -> PathBuf {
    args.value("index")
}

/// The lens of an index.
pub(super) fn lens_of(path: &Path) -> Result<Lens, Error> {
    Ok(Index::open(path, "")?.lens().into())
}

/// Opens an index.
pub(super) fn open(args: &Args) -> Result<Index> {
    let idf = args.path("idf").map(|path| read_idf(&path)).transpose()?;
    Ok(match idf {
        Some((_, idf)) => Index::open_with_idf(path(args), &key(args), Arc::new(idf))?,
        None => Index::open(path(args), &key(args))?,
    })
}

/// What is read for an index of this lens: what a scan by it would read, without the index itself.
pub(crate) fn corpus(args: &Args, lens: Lens) -> CorpusOptions {
    let corpus = documents::corpus(args);
    match lens {
        Lens::Passages => with_archives(corpus),
        Lens::Chunks => whole_files(args, corpus),
        Lens::Shingles | Lens::Simhash | Lens::All => corpus,
    }
}

/// Changes an index.
fn writer<'a>(args: &Args, bars: &'a Bars) -> IndexWriter<'a> {
    IndexWriter::new(path(args)).key(&key(args)).resources(resources(args)).progress(bars).cancel(&cancel_on_signal())
}

/// The least share of a document that must be contained elsewhere.
pub(super) fn least_share(args: &Args) -> Result<f64> {
    match args.value::<Option<f64>>("contained") {
        Some(share) => Ok(share),
        None => bail!("--contained off: expected a share of more than 0 and at most 1, found off"),
    }
}

/// Tells what was done with documents that were read.
fn tell_read(args: &Args, done: &str, changed: &ChangeSummary) -> Result<u8> {
    let code = tell(args, done, changed)?;
    if changed.read == 0 {
        return Ok(output::no_documents(args, &changed.skipped));
    }
    Ok(code)
}

/// Tells what was done. Gives the exit code: broken input is no success.
fn tell(args: &Args, done: &str, changed: &ChangeSummary) -> Result<u8> {
    output::summary(args, &IndexChange { done, index: &path(args).display().to_string(), changed })?;
    Ok(if output::is_damaged(&changed.skipped, "the rest was taken") { crate::WRONG } else { crate::SUCCESS })
}
