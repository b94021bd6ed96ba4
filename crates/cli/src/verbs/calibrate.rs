//! `lookalike calibrate`: which threshold, and which recipe?

use crate::args::{Args, Source, Spec};
use crate::documents::{corpus, names, options, places};
use crate::lens::Lens;
use crate::progress::{Bars, cancel_on_signal};
use crate::recipes;
use crate::remote;
use crate::verb::Verb;
use crate::{output, page};
use anyhow::{Result, bail};
use lookalike::ShinglesOptions;
use lookalike::dedup::Error as DedupError;
use lookalike::dedup::calibrate::{CalibrateOptions, CalibrationRun, Calibrator, Judgements};
use lookalike_report::{CalibrationView, HtmlOptions, PageSubject};
use std::path::{Path, PathBuf};

pub(super) const SPEC: Spec =
    Spec::new(Verb::Calibrate, "calibrate", "Find the threshold for dedup: what would each do to this corpus?", run)
        .lenses(&[Lens::Shingles])
        .long(
            "Compares all documents as dedup does, draws pairs from each twentieth of resemblance, and judges them. From what they are, it \
             estimates for every threshold, and for other recipes, how many of the linked pairs are the same (precision) and how many \
             of the same are linked (recall), with 95% intervals, and how many documents would go. Pairs are judged by people, who say \
             so on the page; until then by alignment: the same are those with 80% of the words of the longer in the other, in the \
             same order. All documents are read: a sample of one in a hundred would hold one pair in ten thousand. To save time on a \
             very large corpus, name some of its shards: the share of the same at each resemblance is much the same there.",
        )
        .after(
            "Examples:
  lookalike calibrate corpus/                           which threshold to take, and why
  lookalike calibrate corpus/ --html pairs.html         the same as a page, with the pairs to judge
  lookalike calibrate corpus/ --judged judgements.json  what people said there decides
  lookalike calibrate corpus/ --precision 0.99 --per-stratum 400
  lookalike calibrate corpus/ -w 8 --explore 0.2 --json | jq .suggestion",
        );

fn run(args: &Args) -> Result<u8> {
    let args = &args.with_lens(Lens::Shingles, &Source::Flag)?;
    output::check_targets(args, &["html", "output"])?;
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let calibrator = Calibrator::new(asked(args)?).progress(&bars).cancel(&cancel);
    let run = calibrator.run(&remote::inputs(args, "path")?).map_err(|error| match error {
        // told in the words of the command
        DedupError::Engine(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    let command = run.calibration.suggestion.threshold().map(dedup);
    if let Some(path) = args.path("html") {
        write_page(args, &path, &run, command.as_deref())?;
    }
    output::answer(args, &CalibrationView { calibration: &run.calibration, command: command.as_deref() })?;
    if run.calibration.documents == 0 {
        return Ok(output::no_documents(args, &run.skipped));
    }
    if output::is_damaged(&run.skipped, "the rest was calibrated") {
        return Ok(crate::WRONG);
    }
    Ok(crate::SUCCESS)
}

fn asked(args: &Args) -> Result<CalibrateOptions> {
    let (max_df, max_share) = recipes::max_df_shingles(args);
    let mut asked = CalibrateOptions::default();
    asked.shingles = ShinglesOptions {
        min_words: args.get("min-words"),
        max_df,
        max_share,
        include_boilerplate: recipes::keeps_boilerplate(args),
        ..ShinglesOptions::new(recipes::shingles(args))
    };
    asked.scan = options(args, corpus(args));
    asked.explore = args.value("explore");
    if asked.explore > 0.95 {
        bail!("--explore={}: expected at most 0.95, the highest threshold that is looked at", asked.explore);
    }
    asked.per_stratum = args.value("per-stratum");
    asked.precision = args.value("precision");
    for path in args.all::<PathBuf>("judged") {
        asked.judgements.get_or_insert_default().merge(Judgements::read(&path)?);
    }
    Ok(asked)
}

/// The words of the command that removes near-duplicates from a threshold on.
fn dedup(threshold: f64) -> Vec<String> {
    const ONLY_HERE: [&str; 6] = ["explore", "per-stratum", "judged", "precision", "html", "embed-limit"];
    let mut words = page::command_without(page::arguments(), |flag| flag.transient || ONLY_HERE.contains(&flag.name));
    let first = words.first_mut().map(|verb| "dedup".clone_into(verb));
    let flags = ["--threshold".to_owned(), threshold.to_string(), "-o".to_owned(), "clean".to_owned()];
    // behind a -- there are only paths
    let at = if words.iter().any(|word| word == "--") { usize::from(first.is_some()) } else { words.len() };
    words.splice(at..at, flags);
    words
}

fn write_page(args: &Args, path: &Path, run: &CalibrationRun, dedup: Option<&[String]>) -> Result<()> {
    let options = HtmlOptions {
        inputs: names(args),
        place: places(args),
        command: page::command_without(page::arguments(), |flag| flag.transient || flag.name == "judged"),
        made: page::now(),
        embed_limit: args.value("embed-limit"),
        ..HtmlOptions::default()
    };
    Ok(page::write(args, path, PageSubject::Calibration(run, dedup), options)?)
}
