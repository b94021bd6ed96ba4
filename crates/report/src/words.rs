//! Words and names that several forms use.

use crate::clean::clean;
use crate::hints;
use crate::units::{commas, count};
use lookalike::index::{Certainty, LostStatus, PageChangeKind, Role};
use lookalike::report::{Chunks, Suggestion};
use lookalike::report::{Member, Skip, Verdict};
use lookalike::templates::Parameters;
use std::collections::BTreeMap;
use std::path::Path;

/// Characters of a template's text that are shown: it and the numbers beside it fit a line of 100.
const MAX_TEXT: usize = 60;

pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Copy => "copy",
        Role::Near => "near",
        Role::Whole => "whole",
        Role::Part => "part",
    }
}

pub(crate) fn status_name(status: LostStatus) -> &'static str {
    match status {
        LostStatus::Unchanged => "unchanged",
        LostStatus::Changed => "changed",
        LostStatus::Moved => "moved",
        LostStatus::Split => "split",
        LostStatus::Merged => "merged",
        LostStatus::Gone => "gone",
        LostStatus::Unknown => "unknown",
    }
}

pub(crate) fn certainty_name(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Likely => "likely",
        Certainty::Possible => "possible",
    }
}

pub(crate) fn page_change_name(change: PageChangeKind) -> &'static str {
    match change {
        PageChangeKind::Moved => "moved",
        PageChangeKind::Died => "died",
        PageChangeKind::Born => "born",
        PageChangeKind::Returned => "returned",
        PageChangeKind::Changed => "changed",
    }
}

pub(crate) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Keep => "keep",
        Verdict::NotDuplicates => "not-duplicates",
        Verdict::Template => "template",
        Verdict::Later => "later",
    }
}

/// `2 binary, 1 empty`
pub fn kinds(skipped: &[Skip]) -> String {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for skip in skipped {
        *kinds.entry(&skip.kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, n)| of_kind(*n, &clean(kind))).collect();
    kinds.join(", ")
}

/// `14 symbolic links`, `2 binary`: what is a thing has a plural, what is a quality has none.
fn of_kind(n: u64, kind: &str) -> String {
    let thing = ["special file", "symbolic link", "link loop", "bad record", "bad id"].contains(&kind);
    if thing { count(n, kind) } else { format!("{} {kind}", commas(n)) }
}

/// Bytes in common as a share of the smaller of the two: of both shares the larger.
pub(crate) fn share_of_smaller(member: &Member) -> Option<f64> {
    let (a, b) = (member.containment?, member.contained_by?);
    Some(a.max(b))
}

/// `Tmin 453, Tmax 2759, D 532.0, D′ 266.0`
pub(crate) fn parameters(p: &Parameters) -> String {
    format!("Tmin {}, Tmax {}, D {:.1}, D′ {:.1}", p.tmin, p.tmax, p.divisor, p.backup)
}

/// A folder's name; files that are in none are in the one where the scan was started.
pub(crate) fn folder_name(folder: &str) -> &str {
    if folder.is_empty() { "." } else { folder }
}

/// The command that marks what a cluster shares. A run has no finer pass, and numbers clusters in its own way.
pub(crate) fn mark(chunks: &Chunks, suggestion: &Suggestion, run: Option<&Path>) -> Option<String> {
    chunks.totals.refined.is_none().then(|| hints::mark_template(&suggestion.cluster.to_string(), run))
}

/// How a text begins, on one line: `“<!DOCTYPE html> <html>…”`
pub(crate) fn quoted(text: &str) -> String {
    // a text may be long and without a space: never more of it than can be shown
    let start: String = text.chars().take(8 * MAX_TEXT).collect();
    let words: Vec<&str> = start.split_whitespace().collect();
    let line = words.join(" ");
    let short: String = line.chars().take(MAX_TEXT).collect();
    let dots = if short.len() < line.len() || start.len() < text.len() { "…" } else { "" };
    format!("“{}{dots}”", clean(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_have_a_plural() {
        assert_eq!(of_kind(14, "symbolic link"), "14 symbolic links");
        assert_eq!(of_kind(1, "symbolic link"), "1 symbolic link");
        assert_eq!(of_kind(1200, "binary"), "1,200 binary");
    }

    #[test]
    fn texts_are_shown_on_one_line() {
        assert_eq!(quoted("  <p>\n\t one\u{1b}[2J two "), "“<p> one\\u{1b}[2J two”");
        assert_eq!(quoted(&"x".repeat(61)), format!("“{}…”", "x".repeat(60)));
        assert_eq!(quoted(&format!("a{}b", " ".repeat(1000))), "“a…”");
    }
}
