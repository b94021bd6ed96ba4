//! `lookalike dedup`: the same corpus without its near-duplicates, with proof.

use crate::args::{Args, Source, Spec};
use crate::documents::{corpus, names, options, resources};
use crate::errors::Stopped;
use crate::lens::Lens;
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use crate::recipes;
use crate::remote;
use crate::values;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::dedup::{
    ContaminationOptions, Dedup, DedupOptions, DedupOutput, DedupResult, Error as DedupError, Estimate, Granularity,
    KeptRun, ParagraphOptions, PieceUnit, Preset, SubstringOptions, is_benchmark, kept_run,
};
use lookalike::report::Decision;
use lookalike::{Error, Keep, ShinglesOptions};
use lookalike_report::{CutView, DedupPage, DedupView, bytes, commas, write_dedup_html};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Examples on the page: those that are the least alike, and others.
const LEAST_ALIKE: usize = 20;
const OTHER_EXAMPLES: usize = 20;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Dedup, "dedup", "Write a corpus again without its near-duplicates, with proof", run)
        .lenses(&[Lens::Shingles])
        .long(
            "Reads shards of documents, finds those that are nearly the same, and writes the corpus again without them: the same \
             files, fields and order, into a new folder. A document goes only if it was itself compared, word for word, with the one \
             that stays in its place; every number is counted on the whole documents. Beside the corpus: duplicates.parquet (what was \
             removed, for which document, and how alike they are; JSON lines in a build without Parquet) and summary.json. What could not be compared stays and is counted.",
        )
        .after(
            "Examples:
  lookalike dedup corpus/ -o clean                          clean/corpus, clean/duplicates.parquet, clean/summary.json
  lookalike dedup corpus.jsonl.zst --dry-run                how much would go?
  lookalike dedup 'cc/*.jsonl.gz' wiki/ -o clean --keep source-priority:wiki,cc
  lookalike dedup new/ old/ -o clean --drop-only-from new   nothing of old goes
  lookalike dedup corpus/ -o marked --annotate              every record, with lookalike_duplicate_of and more
  lookalike dedup corpus/ -o clean --keep best:quality      of several the one with the highest quality stays
  lookalike dedup corpus/ -o clean --contained 0.9          also documents inside others
  lookalike dedup new/ -o clean --against old.index --update old.index   what is new, and remember it
  lookalike dedup corpus/ -o clean --against bench.jsonl --against-field question   contamination
  lookalike dedup corpus/ -o clean --paragraphs             repeated paragraphs, not documents
  lookalike dedup corpus/ -o clean --exact-substrings=50    repeated stretches of 50 words and more
  lookalike dedup corpus/ -o clean --like fineweb           what that pipeline would find
  lookalike dedup corpus/ -o clean --memory 2G --resume     go on after Ctrl-C, a crash or a full disk",
        );

fn run(args: &Args) -> Result<u8> {
    let args = &args.with_lens(Lens::Shingles, &Source::Flag)?;
    let ran = remove(args);
    let is_stopped = ran.as_ref().is_err_and(|error| matches!(error.downcast_ref(), Some(Error::Cancelled)));
    match remote::output(args).filter(|_| is_stopped) {
        Some(out) => ran.map_err(|error| error.context(Stopped(kept(&out)))),
        None => ran,
    }
}

/// What the next run need not do again.
fn kept(out: &Path) -> String {
    let goes_on = "the same command with --resume goes on after";
    match kept_run(out) {
        Some(KeptRun::Files { files, last }) => {
            let noun = if files == 1 { "file" } else { "files" };
            format!("stopped while reading; {goes_on} {last} ({} {noun} read)", commas(files))
        }
        Some(_) => format!("stopped; {goes_on} the last finished step"),
        None => "stopped; no file was read to its end, so the next run starts anew".into(),
    }
}

fn remove(args: &Args) -> Result<u8> {
    output::check_targets(args, &["html"])?;
    // flags are looked at before anything is fetched
    let asked = asked(args)?;
    let (out, shown) = (remote::output(args), args.path("output"));
    if remote::prepare_output(args)? {
        if out.as_ref().is_some_and(|out| out.is_dir()) {
            put(args)?;
            output::message("the result was complete, and is where it should be now");
            return Ok(crate::SUCCESS);
        }
    } else if let Some(out) = &out {
        // a complete result may still wait for its index
        let goes_on = args.has("resume") && kept_run(out).is_some();
        output::check_target(out, !goes_on).or_else(|error| if goes_on { Ok(()) } else { Err(error) })?;
    }
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let paths = remote::inputs(args, "path")?;
    if !args.has("quiet") {
        output::message(&needs(args, &Estimate::new(&asked, &paths, out.as_deref())?));
    }
    let dedup = Dedup::new(asked).progress(&bars).cancel(&cancel);
    let output = match dedup.run(&paths, out.as_deref()) {
        Ok(output) => output,
        Err(error) if error.is_cancelled() => return Err(Error::Cancelled.into()),
        Err(DedupError::NoDocuments { skipped }) => return Ok(output::no_documents(args, &skipped)),
        Err(error) => return Err(error.into()),
    };
    let result = match output {
        DedupOutput::Documents(result) => result,
        DedupOutput::Cuts(result) => {
            put(args)?;
            output::summary(args, &CutView { summary: &result.summary, out: shown.as_deref() })?;
            if result.summary.documents == 0 && !args.has("quiet") {
                output::message(output::ALL_EMPTY);
            }
            return Ok(crate::SUCCESS);
        }
    };
    if let Some(path) = args.path("html") {
        write_page(args, &path, &result)?;
    }
    put(args)?;
    let summary = &result.summary;
    output::summary(args, &DedupView { summary, out: shown.as_deref(), is_marked: args.has("annotate") })?;
    if summary.documents == 0 && !args.has("quiet") {
        output::message(output::ALL_EMPTY);
    }
    Ok(crate::SUCCESS)
}

/// Puts the result into a bucket, if it should be there.
fn put(args: &Args) -> Result<()> {
    let put = remote::put(args);
    if put.is_err() && !args.has("quiet") {
        output::message(
            "the result is complete, but not where it should be; the same command with --resume puts it there",
        );
    }
    put
}

/// What the run will need, in a line.
fn needs(args: &Args, estimate: &Estimate) -> String {
    let Estimate { documents, text_bytes, memory, disk, free_disk, .. } = *estimate;
    let allowed = resources(args).memory;
    let mut line = format!(
        "about {} documents, {} of text; needs {} of memory or more ({} allowed)",
        commas(documents),
        bytes(text_bytes),
        bytes(memory),
        bytes(allowed)
    );
    if args.path("output").is_some() {
        let free = free_disk.map_or(String::new(), |free| format!(" ({} free)", bytes(free)));
        let _ = write!(line, " and about {} of disk{free}", bytes(disk));
    }
    if memory > allowed {
        line += "; warning: allow more with --memory, or it may stop";
    }
    if estimate.lacks_disk() {
        line += "; warning: the disk may become full";
    }
    line
}

fn write_page(args: &Args, path: &Path, result: &DedupResult) -> Result<()> {
    let examples = result.examples(LEAST_ALIKE, OTHER_EXAMPLES)?;
    let templates = &result.linked.templates;
    let page = DedupPage { inputs: &names(args), summary: &result.summary, examples: &examples, templates };
    output::to(Some(path), false, |out| write_dedup_html(out, &page))?;
    output::wrote(args, path, "; open it in a browser");
    Ok(())
}

pub(crate) fn asked(args: &Args) -> Result<DedupOptions> {
    let usual = DedupOptions::default();
    let (max_df, max_share) = recipes::max_df_shingles(args);
    let shingles = ShinglesOptions {
        policy: recipes::policy(args, usual.shingles.policy),
        min_words: args.get("min-words"),
        max_df,
        max_share,
        include_boilerplate: recipes::keeps_boilerplate(args),
        ..ShinglesOptions::new(recipes::shingles(args))
    };
    let preset = args.get::<String>("like").and_then(|name| Preset::named(&name));
    let mut scan = options(args, corpus(args));
    let (keep, rank_field) = keep(args)?;
    scan.keep = keep;
    scan.corpus.rank_field = rank_field;
    scan.corpus.category_field = args.get("source-field");
    scan.drop_only_from = args.all("drop-only-from");
    scan.corpus.archives = true;
    scan.by_source = true;
    scan.decisions = args.path("decisions").map(|path| Decision::read(&path)).transpose()?.unwrap_or_default();
    let mut asked = DedupOptions::default();
    (asked.shingles, asked.scan) = (shingles, scan);
    let (benchmarks, indexes): (Vec<PathBuf>, Vec<PathBuf>) =
        remote::inputs(args, "against")?.into_iter().partition(|path| is_benchmark(path));
    asked.against = indexes;
    asked.contamination = ContaminationOptions {
        benchmarks,
        field: args.value("against-field"),
        share: args.value("against-share"),
        ..asked.contamination
    };
    asked.update = args.path("update");
    asked.granularity = granularity(args);
    asked.annotate = args.has("annotate");
    asked.allow_damaged = args.has("allow-damaged");
    asked.resume = args.has("resume");
    if let Some(preset) = preset {
        preset.apply(&mut asked);
        if !args.has("quiet") {
            output::message(&preset.meaning());
        }
    }
    Ok(asked)
}

/// What goes: documents, or pieces of them.
fn granularity(args: &Args) -> Granularity {
    let unit = args.get::<String>("paragraphs").map(|unit| match unit.as_str() {
        "line" => PieceUnit::Line,
        _ => PieceUnit::Paragraph,
    });
    match (unit, args.get("exact-substrings")) {
        (Some(unit), _) => Granularity::Paragraphs(ParagraphOptions { unit, ..ParagraphOptions::default() }),
        (None, Some(min_tokens)) => Granularity::Substrings(SubstringOptions { min_tokens }),
        (None, None) => Granularity::Documents,
    }
}

/// Who stays, and the field that decides.
fn keep(args: &Args) -> Result<(Keep, Option<String>)> {
    let rules = args.all::<values::Keep>("keep");
    Ok(match rules.as_slice() {
        [] | [values::Keep::Longest] => (Keep::Longest, None),
        [values::Keep::First] => (Keep::First, None),
        [values::Keep::Newest] => (Keep::Newest, None),
        [values::Keep::Glob(rule)] => match rule.split_once(':') {
            Some(("best", field)) if !field.is_empty() => (Keep::Best, Some(field.to_owned())),
            Some(("newest", field)) if !field.is_empty() => (Keep::Newest, Some(field.to_owned())),
            Some(("source-priority", names)) if !names.is_empty() => {
                (Keep::Sources(names.split(',').map(str::to_owned).collect()), None)
            }
            _ => bail!(
                "--keep={rule}: expected longest, first, newest:FIELD, best:FIELD or source-priority:A,B…, found {rule:?}"
            ),
        },
        _ => bail!("--keep: expected one rule, found {}", rules.len()),
    })
}
