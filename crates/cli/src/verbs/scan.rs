//! `lookalike scan`: which of these are nearly the same, and which sit inside others?

use crate::args::{Args, Source, Spec};
use crate::documents::{corpus, exchange_file, inputs, names, options, places, whole_files};
use crate::lens::Lens;
use crate::probe;
use crate::progress::{self, Bars, cancel_on_signal};
use crate::recipes::{self, key};
use crate::verb::Verb;
use crate::{output, page, values};
use anyhow::{Result, bail};
use lookalike::exchange::lens_of;
use lookalike::report::{Decision, Policy};
use lookalike::templates::TemplateList;
use lookalike::{
    AllOptions, ChunksOptions, CorpusOptions, Error, Index, Keep, LensOptions, OptionName, Scan, ScanOptions, Scanner,
    ShinglesOptions, SimhashOptions, SimhashRecipe, StoreError, Verification,
};
use lookalike_report::{HtmlOptions, PageSubject, PairForm, PairWriter};
use std::path::Path;
use std::time::Instant;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Scan, "scan", "Find documents that are nearly the same, and documents inside others", run)
        .lenses(&[Lens::Shingles, Lens::Chunks, Lens::Simhash, Lens::All])
        .long(
            "Reads folders, files or JSONL and reports clusters of documents that resemble each other. Every number is verified on \
             the whole documents unless --estimate is given. With --lens chunks it compares the bytes of files, as lookalike files \
             does. With --lens simhash each document becomes one fingerprint, and those that differ in few bits are linked; --verify \
             compares them by their words. With --lens all every lens looks for pairs, all of them look at each pair, and one sentence \
             says what the two are to each other. This page is about one lens: add --lens LENS for another.",
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
  lookalike scan --lens all docs/                   what any two of them are to each other, by every lens
  lookalike scan --lens all docs/ --relation small-errors,version   OCR and new versions only
  lookalike scan ours/ theirs.lka                   and what another owner has sketched",
        );

fn run(args: &Args) -> Result<u8> {
    let (lens, file) = lens(args)?;
    let args = &args.with_lens(lens, &file.as_deref().map_or(Source::Flag, Source::File))?;
    match lens {
        Lens::Chunks => by_chunks(args),
        Lens::Simhash => by_simhash(args),
        Lens::All => by_all(args),
        Lens::Shingles | Lens::Passages => by_shingles(args),
    }
}

/// The lens that was asked for, by its name or by an exchange file.
pub(crate) fn lens(args: &Args) -> Result<(Lens, Option<std::path::PathBuf>)> {
    let named: Option<Lens> = args.get("lens");
    let Some(path) = exchange_file(args)? else { return Ok((named.unwrap_or(Lens::Shingles), None)) };
    let own = Lens::from(lens_of(&path)?);
    match named {
        Some(lens) if lens != own => {
            bail!("{} is an exchange file of the {own} lens; leave out --lens {lens}", path.display())
        }
        _ => Ok((own, Some(path))),
    }
}

/// What is asked of a scan by a lens. `all_pairs` says that every pair is to be kept.
pub(crate) fn asked(args: &Args, lens: Lens, all_pairs: bool) -> Result<(LensOptions, ScanOptions)> {
    let (lens, corpus): (LensOptions, CorpusOptions) = match lens {
        Lens::Chunks => (chunks(args, all_pairs, templates(args)?)?.into(), whole_files(args, corpus(args))),
        Lens::Simhash => (simhash(args)?.into(), corpus(args)),
        Lens::All => (all(args).into(), corpus(args)),
        Lens::Shingles | Lens::Passages => (shingles(args, all_pairs).into(), corpus(args)),
    };
    let mut asked = options(args, corpus);
    asked.keep = keep(args)?;
    asked.decisions = decisions(args)?;
    Ok((lens, asked))
}

fn shingles(args: &Args, all_pairs: bool) -> ShinglesOptions {
    let (max_df, max_share) = recipes::max_df_shingles(args);
    ShinglesOptions {
        policy: recipes::policy(args, Policy::default()),
        min_words: args.get("min-words"),
        candidates: args.value("candidates"),
        max_df,
        max_share,
        include_boilerplate: recipes::keeps_boilerplate(args),
        estimate: args.has("estimate"),
        all_pairs,
        explore: explore(args),
        ..ShinglesOptions::new(recipes::shingles(args))
    }
}

/// The index that is not to be found again, if one was given.
pub(crate) fn against(args: &Args) -> Result<Option<Index>> {
    let Some(path) = args.path("against") else { return Ok(None) };
    let index = Index::open(path, &key(args))?;
    let kept = match Lens::from(index.lens()) {
        Lens::Shingles | Lens::All => None,
        Lens::Passages => Some("passages"),
        Lens::Simhash => Some("fingerprints"),
        Lens::Chunks => Some("chunks"),
    };
    if let Some(kept) = kept {
        bail!("--against: the index has {kept}, not shingles; give an index of shingles");
    }
    index.check_recipe(&recipes::shingles(args).to_string())?;
    Ok(Some(index))
}

fn by_shingles(args: &Args) -> Result<u8> {
    check(args)?;
    let against = against(args)?;
    let begin = Instant::now();
    let mut scan = scan(args, Lens::Shingles, wants_pairs(args, &["pairs", "save", "html"]))?;
    if let Some(index) = &against {
        index.mark_known(&mut scan)?;
    }
    let code = finish(args, &mut scan, &TemplateList::default())?;
    probe::suggest(args, Lens::Shingles, &scan, begin.elapsed());
    Ok(code)
}

fn templates(args: &Args) -> Result<TemplateList> {
    Ok(args.path("templates").map(|list| TemplateList::read(&list, true)).transpose()?.unwrap_or_default())
}

fn chunks(args: &Args, all_pairs: bool, templates: TemplateList) -> Result<ChunksOptions> {
    let (mean, refine) = (args.value("avg-chunk"), args.get("refine"));
    if let Some(refine) = refine.filter(|refine| *refine >= mean) {
        bail!("--refine={refine}: expected a mean below --avg-chunk {mean}; say a smaller one, or leave it out");
    }
    let usual = ChunksOptions::default();
    Ok(ChunksOptions {
        mean,
        share: args.get("threshold").unwrap_or(usual.share),
        min_shared: args.get("min-shared").unwrap_or(usual.min_shared),
        linkage: args.get("linkage").unwrap_or(usual.linkage),
        max_df: recipes::max_df_share(args)?,
        exact: args.has("exact"),
        refine,
        cache: args.path("cache"),
        templates,
        all_pairs,
        explore: explore(args),
        ..usual
    })
}

/// The same by the bytes that files share; also `lookalike files`.
pub(super) fn by_chunks(args: &Args) -> Result<u8> {
    check(args)?;
    let mut scan = scan(args, Lens::Chunks, wants_pairs(args, &["pairs", "html"]))?;
    finish(args, &mut scan, &templates(args)?)
}

fn simhash(args: &Args) -> Result<SimhashOptions> {
    let verify = || Verification { recipe: recipes::shingles(args), policy: recipes::policy(args, Policy::default()) };
    let usual = recipes::simhash_like(args, &SimhashRecipe::default())?;
    Ok(SimhashOptions {
        distance: args.value("distance"),
        linkage: args.get("linkage").unwrap_or(usual.linkage),
        length_ratio: args.get("length-ratio"),
        min_words: args.get("min-words").unwrap_or(usual.min_words),
        max_df: recipes::max_df_documents(args)?.map(u64::from),
        verify: args.has("verify").then(verify),
        ..usual
    })
}

/// The same by one fingerprint for each document.
fn by_simhash(args: &Args) -> Result<u8> {
    check(args)?;
    if args.has("verify") && args.path("save").is_some() {
        return Err(Error::Conflict(OptionName::SavedRun, OptionName::Verify).into());
    }
    let begin = Instant::now();
    let mut scan = scan(args, Lens::Simhash, false)?;
    let code = finish(args, &mut scan, &TemplateList::default())?;
    probe::suggest(args, Lens::Simhash, &scan, begin.elapsed());
    Ok(code)
}

fn all(args: &Args) -> AllOptions {
    let policy = recipes::policy(args, Policy::default());
    AllOptions { recipe: recipes::shingles(args), policy, min_words: args.get("min-words") }
}

/// By all lenses: what any two documents are to each other.
fn by_all(args: &Args) -> Result<u8> {
    check(args)?;
    let mut scan = scan(args, Lens::All, false)?;
    let (relations, disagreements) = (args.all("relation"), args.all("disagreement"));
    if let Some(section) = scan.report_mut().relations_mut() {
        section.keep(&relations, &disagreements);
    }
    finish(args, &mut scan, &TemplateList::default())
}

/// Whether every pair is to be compared, for one of these results.
fn wants_pairs(args: &Args, results: &[&str]) -> bool {
    results.iter().any(|flag| args.path(flag).is_some())
}

/// How far below the threshold a page lists pairs.
fn explore(args: &Args) -> Option<f64> {
    args.path("html").and(args.get("explore"))
}

fn decisions(args: &Args) -> Result<Vec<Decision>> {
    Ok(args.path("decisions").map(|path| Decision::read(&path)).transpose()?.unwrap_or_default())
}

/// Reads the documents and scans them by a lens.
fn scan(args: &Args, lens: Lens, all_pairs: bool) -> Result<Scan> {
    let bars = Bars::new(args.has("quiet"));
    let (lens, options) = asked(args, lens, all_pairs)?;
    let scanner = Scanner::new(lens).options(options).progress(&bars).cancel(&cancel_on_signal());
    Ok(scanner.run(inputs(args)?)?)
}

/// Which document of a cluster represents it: a rule, or globs in the order of preference.
fn keep(args: &Args) -> Result<Keep> {
    let mut rules = args.all::<values::Keep>("keep");
    Ok(match rules.as_slice() {
        [] | [values::Keep::Longest] => Keep::Longest,
        [values::Keep::Newest] => Keep::Newest,
        [values::Keep::First] => Keep::First,
        _ => {
            let globs = rules.drain(..).map(|rule| match rule {
                values::Keep::Glob(glob) => Ok(glob),
                _ => bail!("--keep: expected one rule, or globs only; found several rules"),
            });
            Keep::Paths(globs.collect::<Result<_>>()?)
        }
    })
}

/// Fails early if a result could not be written.
fn check(args: &Args) -> Result<()> {
    output::check_targets(args, &["output", "xlsx", "pairs", "html"])?;
    args.path("save").map_or(Ok(()), |path| output::check_target(&path, true))
}

/// Writes all that was asked for. Gives the exit code.
fn finish(args: &Args, scan: &mut Scan, templates: &TemplateList) -> Result<u8> {
    progress::writing();
    if let Some(path) = args.path("save") {
        scan.timed("save", |scan| scan.save(&path))?;
        output::wrote(args, &path, "; lookalike recluster reads it");
        if !templates.templates.is_empty() {
            // what the scan ignored, clustering again ignores too
            templates.write(&super::templates::of_run(&path))?;
        }
    }
    if let Some(path) = args.path("pairs") {
        scan.timed("write pairs", |scan| write_pairs(args, &path, scan))?;
        if scan.report().chunks().is_some() && scan.explored()? > 1.0 && !args.has("quiet") {
            let many = ChunksOptions::default().pair_max_df;
            output::message(&format!(
                "note: chunks that more than {many} files have were not followed; of the pairs that share nothing else, {} has those with the first of a cluster only",
                path.display()
            ));
        }
    }
    if let Some(path) = args.path("html") {
        let decisions = decisions(args)?;
        scan.timed("page", |scan| write_page(args, &path, scan, &decisions))?;
    }
    let report = scan.report();
    output::report(args, report, &|a, b| scan.differences(a, b).ok().flatten())?;
    if report.head.documents == 0 {
        return Ok(output::no_documents(args, &report.skipped));
    }
    if output::is_damaged(&report.skipped, "the rest was scanned") {
        return Ok(crate::WRONG);
    }
    Ok(output::found(args, report))
}

fn write_page(args: &Args, path: &Path, scan: &Scan, decisions: &[Decision]) -> Result<()> {
    let options = HtmlOptions {
        inputs: names(args),
        place: places(args),
        command: page::command(page::arguments()),
        made: page::now(),
        embed_limit: args.value("embed-limit"),
        decisions,
        ..HtmlOptions::default()
    };
    Ok(page::write(args, path, PageSubject::Scan(scan), options)?)
}

fn write_pairs(args: &Args, path: &Path, scan: &Scan) -> Result<()> {
    output::to_file(path, |out| {
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        let mut rows = PairWriter::new(out, PairForm::of(path), scan.report()).map_err(failed)?;
        scan.pairs(|pair| rows.write(&pair).map_err(|e| Error::from(failed(e))))?;
        rows.finish().map_err(failed)?;
        Ok::<_, Error>(())
    })?;
    output::wrote(args, path, "");
    Ok(())
}
