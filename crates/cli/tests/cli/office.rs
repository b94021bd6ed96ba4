//! Office documents are read like any page: scanned, compared, indexed, and skipped with a reason where they cannot be.

use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::office_samples::{docx, email, epub, html, odt, pdf, pdf_of, pptx, xlsx};
use serde_json::Value;

const TEXT: [&str; 3] = [
    "The committee met on Tuesday in the large hall and heard the report of the treasurer about the last year",
    "Membership grew by a tenth while the fees stayed as they were so that the roof of the club house can be mended",
    "Nobody asked for the floor after that and the chair closed the meeting at nine in the evening with thanks to all",
];

/// The same text in every format that holds prose, and another in some.
fn share() -> Dir {
    let dir = Dir::new();
    let other =
        ["Quite another letter that has nothing to do with clubs and their roofs but with ships and the sea and salt"];
    dir.write("share/minutes.txt", TEXT.join("\n\n"));
    dir.write("share/minutes.md", TEXT.join("\n\n"));
    dir.write("share/minutes.html", html(&TEXT));
    dir.write("share/minutes.docx", docx(&TEXT));
    dir.write("share/minutes.odt", odt(&TEXT));
    dir.write("share/minutes.epub", epub(&TEXT));
    dir.write("share/minutes.pptx", pptx(&TEXT, ""));
    dir.write("share/minutes.pdf", pdf(&TEXT));
    dir.write("share/minutes.eml", email("", &TEXT));
    // no name that tells
    dir.write("share/minutes", docx(&TEXT));
    dir.write("share/other.docx", docx(&other));
    dir.write("share/table.xlsx", xlsx(&[&["Name", "Fee"], &["Ann", "12"]]));
    dir
}

fn json(dir: &Dir, arguments: &[&str]) -> Value {
    run(lookalike(arguments).current_dir(dir.path())).json()
}

#[test]
fn the_same_words_in_ten_formats_are_one_cluster() {
    let dir = share();
    let report = json(&dir, &["scan", "share", "--json"]);
    assert_eq!(report["documents"], 12, "{report}");
    let clusters = report["clusters"].as_array().expect("a list");
    assert_eq!(clusters.len(), 1);
    let members = clusters[0]["members"].as_array().expect("a list");
    assert_eq!(members.len(), 9, "{members:?}");
    // the text as Markdown has the same bytes, and so has the document without a name
    assert!(members.iter().all(|member| member["class"] == "lexical" || member["class"] == "identical"), "{members:?}");
    let compared = json(&dir, &["compare", "share/minutes.docx", "share/minutes.pdf", "--json"]);
    assert_eq!(compared["class"], "lexical");
}

#[test]
fn copies_finds_passages_in_them() {
    let dir = Dir::new();
    dir.write("essays/alice.docx", docx(&[TEXT[0], TEXT[1], "and some words of her own about boats"]));
    dir.write("essays/bob.pdf", pdf(&["His own words come first here", TEXT[0], TEXT[1]]));
    dir.write(
        "essays/carol.odt",
        odt(&["Carol wrote something else altogether about gardens and bees in early spring"]),
    );
    let report = json(&dir, &["copies", "essays", "--json"]);
    let pairs = report["passages"]["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 1, "{pairs:?}");
    let name =
        |side: &str| &report["passages"]["submissions"][pairs[0][side].as_u64().expect("a number") as usize]["name"];
    assert_eq!((name("a"), name("b")), (&"alice.docx".into(), &"bob.pdf".into()));
    assert_eq!(pairs[0]["longest"], 43, "words of both paragraphs");
}

#[test]
fn an_index_finds_them() {
    let dir = share();
    run(lookalike(["index", "build", "kept", "share"]).current_dir(dir.path())).expect(0);
    let answer = json(&dir, &["query", "kept", "share/minutes.pdf", "--json"]);
    assert!(answer.to_string().contains("share/minutes.odt"), "{answer}");
}

#[test]
fn what_cannot_be_read_is_listed_with_its_reason() {
    let dir = share();
    dir.write("share/scan.pdf", pdf_of("q Q"));
    dir.write("share/broken.docx", "no zip");
    dir.write("share/old.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on".as_slice());
    dir.write("share/locked.xlsx", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on".as_slice());
    let report = json(&dir, &["scan", "share", "--json"]);
    let skipped = report["skipped"].as_array().expect("a list");
    let kind = |name: &str| skipped.iter().find(|skip| skip["id"] == name).map(|skip| skip["kind"].clone());
    assert_eq!(kind("share/scan.pdf"), Some("only images".into()), "{skipped:?}");
    assert_eq!(kind("share/broken.docx"), Some("damaged".into()));
    assert_eq!(kind("share/old.doc"), Some("binary".into()));
    assert_eq!(kind("share/locked.xlsx"), Some("encrypted".into()));
    let alone = run(lookalike(["scan", "share/scan.pdf"]).current_dir(dir.path()));
    assert_eq!(alone.code, Some(2), "nothing read is an error");
    assert!(alone.stderr.contains("only images"), "{}", alone.stderr);
}

/// PDF is read in another process: whatever ends that costs one file, with any number of threads.
#[test]
fn a_pdf_that_ends_its_reader_costs_one_file() {
    let dir = share();
    dir.write("share/victim.pdf", pdf(&["An unlucky document with some words"]));
    let crashed = "crashed (what reads PDF failed on it)";
    let [slow, stuck] = ["30 seconds of processor time", "5 minutes"]
        .map(|limit| format!("took too long (a PDF whose reader was ended after {limit})"));
    for (fault, threads, reason) in [
        ("abort:unlucky", "1", crashed),
        ("abort:unlucky", "3", crashed),
        ("hang:unlucky", "2", &slow),
        ("stop:unlucky", "2", &stuck),
    ] {
        let mut command = lookalike(["scan", "share", "--json", "-j", threads]);
        let report = run(command.current_dir(dir.path()).env("LOOKALIKE_PARSER_FAULT", fault)).json();
        assert_eq!(report["documents"], 12);
        let skipped = report["skipped"].as_array().expect("a list");
        let victim = skipped.iter().find(|skip| skip["id"] == "share/victim.pdf").expect("it is skipped");
        assert_eq!(victim["reason"], reason, "{fault}");
    }
}
