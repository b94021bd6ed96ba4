//! What became of each page by `lookalike lost`, held against what version control says.

use crate::numbers::share;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `lookalike lost --json` says; what is not needed is left out.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Lost {
    pub(crate) status: String,
    pub(crate) found: Vec<Place>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Place {
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) new: bool,
    pub(crate) resemblance: Value,
    /// Share of the lost page that is there.
    pub(crate) query_in_document: Option<Value>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Value {
    pub(crate) value: f64,
}

impl Lost {
    /// The place of a URL among those found, from 0 on.
    pub(crate) fn place(&self, url: &str) -> Option<usize> {
        self.found.iter().position(|place| place.url == url)
    }

    /// Whether it says that the page lives elsewhere.
    pub(crate) fn is_claim(&self) -> bool {
        ["moved", "merged", "split"].contains(&self.status.as_str())
    }
}

/// What `lookalike lost --all --json` says; what is not needed is left out.
#[derive(Deserialize)]
pub(crate) struct RedirectMap {
    pub(crate) redirects: Vec<RedirectRow>,
}

#[derive(Deserialize)]
pub(crate) struct RedirectRow {
    pub(crate) url: String,
    pub(crate) to: Option<String>,
    pub(crate) probability: Option<f64>,
}

/// Redirects of which about the same is stated: how many, what is stated in the mean, and the share that was right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Stated {
    pub(crate) redirects: usize,
    pub(crate) probability: f64,
    pub(crate) right: f64,
}

impl Stated {
    /// By what is stated, least first; the last bound is above all.
    const BOUNDS: [f64; 5] = [0.7, 0.8, 0.9, 0.95, 1.1];

    pub(crate) fn of(told: &[(f64, bool)]) -> Vec<Self> {
        let from = std::iter::once(0.0).chain(Self::BOUNDS);
        let between = from.zip(Self::BOUNDS).map(|(from, to)| {
            let some: Vec<_> = told.iter().filter(|(stated, _)| (from..to).contains(stated)).collect();
            let all = some.len();
            let right = some.iter().filter(|(_, right)| *right).count();
            Self {
                redirects: all,
                probability: some.iter().map(|(stated, _)| stated).sum::<f64>() / all.max(1) as f64,
                right: share(right, all),
            }
        });
        between.collect()
    }
}

/// A page that moved, and the answer.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The file's own similarity, in percent.
    pub(crate) similarity: f64,
    /// Share of the old page's shingles that the new page has.
    pub(crate) survived: f64,
    /// The place of the new page among those found, from 0 on.
    pub(crate) place: Option<usize>,
    pub(crate) status: String,
    /// Whether it says that the page lives elsewhere.
    pub(crate) claim: bool,
    /// Whether what was found first is the new page, or where the site itself sends readers.
    pub(crate) right: bool,
}

/// A page that was deleted, and the answer.
#[derive(Clone, Debug)]
pub(crate) struct Deleted {
    pub(crate) status: String,
    pub(crate) claim: bool,
    /// Whether the site sends readers of it anywhere: then it is not quite gone.
    pub(crate) redirected: bool,
    /// Whether what was found first is where the site sends them.
    pub(crate) right: bool,
}

/// How many of some cases were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) first: usize,
    pub(crate) in_three: usize,
    pub(crate) found: usize,
    pub(crate) statuses: BTreeMap<String, usize>,
}

impl Tally {
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let mut tally = Self::default();
        for case in cases {
            tally.cases += 1;
            tally.first += usize::from(case.place == Some(0));
            tally.in_three += usize::from(case.place.is_some_and(|place| place < 3));
            tally.found += usize::from(case.place.is_some());
            *tally.statuses.entry(case.status.clone()).or_default() += 1;
        }
        tally
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.first += other.first;
        self.in_three += other.in_three;
        self.found += other.found;
        for (status, count) in &other.statuses {
            *self.statuses.entry(status.clone()).or_default() += count;
        }
    }
}

/// The three groups of cases: all, those of which the file says 50 or more, and those of which half of the text survived.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Groups {
    pub(crate) all: Tally,
    pub(crate) similar: Tally,
    pub(crate) half_survived: Tally,
}

impl Groups {
    pub(crate) fn of(cases: &[Case]) -> Self {
        Self {
            all: Tally::of(cases),
            similar: Tally::of(cases.iter().filter(|case| case.similarity >= 50.0)),
            half_survived: Tally::of(cases.iter().filter(|case| case.survived >= 0.5)),
        }
    }
}

/// What is said of pages that were deleted.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct GoneTally {
    pub(crate) cases: usize,
    pub(crate) gone: usize,
    /// Of those that the site redirects nowhere.
    pub(crate) plain: usize,
    pub(crate) plain_gone: usize,
    pub(crate) statuses: BTreeMap<String, usize>,
}

impl GoneTally {
    pub(crate) fn of(all: &[Deleted]) -> Self {
        let mut tally = Self::default();
        for one in all {
            let gone = usize::from(one.status == "gone");
            tally.cases += 1;
            tally.gone += gone;
            if !one.redirected {
                tally.plain += 1;
                tally.plain_gone += gone;
            }
            *tally.statuses.entry(one.status.clone()).or_default() += 1;
        }
        tally
    }
}

/// Of the pages that are said to live elsewhere, the share for which what was found first is right; and of those that moved, the share
/// for which this was said, and right.
pub(crate) fn precision_and_recall(cases: &[Case], deleted: &[Deleted]) -> (f64, f64) {
    let claims = cases.iter().map(|case| (case.claim, case.right));
    let claims: Vec<bool> = claims
        .chain(deleted.iter().map(|one| (one.claim, one.right)))
        .filter_map(|(claim, right)| claim.then_some(right))
        .collect();
    let right = claims.iter().filter(|right| **right).count();
    let recalled = cases.iter().filter(|case| case.claim && case.right).count();
    (share(right, claims.len()), share(recalled, cases.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(similarity: f64, survived: f64, place: Option<usize>, status: &str) -> Case {
        let claim = status != "gone";
        Case { similarity, survived, place, status: status.to_owned(), claim, right: place == Some(0) }
    }

    #[test]
    fn cases_are_counted_in_their_groups() {
        let cases = [
            case(90.0, 0.9, Some(0), "moved"),
            case(90.0, 0.3, Some(2), "moved"),
            case(40.0, 0.5, Some(3), "merged"),
            case(40.0, 0.1, None, "gone"),
        ];
        let groups = Groups::of(&cases);
        let counts = |tally: &Tally| [tally.cases, tally.first, tally.in_three, tally.found];
        assert_eq!(counts(&groups.all), [4, 1, 2, 3]);
        assert_eq!(counts(&groups.similar), [2, 1, 2, 2]);
        assert_eq!(counts(&groups.half_survived), [2, 1, 1, 2]);
        assert_eq!(groups.all.statuses["moved"], 2);
        let mut sum = groups.similar.clone();
        sum.add(&groups.half_survived);
        assert_eq!(counts(&sum), [4, 2, 3, 4]);
        assert_eq!((sum.statuses["moved"], sum.statuses["merged"]), (3, 1));

        let deleted = |status: &str, redirected, right| Deleted {
            status: status.to_owned(),
            claim: status != "gone",
            redirected,
            right,
        };
        let deleted = [deleted("gone", false, false), deleted("moved", true, true), deleted("merged", false, false)];
        let tally = GoneTally::of(&deleted);
        assert_eq!([tally.cases, tally.gone, tally.plain, tally.plain_gone], [3, 1, 2, 1]);
        // five claims: one case and one deleted page are right
        let (precision, recall) = precision_and_recall(&cases, &deleted);
        assert!((precision - 0.4).abs() < 1e-12 && (recall - 0.25).abs() < 1e-12, "{precision} {recall}");
    }

    #[test]
    fn what_is_stated_is_held_against_what_was() {
        let stated = Stated::of(&[(0.5, false), (0.6, true), (0.92, true), (1.0, true)]);
        let counts: Vec<_> = stated.iter().map(|one| one.redirects).collect();
        assert_eq!(counts, [2, 0, 0, 1, 1]);
        assert!((stated[0].probability - 0.55).abs() < 1e-12 && (stated[0].right - 0.5).abs() < 1e-12);
    }

    #[test]
    fn answers_are_matched_by_url() {
        let told = r#"{"url": "a", "status": "moved", "more": 0, "found": [
            {"url": "b", "role": "near", "new": true, "resemblance": {"value": 0.7, "low": 0.6, "high": 0.8}, "query_in_document": null},
            {"url": "c", "resemblance": {"value": 0.5}, "query_in_document": {"value": 0.9}}]}"#;
        let lost: Lost = serde_json::from_str(told).unwrap();
        assert_eq!((lost.place("b"), lost.place("c"), lost.place("a")), (Some(0), Some(1), None));
        assert!(lost.is_claim() && lost.found[0].new && lost.found[0].query_in_document.is_none());
    }
}
