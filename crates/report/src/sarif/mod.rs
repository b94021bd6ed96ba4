//! SARIF 2.1.0: a result for each passage, with both places, for viewers and code-review tools.

mod places;
mod result;

use crate::json::write_json;
use crate::renderer::{Renderer, Source, unsupported};
use crate::section::Findings;
use crate::submission::path;
use lookalike::report::{Passages, Report};
use places::Places;
use result::{ResultList, base_id};
use serde_json::{Value, json};
use std::io::{self, Write};

/// One run. Where a text can still be read regions have columns and characters, otherwise lines only.
pub(crate) struct Sarif;

impl Renderer for Sarif {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Findings::Passages(report, passages) = source.findings else { return Err(unsupported("sarif")) };
        let places = source.files.map_or_else(|| Ok(Places::default()), |files| Places::read(passages, files))?;
        let mut results = ResultList::new(passages, &places);
        passages.pairs.iter().for_each(|pair| results.pair(pair));
        results.identical();
        write_json(out, &log(report, passages, &results))
    }
}

fn log(report: &Report, passages: &Passages, results: &ResultList<'_>) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "lookalike",
                "version": report.head.lookalike,
                "semanticVersion": report.head.lookalike,
                "rules": rules(),
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { (base_id()): { "description": { "text": "What all submissions have in common of their paths." } } },
            "artifacts": artifacts(passages, &results.files),
            "results": results.results,
            "properties": properties(report, passages),
        }],
    })
}

fn rules() -> Value {
    let rule = |id: &str, name: &str, short: &str, full: &str| {
        json!({
            "id": id,
            "name": name,
            "shortDescription": { "text": short },
            "fullDescription": { "text": full },
            "defaultConfiguration": { "level": "warning" },
        })
    };
    json!([
        rule(
            result::PASSAGE,
            "CopiedPassage",
            "Two submissions share a passage.",
            "Two submissions share a passage. The level is that of the pair: error if its similarity reaches the threshold and chance hardly explains it, warning if it only reaches the threshold, note below it.",
        ),
        rule(
            result::IDENTICAL,
            "IdenticalSubmission",
            "Two submissions have the same tokens.",
            "Two submissions have the same tokens throughout, whatever their names, comments and layout.",
        ),
    ])
}

/// What was compared, for a rerun or a dossier.
fn properties(whole: &Report, report: &Passages) -> Value {
    let calibration = &report.calibration;
    json!({
        "recipe": whole.head.recipe,
        "recipes": report.recipes,
        "rules": report.rules,
        "threshold": calibration.threshold,
        "thresholdSource": calibration.source,
        "reasoning": calibration.reasoning,
        "submissions": report.submissions.len(),
        "pairsPossible": report.pairs_possible,
        "pairsFound": report.pairs_all,
    })
}

/// The files that results point at.
fn artifacts(report: &Passages, files: &[(usize, usize)]) -> Vec<Value> {
    let artifact = |(at, file): &(usize, usize)| {
        let submission = &report.submissions[*at];
        let source = &submission.files[*file];
        json!({
            "location": { "uri": result::uri(&path(submission, *file)), "uriBaseId": base_id() },
            "length": source.bytes,
            "sourceLanguage": source.language,
            "hashes": { "blake3-128": source.content },
        })
    };
    files.iter().map(artifact).collect()
}
