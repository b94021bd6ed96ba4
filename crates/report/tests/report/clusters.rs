//! Documents in clusters.

use crate::fixtures::{self, chunks_of};
use crate::{rendered, shown as show, text};
use lookalike::exchange::{ExchangeSummary, Names};
use lookalike::report::{Class, PairRow, Policy, Report, Section, Skip};
use lookalike::templates::{MarkedTemplate, TemplateChunk, TemplateList};
use lookalike::{Differences, Linkage};
use lookalike_report::{ExchangeFile, Form, PairForm, PairWriter, Shown, Source, TemplateChange};
use unicode_width::UnicodeWidthStr;

fn terminal(report: &Report) -> String {
    let explain = |_: u32, _: u32| {
        let changes = vec![("2.4".to_owned(), "2.5".to_owned())];
        Some(Differences { changes, more: 0, removed: 1, added: 1, too_large: false })
    };
    rendered("terminal", &Source { explain: Some(&explain), ..Source::new(report) })
}

fn quiet(report: &Report, top: usize) -> String {
    rendered("terminal", &Source { shown: Shown { members: 3, ..Shown::top(top) }, ..Source::new(report) })
}

#[test]
fn a_report_on_a_terminal() {
    let shown = terminal(&fixtures::chunks());
    insta::assert_snapshot!(shown);
    assert!(!shown.contains(['\x1b', '\u{202e}', '\x07']));
}

#[test]
fn lines_follow_the_terminal() {
    let mut report = fixtures::chunks();
    let representative = format!("{}/new/manual.html", "deep/".repeat(30));
    report.clusters[1].members[3].id = format!("{}/old/manual.html", "deep/".repeat(30));
    report.clusters[1].representative = representative.clone();
    let explain = |_: u32, _: u32| {
        let changes = vec![("a word ".repeat(30), "another".to_owned())];
        Some(Differences { changes, more: 0, removed: 1, added: 1, too_large: false })
    };
    for columns in [66, 80, 120] {
        let shown = Shown { columns: Some(columns), ..Shown::top(20) };
        let source = Source { shown, explain: Some(&explain), ..Source::new(&report) };
        let shown = rendered("terminal", &source);
        let clusters = shown.split_once("\nClusters").unwrap().1.split_once("\n\nIdentical").unwrap().0;
        for line in clusters.lines().skip(1) {
            // copies are counted behind the name
            let line = line.split("  + ").next().unwrap();
            assert!(line.width() <= columns, "{columns}: {line}");
        }
        assert!(clusters.contains("…old…"), "what differs is kept: {clusters}");
    }
    let whole = terminal(&report);
    assert!(whole.contains(&representative), "{whole}");
}

#[test]
fn few_clusters_are_shown() {
    let shown = quiet(&fixtures::chunks(), 1);
    assert!(shown.contains("… and 11 more documents\n\n… and 1 more cluster; show more with --top N"), "{shown}");
    assert!(shown.contains("… and 3 more sets; show more"), "{shown}");
    assert!(shown.contains("… and 2 more pairs; all with --json"), "{shown}");
    let none = quiet(&fixtures::chunks(), 0);
    assert!(!none.contains("Identical files") && !none.contains("Similar folders"), "{none}");
    assert!(none.contains("… and 2 more clusters"), "{none}");
}

#[test]
fn what_was_cut_off_is_told() {
    let mut report = fixtures::shingles();
    assert!(!terminal(&report).contains("thinned"));
    let Section::Shingles(shingles) = &mut report.section else { panic!("shingles") };
    shingles.thinned = 7;
    let shown = terminal(&report);
    let row = shown.lines().find(|line| line.trim_start().starts_with("thinned")).unwrap();
    assert!(row.contains(" 7  share so much with so many that only part of their sketch was used"), "{row}");
    assert!(rendered("json", &Source::new(&report)).contains("\"thinned\":7"));
}

#[test]
fn true_bytes_stand_without_at_least() {
    let mut report = fixtures::chunks();
    report.clusters[1].members[3].exact_bytes = Some(44_321);
    let shown = terminal(&report);
    assert!(shown.contains("             44.3 KB  globex/docs/manual-b.html  + 1 identical"), "{shown}");
    assert!(shown.contains("at least 30.0 KB"), "{shown}");
}

#[test]
fn only_copies_are_counted_as_copies() {
    let mut report = fixtures::chunks();
    // an id of a set, but another document
    report.clusters[1].members[4].bytes = 44_999;
    let shown = terminal(&report);
    assert!(shown.contains("globex/docs/manual-b-copy.html\n"), "{shown}");
    assert!(!shown.contains("manual-b.html  + 1 identical"), "{shown}");
}

#[test]
fn clusters_of_copies_have_their_own_section() {
    let mut report = fixtures::chunks();
    report.clusters.drain(..2);
    let shown = terminal(&report);
    assert!(!shown.contains("Clusters, largest first"), "{shown}");
    assert!(
        shown.contains("1 more cluster of identical documents only: under Identical files\n\nIdentical files"),
        "{shown}"
    );
}

#[test]
fn a_template_can_be_marked_unless_a_run_would_number_otherwise() {
    let mut report = fixtures::chunks();
    assert!(!terminal(&report).contains("templates mark RUN --cluster 1"));
    chunks_of(&mut report).totals.refined = None;
    assert!(terminal(&report).contains("lookalike templates mark RUN --cluster 1"));
}

#[test]
fn nothing_found() {
    let mut report = fixtures::no_chunks();
    assert!(terminal(&report).ends_with("D 532.2, D′ 266.1\n\n  nothing to compare\n"), "{}", terminal(&report));
    let totals = &mut chunks_of(&mut report).totals;
    (totals.chunks, totals.distinct, totals.mean, totals.alone) = (9, 9, 950.0, 7);
    report.head.policy = Policy { min_shared: 2000, linkage: Linkage::Star, ..Policy::default() };
    (report.head.documents, report.head.bytes) = (7, 8550);
    insta::assert_snapshot!(terminal(&report));
    chunks_of(&mut report).identical.push(fixtures::set(10, "c4", &["a", "b"]));
    assert!(terminal(&report).contains("identical         1  copies beyond one of each; they take 10 bytes"));
}

#[test]
fn rows_of_csv() {
    let csv = rendered("csv", &Source::new(&fixtures::chunks()));
    let mut lines = csv.lines();
    let header = "cluster,role,id,class,resemblance,containment,contained_by,bytes,shared_bytes,exact_bytes";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(lines.next(), Some("1,representative,tickets/template.html,,,,,20100,,"));
    let row = lines.next().unwrap();
    assert!(row.starts_with("1,member,tickets/0000.html,near,0.90") && row.ends_with(",20000,19000,"), "{row}");
    assert!(!rendered("csv", &Source::new(&fixtures::shingles())).contains("shared_bytes"));
}

#[test]
fn lines_of_ndjson() {
    let lines: Vec<serde_json::Value> = rendered("ndjson", &Source::new(&fixtures::chunks()))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let types: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    let expected = "scan skipped marked frequent suggestion cluster cluster cluster identical identical identical \
                    identical folders folders folders";
    assert_eq!(types.join(" "), expected);
    let (scan, whole) = (&lines[0], serde_json::to_value(fixtures::chunks()).unwrap());
    let lists = ["frequent", "templates", "suggestions", "identical", "folders"];
    for (name, value) in whole["chunks"].as_object().unwrap() {
        if lists.contains(&&**name) {
            assert!(scan["chunks"].get(name).is_none(), "{name} is repeated in the first line");
        } else {
            assert_eq!(&scan["chunks"][name], value, "{name}");
        }
    }
    assert_eq!(lines[5]["members"][0]["shared_bytes"], 19_000);
    assert_eq!(lines[8]["files"][1]["id"], "globex/img/logo.png");
    assert_eq!(lines[12]["inside"], 43_200_000);
    let json = rendered("json", &Source::new(&fixtures::chunks()));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), whole);
    assert!(!rendered("ndjson", &Source::new(&fixtures::shingles())).contains("\"chunks\""));
}

#[test]
fn pairs_tell_bytes_in_common() {
    let pair = PairRow {
        a: "a".into(),
        b: "b".into(),
        resemblance: 0.5,
        a_in_b: 0.75,
        b_in_a: 0.6,
        interval: None,
        shared_bytes: Some(1234),
    };
    let written = |form| {
        text(|out| {
            let mut rows = PairWriter::new(out, form, &fixtures::chunks())?;
            rows.write(&pair)?;
            rows.finish()
        })
    };
    assert_eq!(written(PairForm::Csv), "a,b,resemblance,a_in_b,b_in_a,shared_bytes\na,b,0.5,0.75,0.6,1234\n");
    assert!(written(PairForm::Ndjson).contains("\"shared_bytes\":1234"));
    let plain = text(|out| {
        let mut estimated = fixtures::shingles();
        let Section::Shingles(section) = &mut estimated.section else { unreachable!() };
        section.estimate = true;
        let mut rows = PairWriter::new(out, PairForm::Tsv, &estimated)?;
        rows.write(&pair)?;
        rows.finish()
    });
    assert_eq!(plain, "a\tb\tresemblance\ta_in_b\tb_in_a\tlow\thigh\na\tb\t0.5\t0.75\t0.6\t0.5\t0.5\n");
}

#[cfg(unix)]
#[test]
fn sets_as_fdupes_writes_them() {
    let mut out = Vec::new();
    Form::named("fdupes").unwrap().renderer.render(&Source::new(&fixtures::chunks()), &mut out).unwrap();
    assert!(out.starts_with(b"acme/img/logo.png\nglobex/img/logo.png\n\nacme/docs/manual-copy.html\n"));
    assert!(out.ends_with(b"\n\n-rf\n@SUM(A1)\ncaf\xe9\nname\nd\ne\nf\n\n"));
    let shingles = rendered("fdupes", &Source::new(&fixtures::shingles()));
    assert_eq!(shingles, "a.txt\nb.txt\n\n");
}

fn templates() -> TemplateList {
    let chunk = |hash: &str, bytes| TemplateChunk { hash: hash.repeat(16), bytes };
    let header = MarkedTemplate {
        name: "page-header".into(),
        from: "cluster 3 of runs/may".into(),
        documents: 185,
        text: Some("<!DOCTYPE html>\n<html>\u{9b}".into()),
        chunks: vec![chunk("a1", 1234), chunk("b2", 876)],
    };
    let licence = MarkedTemplate {
        name: "licence\x1b[1m".into(),
        from: "file boilerplate.html".into(),
        documents: 12_345,
        text: None,
        chunks: vec![chunk("c3", 453)],
    };
    TemplateList { recipe: Some("bytes|chunks:mean=1000|hash=xxh3-128|v=1".into()), templates: vec![header, licence] }
}

#[test]
fn a_list_of_templates() {
    insta::assert_snapshot!(show(&templates()));
    let none = show(&TemplateList::default());
    assert!(none.starts_with("0 templates") && none.contains("templates mark RUN --cluster N"), "{none}");
    let change = |at: usize, marked: bool| {
        show(&TemplateChange { list: "RUN/templates.json", marked, template: &templates().templates[at] })
    };
    let changed = change(0, true) + &change(1, false);
    assert!(changed.starts_with("marked page-header in RUN/templates.json"), "{changed}");
    assert!(changed.contains("1 chunk, 453 bytes count again") && !changed.contains('\x1b'), "{changed}");
}

#[test]
fn one_template() {
    let template = &templates().templates[0];
    insta::assert_snapshot!(show(template));
}

#[test]
fn an_exchange_file() {
    let skipped = Skip { id: "x".into(), reason: "unreadable".into(), kind: "unreadable".into(), damage: false };
    let mut sketched = ExchangeSummary {
        documents: 52_125,
        bytes: 327_000_000,
        features: 332_145,
        written: 5_890_000,
        recipe: "bytes|chunks:mean=1000|hash=xxh3-128|v=1".into(),
        skipped: vec![skipped],
    };
    insta::assert_snapshot!(show(&ExchangeFile { file: "acme\u{7}.lka", names: Names::Plain, sketched: &sketched }));
    sketched.recipe = "bytes|chunks:mean=1000|hash=blake3-128|key=1a2b3c4d|v=1".into();
    let keyed = show(&ExchangeFile { file: "a.lka", names: Names::Hashed, sketched: &sketched });
    assert!(keyed.contains("one needs the key") && !keyed.contains("tells names"), "{keyed}");
    let nothing = ExchangeSummary { documents: 0, bytes: 0, features: 0, ..sketched };
    let shown = show(&ExchangeFile { file: "a.lka", names: Names::Plain, sketched: &nothing });
    assert!(!shown.contains('%') && !shown.contains("NaN"), "{shown}");
}

#[test]
fn shingles_on_a_terminal() {
    let shown = terminal(&fixtures::shingles());
    insta::assert_snapshot!(shown);
    let mut report = fixtures::shingles();
    report.head.summary.shingle = 1;
    assert!(terminal(&report).contains("shingle           1"));
    assert_eq!(fixtures::shingles().clusters[0].members[0].class, Class::Identical);
}
