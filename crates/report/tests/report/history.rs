//! What an index answers.

use crate::{json, shown, text};
use lookalike::index::{
    Changes, ChangesPerUrl, CollapseResult, FoldedResult, Holder, Holders, Info, Intermediate, Interval, Lifetimes,
    Location, LostResult, LostStatus, MatchedPassage, Matches, Moves, PageChange, PageChangeKind, PassageMatch,
    PassageMatches, Position, Rate, ResultGroup, Role, SearchResult, SegmentInfo, ShingleMatch, ShingleMatches,
    Sighting, Spread, Survival, Sweep, Version,
};
use lookalike::report::{Class, CountedShares};
use lookalike::{Estimate, Lens};
use lookalike_report as report;

fn of(hits: u32) -> Estimate {
    Estimate::of(hits, 80)
}

#[expect(clippy::unnecessary_wraps, reason = "dates are optional wherever this is used")]
fn day(day: &str) -> Option<String> {
    Some(format!("2024-{day}"))
}

fn seen(url: &str, first: &str, last: &str) -> Sighting {
    Sighting { url: url.into(), first: day(first), last: day(last), current: true }
}

fn shingles(matches: Vec<ShingleMatch>, features: u32) -> SearchResult {
    let mut found = ShingleMatches::default();
    (found.features, found.frequent, found.matches) = (features, 3, matches);
    let mut answer = SearchResult::new("faq.html", "a0".repeat(16), Matches::Shingles(found));
    answer.more = 12;
    answer
}

fn matches() -> Vec<ShingleMatch> {
    let found = |seen: Vec<Sighting>, class, r: Estimate, q: Estimate, d: Estimate| ShingleMatch {
        seen,
        content: "b1".repeat(16),
        bytes: 1000,
        class,
        resemblance: r,
        query_in_document: Some(q),
        document_in_query: Some(d),
        verified: None,
        cluster: "b1".repeat(16),
        document: 0,
    };
    let one = Estimate::exact(1.0);
    let copies = vec![seen("http://a.org/x", "01-01", "03-01"), seen("http://b.org/x", "01-01", "02-01")];
    vec![
        found(copies, Some(Class::Identical), one, one, one),
        found(vec![seen("http://c.org/\x1b[2Jx", "01-01", "03-01")], Some(Class::Near), of(60), of(70), of(66)),
        found(Vec::new(), None, of(8), of(40), of(9)),
    ]
}

#[test]
fn an_answer() {
    let answer = shingles(matches(), 74);
    insta::assert_snapshot!(shown(&answer));
    let numbers = CountedShares { resemblance: 0.7512, query_in_document: 0.9, document_in_query: 0.8 };
    let counted = matches().into_iter().map(|found| ShingleMatch { verified: Some(numbers), ..found }).collect();
    assert!(shown(&shingles(counted, 74)).contains("counted on the originals"));
    let json = json(&answer);
    assert!(json.starts_with("{\"schema\":1,\"lookalike\":\"") && json.ends_with("}\n") && json.lines().count() == 1);
    assert!(shown(&shingles(Vec::new(), 0)).contains("frequent"));
}

#[test]
fn where_passages_come_from() {
    let at = |start: u32, line: u32, last_line: u32| Position { start, end: start + 400, line, last_line };
    let passage = |query: Position, tokens: u64, equal: u64, documents: Option<u64>| MatchedPassage {
        query,
        document: at(9000, 120, 126),
        tokens,
        equal,
        documents,
        text: documents.map(|_| "It was the best\x1b[2J of times".to_owned()),
    };
    let passages = vec![passage(at(10, 3, 3), 21, 21, Some(1)), passage(at(900, 8, 17), 120, 96, Some(1234))];
    let source = |seen: Vec<Sighting>, passages: Vec<MatchedPassage>| PassageMatch {
        seen,
        content: "b1".repeat(16),
        bytes: 1000,
        tokens: 4321,
        similarity: 0.4567,
        query_share: 0.751,
        document_share: 0.0321,
        longest: 120,
        passages,
    };
    let names = vec![seen("books/two-cities.txt", "01-01", "03-01"), seen("books/copy.txt", "01-01", "02-01")];
    let many = (0..7).map(|n| passage(at(n * 500, n, n + 2), 20 + u64::from(n), 15, None)).collect();
    let answer = |matches: Vec<PassageMatch>| {
        let mut found = PassageMatches::default();
        (found.language, found.tokens, found.guarantee, found.fingerprints) = ("text", 512, 5, 140);
        (found.unfollowed, found.uncompared, found.matches) = (2, 17, matches);
        let mut answer = SearchResult::new("essay.txt", "a0".repeat(16), Matches::Passages(found));
        answer.more = 3;
        answer
    };
    let nothing = answer(Vec::new());
    let answer = answer(vec![source(names, passages), source(Vec::new(), many)]);
    insta::assert_snapshot!(shown(&answer));
    let json = json(&answer);
    assert!(json.starts_with("{\"schema\":1,") && json.contains("\"query\":{\"start\":10,\"end\":410,\"line\":3"));
    assert!(shown(&nothing).ends_with("nothing found\n"));
}

#[test]
fn an_index() {
    let mut info = Info::new(Lens::Shingles, "html|words|shingles:w=10|sample=nested:100");
    (info.generation, info.contained, info.max_df) = (3, Some(0.9), 1000);
    (info.documents, info.urls, info.observations) = (12_345, 20_000, 45_678);
    (info.document_bytes, info.index_bytes) = (98_765_432, 12_345_678);
    (info.clusters, info.clustered, info.frequent_features) = (321, 1234, 17);
    info.sweeps = vec![
        Sweep { observations: 5, ..Sweep::new(None) },
        Sweep { observations: 45_673, ..Sweep::new(Some("2024-01-01".into())) },
    ];
    info.segments =
        vec![SegmentInfo { file: "000001.segment".into(), documents: 12_345, removed: 3, bytes: 12_000_000 }];
    insta::assert_snapshot!(shown(&info));
    assert!(json(&info).contains("\"generation\":3"));
    info.lens = Lens::Passages;
    let passages = shown(&info);
    assert!(!passages.contains("clusters") && passages.contains("Segments"), "{passages}");
}

fn place(url: &str, role: Role, hits: u32, current: bool) -> Location {
    Location {
        url: url.into(),
        role,
        content: "c2".repeat(16),
        first: day("02-01"),
        last: day(if current { "03-01" } else { "02-01" }),
        current,
        new: current,
        gained: false,
        resemblance: of(hits),
        query_in_document: Some(of(hits + 5)),
        document_in_query: None,
        intermediate: None,
    }
}

#[test]
fn a_lost_page() {
    let intermediate = Intermediate {
        url: "http://a.org/between".into(),
        date: day("02-01"),
        content: "d3".repeat(16),
        resemblance: of(64),
    };
    let found = vec![
        place("http://a.org/new", Role::Near, 70, true),
        Location { intermediate: Some(intermediate), ..place("http://b.org/\u{202e}new", Role::Part, 20, true) },
        place("http://c.org/old", Role::Near, 60, false),
    ];
    let version = |date: &str, changed: bool, resemblance| Version {
        date: day(date),
        content: "e4".repeat(16),
        changed,
        resemblance,
    };
    let lost = LostResult {
        url: "http://a.org/old".into(),
        status: LostStatus::Moved,
        content: Some("e4".repeat(16)),
        last: day("01-15"),
        last_seen: day("01-15"),
        now: day("03-01"),
        history: vec![
            version("01-01", false, None),
            version("01-08", true, Some(of(77))),
            version("01-15", false, None),
        ],
        found,
        more: 4,
        together: None,
    };
    insta::assert_snapshot!(shown(&lost));
    assert!(json(&lost).contains("\"status\":\"moved\""));
    let split = LostResult { status: LostStatus::Split, together: Some(0.93), ..lost };
    assert!(shown(&split).contains("split: several URLs have parts of it, 93.0% of it together"));
}

#[test]
fn holders_of_a_ruling() {
    let holder = |url: &str, host: &str, role, hits: u32, current| Holder {
        url: url.into(),
        host: host.into(),
        role,
        first: day("01-01"),
        last: day("03-01"),
        current,
        content: "f5".repeat(16),
        resemblance: of(hits),
        query_in_document: Some(of(hits)),
        document_in_query: None,
        verified: false,
    };
    let mut holders = Holders {
        query: "ruling.html".into(),
        content: "a0".repeat(16),
        least: 0.1,
        current: 2,
        holders: vec![
            holder("http://b.org/copy", "b.org", Role::Copy, 80, true),
            holder("http://c.org/near", "c.org", Role::Near, 60, true),
            holder("http://b.org/part", "b.org", Role::Part, 20, false),
        ],
        more: 0,
    };
    insta::assert_snapshot!(shown(&holders));
    holders.holders.clear();
    assert!(shown(&holders).contains("nobody has 10% or more of it"));
}

#[test]
fn collapsed_results() {
    let other = |rank, url: &str, identical, resemblance| FoldedResult {
        rank,
        url: url.into(),
        identical,
        resemblance,
        content: "b".into(),
    };
    let others = vec![other(2, "b", false, of(70)), other(4, "c\nd", true, Estimate::exact(1.0))];
    let known = ResultGroup { rank: 1, url: "a".into(), known: true, content: Some("a".into()), others };
    let unknown = ResultGroup { rank: 3, url: "nowhere".into(), known: false, content: None, others: Vec::new() };
    let collapsed = CollapseResult { results: 4, unknown: 1, groups: vec![known, unknown] };
    insta::assert_snapshot!(shown(&collapsed));
    assert_eq!(text(|out| report::write_collapsed_text(out, &collapsed)), "a\n\tb\n\tc\\u{a}d\nnowhere\n");
}

fn changes() -> Changes {
    let spread =
        Spread { bins: [3, 0, 1, 2, 4, 9, 14, 22, 40, 105], unmeasured: 2, mean: Some(0.83), median: Some(0.91) };
    let interval = |from: &str, to: &str, n: u64| Interval {
        from: format!("2024-{from}"),
        to: format!("2024-{to}"),
        days: 31.0,
        both: 1000 + n,
        unchanged: 900,
        changed: 100 + n,
        born: 40 * n,
        returned: 3,
        died: 30 * n,
        moves: Moves { renamed: n, within_host: 9 * n, between_hosts: 2 * n },
        resemblance: spread.clone(),
    };
    let by = |observations, urls, changes: &[u64]| ChangesPerUrl { observations, urls, changes: changes.to_vec() };
    let step = |days, at_risk, died, share| Survival { days, at_risk, died, share };
    let page = |at: u32| PageChange {
        from: "2024-03-01".into(),
        to: "2024-04-01".into(),
        change: if at == 0 {
            PageChangeKind::Moved
        } else if at < 20 {
            PageChangeKind::Died
        } else {
            PageChangeKind::Born
        },
        url: format!("=http://a.org/{at}\u{1b}[2J"),
        moved_to: (at == 0).then(|| "http://b.org/0".into()),
        resemblance: (at == 0).then_some(Estimate { value: 0.9, low: 0.8, high: 0.95 }),
    };
    Changes {
        sweeps: 4,
        urls: 1240,
        observations: 3300,
        undated: 7,
        incomplete: 0,
        threshold: 0.5,
        intervals: vec![
            interval("01-01", "02-01", 1),
            interval("02-01", "03-01", 2),
            interval("03-01T06:00:00<b>", "04-01", 3),
        ],
        rate: Rate {
            repeated: 2060,
            changed: 306,
            days_per_change: Some(208.7),
            by_observations: vec![by(1, 240, &[240]), by(2, 100, &[80, 20]), by(4, 900, &[700, 130, 54, 16])],
        },
        resemblance: spread.clone(),
        moves: Moves { renamed: 6, within_host: 54, between_hosts: 12 },
        lifetimes: Lifetimes {
            born: 240,
            died: 180,
            alive: 1060,
            mean_days: Some(41.5),
            median_days: Some(31.0),
            survival: vec![step(31.0, 1240, 90, 0.927), step(62.0, 1000, 60, 0.871), step(93.0, 900, 30, 0.842)],
        },
        pages: (0..22).map(page).collect(),
    }
}

#[test]
fn changing_pages() {
    insta::assert_snapshot!(shown(&changes()));
    let csv = text(|out| report::write_changes_csv(out, &changes()));
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [25; 4]);
    assert!(json(&changes()).contains("\"days_per_change\":208.7"));
    let none = Changes { intervals: Vec::new(), ..changes() };
    assert!(shown(&none).contains("two sweeps with dates"));
}

#[test]
fn a_page_of_plots() {
    let page = text(|out| report::write_changes_html(out, &changes(), "pages <script>alert(1)</script>"));
    assert!(!page.contains("<script>alert") && !page.contains("<b>") && page.contains("&lt;script&gt;"));
    assert_eq!(page.matches("<script").count(), 1, "the choice of colours");
    assert!(page.contains("default-src 'none'") && !page.contains("NaN"));
    // the frame of the other pages, and the pages behind the numbers
    assert!(page.contains("<header class=\"top\">") && page.contains("light-dark("));
    assert!(page.contains("<summary>1 page moved</summary>") && page.contains("href=\"http://b.org/0\""));
    assert!(
        page.contains("<summary>19 pages not found again</summary>")
            && page.contains("<summary>2 pages born</summary>")
    );
    assert_eq!(page.matches("role=\"img\"").count(), 6);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}
