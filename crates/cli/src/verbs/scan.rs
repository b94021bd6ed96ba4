//! `lookalike scan`: which of these are nearly the same, and which sit inside others?

use crate::args::{Args, Source, Spec};
use crate::documents::{corpus, corpus_without, exchange_file, inputs, limit, names, places};
use crate::lens::Lens;
use crate::progress::{self, Bars, cancel_on_signal};
use crate::recipes::{self, key};
use crate::verb::Verb;
use crate::{output, page};
use anyhow::{Result, bail};
use lookalike::chunks::{self, TemplateList};
use lookalike::exchange::lens_of;
use lookalike::index::Index;
use lookalike::simhash::{self, Question, SimhashRecipe};
use lookalike::{Decision, Differences, Error, PairRow, Policy, ScanOptions, StoreError, Viewed};
use lookalike_report::{HtmlOptions, HtmlPage, PageSubject, PairForm, PairWriter};
use std::path::Path;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Scan, "scan", "Find documents that are nearly the same, and documents inside others", run)
        .lenses(&[Lens::Shingles, Lens::Chunks, Lens::Simhash])
        .long(
            "Reads folders, files or JSONL and reports clusters of documents that resemble each other. Every number is verified on \
             the whole documents unless --estimate is given. With --lens chunks it compares the bytes of files, as lookalike files \
             does. With --lens simhash each document becomes one fingerprint, and those that differ in few bits are linked; --verify \
             compares them by their words. This page is about one lens: add --lens LENS for another.",
        )
        .after(
            "Examples:
  lookalike scan docs/                              clusters in a folder
  lookalike scan docs/ --contained 0.9              also pages inside bigger pages
  lookalike scan docs/ --html report.html           a page to look at, and to decide on
  lookalike scan corpus.jsonl.zst -w 5 --threshold 0.7 --json > report.json
  zcat crawl.gz | lookalike scan - --id-field url --estimate --csv > clusters.csv
  lookalike scan new/ --against old.index           what of this is not in the index yet
  find . -name '*.md' -print0 | lookalike scan --stdin -0
  lookalike scan --lens simhash crawl.jsonl.zst --category-field site --verify   within 3 bits, verified
  lookalike scan ours/ theirs.lka                   and what another owner has sketched",
        );

fn run(args: &Args) -> Result<u8> {
    let (lens, file) = lens(args)?;
    let args = &args.with_lens(lens, &file.as_deref().map_or(Source::Flag, Source::File))?;
    match lens {
        Lens::Chunks => by_chunks(args),
        Lens::Simhash => by_simhash(args),
        Lens::Shingles | Lens::Passages => by_shingles(args),
    }
}

/// The lens that was asked for, by its name or by an exchange file.
fn lens(args: &Args) -> Result<(Lens, Option<std::path::PathBuf>)> {
    let named: Option<Lens> = args.get("lens");
    let Some(path) = exchange_file(args)? else { return Ok((named.unwrap_or(Lens::Shingles), None)) };
    let own = if lens_of(&path)? == "chunks" { Lens::Chunks } else { Lens::Shingles };
    match named {
        Some(lens) if lens != own => {
            bail!("{} is an exchange file of the {own} lens; leave out --lens {lens}", path.display())
        }
        _ => Ok((own, Some(path))),
    }
}

fn by_shingles(args: &Args) -> Result<u8> {
    check(args)?;
    let options = ScanOptions {
        recipe: recipes::shingles(args),
        policy: recipes::policy(args, Policy::default()),
        candidates: args.value("candidates"),
        // without a limit every shingle of any document counts
        common: recipes::max_df_documents(args)?.unwrap_or(u32::MAX),
        whole: args.has("include-boilerplate"),
        estimate: args.has("estimate"),
        all_pairs: ["pairs", "save", "html"].iter().any(|flag| args.path(flag).is_some()),
        ..options(args)?
    };
    let against = args.path("against").map(|path| Index::open_for(&path, &options)).transpose()?;
    let bars = Bars::new(args.has("quiet"));
    let mut scan = lookalike::scan(inputs(args), &options, &bars, &cancel_on_signal())?;
    if let Some(index) = &against {
        scan.hold_against(index)?;
    }
    finish(args, &scan, &options.decisions, &TemplateList::default())
}

/// The same by the bytes that files share; also `lookalike files`.
pub(super) fn by_chunks(args: &Args) -> Result<u8> {
    let (mean, refine) = (args.value("avg-chunk"), args.get("refine"));
    if let Some(refine) = refine.filter(|refine| *refine >= mean) {
        bail!("--refine={refine}: expected a mean below --avg-chunk {mean}; say a smaller one, or leave it out");
    }
    check(args)?;
    let templates = args.path("templates").map(|list| TemplateList::read(&list, true)).transpose()?;
    let defaults = chunks::Options::default();
    let scan = ScanOptions {
        policy: recipes::policy_of_files(args, defaults.scan.policy),
        all_pairs: ["pairs", "html"].iter().any(|flag| args.path(flag).is_some()),
        ..options(args)?
    };
    let options = chunks::Options {
        scan,
        mean,
        key: key(args),
        common_share: recipes::max_df_share(args)?,
        exact: args.has("exact"),
        refine,
        templates: templates.unwrap_or_default(),
    };
    let scan = chunks::scan(inputs(args), &options, &Bars::new(args.has("quiet")), &cancel_on_signal())?;
    finish(args, &scan, &options.scan.decisions, &options.templates)
}

/// The same by one fingerprint for each document.
fn by_simhash(args: &Args) -> Result<u8> {
    check(args)?;
    let table = args.path("idf");
    let scan = ScanOptions {
        corpus: corpus_without(args, table.as_deref()),
        recipe: recipes::shingles(args),
        policy: recipes::policy(args, Policy::default()),
        ..options(args)?
    };
    let question = Question {
        options: recipes::simhash_like(args, &SimhashRecipe::default(), scan)?,
        k: args.value("distance"),
        length_ratio: args.get("length-ratio"),
        drop_common: recipes::max_df_documents(args)?.map(u64::from),
        verify: args.has("verify"),
    };
    let scan = simhash::scan(inputs(args), &question, &Bars::new(args.has("quiet")), &cancel_on_signal())?;
    finish(args, &scan, &question.options.scan.decisions, &TemplateList::default())
}

/// The part of the options that any lens has.
fn options(args: &Args) -> Result<ScanOptions> {
    let decisions = args.path("decisions").map(|path| Decision::read(&path)).transpose()?.unwrap_or_default();
    Ok(limit(
        args,
        ScanOptions {
            corpus: corpus(args),
            key: key(args),
            explore: args.path("html").and(args.get("explore")),
            decisions,
            stats: args.has("stats"),
            ..ScanOptions::default()
        },
    ))
}

/// Fails early if a result could not be written.
fn check(args: &Args) -> Result<()> {
    output::check_targets(args, &["output", "xlsx", "pairs", "html"])?;
    args.path("save").map_or(Ok(()), |path| output::check_target(&path, true))
}

/// A finished scan of any lens: what can be written of it.
trait Finished: Viewed {
    fn save(&self, run: &Path) -> Result<(), Error>;
    fn each_pair(&self, each: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error>;
    fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error>;
}

impl Finished for lookalike::Scan {
    fn save(&self, run: &Path) -> Result<(), Error> {
        self.save(run)
    }

    fn each_pair(&self, each: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error> {
        self.pairs(each)
    }

    fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        self.differences(a, b)
    }
}

impl Finished for chunks::Scan {
    fn save(&self, run: &Path) -> Result<(), Error> {
        self.save(run)
    }

    fn each_pair(&self, each: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error> {
        self.pairs(each)
    }

    fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        self.differences(a, b)
    }
}

/// Writes all that was asked for. Gives the exit code.
fn finish(args: &Args, scan: &dyn Finished, decisions: &[Decision], templates: &TemplateList) -> Result<u8> {
    progress::writing();
    if let Some(path) = args.path("save") {
        scan.save(&path)?;
        if !templates.templates.is_empty() {
            // what the scan ignored, clustering again ignores too
            templates.write(&super::templates::of_run(&path))?;
        }
    }
    if let Some(path) = args.path("pairs") {
        write_pairs(&path, scan)?;
        if scan.report().chunks.is_some() && scan.explored() > 1.0 && !args.has("quiet") {
            let many = scan.report().common;
            output::message(&format!(
                "note: chunks that more than {many} files have were not followed; of the pairs that share nothing else, {} has those with the first of a cluster only",
                path.display()
            ));
        }
    }
    if let Some(path) = args.path("html") {
        write_page(args, &path, scan, decisions)?;
    }
    let report = scan.report();
    output::report(args, report, &|a, b| scan.differences(a, b).ok().flatten())?;
    if report.documents == 0 {
        output::no_documents(args);
    }
    if output::is_damaged(&report.skipped, "the rest was scanned") {
        return Ok(crate::WRONG);
    }
    Ok(output::found(args, report))
}

fn write_page(args: &Args, path: &Path, scan: &dyn Viewed, decisions: &[Decision]) -> Result<()> {
    let page = HtmlPage::new(
        PageSubject::Scan(scan),
        &HtmlOptions {
            inputs: names(args),
            place: places(args),
            command: page::command(page::arguments()),
            made: page::now(),
            embed_limit: args.value("embed-limit"),
            decisions,
        },
    )?;
    output::to(Some(path), false, |out| page.write(out))
}

fn write_pairs(path: &Path, scan: &dyn Finished) -> Result<()> {
    Ok(lookalike::atomic::write(path, |out| {
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        let mut rows = PairWriter::new(out, PairForm::of(path), scan.report()).map_err(failed)?;
        scan.each_pair(&mut |pair| rows.write(&pair).map_err(|e| Error::from(failed(e))))?;
        rows.finish().map_err(failed)?;
        Ok::<_, Error>(())
    })?)
}
