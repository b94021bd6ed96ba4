//! The passages lens: what was compared, what was found, and where the threshold comes from.

use super::lines::write_title;
use super::summary::{Summary, SummaryRow, skipped};
use crate::clean::clean;
use crate::hints;
use crate::renderer::Shown;
use crate::style::{BOLD, DIM};
use crate::submission::wrap;
use crate::units::{bytes, commas, count, percent, short_percent};
use lookalike::report::{
    Calibration, FamilyRecipe, Pair, PairClass, Passages, Report, ReviewedPairs, SourceFile, SubmissionCluster,
};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The most columns of a line of prose.
const COLUMNS: usize = 96;
/// Names of a cluster that are shown.
const NAMES: usize = 8;

pub(super) fn write_summary(out: &mut dyn Write, whole: &Report, report: &Passages, shown: Shown) -> io::Result<()> {
    let files = || report.submissions.iter().flat_map(|submission| &submission.files);
    let size = bytes(files().map(|file| file.bytes).sum());
    let sizes = [count(report.submissions.len() as u64, "submission"), count(files().count() as u64, "file"), size];
    let (title, about) = (sizes.join(", "), languages(files()));
    if about.is_empty() {
        let nothing = Some("nothing to compare".to_owned());
        return Summary { title, about, details: Vec::new(), nothing, rows: Vec::new() }.write(out, shown);
    }
    let recipe = |recipe: &FamilyRecipe| {
        let FamilyRecipe { family, k, t, files, .. } = recipe;
        format!("{family}: k {k}, t {t}; {}", count(*files, "file"))
    };
    let details = report.recipes.iter().map(recipe).chain([clean(&whole.head.recipe).into_owned()]).collect();
    let least = short_percent(report.rules.min_similarity);
    let nothing = (report.pairs_all == 0).then(|| format!("no two of them are similar by {least} or more"));
    Summary { title, about, details, nothing, rows: rows(whole, report) }.write(out, shown)?;
    write_threshold(out, &report.calibration, columns(shown))
}

/// `48 python, 4 java`, most files first.
fn languages<'a>(files: impl Iterator<Item = &'a SourceFile>) -> String {
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for file in files {
        *counted.entry(file.language).or_default() += 1;
    }
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    let words: Vec<String> = counted.iter().map(|(name, files)| format!("{} {name}", commas(*files))).collect();
    words.join(", ")
}

fn rows(whole: &Report, report: &Passages) -> Vec<SummaryRow> {
    let submissions = &report.submissions;
    let of = |test: &dyn Fn(usize) -> bool| (0..submissions.len()).filter(|at| test(*at)).count() as u64;
    let (archive, same) = (of(&|at| submissions[at].archive), of(&|at| submissions[at].same_as.is_some()));
    let degraded = submissions.iter().flat_map(|s| &s.files).filter(|file| file.degraded.is_some()).count() as u64;
    let mut rows = Vec::new();
    if archive > 0 {
        rows.push(SummaryRow::new("archive", archive, "of them are of the archive, and not compared with each other"));
    }
    rows.push(SummaryRow::new("pairs", report.pairs_possible, "could be compared"));
    if report.pairs_estimated > 0 {
        let why = "may be similar too, and were only estimated: more similar ones come first";
        rows.push(SummaryRow::new("estimated", report.pairs_estimated, why));
    }
    if report.pairs_all > 0 {
        let listed = report.pairs.len() as u64;
        let more = if listed < report.pairs_all {
            format!("; the first {} are listed", commas(listed))
        } else {
            String::new()
        };
        let below = report.pairs.iter().any(|pair| pair.similarity < report.rules.min_similarity);
        let long = if below { ", or a long passage" } else { "" };
        let similar =
            format!("have a similarity of {} or more{long}{more}", short_percent(report.rules.min_similarity));
        rows.push(SummaryRow::new("similar", report.pairs_all, similar));
        let striking = format!(
            "at or above the threshold of {}, or a very long passage",
            short_percent(report.calibration.threshold)
        );
        rows.push(SummaryRow::new("striking", report.calibration.striking, striking));
        rows.push(SummaryRow::new("to look at", report.calibration.worth_a_look, "near it, or with a long passage"));
    }
    rows.extend(report.reviewed.iter().flat_map(reviewed));
    if !report.clusters.is_empty() {
        let members = report.clusters.iter().map(|cluster| cluster.submissions.len() as u64).sum();
        let what = format!("of {}, which striking pairs connect", count(members, "submission"));
        rows.push(SummaryRow::new("clusters", report.clusters.len() as u64, what));
    }
    if same > 0 {
        rows.push(SummaryRow::new("identical", same, "have exactly the tokens of another submission"));
    }
    if degraded > 0 {
        rows.push(SummaryRow::new("degraded", degraded, "files were not read by the grammar of their language"));
    }
    rows.extend(skipped(&whole.skipped));
    rows
}

/// How far a review has come.
fn reviewed(reviewed: &ReviewedPairs) -> [SummaryRow; 3] {
    let told = |counts: &[(u64, &str)]| {
        let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", commas(*n)));
        counts.collect::<Vec<_>>().join(", ")
    };
    let listed = count(reviewed.decided + reviewed.undecided, "listed pair");
    let verdicts = told(&[(reviewed.copied, "copied"), (reviewed.not_copied, "not copied")]);
    let decided = if verdicts.is_empty() { String::new() } else { format!(": {verdicts}; not shown below") };
    let again = told(&[(reviewed.again, "to be looked at again")]);
    let again = if again.is_empty() { String::new() } else { format!("; of them {again}") };
    let lost = told(&[
        (reviewed.stale, "of submissions that have changed or are gone"),
        (reviewed.unlisted, "about pairs that are not listed"),
    ]);
    let lost = if lost.is_empty() { String::new() } else { format!("; of them {lost}") };
    [
        SummaryRow::new("decided", reviewed.decided, format!("of {listed}{decided}")),
        SummaryRow::new("undecided", reviewed.undecided, format!("still to be decided{again}")),
        SummaryRow::new("decisions", reviewed.decisions, format!("were read{lost}")),
    ]
}

/// Columns of a line of prose.
fn columns(shown: Shown) -> usize {
    shown.room(0).min(COLUMNS)
}

fn write_threshold(out: &mut dyn Write, calibration: &Calibration, columns: usize) -> io::Result<()> {
    let from = match calibration.source {
        "given" => "as you said",
        "default" => "by the kind and size of submissions",
        "alike" => "by the size of submissions: most are alike",
        _ => "by the size of submissions, held against chance in this cohort",
    };
    write_title(out, &format!("Threshold {}", short_percent(calibration.threshold)), from)?;
    let reasoning = calibration.reasoning.join(" ");
    wrap(&clean(&reasoning), columns).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Who belongs together.
pub(super) fn write_clusters(out: &mut dyn Write, report: &Passages, shown: Shown) -> io::Result<()> {
    let listed = &report.clusters[..report.clusters.len().min(shown.top)];
    if listed.is_empty() {
        return Ok(());
    }
    let least = short_percent(report.calibration.threshold);
    write_title(out, "Clusters, largest first", &format!("connected by pairs of {least} or more"))?;
    for cluster in listed {
        let size = count(cluster.submissions.len() as u64, "submission");
        let decided = if is_decided(report, cluster) { ", all decided" } else { "" };
        let about = format!("{}, {} similar on average{decided}", count(cluster.pairs, "pair"), percent(cluster.mean));
        writeln!(out, "  {BOLD}{size}{BOLD:#}  {DIM}{about}{DIM:#}")?;
        let names = cluster.submissions.iter().take(NAMES).map(|at| clean(&report.submissions[*at].name).into_owned());
        let mut names: Vec<String> = names.collect();
        if cluster.submissions.len() > NAMES {
            names.push(format!("… and {} more", commas((cluster.submissions.len() - NAMES) as u64)));
        }
        wrap(&names.join(", "), columns(shown) - 2).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    match report.clusters.len() - listed.len() {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}; {}", count(rest as u64, "more cluster"), hints::ALL),
    }
}

/// Whether all that connects a cluster is decided.
fn is_decided(report: &Passages, cluster: &SubmissionCluster) -> bool {
    let inside = |at: usize| cluster.submissions.binary_search(&at).is_ok();
    let connecting = |pair: &&Pair| pair.class == PairClass::Striking && inside(pair.a) && inside(pair.b);
    let (mut pairs, mut decided) = (0, 0);
    for pair in report.pairs.iter().filter(connecting) {
        pairs += 1;
        decided += u64::from(pair.is_decided());
    }
    report.reviewed.is_some() && decided == pairs && pairs >= cluster.pairs
}

/// What numbers cannot tell.
pub(super) fn write_caveat(out: &mut dyn Write, report: &Passages) -> io::Result<()> {
    if report.pairs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{DIM}The numbers tell where to look. Read the passages before you judge anybody.{DIM:#}")
}
