//! `lookalike copies`: who copied what?

use crate::args::{Args, Spec};
use crate::documents::{corpus, inputs, names, places, resources, with_archives};
use crate::lens::Lens;
use crate::progress::{self, Bars, cancel_on_signal};
use crate::recipes::{self, key};
use crate::remote;
use crate::verb::Verb;
use crate::{output, page};
use anyhow::{Result, bail};
use lookalike::report::{PairDecision, Passages};
use lookalike::{CohortOptions, CorpusOptions, Error, Input, PassagesOptions, Scan, Scanner, StoreError};
use lookalike_report::{HtmlOptions, PageSubject, PairForm, Shown, Source, SubmissionPairWriter, clean};
use std::path::Path;

pub(super) const SPEC: Spec =
    Spec::new(Verb::Copies, "copies", "Find who copied what: passages that submissions share", run)
        .lenses(&[Lens::Passages])
        .long(
            "Compares submissions (programs, essays, any files) two by two and lists the pairs that share passages, most similar \
             first, with the places in both. Renamed variables, changed comments and layout, and reordered parts do not hide a copy. \
             The report says how surprising each similarity is among these submissions, and suggests a threshold. Nothing leaves \
             this machine.",
        )
        .after(
            "Examples:
  lookalike copies submissions.zip --html report.html        a page of what a platform exported
  lookalike copies submissions/ --per-folder --base given/   a folder per person, minus given code
  lookalike copies 2026/ --archive 2024/ --archive 2025/     also what is from earlier years
  lookalike copies essays/ --lang text                       words instead of code
  lookalike copies submissions/ --owner '^([^_]+)_'          several attempts of one person
  lookalike copies submissions/ --decisions verdicts.json    without what the page's verdicts decide
  lookalike copies src/ --sarif -o copies.sarif              for code review tools",
        );

/// What is asked of a scan by passages.
pub(crate) fn asked(args: &Args) -> Result<PassagesOptions> {
    let cohort =
        CohortOptions { per_folder: args.has("per-folder"), owner: args.get("owner"), info: args.path("info") };
    let (min, threshold) = (args.get("min-similarity"), args.get("threshold"));
    if let (Some(min), Some(threshold)) = (min, threshold)
        && threshold < min
    {
        bail!(
            "--threshold {threshold}: expected at least --min-similarity {min}, since pairs below it are not kept; say a larger \
             --threshold or a smaller --min-similarity"
        );
    }
    Ok(PassagesOptions {
        recipe: recipes::passages(args)?,
        cohort,
        archive: remote::inputs(args, "archive")?,
        base: remote::inputs(args, "base")?,
        winnowing: args.has("stats"),
        min_similarity: min,
        threshold,
        limit: args.get("limit"),
        max_df: recipes::max_df_submissions(args)?,
        decisions: args.path("decisions").map(|path| PairDecision::read(&path)).transpose()?.unwrap_or_default(),
    })
}

fn run(args: &Args) -> Result<u8> {
    args.check_form(Lens::Passages)?;
    let options = asked(args)?;
    output::check_targets(args, &["output", "pairs", "html"])?;
    let heads = Heads { inputs: names(args), places: places(args), title: None };
    compare(args, inputs(args)?, options, with_archives(corpus(args)), &heads)
}

/// What stands above the report and on the page.
pub(super) struct Heads {
    /// What is read, as the user called it.
    pub(super) inputs: Vec<String>,
    /// Where that is.
    pub(super) places: Vec<String>,
    pub(super) title: Option<String>,
}

/// Bytes of the page for texts, where no flag says how many.
const DEFAULT_EMBED_LIMIT: u64 = 32 << 20;
/// Pairs on the terminal, where no flag says how many.
const DEFAULT_TOP: usize = 20;

/// Compares, and writes all that was asked for. Gives the exit code.
pub(super) fn compare(
    args: &Args,
    inputs: Vec<Input>,
    options: PassagesOptions,
    corpus: CorpusOptions,
    heads: &Heads,
) -> Result<u8> {
    let quiet = args.has("quiet");
    let bars = Bars::new(quiet);
    let decisions = options.decisions.clone();
    let scanner = Scanner::new(options)
        .corpus(corpus)
        .key(&key(args))
        .resources(resources(args))
        .stats(args.has("stats"))
        .progress(&bars)
        .cancel(&cancel_on_signal());
    let mut run = scanner.run(inputs)?;
    progress::writing();
    if let Some(path) = args.path("pairs") {
        run.timed("write pairs", |run| write_pairs(args, &path, run))?;
    }
    if let Some(path) = args.path("html") {
        run.timed("page", |run| write_page(args, &path, run, heads, &decisions))?;
    }
    write_report(args, &run, heads.title.as_deref())?;
    let report = run.report();
    let Some(section) = report.passages() else { bail!("a scan by passages reports submissions") };
    if !quiet {
        section.warnings.iter().for_each(|warning| output::message(&format!("warning: {warning}")));
    }
    if section.submissions.is_empty() && !report.skipped.is_empty() {
        return Ok(output::no_documents(args, &report.skipped));
    }
    if section.submissions.len() < 2 && !quiet {
        output::message(&few(section.submissions.len()));
    }
    if output::is_damaged(&report.skipped, "the rest was compared") {
        return Ok(crate::WRONG);
    }
    Ok(if args.has("exit-code") && is_striking(section) { crate::FOUND } else { crate::SUCCESS })
}

/// Writes the report in the form that was asked for.
fn write_report(args: &Args, run: &Scan, title: Option<&str>) -> Result<()> {
    let renderer = output::form(args).renderer;
    let files = |submission: usize| run.files(submission);
    let columns = output::columns(args);
    let shown = Shown { columns, ..Shown::top(args.get("top").unwrap_or(DEFAULT_TOP)) };
    let source = Source { shown, files: Some(&files), ..Source::new(run.report()) };
    output::to(args.path("output").as_deref(), renderer.is_coloured(), |out| {
        if let Some(title) = title.filter(|_| renderer.is_coloured()) {
            writeln!(
                out,
                "{}
",
                clean(title)
            )?;
        }
        renderer.render(&source, out)
    })
}

/// Writes the numbers of all pairs.
fn write_pairs(args: &Args, path: &Path, run: &Scan) -> Result<()> {
    output::to_file(path, |out| {
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        let mut rows = SubmissionPairWriter::new(out, PairForm::of(path), run.report()).map_err(failed)?;
        run.submission_pairs(&mut |pair| rows.write(&pair).map_err(|e| Error::from(failed(e))))?;
        rows.finish().map_err(failed)?;
        Ok::<_, Error>(())
    })?;
    output::wrote(args, path, "");
    Ok(())
}

fn write_page(args: &Args, path: &Path, run: &Scan, heads: &Heads, decisions: &[PairDecision]) -> Result<()> {
    let options = HtmlOptions {
        inputs: heads.title.clone().map_or_else(|| heads.inputs.clone(), |title| vec![title]),
        place: heads.places.clone(),
        command: page::command(page::arguments()),
        made: page::now(),
        embed_limit: args.get("embed-limit").unwrap_or(DEFAULT_EMBED_LIMIT),
        pair_decisions: decisions,
        ..HtmlOptions::default()
    };
    Ok(page::write(args, path, PageSubject::Passages(run.report(), &|submission| run.files(submission)), options)?)
}

/// A pair is striking, and nobody has decided about it.
fn is_striking(report: &Passages) -> bool {
    report.striking_undecided() > 0
}

/// Nothing can be compared, and what may be the reason.
fn few(submissions: usize) -> String {
    let found = if submissions == 0 { "no submissions were found" } else { "only one submission was found" };
    format!("{found}; check the paths, --per-folder, and --hidden, --no-ignore, --include")
}
