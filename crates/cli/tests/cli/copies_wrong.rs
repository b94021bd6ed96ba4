//! Wrong flags of `copies` and `moss`: refused with a message that names the flag, what was expected and what helps.

use crate::command::{at, refused};
use crate::dir::Dir;

fn docs() -> Dir {
    let dir = Dir::new();
    dir.write("in/a.py", "x = 1\n");
    dir
}

#[test]
fn values_out_of_range() {
    let dir = docs();
    for (flag, wrong, expected) in [
        ("--min-similarity", "1.5", "a share from 0 to 1"),
        ("--min-similarity", "20%", "write 0.2"),
        ("--threshold", "nan", "a share from 0 to 1"),
        ("--threshold", "-1", "a share from 0 to 1"),
        ("--limit", "0", "at least 1"),
        ("--max-df", "1", "at least 2"),
        ("--max-df", "10%", "a share of them with a dot such as 0.1"),
        ("--max-df", "1.5", "a share of them"),
        ("--lang", "", "found nothing"),
    ] {
        refused(&dir, &["copies", "in", &format!("{flag}={wrong}")], &[flag, wrong, expected]);
    }
    for wrong in ["0", "10001", "many"] {
        refused(&dir, &["copies", "in", "-k", wrong], &["-k", wrong]);
    }
    refused(&dir, &["copies", "in", "-t", "0"], &["--guarantee"]);
    refused(&dir, &["moss", "-m", "1", "in/a.py"], &["-m", "2.."]);
    refused(&dir, &["moss", "-n", "0", "in/a.py"], &["-n", "at least 1"]);
    refused(&dir, &["moss", "-l", "c"], &["FILE"]);
    assert_eq!(dir.names(), ["in"]);
}

#[test]
fn flags_that_do_not_go_together() {
    let dir = docs();
    let with = |flags: &[&'static str]| [&["copies", "in"], flags].concat();
    refused(&dir, &with(&["-k", "20", "-t", "10"]), &["-t 10", "-k 20", "larger -t"]);
    refused(
        &dir,
        &with(&["--min-similarity", "0.5", "--threshold", "0.2"]),
        &["--threshold 0.2", "--min-similarity 0.5", "smaller --min-similarity"],
    );
    refused(&dir, &with(&["--json", "--csv"]), &["--json", "--csv"]);
    refused(&dir, &with(&["--sarif", "--csv"]), &["--sarif", "--csv"]);
    refused(&dir, &with(&["--embed-limit", "1M"]), &["--html"]);
    refused(&dir, &["copies"], &["PATH"]);
}

#[test]
fn results_that_could_not_be_written() {
    let dir = docs();
    for flag in ["--output", "--pairs", "--html"] {
        refused(&dir, &["copies", "in", flag, "no/x"], &["no is no folder"]);
        refused(&dir, &["copies", "in", flag, "in"], &["it is a folder"]);
    }
    refused(&dir, &["copies", "in", "-o", "x", "--pairs", "x"], &["two results would be written to x"]);
    refused(&dir, &["copies", "in", "--html", "x", "--pairs", "./x"], &["two results would be written"]);
    refused(&dir, &["moss", "in/a.py", "-o", "no/x"], &["no is no folder"]);
}

#[test]
fn what_the_engine_refuses() {
    let dir = docs();
    refused(&dir, &["copies", "nowhere"], &["nowhere"]);
    refused(&dir, &["copies", "in", "--base", "nowhere"], &["nowhere"]);
    refused(&dir, &["copies", "in", "--archive", "nowhere"], &["nowhere"]);
    refused(&dir, &["copies", "in", "--lang", "klingon"], &["--lang", "klingon", "python"]);
    refused(&dir, &["moss", "-l", "klingon", "in/a.py"], &["klingon"]);
    // a language of MOSS's that has no grammar here is no mistake
    at(&dir, &["moss", "-l", "vhdl", "in/a.py"]).expect(0);
}

#[test]
fn what_is_known_of_submissions() {
    let dir = docs();
    refused(&dir, &["copies", "in", "--info", "nowhere.csv"], &["nowhere.csv"]);
    refused(&dir, &["copies", "in", "--owner", "("], &["--owner", "("]);
}
