//! The results as a page of tables, for people.

use super::Results;
use super::generated::Generated;
use super::kinds::{KindRow, Share};
use super::labelled::{Category, Measured};
use super::metrics::Point;
use super::plot::{Panel, SHARES};
use super::recipe::RECIPES;
use super::table::table;

/// The whole page, as Markdown.
pub(super) fn page(results: &Results) -> String {
    let facts: Vec<Vec<String>> = results.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect();
    let made =
        "What lookalike finds, held against labels. Made by `cargo run --profile dist -p lookalike-eval -- quality`.";
    let mut parts = vec![format!("# Quality, {}", results.date), made.to_owned(), table(&["with", ""], &facts)];
    parts.push(format!("![Precision and recall by threshold]({}-quality.svg)", results.date));
    if !results.labelled.is_empty() {
        parts.extend(labelled(&results.labelled));
    }
    if !results.absent.is_empty() {
        parts.push(format!("Not at hand and left out: {}.", results.absent.join(", ")));
    }
    parts.extend(generated(&results.generated));
    parts.push(format!("## Commands\n\n```\n{}\n```", results.commands.join("\n")));
    parts.iter().map(|part| part.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"
}

const ABOUT_LABELLED: &str = "## Labelled sets

One recipe for all sets. The score of a pair is the mean of its two containments; pairs that are not listed score 0. In brackets the
floor: what a simple script with exact shingles reaches with its threshold tuned on the set. `nearest` is the share of documents with a fellow whose
best-scored neighbour is one. ARI is of the clusters at the best of five thresholds of resemblance.";

fn labelled(all: &[Measured]) -> Vec<String> {
    let head = ["set", "recipe", "documents", "pairs listed", "AUC", "best F1", "at score", "nearest", "best ARI"];
    let row = |one: &Measured| {
        let best = one.ari.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
        vec![
            one.set.to_owned(),
            one.recipe.to_owned(),
            one.documents.to_string(),
            one.listed.to_string(),
            floored(one.auc, one.floors.auc),
            floored(Some(one.best.f1), one.floors.f1),
            format!("{:.3}", one.best.threshold),
            floored(one.nearest, one.floors.nearest),
            best.map_or("–".into(), |(threshold, ari)| format!("{ari:.3} at {threshold}")),
        ]
    };
    let mut parts = vec![ABOUT_LABELLED.to_owned(), table(&head, &all.iter().map(row).collect::<Vec<_>>())];
    for one in all.iter().filter(|one| one.recipe == RECIPES[0].name) {
        parts.extend([format!("### {}", one.set), one.about.to_owned(), curve(&one.points)]);
        if !one.categories.is_empty() {
            parts.push(format!("At the score of the best F1, {:.3}:", one.best.threshold));
            parts.push(categories(one));
        }
        if !one.ari.is_empty() {
            let row = |(threshold, ari): &(f64, f64)| vec![threshold.to_string(), format!("{ari:.3}")];
            parts.push(table(&["resemblance", "ARI"], &one.ari.iter().map(row).collect::<Vec<_>>()));
        }
    }
    parts
}

fn categories(one: &Measured) -> String {
    let row = |category: &Category| {
        vec![
            category.name.clone(),
            if category.positive { "copy" } else { "no copy" }.into(),
            category.pairs.to_string(),
            format!("{:.3}", category.mean_score),
            percent(category.taken),
        ]
    };
    table(&["category", "label", "pairs", "mean score", "taken"], &one.categories.iter().map(row).collect::<Vec<_>>())
}

const ABOUT_KINDS: &str = "### By kind of copy

Copies and their sources: how many reach a resemblance of 0.5 and of 0.1, or are 0.9 inside one another, and how many of those are
found.";

fn generated(found: &Generated) -> Vec<String> {
    let (asked, e) = (found.asked, &found.errors);
    let about = format!(
        "## Generated documents\n\n{} documents of {} words in the mean, seed {}, {} of them copies. The default recipe, against every pair \
         that there is.",
        asked.documents,
        asked.words,
        asked.seed,
        percent(asked.copies)
    );
    let errors = format!(
        "Estimated resemblance of {} sampled pairs of 0.3 and more: mean absolute error {:.4}, theory says {:.4}; mean error {:+.4}; {} \
         were not listed.",
        e.pairs, e.measured, e.predicted, e.bias, e.unlisted
    );
    let clusters = format!(
        "Clusters at the default threshold against what pairs of 0.5 and more connect: ARI {:.4}; with `--linkage single` {:.4}.",
        found.ari_star, found.ari_single
    );
    let share = |share: &Share| format!("{} of {}", share.found, share.of);
    let row = |row: &KindRow| {
        vec![
            row.kind.clone(),
            row.pairs.to_string(),
            format!("{:.3}", row.mean_resemblance),
            format!("{:.3}", row.mean_containment),
            share(&row.near),
            share(&row.alike),
            share(&row.inside),
        ]
    };
    let head = ["kind", "pairs", "resemblance", "copy in source", "found ≥ 0.5", "found ≥ 0.1", "found inside"];
    let kinds = table(&head, &found.kinds.iter().map(row).collect::<Vec<_>>());
    let (verified, estimated) = (curve(&found.verified), curve(&found.estimated));
    let titled = |title: &str| title.to_owned();
    vec![
        about,
        titled("### Verified"),
        verified,
        titled("### With `--estimate`"),
        estimated,
        errors,
        clusters,
        titled(ABOUT_KINDS),
        kinds,
    ]
}

fn curve(points: &[Point]) -> String {
    let row = |point: &Point| {
        let Point { threshold, found, right, relevant, precision, recall, f1 } = point;
        let counts = [found, right, relevant].map(ToString::to_string);
        let shares = [precision, recall, f1].map(|share| format!("{share:.3}"));
        [vec![threshold.to_string()], counts.to_vec(), shares.to_vec()].concat()
    };
    let head = ["threshold", "found", "right", "to be found", "precision", "recall", "F1"];
    table(&head, &points.iter().map(row).collect::<Vec<_>>())
}

fn floored(value: Option<f64>, floor: Option<f64>) -> String {
    match (value, floor) {
        (None, _) => "–".into(),
        (Some(value), None) => format!("{value:.3}"),
        (Some(value), Some(floor)) => {
            format!("{value:.3} ({floor:.3}{})", if value >= floor { "" } else { ", below" })
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// What is plotted: the recipe on each labelled set, and generated documents.
pub(super) fn panels(results: &Results) -> Vec<Panel<'_>> {
    let of = |title: &str, axis: &'static str, points| Panel { title: title.to_owned(), axis, ticks: SHARES, points };
    let measured = results.labelled.iter().filter(|one| one.recipe == RECIPES[0].name);
    let mut panels: Vec<Panel<'_>> = measured.map(|one| of(one.set, "score", &one.points)).collect();
    panels.push(of("generated, verified", "resemblance", &results.generated.verified));
    panels.push(of("generated, --estimate", "resemblance", &results.generated.estimated));
    panels
}
