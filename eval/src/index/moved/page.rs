//! The results on moved pages as tables.

use super::tally::Tally;
use super::{PairResult, SetResult};
use crate::numbers::share;
use crate::table::table;
use std::collections::BTreeMap;

/// What a simple script with exact shingles reaches: set, earlier snapshot, right page first, precision and recall from a score of 0.3 on.
const FLOORS: [(&str, &str, f64, f64, f64); 4] = [
    ("githubdocs", "2021-01-01", 0.976, 0.92, 0.95),
    ("githubdocs", "2022-01-01", 0.902, 0.86, 0.86),
    ("openshiftdocs", "2020-07-01", 0.879, 0.70, 0.72),
    ("openshiftdocs", "2021-07-01", 0.935, 0.74, 0.77),
];

const ABOUT: &str = "## Lost and found

Pages that moved between two snapshots of a site, by its version control: is the new place the first that `lookalike lost` names? One index for each two snapshots, each
of them a sweep. `similarity` is version control's own number; *half survived* are the pages of which the new place has at least half of the shingles of ten words, counted. \
In brackets the floor: what a simple script with exact shingles reaches.";

const ABOUT_CLAIMS: &str = "Precision: of all pages that are said to live elsewhere (`moved`, `merged`, `split`), those deleted by version control among them, the share for which the first place is \
                            the right one by version control or the site's own redirects. Recall: of the pages that moved, the share for which that was said, and right. *Gone* is the share of deleted pages that \
                            are said to be gone; many of them have left their text, or a redirect, elsewhere, and the last column leaves those with a redirect out. Times are of whole calls, each a process of its own.";

const ABOUT_STATED: &str = "What `lost --all` states of its redirects against what version control and the site's redirects know: the mean of what is stated, the share that was right, and of how many, by what is stated. The three numbers of the law were fitted on these four.";

/// All tables about moved pages.
pub(in super::super) fn section(sets: &[SetResult]) -> Vec<String> {
    let each = || sets.iter().flat_map(|set| set.pairs.iter().map(move |pair| (set.set.as_str(), pair)));
    let head = ["set", "pages", "cases", "first", "in first 3", "in found", "status"];
    let rows: Vec<Vec<String>> = each().flat_map(|(set, pair)| groups(set, pair)).collect();
    let mut parts = vec![ABOUT.to_owned(), table(&head, &rows)];
    let head = ["set", "precision", "recall", "deleted", "gone", "status", "gone, no redirect", "p50 ms", "p99 ms"];
    let rows: Vec<Vec<String>> = each().map(|(set, pair)| claims(set, pair)).collect();
    parts.extend([ABOUT_CLAIMS.to_owned(), table(&head, &rows)]);
    let head = ["set", "below 0.7", "to 0.8", "to 0.9", "to 0.95", "and more"];
    let rows: Vec<Vec<String>> = each().map(|(set, pair)| stated(set, pair)).collect();
    parts.extend([ABOUT_STATED.to_owned(), table(&head, &rows)]);
    parts
}

fn groups(set: &str, pair: &PairResult) -> [Vec<String>; 3] {
    let name = format!("{set}, {} to {}", pair.from, pair.to);
    let groups = &pair.groups;
    let floor = FLOORS.iter().find(|floor| floor.0 == set && floor.1 == pair.from).map(|floor| floor.2);
    let row = |pages: &str, tally: &Tally, floor: Option<f64>| {
        vec![
            name.clone(),
            pages.to_owned(),
            tally.cases.to_string(),
            percent(tally.first, tally.cases) + &floor.map_or(String::new(), bracket),
            percent(tally.in_three, tally.cases),
            percent(tally.found, tally.cases),
            statuses(&tally.statuses),
        ]
    };
    [
        row("all", &groups.all, floor),
        row("similarity ≥ 50", &groups.similar, None),
        row("half survived", &groups.half_survived, None),
    ]
}

fn claims(set: &str, pair: &PairResult) -> Vec<String> {
    let floor = FLOORS.iter().find(|floor| floor.0 == set && floor.1 == pair.from);
    let gone = &pair.gone;
    vec![
        format!("{set}, {} to {}", pair.from, pair.to),
        format!("{:.1} %", pair.precision * 100.0) + &floor.map_or(String::new(), |floor| bracket(floor.3)),
        format!("{:.1} %", pair.recall * 100.0) + &floor.map_or(String::new(), |floor| bracket(floor.4)),
        gone.cases.to_string(),
        percent(gone.gone, gone.cases),
        statuses(&gone.statuses),
        format!("{} of {}", percent(gone.plain_gone, gone.plain), gone.plain),
        format!("{:.1}", pair.p50_ms),
        format!("{:.1}", pair.p99_ms),
    ]
}

fn stated(set: &str, pair: &PairResult) -> Vec<String> {
    let name = format!("{set}, {} to {}", pair.from, pair.to);
    let cells = pair.stated.iter().map(|one| format!("{:.2}: {:.2} of {}", one.probability, one.right, one.redirects));
    std::iter::once(name).chain(cells).collect()
}

fn bracket(floor: f64) -> String {
    format!(" ({:.1})", floor * 100.0)
}

fn percent(part: usize, of: usize) -> String {
    format!("{:.1} %", share(part, of) * 100.0)
}

fn statuses(counts: &BTreeMap<String, usize>) -> String {
    counts.iter().map(|(status, count)| format!("{status} {count}")).collect::<Vec<_>>().join(", ")
}
