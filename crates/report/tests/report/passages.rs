//! Submissions and the passages that they share.

use crate::submissions::{self, passages_of};
use crate::{rendered, text};
use lookalike::PairNumbers;
use lookalike::report::Report;
use lookalike_report::{PairForm, Shown, Source, SubmissionPairWriter};
use unicode_width::UnicodeWidthStr;

fn terminal(report: &Report, top: usize) -> String {
    rendered("terminal", &Source { shown: Shown::top(top), ..Source::new(report) })
}

#[test]
fn a_cohort_on_a_terminal() {
    let shown = terminal(&submissions::cohort(), 20);
    insta::assert_snapshot!(shown);
    assert!(!shown.contains(['\x1b', '\u{202e}']));
}

#[test]
fn the_table_follows_the_terminal() {
    let mut report = submissions::cohort();
    let section = passages_of(&mut report);
    section.submissions[3].name = "网络".repeat(40);
    section.pairs[2].longest = 1_234_567;
    section.pairs[2].passages_all = 12_345;
    let table = |columns: Option<usize>| -> Vec<String> {
        let shown = Shown { columns, ..Shown::top(20) };
        let shown = rendered("terminal", &Source { shown, ..Source::new(&report) });
        shown.lines().skip_while(|line| !line.starts_with("Pairs")).skip(1).take(4).map(str::to_owned).collect()
    };
    for columns in [72, 80, 100, 130] {
        let table = table(Some(columns));
        assert!(table[1..].iter().all(|row| row.contains(" ↔ ") && row.width() <= columns), "{table:#?}");
        assert!(table[1].contains("Alice A. ↔ bob.py"), "short names are whole: {}", table[1]);
        assert!(table[3].width() + 2 > columns, "the room is used: {}", table[3]);
        // numbers make room for names, the least important first
        let has = |title: &str| table[0].contains(title);
        assert_eq!([has("passages"), has("rarity"), has("longest")], [columns >= 109, columns >= 99, columns >= 91]);
    }
    assert!(table(None)[3].contains(&"网络".repeat(40)), "in a pipe names are whole");
}

#[test]
fn people_are_named() {
    let mut report = submissions::cohort();
    let section = passages_of(&mut report);
    let (a, b) = (section.pairs[0].a, section.pairs[0].b);
    section.submissions[a].full_name = None;
    section.submissions[a].owner = Some("Student 18".into());
    section.submissions[b].full_name = Some("Student 3".into());
    assert!(terminal(&report, 20).contains("  Student 18 ↔ Student 3\n"), "{}", terminal(&report, 20));
    // who handed in twice is not told apart by the name
    let section = passages_of(&mut report);
    section.submissions[b].full_name = Some("Student 18".into());
    assert!(terminal(&report, 20).contains("  alice.py ↔ bob.py\n"));
}

#[test]
fn nothing_found() {
    insta::assert_snapshot!(terminal(&submissions::empty(), 20));
    let mut report = submissions::empty();
    let section = passages_of(&mut report);
    section.submissions = vec![submissions::submission("a.py", 100), submissions::submission("b.py", 100)];
    section.pairs_possible = 1;
    let shown = terminal(&report, 20);
    assert!(shown.contains("no two of them are similar by 10% or more"), "{shown}");
    assert!(!shown.contains("Read the passages"), "nothing to judge: {shown}");
}

#[test]
fn few_pairs_are_shown() {
    let shown = terminal(&submissions::cohort(), 1);
    assert!(shown.contains("… and 4 more pairs; show more with --top N"), "{shown}");
    assert!(shown.contains("Passages of the first pair") && !shown.contains("carol ↔"), "{shown}");
    assert!(shown.contains("… and 1 more cluster; all with --json"), "{shown}");
    let all = terminal(&submissions::cohort(), 3);
    assert!(all.contains("… and 2 more pairs; list more with --limit N"), "{all}");
    let none = terminal(&submissions::cohort(), 0);
    assert!(!none.contains("Pairs, most similar") && !none.contains("Passages of"), "{none}");
}

#[test]
fn striking_pairs_are_counted_as_far_as_they_are_known() {
    let striking = |report: &Report| {
        let shown = terminal(report, 20);
        let row = shown.lines().find(|line| line.starts_with("  striking")).unwrap().to_owned();
        row.split_whitespace().skip(1).take(4).collect::<Vec<_>>().join(" ")
    };
    let mut report = submissions::cohort();
    assert_eq!(striking(&report), "2 at or above");
    passages_of(&mut report).calibration.threshold = 0.1;
    assert_eq!(striking(&report), "3 at least: at", "five are that similar, and only three are listed");
}

#[test]
fn statistics() {
    let shown = rendered("terminal", &Source::new(&submissions::with_stats()));
    insta::assert_snapshot!(&shown[shown.find("\nWinnowing").unwrap()..]);
}

#[test]
fn rows() {
    let rows = rendered("csv", &Source::new(&submissions::cohort()));
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[0],
        "a,b,owner_a,owner_b,label_a,label_b,similarity,share_a,share_b,overlap,longest,passages,rarity,expected"
    );
    assert_eq!(lines[1], "alice.py,bob.py,alice,,group 1,,0.9625,0.982,0.944,587,410,9,1,0");
    assert_eq!(lines[2], "carol,2024/grace.py,,,,,0.62,0.62,0.9,180,180,1,0.71,0.3");
}

#[test]
fn a_cohort_that_is_too_small_to_tell() {
    let mut report = submissions::cohort();
    passages_of(&mut report).pairs.iter_mut().for_each(|pair| pair.expected = None);
    let shown = terminal(&report, 20);
    assert!(shown.contains("1.00       –  Alice A."), "{shown}");
    let rows = rendered("csv", &Source::new(&report));
    assert!(rows.lines().skip(1).all(|row| row.ends_with(',')), "{rows}");
}

#[test]
fn numbers_of_all_pairs() {
    let report = submissions::cohort();
    let pair = PairNumbers { a: 0, b: 4, similarity: 0.25, share_a: 0.5, share_b: 0.125, overlap: 30, longest: 20 };
    let written = |form| {
        text(|out| {
            let mut rows = SubmissionPairWriter::new(out, form, &report)?;
            rows.write(&pair)?;
            rows.finish()
        })
    };
    let name = &report.passages().unwrap().submissions[4].name;
    let header = "a,b,similarity,share_a,share_b,overlap,longest";
    assert_eq!(written(PairForm::Csv), format!("{header}\nalice.py,{name},0.25,0.5,0.125,30,20\n"));
    assert_eq!(written(PairForm::Tsv).lines().next(), Some(header.replace(',', "\t").as_str()));
    let line: serde_json::Value = serde_json::from_str(&written(PairForm::Ndjson)).unwrap();
    assert_eq!((&line["a"], &line["similarity"]), (&"alice.py".into(), &0.25.into()));
}

#[test]
fn an_object() {
    let written = rendered("json", &Source::new(&submissions::with_stats()));
    assert_eq!(written.lines().count(), 1);
    let report: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!((&report["schema"], &report["lens"]), (&lookalike::report::SCHEMA.into(), &"passages".into()));
    let passages = &report["passages"];
    assert_eq!(passages["pairs"][0]["passages"][0]["a"]["last_line"], 58);
    assert_eq!(passages["submissions"][5]["same_as"], 0);
    assert!(
        passages["submissions"][0]["files"][0].get("document").is_none(),
        "the catalogue's numbers mean nothing outside"
    );
}
