//! SARIF: held against what version 2.1.0 requires, and against the texts that regions point into.

use crate::submissions;
use lookalike::report::Report;
use lookalike::{Highlights, ShownFile};
use lookalike_report::{Form, Source};
use serde_json::Value;

/// Texts of 4,500 bytes with a line feed now and then, and letters of two bytes.
fn shown(submission: usize, files: usize) -> Vec<Option<ShownFile>> {
    let line = format!("line ü {submission}\n");
    (0..files).map(|_| Some(ShownFile { text: line.repeat(450), highlights: Highlights::default() })).collect()
}

/// The report with lines and characters that agree with the texts.
fn agreeing(mut report: Report) -> Report {
    for pair in &mut submissions::passages_of(&mut report).pairs {
        for passage in &mut pair.passages {
            for (at, stretch) in [(pair.a, &mut passage.a), (pair.b, &mut passage.b)] {
                let text = shown(at, 1).remove(0).unwrap().text;
                while !text.is_char_boundary(stretch.start as usize) {
                    stretch.start += 1;
                }
                while !text.is_char_boundary(stretch.end as usize) {
                    stretch.end += 1;
                }
                let line = |byte: u32| 1 + text[..byte as usize].matches('\n').count() as u32;
                (stretch.line, stretch.last_line) = (line(stretch.start), line(stretch.end));
            }
        }
    }
    report
}

fn sarif(report: &Report, readable: bool) -> Value {
    let mut out = Vec::new();
    let files = |at: usize| {
        let files = report.passages().unwrap().submissions[at].files.len();
        Ok(if readable { shown(at, files) } else { (0..files).map(|_| None).collect() })
    };
    let source = Source { files: Some(&files), ..Source::new(report) };
    Form::named("sarif").unwrap().renderer.render(&source, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// What the standard requires of what we write; by its sections 3.13 and on.
fn check(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let run = &list(&log["runs"])[0];
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string());
    let rules = list(&driver["rules"]);
    let bases = run["originalUriBaseIds"].as_object().unwrap();
    let location = |location: &Value| {
        let physical = &location["physicalLocation"];
        let artifact = &physical["artifactLocation"];
        let uri = artifact["uri"].as_str().unwrap();
        assert!(!uri.starts_with('/') && uri.is_ascii() && !uri.contains([' ', ':', '?', '#', '\\']), "{uri}");
        assert!(bases.contains_key(artifact["uriBaseId"].as_str().unwrap()));
        let index = artifact["index"].as_u64().unwrap() as usize;
        assert_eq!(list(&run["artifacts"])[index]["location"]["uri"], uri);
        let Some(region) = physical.get("region") else { return };
        let number = |name: &str| region.get(name).map(|n| n.as_u64().unwrap());
        let (start, end) = (number("startLine").unwrap(), number("endLine").unwrap());
        assert!(start >= 1 && end >= start, "{region}");
        assert_eq!(number("charOffset").is_some(), number("charLength").is_some());
        if let (Some(first), Some(last)) = (number("startColumn"), number("endColumn")) {
            assert!(first >= 1 && (end > start || last > first), "{region}");
        }
    };
    for result in list(&run["results"]) {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!((0.0..=100.0).contains(&result["rank"].as_f64().unwrap()));
        list(&result["locations"]).iter().for_each(location);
        let message = result["message"]["text"].as_str().unwrap();
        for related in list(&result["relatedLocations"]) {
            location(related);
            assert!(message.contains(&format!("]({})", related["id"])), "{message}");
        }
        let fingerprints = result["partialFingerprints"].as_object().unwrap();
        assert!(!fingerprints.is_empty() && fingerprints.values().all(Value::is_string));
    }
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string());
    }
}

#[test]
fn passages_with_both_places() {
    let report = agreeing(submissions::cohort());
    let log = sarif(&report, true);
    check(&log);
    let results = list(&log["runs"][0]["results"]);
    assert_eq!(results.len(), 6 + 1 + 1 + 1, "passages that are listed, and one identical submission");
    let levels: Vec<&str> = results.iter().map(|r| r["level"].as_str().unwrap()).collect();
    assert_eq!(levels[5..], ["error", "warning", "note", "error"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&log["runs"][0]["results"][6]).unwrap());
    assert_eq!(log["runs"][0]["properties"]["rules"]["max_df"], 5);
}

#[test]
fn regions_are_those_of_the_text() {
    let report = agreeing(submissions::cohort());
    let log = sarif(&report, true);
    let text = shown(0, 1).remove(0).unwrap().text;
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    let stretch = &report.passages().unwrap().pairs[0].passages[0].a;
    let number = |name: &str| region[name].as_u64().unwrap() as usize;
    let by_characters: String = text.chars().skip(number("charOffset")).take(number("charLength")).collect();
    assert_eq!(by_characters, text[stretch.start as usize..stretch.end as usize]);
    let line = text.lines().nth(number("startLine") - 1).unwrap();
    let rest: String = line.chars().skip(number("startColumn") - 1).collect();
    assert!(by_characters.starts_with(&rest), "{rest:?}");
}

#[test]
fn without_texts_there_are_lines() {
    let log = sarif(&submissions::cohort(), false);
    check(&log);
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region, &serde_json::json!({ "startLine": 4, "endLine": 58 }));
}

#[test]
fn lines_that_do_not_agree_with_the_text_stand_alone() {
    let log = sarif(&submissions::cohort(), true);
    check(&log);
    assert!(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].get("charOffset").is_none());
}

#[test]
fn fingerprints_stay_when_others_come_and_numbers_change() {
    let report = agreeing(submissions::cohort());
    let prints = |log: &Value| -> Vec<Value> {
        list(&log["runs"][0]["results"]).iter().map(|r| r["partialFingerprints"].clone()).collect()
    };
    let before = prints(&sarif(&report, true));
    let mut different: Vec<String> = before.iter().map(Value::to_string).collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), before.len(), "each has its own");
    let mut other = report.clone();
    let section = submissions::passages_of(&mut other);
    section.calibration.threshold = 0.9;
    section.pairs.remove(1);
    section.pairs[0].similarity = 0.8;
    section.submissions.push(submissions::submission("zoe.py", 10));
    let after = prints(&sarif(&other, true));
    assert_eq!((&after[..6], &after[6..]), (&before[..6], &before[7..]));
}

#[test]
fn submissions_of_one_owner_are_no_result() {
    let mut report = submissions::cohort();
    let submissions = &mut submissions::passages_of(&mut report).submissions;
    submissions[5].owner = submissions[0].owner.clone();
    let log = sarif(&report, false);
    assert!(list(&log["runs"][0]["results"]).iter().all(|r| r["ruleId"] == "copied-passage"));
}

#[test]
fn nothing_found_is_a_run_without_results() {
    let log = sarif(&submissions::empty(), false);
    check(&log);
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}
