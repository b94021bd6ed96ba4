//! The forms of a report: JSON, NDJSON, CSV, pairs, statistics, comparisons, help.

use crate::command::{lookalike, root, run, scan_json};
use crate::corpus::{documents, write};
use crate::dir::{Dir, names_in};
use crate::words::{Random, line, overlap, sentences, shingles};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn corpus(dir: &Dir) -> PathBuf {
    write(dir, "corpus.jsonl", &documents(600, 81))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("{name} is a list"))
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} is a number in {value}"))
}

#[test]
fn json_has_the_documented_fields() {
    let dir = Dir::new();
    let path = corpus(&dir);
    let report = scan_json([path.to_str().expect("UTF-8"), "--contained", "0.8", "--max-df", "50"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["lookalike"], env!("CARGO_PKG_VERSION"));
    assert!(report["recipe"].as_str().is_some_and(|r| r.contains("shingles:w=10") && r.contains("nested:100")));
    assert_eq!((report["documents"].as_u64(), report["shingles"]["estimate"].as_bool()), (Some(600), Some(false)));
    assert!(!list(&report["shingles"], "templates").is_empty() && list(&report, "skipped").is_empty());
    for template in list(&report["shingles"], "templates") {
        assert!(
            number(template, "documents") > 50.0 && template["text"].is_string() && template["example"].is_string()
        );
    }
    let phases: Vec<&str> = list(&report, "phases").iter().filter_map(|p| p["name"].as_str()).collect();
    assert_eq!(phases, ["sketch", "sort", "pairs", "cluster"]);
    assert!(list(&report, "phases").iter().all(|p| p.get("seconds").is_none()), "time only with --stats");
    let mut classes: HashMap<String, u64> = HashMap::new();
    let (mut last, mut clustered, mut redundant) = (usize::MAX, 0, 0);
    for (cluster, id) in list(&report, "clusters").iter().zip(1u64..) {
        assert_eq!(cluster["id"], id);
        assert!(cluster["representative"].is_string());
        let members = list(cluster, "members");
        assert!(!members.is_empty() && members.len() <= last, "largest first");
        last = members.len();
        clustered += 1 + members.len() as u64;
        for member in members {
            let [resemblance, containment, contained_by] =
                ["resemblance", "containment", "contained_by"].map(|name| number(member, name));
            assert!((0.0..=1.0).contains(&resemblance));
            assert!(resemblance <= containment.min(contained_by) && containment.max(contained_by) <= 1.0, "{member}");
            let class = member["class"].as_str().expect("a class");
            match class {
                "identical" | "lexical" => assert!(resemblance >= 1.0, "{member}"),
                "shingle" | "near" => assert!(resemblance >= 0.5, "{member}"),
                "contained" => assert!(resemblance < 0.5 && containment >= 0.8, "{member}"),
                other => panic!("{other} is no class of a star"),
            }
            *classes.entry(class.to_owned()).or_default() += 1;
            redundant += member["bytes"].as_u64().expect("bytes");
        }
    }
    let summary = &report["summary"];
    for class in ["identical", "lexical", "shingle", "near", "contained"] {
        assert_eq!(summary[class], classes.get(class).copied().unwrap_or_default(), "{class}");
    }
    assert_eq!((&summary["clustered"], &summary["redundant_bytes"]), (&clustered.into(), &redundant.into()));
}

#[test]
fn ndjson_says_the_same_line_by_line() {
    let dir = Dir::new();
    let path = corpus(&dir);
    dir.write("blank.txt", "");
    let flags = [path.to_str().expect("UTF-8"), "--max-df", "50", dir.at("blank.txt").to_str().expect("UTF-8")]
        .map(str::to_owned);
    let report = scan_json(&flags);
    let text = run(lookalike(["scan", "--ndjson"]).args(&flags)).expect(0).stdout;
    let mut lines = text.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON"));
    let head = lines.next().expect("the scan itself");
    assert_eq!((&head["type"], &head["summary"]), (&"scan".into(), &report["summary"]));
    let rest: Vec<Value> = lines.collect();
    for (kind, name) in [("skipped", "skipped"), ("template", "templates"), ("cluster", "clusters")] {
        let of_kind = rest.iter().filter(|l| l["type"] == kind).map(|l| {
            let mut fields = l.as_object().expect("an object").clone();
            fields.remove("type");
            Value::Object(fields)
        });
        let holder = if name == "templates" { &report["shingles"] } else { &report };
        assert_eq!(&of_kind.collect::<Vec<_>>(), list(holder, name));
    }
}

#[test]
fn csv_says_the_same_row_by_row() {
    let dir = Dir::new();
    let path = corpus(&dir);
    let report = scan_json([&path]);
    let text = run(lookalike(["scan", "--csv"]).arg(&path)).expect(0).stdout;
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some("cluster,role,id,class,resemblance,containment,contained_by,bytes"));
    let mut expected = Vec::new();
    for cluster in list(&report, "clusters") {
        expected.push((
            cluster["id"].to_string(),
            "representative".to_owned(),
            cluster["representative"].clone(),
            None,
        ));
        for m in list(cluster, "members") {
            expected.push((
                cluster["id"].to_string(),
                "member".to_owned(),
                m["id"].clone(),
                Some(number(m, "resemblance")),
            ));
        }
    }
    let found: Vec<_> = rows
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| (row[0].to_owned(), row[1].to_owned(), Value::from(row[2]), row[4].parse::<f64>().ok()))
        .collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!((&found.0, &found.1, &found.2), (&expected.0, &expected.1, &expected.2));
        assert_eq!(found.3.is_some(), expected.3.is_some());
        assert!((found.3.unwrap_or_default() - expected.3.unwrap_or_default()).abs() < 1e-12);
    }
}

/// Pairs as `(a, b, [resemblance, a_in_b, b_in_a])`.
fn pairs(input: &Path, file: &Path, flags: &[&str]) -> Vec<(String, String, [f64; 3])> {
    run(lookalike(["scan", "-q", "--pairs"]).arg(file).args(flags).arg(input)).expect(0);
    let text = fs::read_to_string(file).expect("written");
    let names = ["resemblance", "a_in_b", "b_in_a"];
    if file.extension().is_some_and(|e| e == "jsonl") {
        let rows = text.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON"));
        let id = |row: &Value, name: &str| row[name].as_str().expect("an id").to_owned();
        return rows.map(|row| (id(&row, "a"), id(&row, "b"), names.map(|name| number(&row, name)))).collect();
    }
    let between = if file.extension().is_some_and(|e| e == "csv") { ',' } else { '\t' };
    let mut rows = text.lines().map(|row| row.split(between).collect::<Vec<_>>());
    assert_eq!(rows.next(), Some(vec!["a", "b", "resemblance", "a_in_b", "b_in_a"]));
    rows.map(|row| (row[0].into(), row[1].into(), [2, 3, 4].map(|at: usize| row[at].parse().expect("a number"))))
        .collect()
}

#[test]
fn pairs_in_three_forms() {
    let dir = Dir::new();
    let documents = documents(600, 82);
    let input = write(&dir, "corpus.jsonl", &documents);
    let sets: HashMap<&str, _> = documents.iter().map(|(id, text)| (id.as_str(), shingles(text, 10))).collect();
    let flags = ["--threshold", "0.6", "--contained", "0.9"];
    let [csv, tsv, lines] = ["p.csv", "p.tsv", "p.jsonl"].map(|name| pairs(&input, &dir.at(name), &flags));
    assert!(csv.len() > 100, "only {} pairs", csv.len());
    assert_eq!(csv, tsv);
    assert_eq!(csv.len(), lines.len());
    for ((a, b, numbers), line) in csv.iter().zip(&lines) {
        assert!(a < b && (a, b) == (&line.0, &line.1));
        // parsing JSON may lose the last bit
        assert!(numbers.iter().zip(line.2).all(|(x, y)| (x - y).abs() < 1e-12), "{a} {b}");
        assert!(numbers[0] >= 0.6 || numbers[1] >= 0.9 || numbers[2] >= 0.9, "{a} {b} {numbers:?} is no link");
        let truth = overlap(&sets[a.as_str()], &sets[b.as_str()]);
        assert_eq!(numbers.map(f64::to_bits), truth.map(f64::to_bits), "{a} and {b}: {numbers:?}, not {truth:?}");
    }
}

#[test]
fn short_documents_are_one_shingle() {
    let dir = Dir::new();
    let input =
        line("a", "only four words here") + &line("b", "Only FOUR words, here!") + &line("c", "only four words");
    let path = dir.write("short.jsonl", input);
    let report = scan_json([path.as_os_str(), "--min-words".as_ref(), "1".as_ref()]);
    assert_eq!(report["summary"]["clustered"], 2);
    assert_eq!(report["clusters"][0]["members"][0]["class"], "lexical");
}

#[test]
fn features_instead_of_text() {
    let dir = Dir::new();
    let features = |id: &str, list: &str| format!("{{\"id\": \"{id}\", \"f\": [{list}]}}\n");
    let input = features("a", "1, 2, 3, \"x\"") + &features("b", "\"x\", 3, 2, 4") + &features("c", "7, 8, 9");
    let file = dir.at("pairs.csv");
    let found = pairs(&dir.write("objects.jsonl", input), &file, &["--features-field", "f"]);
    assert_eq!(found, [("a".to_owned(), "b".to_owned(), [0.6, 0.75, 0.75])]);
}

#[test]
fn output_to_a_file() {
    let dir = Dir::new();
    let (input, out) = (corpus(&dir), dir.folder("out"));
    for form in ["--json", "--csv", "--ndjson", "--top=3"] {
        let expected = run(lookalike(["scan", form]).arg(&input)).expect(0).stdout;
        let file = out.join("report");
        fs::write(&file, "yesterday").expect("written");
        // even when colours are forced, a file has none
        let mut command = lookalike(["scan", form, "--output"]);
        command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
        assert_eq!(run(command.arg(&file).arg(&input)).expect(0).stdout, "");
        assert!(fs::read_to_string(&file).expect("written") == expected, "{form}");
        assert_eq!(names_in(&out), ["report"], "nothing else stays");
    }
}

#[test]
fn exit_codes() {
    let dir = Dir::new();
    let input = corpus(&dir);
    let code = |flags: &[&str], input: &Path| run(lookalike(["scan", "-q"]).args(flags).arg(input)).code;
    assert_eq!(code(&[], &input), Some(0));
    assert_eq!(code(&["--exit-code"], &input), Some(1));
    let alone = dir.write("alone.txt", Random(83).text(50));
    assert_eq!(code(&["--exit-code"], &alone), Some(0));
    let saved = dir.at("run");
    assert_eq!(code(&["--save", saved.to_str().expect("UTF-8")], &input), Some(0));
    assert_eq!(run(lookalike(["recluster", "--exit-code"]).arg(&saved)).code, Some(1));
}

#[test]
fn files_that_were_written_are_named_and_timed() {
    let dir = Dir::new();
    let input = corpus(&dir);
    let page = dir.path().join("report.html");
    let scan = |more: &[&str]| {
        let mut command = lookalike(["scan", "--stats", "--json", "--html"]);
        run(command.arg(&page).args(["--pairs"]).arg(dir.path().join("pairs.csv")).arg(&input).args(more)).expect(0)
    };
    let loud = scan(&[]);
    let told: Vec<&str> = loud.stderr.lines().filter(|line| line.contains("wrote ")).collect();
    assert_eq!(told.len(), 2, "{}", loud.stderr);
    assert!(told[0].ends_with("pairs.csv") && told[1].ends_with("report.html; open it in a browser"), "{told:?}");
    assert_eq!(scan(&["--quiet"]).stderr, "");
    // the phases and what is between them are all the time there was
    let report: Value = serde_json::from_str(&loud.stdout).expect("a report");
    let phases = list(&report, "phases");
    let names: Vec<&str> = phases.iter().filter_map(|phase| phase["name"].as_str()).collect();
    assert_eq!(names, ["sketch", "sort", "pairs", "cluster", "write pairs", "page"]);
    let sum: f64 = phases.iter().map(|phase| number(phase, "seconds")).sum();
    let all = number(&report["usage"], "seconds");
    assert!(sum <= all + 1e-6 && sum > 0.0, "{sum} of {all}");
}

#[test]
fn stats_by_phase() {
    let dir = Dir::new();
    let input = corpus(&dir);
    let text = run(lookalike(["scan", "--stats", "--top", "1"]).arg(&input)).expect(0).stdout;
    for word in ["phase", "sketch", "sort", "pairs", "cluster", "total", "shingles", "spilled to disk", "peak memory"] {
        assert!(text.contains(word), "no {word:?} in {text}");
    }
    let report = scan_json([input.to_str().expect("UTF-8"), "--stats"]);
    for phase in list(&report, "phases") {
        assert!(number(phase, "seconds") >= 0.0 && number(phase, "cpu_seconds") >= 0.0);
    }
    let shingled: usize = documents(600, 81).iter().map(|(_, t)| t.split_whitespace().count().max(10) - 9).sum();
    assert_eq!(list(&report, "phases")[0]["shingles"], shingled, "repeats are counted");
    assert!(number(&report["usage"], "spilled_bytes") > 0.0 && number(&report["usage"], "peak_memory") > 1e6);
}

#[test]
fn comparison_on_the_terminal() {
    let dir = Dir::new();
    let words = Random(84).words(120);
    let mut other = words.clone();
    other[30] = "changed";
    other.splice(80..84, ["some", "new", "words"]);
    dir.write("a.txt", sentences(&words));
    dir.write("b.txt", sentences(&other));
    let compare =
        |flags: &[&str]| run(lookalike(["compare", "a.txt", "b.txt"]).args(flags).current_dir(dir.path())).expect(0);
    insta::assert_snapshot!(compare(&[]).stdout);
    let compared: Value = serde_json::from_str(&compare(&["--json"]).stdout).expect("JSON");
    let text = |name: &str| shingles(&fs::read_to_string(dir.at(name)).expect("written"), 10);
    for (name, truth) in ["resemblance", "a_in_b", "b_in_a"].iter().zip(overlap(&text("a.txt"), &text("b.txt"))) {
        assert!((number(&compared, name) - truth).abs() < 1e-12, "{name}");
        let estimate = &compared["estimate"][name];
        assert!(
            number(estimate, "low") <= number(estimate, "value")
                && number(estimate, "value") <= number(estimate, "high")
        );
    }
    assert_eq!(compared["class"], "near");
    let coloured = run(lookalike(["compare", "a.txt", "b.txt"])
        .current_dir(dir.path())
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1"));
    assert!(coloured.stdout.contains("\u{1b}[31m") && coloured.stdout.contains("\u{1b}[32m"), "red and green");
}

#[test]
fn comparison_classes() {
    let dir = Dir::new();
    let mut random = Random(85);
    let words = random.words(200);
    dir.write("a.txt", sentences(&words));
    dir.write("identical.txt", sentences(&words));
    dir.write("lexical.html", format!("<h1>{}</h1>", sentences(&words).to_uppercase()));
    dir.write("near.txt", sentences(&random.mutate(&words, 3)));
    dir.write("contained.txt", sentences(&words[20..90]));
    dir.write("different.txt", random.text(200));
    for class in ["identical", "lexical", "near", "contained", "different"] {
        let name = names_in(dir.path()).into_iter().find(|n| n.starts_with(class)).expect("written above");
        let compared = run(lookalike(["compare", "--json", "a.txt", &name]).current_dir(dir.path())).json();
        assert_eq!(compared["class"], class);
    }
}

#[test]
fn help_and_completions() {
    insta::assert_snapshot!(run(&mut lookalike(["scan", "--help"])).expect(0).stdout);
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&mut lookalike(["completions", shell])).expect(0).stdout;
        let flag = if shell == "fish" { "-l threshold" } else { "--threshold" };
        assert!(script.len() > 1000 && script.contains(flag), "{shell}");
    }
    let dir = Dir::new();
    run(lookalike(["man"]).arg(dir.at("pages"))).expect(0);
    let page = fs::read_to_string(dir.at("pages/lookalike-scan.1")).expect("written");
    assert!(page.replace('\\', "").contains("--threshold"), "the man page of scan tells its flags");
    assert!(run(&mut lookalike(["man"])).expect(0).stdout.contains(".TH lookalike"));
    assert!(run(lookalike(["--version"]).current_dir(root())).expect(0).stdout.starts_with("lookalike "));
}
