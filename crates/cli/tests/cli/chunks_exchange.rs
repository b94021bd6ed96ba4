//! Exchange files: what two owners can find without sharing their files, and what nobody else learns.

use crate::chunks::{edited, identical, list, scan};
use crate::command::at;
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;
use std::fs;

/// Two owners, `ours` and `theirs`, with copies, edited copies and files of their own.
fn owners() -> Dir {
    let dir = Dir::new();
    let mut random = Random(241);
    for page in 0..30 {
        let text = random.text(2500);
        dir.write(format!("ours/guides/quarterly-figures-{page:02}.txt"), &text);
        match page % 3 {
            0 => dir.write(format!("theirs/import/confidential-{page:02}.txt"), &text),
            1 => dir.write(format!("theirs/import/edited-{page:02}.txt"), edited(&mut random, &text, 2)),
            _ => dir.write(format!("theirs/own/{page:02}.txt"), random.text(2500)),
        };
    }
    dir
}

fn sketch(dir: &Dir, flags: &[&str]) -> Value {
    at(dir, &[&["sketch", "--json"], flags].concat()).json()
}

#[test]
fn joined_files_equal_a_scan_of_both_folders() {
    let dir = owners();
    let made = sketch(&dir, &["ours", "-o", "ours.lka"]);
    sketch(&dir, &["theirs", "-o", "theirs.lka"]);
    assert_eq!((&made["documents"], &made["schema"]), (&30.into(), &1.into()));
    let written = fs::metadata(dir.at("ours.lka")).expect("written").len();
    assert_eq!(made["written"], written);
    let bytes = made["bytes"].as_u64().expect("bytes");
    assert!(written * 100 < bytes * 3, "{written} of {bytes} bytes");
    let both = scan(&dir, &["ours", "theirs"]);
    assert_eq!(both["summary"]["clusters"], 20);
    let ids = |report: &Value| identical(report).iter().map(|set| set.join(" ")).collect::<Vec<_>>();
    // the documents of an exchange file stand in a folder of its name
    let by_own_names = |report: &Value| -> Value {
        let text = ["ours", "theirs"].iter().fold(report.to_string(), |text, owner| {
            text.replace(&format!("\"{owner}.lka/"), "\"").replace(&format!("\"{owner}.lka\""), &format!("\"{owner}\""))
        });
        serde_json::from_str(&text).expect("still JSON")
    };
    for inputs in
        [["ours.lka", "theirs.lka"], ["theirs.lka", "ours.lka"], ["ours", "theirs.lka"], ["ours.lka", "theirs"]]
    {
        let joined = scan(&dir, &inputs);
        let first = joined["clusters"][0]["representative"].as_str().expect("an id");
        assert!(inputs.iter().any(|input| first.starts_with(&format!("{input}/"))), "{first}");
        let joined = by_own_names(&joined);
        for name in ["summary", "clusters", "documents", "bytes", "recipe", "policy"] {
            assert_eq!(joined[name], both[name], "{inputs:?}: {name}");
        }
        assert_eq!(ids(&joined), ids(&both), "{inputs:?}");
        assert_eq!(joined["chunks"]["folders"], both["chunks"]["folders"], "{inputs:?}");
        assert_eq!(joined["chunks"]["distinct"], both["chunks"]["distinct"], "{inputs:?}");
    }
}

/// Nobody need say --lens: an exchange file knows its own.
#[test]
fn an_exchange_file_chooses_the_lens() {
    let dir = owners();
    sketch(&dir, &["ours", "-o", "ours.lka"]);
    let by_itself = at(&dir, &["scan", "--json", "ours.lka", "theirs"]).json();
    assert_eq!(by_itself, scan(&dir, &["ours.lka", "theirs"]));
    let refused = at(&dir, &["scan", "--lens", "shingles", "ours.lka"]).expect(2);
    assert!(refused.stderr.contains("ours.lka is an exchange file of the chunks lens"), "{}", refused.stderr);
    // by what it holds, not by what it is called
    fs::rename(dir.at("ours.lka"), dir.at("ours.data")).expect("renamed");
    let renamed = at(&dir, &["scan", "--json", "ours.data", "theirs"]).json();
    assert_eq!((&renamed["summary"], &renamed["recipe"]), (&by_itself["summary"], &by_itself["recipe"]));
    // what is called one and is none is no document in secret
    dir.write("notes.lka", "these are notes about lakes, and nothing was sketched here at all");
    for arguments in [&["scan", "notes.lka", "ours"][..], &["sketch", "notes.lka", "-o", "x.lka"]] {
        let refused = at(&dir, arguments).expect(2);
        assert!(refused.stderr.contains("notes.lka: expected an exchange file"), "{}", refused.stderr);
    }
}

#[test]
fn with_a_key_that_both_know() {
    let dir = owners();
    let key = ["--key", "between us"];
    sketch(&dir, &[&["ours", "-o", "ours.lka"], &key[..]].concat());
    sketch(&dir, &[&["theirs", "-o", "theirs.lka"], &key[..]].concat());
    let joined = scan(&dir, &[&["ours.lka", "theirs.lka"], &key[..]].concat());
    assert_eq!(joined["summary"]["clusters"], 20);
    assert!(joined["recipe"].as_str().is_some_and(|r| r.contains("key=") && !r.contains("between us")), "{joined}");
    let mixed = scan(&dir, &[&["ours", "theirs.lka"], &key[..]].concat());
    assert_eq!(mixed["summary"], joined["summary"]);
}

#[test]
fn with_another_key() {
    let dir = owners();
    sketch(&dir, &["ours", "-o", "ours.lka", "--key", "one"]);
    sketch(&dir, &["theirs", "-o", "theirs.lka", "--key", "two"]);
    sketch(&dir, &["theirs", "-o", "plain.lka"]);
    for arguments in [
        &["ours.lka", "theirs.lka"][..],
        &["ours.lka", "theirs.lka", "--key", "one"],
        &["ours.lka", "plain.lka"],
        &["ours.lka", "plain.lka", "--key", "one"],
        &["ours.lka", "theirs"],
        &["ours.lka", "theirs", "--key", "two"],
        &["plain.lka", "ours", "--key", "one"],
    ] {
        let refused = at(&dir, &[&["scan"], arguments].concat()).expect(2);
        assert!(refused.stderr.contains("key") && refused.stderr.contains(".lka"), "{arguments:?}: {}", refused.stderr);
        assert_eq!((refused.stdout.as_str(), refused.stderr.lines().count()), ("", 1));
    }
}

#[test]
fn with_another_mean() {
    let dir = owners();
    sketch(&dir, &["ours", "-o", "ours.lka", "--avg-chunk", "500"]);
    sketch(&dir, &["theirs", "-o", "theirs.lka"]);
    let refused = at(&dir, &["scan", "ours.lka", "theirs.lka"]).expect(2);
    for word in ["ours.lka", "mean=500", "mean=1000", "--avg-chunk"] {
        assert!(refused.stderr.contains(word), "no {word:?} in {}", refused.stderr);
    }
    let both = scan(&dir, &["ours.lka", "theirs", "--avg-chunk", "500"]);
    assert_eq!(both["summary"]["clusters"], 20);
}

/// Chunk hashes of a file by the public recipe, as a template list tells them.
fn hashes(dir: &Dir, file: &str) -> Vec<u128> {
    at(dir, &["scan", "--lens", "chunks", "ours", "-q", "--save", "plain-run"]).expect(0);
    let template = at(dir, &["templates", "mark", "plain-run", "--file", file, "--json"]).json();
    let hash = |chunk: &Value| u128::from_str_radix(chunk["hash"].as_str().expect("a hash"), 16).expect("hexadecimal");
    list(&template, "chunks").iter().map(hash).collect()
}

fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn what_stands_in_clear() {
    let dir = owners();
    let hashes = hashes(&dir, "ours/guides/quarterly-figures-00.txt");
    assert!(hashes.len() > 8);
    // either order of bytes, and half of it would do
    let in_clear = |bytes: &[u8]| {
        let halves = |hash: &u128| [hash.to_le_bytes(), hash.to_be_bytes()].map(|b| [b[..8].to_vec(), b[8..].to_vec()]);
        hashes.iter().filter(|hash| halves(hash).as_flattened().iter().any(|half| holds(bytes, half))).count()
    };
    let names = ["quarterly", "figures", "guides", "ours"];
    let named = |bytes: &[u8]| names.iter().filter(|name| holds(bytes, name.as_bytes())).count();
    let file = |name: &str| fs::read(dir.at(name)).expect("written");
    sketch(&dir, &["ours", "-o", "public.lka"]);
    assert_eq!(in_clear(&file("public.lka")), hashes.len(), "without a key the hashes are everybody's");
    assert!(named(&file("public.lka")) > 0, "names are plain unless asked for");
    sketch(&dir, &["ours", "-o", "keyed.lka", "--key", "secret words", "--names", "hash"]);
    assert_eq!((in_clear(&file("keyed.lka")), named(&file("keyed.lka"))), (0, 0));
    assert!(!holds(&file("keyed.lka"), b"secret words"), "the key is not in it");
    sketch(&dir, &["ours", "-o", "named.lka", "--key", "secret words"]);
    assert_eq!(in_clear(&file("named.lka")), 0);
    sketch(&dir, &["ours", "-o", "hashed.lka", "--names", "hash"]);
    assert_eq!((in_clear(&file("hashed.lka")), named(&file("hashed.lka"))), (hashes.len(), 0));
}

#[test]
fn hashed_names_hide_names_and_keep_folders() {
    let dir = owners();
    let flags = ["--key", "k", "--names", "hash"];
    sketch(&dir, &[&["theirs", "-o", "theirs.lka"], &flags[..]].concat());
    let report = scan(&dir, &["ours", "theirs.lka", "--key", "k"]);
    assert_eq!(report["summary"]["clusters"], 20);
    let text = report.to_string();
    for name in ["confidential", "edited", "import", "theirs/"] {
        assert!(!text.contains(name), "{name}");
    }
    assert!(text.contains("quarterly-figures-00.txt"), "our own names are ours");
    let both = scan(&dir, &["ours", "theirs"]);
    assert_eq!(list(&report["chunks"], "folders").len(), list(&both["chunks"], "folders").len());
    let note = at(&dir, &["sketch", "ours", "-o", "x.lka", "--names", "hash"]).expect(0).stderr;
    assert!(note.contains("without a key") && note.contains("--key"), "{note}");
}

/// A keyed exchange file changes with the key: nothing in it can be looked up in another.
#[test]
fn two_keys_share_nothing() {
    let dir = owners();
    for (name, key) in [("one.lka", "one"), ("two.lka", "two"), ("again.lka", "one")] {
        sketch(&dir, &["ours", "-o", name, "--key", key, "--names", "hash"]);
    }
    let file = |name: &str| fs::read(dir.at(name)).expect("written");
    assert!(file("one.lka") == file("again.lka"), "the same files and flags give the same bytes");
    let (one, two) = (file("one.lka"), file("two.lka"));
    // after the head, which tells how the file was made
    let shared = one[512..].windows(8).step_by(8).filter(|eight| holds(&two, eight)).count();
    assert!(shared < 5, "{shared} pieces of 8 bytes are in both");
}

#[test]
fn a_damaged_file_is_found_and_named() {
    let dir = owners();
    sketch(&dir, &["ours", "-o", "ours.lka"]);
    let right = at(&dir, &["scan", "--lens", "chunks", "--json", "ours.lka", "theirs"]).expect(0).stdout;
    let whole = fs::read(dir.at("ours.lka")).expect("written");
    let mut wrong = Vec::new();
    let mut check = |bytes: &[u8], how: String| {
        fs::write(dir.at("ours.lka"), bytes).expect("written");
        let outcome = at(&dir, &["scan", "--lens", "chunks", "--json", "ours.lka", "theirs"]);
        assert!(!outcome.stderr.contains("panicked"), "{how}: {}", outcome.stderr);
        let refused = outcome.code == Some(2) && outcome.stdout.is_empty() && outcome.stderr.contains("ours.lka");
        let unharmed = outcome.code == Some(0) && outcome.stdout == right;
        if !refused && !unharmed {
            wrong.push(format!("{how}: {:?} {}", outcome.code, outcome.stderr));
        }
        outcome.code
    };
    for place in 0..48 {
        let mut broken = whole.clone();
        let byte = if place < 16 { place * 3 } else { (place - 15) * (whole.len() - 1) / 32 };
        broken[byte] ^= 1 << (place % 8);
        assert_eq!(check(&broken, format!("byte {byte}")), Some(2), "byte {byte} of {}", whole.len());
    }
    for part in 0..12 {
        let cut = whole.len() * part / 12;
        assert_eq!(check(&whole[..cut], format!("cut at {cut}")), Some(2), "cut at {cut}");
    }
    assert_eq!(check(&[&whole[..], b"more"].concat(), "four bytes more".into()), Some(2));
    check(&whole, "whole again".to_owned());
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn an_exchange_file_is_no_document() {
    let dir = owners();
    let first = sketch(&dir, &[".", "-o", "all.lka"]);
    let mut second = sketch(&dir, &[".", "-o", "all.lka"]);
    assert_eq!(second["skipped"].take()[0]["kind"], "own result");
    second["skipped"] = Value::Array(Vec::new());
    assert_eq!((&first["documents"], &first), (&60.into(), &second));
}

#[test]
fn told_to_a_person() {
    let dir = owners();
    let told = at(&dir, &["sketch", "ours", "-o", "ours.lka"]).expect(0);
    assert!(told.stdout.contains("30 ") && told.stdout.contains("bytes|chunks:mean=1000"), "{}", told.stdout);
    let quiet = at(&dir, &["sketch", "ours", "-o", "ours.lka", "-q"]).expect(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}
