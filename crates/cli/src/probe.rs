//! Where to look when a scan found little: a sample of its documents, held against each other in other ways.
//!
//! The sample is small, and smaller the shorter the scan was. It is made of runs of neighbours, since copies mostly lie beside each other. That
//! nothing is found in it proves nothing, and nothing is said then.

use crate::args::Args;
use crate::documents::names;
use crate::lens::Lens;
use crate::{output, page, recipes};
use lookalike::report::Policy;
use lookalike::{Error, Input, LensOptions, PassagesOptions, Scan, Scanner, ShingleRecipe, ShinglesOptions};
use lookalike_report::command_line;
use std::collections::HashSet;
use std::io::IsTerminal;
use std::time::Duration;

/// More than one in so many documents in clusters is not little.
const FEW: u64 = 100;
/// Documents of the sample, and how many of them are neighbours of each other.
const SAMPLE: u64 = 200;
const RUN: u64 = 8;
/// Larger documents are left out.
const MAX_TEXT: usize = 100_000;
/// Bytes of the sample for each second that the scan took: a few hundredths of the scan are spent on it.
const BYTES_PER_SECOND: f64 = 400_000.0;
/// But at least and at most so many.
const SAMPLE_BYTES: [usize; 2] = [200_000, 2_000_000];
/// A shorter shingle, and a lower threshold, that are tried.
const SHORT_SHINGLE: usize = 3;
const LOW_THRESHOLD: f64 = 0.2;
/// From this similarity on two documents share passages that are worth a look.
const MIN_SIMILARITY: f64 = 0.3;

/// Another way of looking, and what it finds in the sample.
#[derive(Debug, PartialEq)]
struct Suggestion {
    way: Way,
    /// Documents that look alike.
    found: usize,
}

/// A way of looking.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Shingles,
    ShorterShingles,
    LowerThreshold,
    Contained,
    Passages,
}

/// Says on a terminal where to look, if the scan found little and the sample shows more. Whatever goes wrong here is no matter of the scan.
pub(crate) fn suggest(args: &Args, lens: Lens, scan: &Scan, took: Duration) {
    let report = scan.report();
    let is_few = report.head.summary.clustered * FEW <= report.head.documents && report.head.documents > 1;
    let is_read_again = args.path("against").is_none() && !args.all::<std::path::PathBuf>("path").is_empty();
    if args.has("quiet") || !std::io::stderr().is_terminal() || !is_few || !is_read_again {
        return;
    }
    let texts = sample(scan, took);
    if let Ok(Some(suggestion)) = probe(&texts, &ways(args, lens)) {
        let command = command_line(&command(args, suggestion.way));
        let (found, sample) = (suggestion.found, texts.len());
        output::message(&format!(
            "hint: {found} of {sample} documents that were tried look alike otherwise: {command}"
        ));
    }
}

/// The ways that differ from what was done, the nearest to it first.
fn ways(args: &Args, lens: Lens) -> Vec<(Way, LensOptions)> {
    let of = |recipe: ShingleRecipe, policy: Policy| -> LensOptions {
        ShinglesOptions { policy, ..ShinglesOptions::new(recipe) }.into()
    };
    let mut ways = Vec::new();
    if lens == Lens::Shingles {
        let (recipe, policy) = (recipes::shingles(args), recipes::policy(args, Policy::default()));
        if policy.contained.is_none() {
            ways.push((Way::Contained, of(recipe.clone(), Policy { contained: Some(0.9), ..policy })));
        }
        if recipe.w > SHORT_SHINGLE {
            ways.push((Way::ShorterShingles, of(ShingleRecipe { w: SHORT_SHINGLE, ..recipe.clone() }, policy)));
        }
        if policy.threshold > LOW_THRESHOLD {
            ways.push((Way::LowerThreshold, of(recipe, Policy { threshold: LOW_THRESHOLD, ..policy })));
        }
    } else {
        ways.push((Way::Shingles, of(ShingleRecipe::words(10), Policy::default())));
    }
    ways.push((Way::Passages, PassagesOptions::default().into()));
    ways
}

/// Texts of runs of neighbours that are in no cluster.
fn sample(scan: &Scan, took: Duration) -> Vec<String> {
    let report = scan.report();
    let clustered: HashSet<&str> = report
        .clusters
        .iter()
        .flat_map(|cluster| {
            cluster.members.iter().map(|member| member.id.as_str()).chain([cluster.representative.as_str()])
        })
        .collect();
    let room = ((took.as_secs_f64() * BYTES_PER_SECOND) as usize).clamp(SAMPLE_BYTES[0], SAMPLE_BYTES[1]);
    let documents = report.head.documents;
    let runs = (SAMPLE / RUN).min(documents.div_ceil(RUN));
    let (mut texts, mut bytes) = (Vec::new(), 0);
    for run in 0..runs {
        let from = run * documents / runs;
        for document in from..(from + RUN).min((run + 1) * documents / runs) {
            let Ok(number) = u32::try_from(document) else { return texts };
            let Ok(view) = scan.view(number) else { continue };
            if clustered.contains(view.id.as_str()) || view.bytes > 10 * MAX_TEXT as u64 {
                continue;
            }
            let Ok(Some(text)) = scan.text(number) else { continue };
            if text.visible.len() <= MAX_TEXT && bytes + text.visible.len() <= room {
                bytes += text.visible.len();
                texts.push(text.visible);
            }
        }
    }
    texts
}

/// The first of some ways by which texts look alike.
fn probe(texts: &[String], ways: &[(Way, LensOptions)]) -> Result<Option<Suggestion>, Error> {
    if texts.len() < 2 {
        return Ok(None);
    }
    for (way, options) in ways {
        let scan = Scanner::new(options.clone()).run(vec![Input::texts(texts)])?;
        let report = scan.report();
        let found = match report.passages() {
            Some(passages) => {
                let pairs = passages.pairs.iter().filter(|pair| pair.similarity >= MIN_SIMILARITY);
                pairs.flat_map(|pair| [pair.a, pair.b]).collect::<HashSet<usize>>().len()
            }
            None => report.clusters.iter().map(|cluster| cluster.members.len() + 1).sum(),
        };
        if found > 0 {
            return Ok(Some(Suggestion { way: *way, found }));
        }
    }
    Ok(None)
}

/// The command that looks this way.
fn command(args: &Args, way: Way) -> Vec<String> {
    let without = |flags: &[&str], more: &[&str]| {
        let kept = page::command_without(page::arguments(), |flag| flags.contains(&flag.name));
        kept.into_iter().chain(more.iter().map(|word| (*word).to_owned())).collect::<Vec<String>>()
    };
    match way {
        Way::Shingles => ["scan".to_owned()].into_iter().chain(names(args)).collect(),
        Way::ShorterShingles => without(&["words"], &["-w", "3"]),
        Way::LowerThreshold => without(&["threshold"], &["--threshold", "0.2"]),
        Way::Contained => without(&["contained"], &["--contained", "0.9"]),
        Way::Passages => ["copies".to_owned()].into_iter().chain(names(args)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(seed: u64, many: u64) -> Vec<String> {
        (0..many).map(|n| format!("w{}", (seed * 7919 + n * n * 31 + n * 7) % 9973)).collect()
    }

    fn of(w: usize, threshold: f64) -> LensOptions {
        let policy = Policy { threshold, ..Policy::default() };
        ShinglesOptions { policy, ..ShinglesOptions::new(ShingleRecipe::words(w)) }.into()
    }

    #[test]
    fn the_first_way_that_finds_something_is_told() {
        let one = words(1, 400);
        // every seventh word is another: no ten in a row are the same
        let mut other = one.clone();
        other.iter_mut().step_by(7).for_each(|word| word.push('x'));
        let texts = [one.join(" "), other.join(" "), words(3, 400).join(" ")];
        let ways = [(Way::LowerThreshold, of(10, 0.2)), (Way::ShorterShingles, of(3, 0.3))];
        assert_eq!(probe(&texts, &ways).unwrap(), Some(Suggestion { way: Way::ShorterShingles, found: 2 }));
        assert_eq!(probe(&texts, &ways[..1]).unwrap(), None);
        assert_eq!(probe(&texts[..1], &ways).unwrap(), None, "one document is like no other");
        let passages = [(Way::Passages, PassagesOptions::default().into())];
        assert!(probe(&texts, &passages).unwrap().is_some_and(|found| found.found == 2));
    }
}
