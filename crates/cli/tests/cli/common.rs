//! Text that very many documents share: it joins nothing, it is shown, and it does not hide what is the same beyond it.

use crate::command::scan_json;
use crate::dir::Dir;
use crate::words::{Random, line, overlap, sentences, shingles};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Documents of 150 own words between a header and a footer of so many words each.
struct Site {
    header: Vec<&'static str>,
    footer: Vec<&'static str>,
    own: Vec<Vec<&'static str>>,
}

impl Site {
    fn new(pages: usize, each: usize) -> Self {
        let mut random = Random(41);
        let (header, footer) = (random.words(each), random.words(each));
        Self { header, footer, own: (0..pages).map(|_| random.words(150)).collect() }
    }

    fn write(&self, dir: &Dir) -> std::path::PathBuf {
        let page = |own: &Vec<&'static str>| sentences(&[&self.header[..], own, &self.footer].concat());
        let lines: String = self.own.iter().zip(0..).map(|(own, at)| line(&format!("p{at:04}"), &page(own))).collect();
        dir.write("site.jsonl", lines)
    }
}

fn scan(path: &Path, flags: &[&str]) -> Value {
    scan_json([flags, &["--max-df", "1000", path.to_str().expect("UTF-8")]].concat())
}

/// Ids of each cluster.
fn clusters(report: &Value) -> BTreeSet<Vec<String>> {
    let id = |value: &Value| value.as_str().expect("an id").to_owned();
    let cluster = |c: &Value| {
        let members = c["members"].as_array().expect("a list").iter().map(|m| id(&m["id"]));
        let mut ids: Vec<String> = members.chain([id(&c["representative"])]).collect();
        ids.sort();
        ids
    };
    report["clusters"].as_array().expect("a list").iter().map(cluster).collect()
}

#[track_caller]
fn links_nothing(site: &Site, flags: &[&str]) -> Value {
    let dir = Dir::new();
    let report = scan(&site.write(&dir), flags);
    let found = clusters(&report);
    assert!(
        found.is_empty(),
        "{} false clusters of {} documents, the first: {:?}",
        found.len(),
        found.iter().map(Vec::len).sum::<usize>(),
        found.first()
    );
    report
}

#[test]
fn a_shared_header_and_footer_link_nothing() {
    let site = Site::new(2000, 150);
    let report = links_nothing(&site, &[]);
    let templates = report["shingles"]["templates"].as_array().expect("a list");
    assert!(!templates.is_empty());
    assert_eq!(templates[0]["documents"], 2000);
    let text = templates[0]["text"].as_str().expect("the template's text").replace(['.', '\n'], "");
    assert!(text.contains(&site.header[5..25].join(" ")), "{text}");
    assert!(templates[0]["shingles"].as_u64() >= Some(250), "nearly all of the template is known: {}", templates[0]);
}

#[test]
fn a_header_and_footer_of_four_fifths_link_nothing() {
    links_nothing(&Site::new(2000, 300), &[]);
}

#[test]
fn nor_with_containment() {
    links_nothing(&Site::new(1200, 150), &["--contained", "0.8"]);
}

#[test]
fn nor_with_super_shingles() {
    links_nothing(&Site::new(1200, 300), &["--candidates", "super"]);
}

#[test]
fn nor_with_min_sketches() {
    links_nothing(&Site::new(1200, 150), &["--sketch", "min:100"]);
}

#[test]
fn what_is_the_same_beyond_the_template_is_found() {
    let mut site = Site::new(2000, 150);
    let mut random = Random(43);
    let mut planted = BTreeSet::new();
    for at in 0..20 {
        let (original, copy) = (at * 90, at * 90 + 7);
        site.own[copy] = random.mutate(&site.own[original], 2);
        planted.insert(vec![format!("p{original:04}"), format!("p{copy:04}")]);
    }
    let dir = Dir::new();
    let report = scan(&site.write(&dir), &[]);
    assert_eq!(clusters(&report), planted);
}

#[test]
fn a_crowd_of_nearly_identical_documents_is_one_cluster() {
    let mut random = Random(44);
    let words = random.words(400);
    // two changes touch twenty of 391 shingles
    let lines: String = (0..1500).map(|at| line(&format!("c{at:04}"), &sentences(&random.mutate(&words, 2)))).collect();
    let dir = Dir::new();
    let report = scan(&dir.write("crowd.jsonl", lines), &[]);
    let sizes: Vec<usize> = clusters(&report).iter().map(Vec::len).collect();
    assert_eq!(sizes, [1500], "one cluster of all");
    for member in report["clusters"][0]["members"].as_array().expect("a list") {
        assert!(member["resemblance"].as_f64() >= Some(0.7), "{member}");
    }
}

#[test]
fn a_looser_crowd_is_one_cluster() {
    let mut random = Random(47);
    let words = random.words(400);
    // up to five changes each: any two still resemble each other by more than a half
    let page = |random: &mut Random| {
        let changes = 1 + random.below(5);
        sentences(&random.mutate(&words, changes))
    };
    let pages: Vec<String> = (0..1200).map(|_| page(&mut random)).collect();
    let sets: Vec<_> = pages.iter().step_by(15).map(|page| shingles(page, 10)).collect();
    assert!(sets.iter().all(|a| sets.iter().all(|b| overlap(a, b)[0] > 0.5)), "the twin agrees");
    let lines: String = pages.iter().zip(0..).map(|(page, at)| line(&format!("c{at:04}"), page)).collect();
    let dir = Dir::new();
    let report = scan(&dir.write("crowd.jsonl", lines), &[]);
    assert_eq!(clusters(&report).iter().map(Vec::len).collect::<Vec<_>>(), [1200], "one cluster of all");
}

#[test]
fn a_crowd_beside_other_documents() {
    let mut random = Random(45);
    let words = random.words(400);
    let crowd = (0..1100).map(|at| line(&format!("c{at:04}"), &sentences(&random.mutate(&words, 2))));
    let mut lines: String = crowd.collect();
    for at in 0..300 {
        lines += &line(&format!("x{at:04}"), &random.text(400));
    }
    let dir = Dir::new();
    let report = scan(&dir.write("crowd.jsonl", lines), &[]);
    let found = clusters(&report);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1100]);
    assert!(found.iter().flatten().all(|id| id.starts_with('c')));
}

#[test]
fn many_identical_documents() {
    let mut random = Random(46);
    let text = random.text(200);
    let lines: String = (0..3000).map(|at| line(&format!("i{at:04}"), &text)).collect();
    let dir = Dir::new();
    let report = scan(&dir.write("same.jsonl", lines), &[]);
    assert_eq!(clusters(&report).iter().map(Vec::len).collect::<Vec<_>>(), [3000]);
    assert_eq!(report["summary"]["identical"], 2999);
}
