//! The bundled sample: what a newcomer sees first, and what was planted in it.

use crate::command::{lookalike, root, run};
use crate::dir::Dir;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const SAMPLE: &str = "examples/support-site";

fn scan(flags: &[&str]) -> String {
    run(lookalike(["scan", SAMPLE]).args(flags).current_dir(root())).expect(0).stdout
}

fn report(flags: &[&str]) -> Value {
    serde_json::from_str(&scan(&[&["--json"], flags].concat())).expect("JSON")
}

/// The cluster of a page: its members with their class, the representative as "first". Empty if it is in none.
fn cluster(report: &Value, page: &str) -> BTreeMap<String, String> {
    let short = |id: &Value| id.as_str().expect("an id").trim_start_matches(SAMPLE).trim_start_matches('/').to_owned();
    for cluster in report["clusters"].as_array().expect("a list") {
        let members = cluster["members"].as_array().expect("a list").iter();
        let class = |m: &Value| m["class"].as_str().expect("a class").to_owned();
        let mut all: BTreeMap<String, String> = members.map(|m| (short(&m["id"]), class(m))).collect();
        all.insert(short(&cluster["representative"]), "first".into());
        if all.contains_key(page) {
            return all;
        }
    }
    BTreeMap::new()
}

/// The pages beside the first are of this class, whichever is the first.
#[track_caller]
fn is_cluster(report: &Value, class: &str, pages: &[&str]) {
    let found = cluster(report, pages[0]);
    let ids: Vec<&str> = found.keys().map(String::as_str).collect();
    let mut pages = pages.to_vec();
    pages.sort_unstable();
    assert_eq!(ids, pages);
    assert!(found.values().all(|c| c == class || c == "first"), "{found:?}");
}

#[test]
fn first_sight() {
    insta::assert_snapshot!(scan(&[]));
}

#[test]
fn first_sight_with_containment() {
    insta::assert_snapshot!(scan(&["--contained", "0.9"]));
}

#[test]
fn copies() {
    let report = report(&[]);
    let recycling = ["brightwell", "hedgerow", "northgate"].map(|site| format!("{site}/legal/recycling.txt"));
    is_cluster(&report, "identical", &recycling.each_ref().map(String::as_str));
    is_cluster(&report, "identical", &["hedgerow/archive/2023/winter-storage.md", "hedgerow/guide/winter-storage.md"]);
    is_cluster(
        &report,
        "identical",
        &["brightwell/release-notes/northgate-station-2.4.txt", "northgate/release-notes/station-2.4.txt"],
    );
}

#[test]
fn copies_in_another_form() {
    let report = report(&[]);
    for pair in [
        ["hedgerow/guide/first-watering.md", "hedgerow/web/first-watering.html"],
        ["hedgerow/zh/faq.html", "hedgerow/zh/faq.txt"],
        ["northgate/archive/glossary-wide.txt", "northgate/guide/glossary.txt"],
        ["northgate/archive/reading-the-display.md", "northgate/guide/reading-the-display.html"],
        ["brightwell/archive/safety-old-template.html", "brightwell/legal/safety.html"],
    ] {
        is_cluster(&report, "lexical", &pair);
    }
}

#[test]
fn versions() {
    let report = report(&[]);
    for family in [
        &[
            "hedgerow/archive/drip-valve-1.md",
            "hedgerow/archive/drip-valve-2.md",
            "hedgerow/archive/drip-valve-3.md",
            "hedgerow/guide/drip-valve.md",
        ][..],
        &[
            "brightwell/archive/privacy-2022.html",
            "brightwell/archive/privacy-2023.html",
            "brightwell/legal/privacy.html",
        ],
        &["hedgerow/archive/returns-2021.md", "hedgerow/legal/returns.md", "northgate/legal/returns.txt"],
        &[
            "hedgerow/archive/battery-care-2020.md",
            "hedgerow/guide/battery-care.md",
            "northgate/guide/battery-care.txt",
        ],
        &["brightwell/archive/pairing-sensors-v1.html", "brightwell/guide/pairing-sensors.html"],
        &["northgate/archive/siting-your-station-w2.txt", "northgate/guide/siting-your-station.txt"],
        &["hedgerow/de/winterfest-2022.md", "hedgerow/de/winterfest-2024.md"],
        &["northgate/zh/install-2.md", "northgate/zh/install-3.md"],
    ] {
        is_cluster(&report, "near", family);
    }
}

#[test]
fn pages_inside_bigger_pages() {
    let (without, with) = (report(&[]), report(&["--contained", "0.9"]));
    assert_eq!(without["summary"]["contained"], 0);
    for [inside, bigger] in [
        ["hedgerow/faq/dripping-valve.md", "hedgerow/faq/full-faq.md"],
        ["northgate/guide/no-outdoor-reading.txt", "northgate/guide/complete-manual.txt"],
        ["northgate/legal/warranty.html", "northgate/legal/all-terms.html"],
    ] {
        assert!(cluster(&without, inside).is_empty(), "{inside} is no copy");
        let found = cluster(&with, inside);
        assert_eq!(found.get(inside).map(String::as_str), Some("contained"));
        assert_eq!(found.get(bigger).map(String::as_str), Some("first"), "the bigger page leads");
    }
}

#[test]
fn a_shared_header_links_nothing() {
    let alone = [
        "accessibility.html",
        "contact.html",
        "developers/api-quickstart.html",
        "faq/billing.html",
        "guide/app-notifications.html",
        "guide/install-hub.html",
        "guide/share-access.html",
        "guide/update-firmware.html",
        "guide/wall-mounting.html",
        "guide/watering-schedules.html",
    ];
    for report in [report(&[]), report(&["--contained", "0.9"])] {
        for page in alone {
            assert_eq!(cluster(&report, &format!("brightwell/{page}")), BTreeMap::new(), "{page} stands alone");
        }
    }
}

#[test]
fn what_is_not_compared_is_told() {
    let page = |name: &str| format!("{SAMPLE}/{name}");
    assert_eq!(
        report(&[])["skipped"],
        json!([
            { "id": page("brightwell/images/logo.png"), "reason": "binary (PNG)", "kind": "binary" },
            { "id": page("notes/empty.txt"), "reason": "empty", "kind": "empty" },
        ])
    );
}

#[test]
fn german_in_an_old_encoding() {
    let page = root().join(SAMPLE).join("northgate/de/batterien.html");
    let bytes = std::fs::read(&page).expect("part of the sample");
    assert!(std::str::from_utf8(&bytes).is_err(), "the page is Latin-1");
    let text: String = bytes.iter().map(|b| char::from(*b)).collect();
    let modern = text.to_lowercase().replace("iso-8859-1", "utf-8");
    assert!(modern.contains("utf-8") && modern.contains('ü'));
    let dir = Dir::new();
    let copy = dir.write("modern.html", modern);
    let compared = run(lookalike(["compare", "--json"]).args([Path::new(&page), &copy])).json();
    assert_eq!((&compared["class"], &compared["resemblance"]), (&json!("lexical"), &json!(1.0)));
}

#[test]
fn chinese_differs_by_words_not_by_sentences() {
    let compared = run(lookalike(["compare", "--json", "northgate/zh/install-2.md", "northgate/zh/install-3.md"])
        .current_dir(root().join(SAMPLE)))
    .json();
    assert!(compared["a"]["words"].as_u64() > Some(150), "a sentence is many words: {}", compared["a"]);
    assert!(compared["a_in_b"].as_f64() > Some(0.9), "the newer version has nearly all of the older");
}
