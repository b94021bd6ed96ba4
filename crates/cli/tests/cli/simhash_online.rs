//! A store of fingerprints behind a pipe: what it answers, and that what it answered is there after it was killed.

use crate::command::{lookalike, run_with};
use crate::dir::Dir;
use crate::words::Random;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::Duration;

/// Moments at which it is killed; four writing threads in one process are killed in the tests of the engine.
const MOMENTS: usize = 60;

fn answers(dir: &Dir, flags: &[&str], commands: &str, code: i32) -> Vec<Value> {
    let mut command = lookalike(["simhash", "online", "it"]);
    let outcome = run_with(command.args(flags).current_dir(dir.path()), commands.as_bytes()).expect(code);
    outcome.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn commands_are_answered_in_order() {
    let dir = Dir::new();
    let commands = "insert 00000000000000ff 1\ninsert 00000000000000ff 1\ninsert 00000000000000fe 2\n\
                    near 00000000000000ff\nnear 00000000000000ff 0 5\nnear 00000000000000ff 3 1\n\
                    check 00000000000000f0 3 1\ncheck 00000000000000f8 4\ndelete 00000000000000ff 1\n\
                    delete 00000000000000ff 1\n\ncount\nflush\nverify\n";
    let hit = |id: u64, fingerprint: &str, distance: u32| json!({ "id": id, "fingerprint": fingerprint, "distance": distance });
    let (one, two) = (hit(1, "00000000000000ff", 0), hit(2, "00000000000000fe", 1));
    let expected = [
        json!({ "inserted": true }),
        json!({ "inserted": false }),
        json!({ "inserted": true }),
        json!({ "count": 2, "complete": true, "matches": [one, two] }),
        json!({ "count": 1, "complete": true, "matches": [one] }),
        json!({ "count": 2, "complete": true, "matches": [one] }),
        json!({ "new": true }),
        json!({ "new": false, "count": 3, "complete": true, "matches": [
            hit(3, "00000000000000f0", 1), hit(2, "00000000000000fe", 2), hit(1, "00000000000000ff", 3)
        ] }),
        json!({ "deleted": true }),
        json!({ "deleted": false }),
        json!({ "count": 2 }),
        json!({ "flushed": true }),
        json!({ "damages": [] }),
    ];
    assert_eq!(answers(&dir, &[], commands, 0), expected);
    assert_eq!(answers(&dir, &[], "count", 0), [json!({ "count": 2 })], "and it is there again");
}

#[test]
fn what_is_wrong_is_said_and_the_rest_goes_on() {
    let dir = Dir::new();
    let found = answers(&dir, &[], "insert 12 1\nwhat\nnear 00000000000000ff x\nnear 00000000000000ff 4\ncount\n", 2);
    let said = ["16 hexadecimal digits", "insert FINGERPRINT ID", "a distance", "at most 3"];
    for (answer, said) in found.iter().zip(said) {
        assert!(answer["error"].as_str().expect("an error").contains(said), "{answer}");
    }
    assert_eq!(found[4], json!({ "count": 0 }));
    let found = answers(&dir, &[], &format!("count\n{}\ncount\n{}", "x".repeat(5000), "y".repeat(1024)), 2);
    let errors = found.iter().map(|answer| answer["error"].as_str().is_some_and(|said| said.contains("1024 bytes")));
    assert_eq!(errors.collect::<Vec<_>>(), [false, true, false, true], "{found:?}");
    let wide = run_with(lookalike(["simhash", "online", "it", "--bits", "128"]).current_dir(dir.path()), b"").expect(2);
    assert!(wide.stderr.contains("has fingerprints of 64 bits"), "{}", wide.stderr);
}

#[test]
fn an_answer_does_not_wait_for_the_next_command() {
    let dir = Dir::new();
    let mut command = lookalike(["simhash", "online", "it"]);
    let mut child = command.current_dir(dir.path()).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut to = child.stdin.take().expect("piped");
    let mut from = BufReader::new(child.stdout.take().expect("piped"));
    for id in 0..20 {
        writeln!(to, "check {:016x} {id}", 0x0f0f_0f0f_u64 << id).expect("it listens");
        let mut line = String::new();
        from.read_line(&mut line).expect("it answers");
        assert!(line.starts_with("{\"new\":"), "{line}");
    }
    // and others may look meanwhile
    let mut look = lookalike(["simhash", "lookup", "it", "000000000f0f0f0f"]);
    let looked = run_with(look.current_dir(dir.path()), b"").expect(0);
    assert!(looked.stdout.contains("000000000f0f0f0f"), "{}", looked.stdout);
    drop(to);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn killed_at_random_moments() {
    let dir = Dir::new();
    let mut random = Random(8);
    let (mut safe, mut next) = (BTreeSet::new(), 1u64);
    let print_of = |id: u64| id.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for round in 0..MOMENTS {
        let mut command = lookalike(["simhash", "online", "it", "--recent", "300"]);
        if round % 2 == 0 {
            command.arg("--no-sync");
        }
        let mut child = command.current_dir(dir.path()).stdin(Stdio::piped()).spawn().expect("it starts");
        let mut to = child.stdin.take().expect("piped");
        let mut from = BufReader::new(child.stdout.take().expect("piped"));
        let first = next;
        let feeder = std::thread::spawn(move || {
            for id in first.. {
                if writeln!(to, "insert {:016x} {id}", print_of(id)).is_err() {
                    return id;
                }
            }
            first
        });
        let mut text = String::new();
        if round % 4 > 0 {
            from.read_line(&mut text).expect("it answers");
        }
        std::thread::sleep(Duration::from_micros(random.below(40_000) as u64));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        from.read_to_string(&mut text).expect("letters");
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        safe.extend(whole.zip(first..).map(|(line, id)| {
            assert_eq!(line, "{\"inserted\":true}\n");
            id
        }));
        next = feeder.join().expect("feeding does not panic") + 1;
    }
    let commands: Vec<String> = safe.iter().map(|id| format!("near {:016x} 0", print_of(*id))).collect();
    let commands = commands.join("\n");
    let found = answers(&dir, &[], &(commands + "\nverify\n"), 0);
    for (answer, id) in found.iter().zip(&safe) {
        assert!(answer["matches"][0]["id"] == *id, "{id} was acknowledged and is not there: {answer}");
    }
    assert_eq!(found.last(), Some(&json!({ "damages": [] })));
    assert!(safe.len() > 20 * MOMENTS, "only {} were acknowledged", safe.len());
}

/// Writes a line, and reads the answer while standard input stays open.
struct Dialogue {
    child: std::process::Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Dialogue {
    fn new(dir: &Dir, args: &[&str]) -> Self {
        let mut command = lookalike(args);
        command.current_dir(dir.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, out }
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.child.stdin.as_mut().expect("a pipe"), "{line}").expect("it listens");
        let mut answer = String::new();
        self.out.read_line(&mut answer).expect("an answer");
        answer
    }

    fn end(mut self) -> i32 {
        drop(self.child.stdin.take());
        self.child.wait().expect("it ends").code().expect("an exit code")
    }
}

/// A page in, an answer out, with URLs as they are; and all of it is there again.
#[test]
fn pages_with_urls() {
    let dir = Dir::new();
    let mut random = Random(77);
    let words = random.words(200);
    let page = |url: &str, words: &[&str]| json!({ "id": url, "text": words.join(" ") }).to_string();
    let mut online = Dialogue::new(&dir, &["simhash", "online", "it"]);
    let mut ask = |line: &str| -> Value { serde_json::from_str(&online.ask(line)).expect("JSON") };
    let first = ask(&page("http://a.example/1", &words));
    assert_eq!((&first["id"], &first["new"]), (&"http://a.example/1".into(), &true.into()), "{first}");
    let again = ask(&page("http://a.example/2", &words));
    assert_eq!((&again["new"], &again["matches"][0]["id"]), (&false.into(), &"http://a.example/1".into()), "{again}");
    let html = format!("<html><body><p>{}</p></body></html>", words.join(" "));
    let html = ask(&json!({ "url": "http://a.example/3", "html": html }).to_string());
    assert_eq!(html["fingerprint"], first["fingerprint"], "the same words");
    assert_eq!(ask(&page("http://a.example/4", &random.words(200)))["new"], true);
    assert!(ask(r#"{"id": "http://a.example/empty", "text": ""}"#)["skipped"].is_string());
    // a page may be longer than a command
    assert_eq!(ask(&page("http://a.example/5", &random.words(5000)))["new"], true);
    // a fingerprint has a URL too
    let fingerprint = first["fingerprint"].as_str().expect("digits").to_owned();
    assert_eq!(ask(&format!("insert {fingerprint} http://b.example/")), json!({ "inserted": true }));
    assert_eq!(ask(&format!("insert {fingerprint} http://b.example/")), json!({ "inserted": false }));
    assert_eq!(ask(&format!("delete {fingerprint} http://b.example/x")), json!({ "deleted": false }));
    assert_eq!(online.end(), 0);
    let near = &answers(&dir, &[], &format!("near {fingerprint} 0\n"), 0)[0];
    let ids: Vec<&str> = near["matches"].as_array().expect("a list").iter().filter_map(|m| m["id"].as_str()).collect();
    assert_eq!(ids, ["http://a.example/1", "http://b.example/"]);
    let found = answers(&dir, &[], &format!("delete {fingerprint} http://a.example/1\ncount\n"), 0);
    assert_eq!(found, [json!({ "deleted": true }), json!({ "count": 3 })]);
    // another recipe would make other fingerprints
    let mut command = lookalike(["simhash", "online", "it", "--ngrams", "5"]);
    assert!(run_with(command.current_dir(dir.path()), b"").expect(2).stderr.contains("recipe"));
}

#[test]
fn a_store_of_numbers_takes_no_names() {
    let dir = Dir::new();
    let page = r#"{"id": "http://a.example/", "text": "some words"}"#;
    let found = answers(&dir, &[], "insert 00000000000000ff 1\n", 0);
    assert_eq!(found, [json!({ "inserted": true })]);
    let found = answers(&dir, &[], &format!("{page}\ncount\n"), 2);
    assert!(found[0]["error"].as_str().is_some_and(|error| error.contains("a number")), "{}", found[0]);
    assert_eq!(found[1], json!({ "count": 1 }));
}

/// `build` keeps the URLs of a file that has them, and `lookup` and `online` tell them.
#[test]
fn a_store_built_with_urls() {
    let dir = Dir::new();
    dir.write("seen.tsv", "00000000000000ff\thttp://a.example/ff\n0000000000000000\thttp://a.example/00\n");
    lookalike(["simhash", "build", "seen.tsv", "-o", "it", "-q"]).current_dir(dir.path()).status().expect("it runs");
    let near = &answers(&dir, &[], "near 00000000000000fe\n", 0)[0];
    assert_eq!(near["matches"][0]["id"], "http://a.example/ff");
    let mut command = lookalike(["simhash", "lookup", "it", "0000000000000001", "--json"]);
    let found = run_with(command.current_dir(dir.path()), b"").expect(0).stdout;
    assert!(found.contains(r#""id":"http://a.example/00""#), "{found}");
}

/// Fingerprints and answers of an index come line by line, too.
#[test]
fn lines_are_answered_while_standard_input_is_open() {
    let dir = Dir::new();
    let mut random = Random(78);
    let text = random.words(200).join(" ");
    let mut fingerprints = Dialogue::new(&dir, &["simhash", "fingerprint", "-", "-q"]);
    let one = fingerprints.ask(&json!({ "id": "http://a.example/", "text": text }).to_string());
    assert!(one.ends_with("\thttp://a.example/\n"), "{one}");
    let plain = fingerprints.ask(&text);
    assert_eq!((&plain[..16], &plain[16..]), (&one[..16], "\t-:2\n"), "a line that is no JSON is a text");
    assert_eq!(fingerprints.end(), 0);
    dir.write("pages.jsonl", json!({ "id": "http://a.example/", "text": text }).to_string());
    let mut build = lookalike(["index", "build", "it", "pages.jsonl", "-q"]);
    run_with(build.current_dir(dir.path()), b"").expect(0);
    let mut query = Dialogue::new(&dir, &["query", "it", "--batch", "-"]);
    for line in [&json!({ "id": "new", "text": text }).to_string(), &text, "http://a.example/"] {
        let answer: Value = serde_json::from_str(&query.ask(line)).expect("JSON");
        assert_eq!(answer["matches"][0]["seen"][0]["url"], "http://a.example/", "{line}: {answer}");
    }
    assert_eq!(query.end(), 0);
}
