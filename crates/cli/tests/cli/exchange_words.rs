//! Exchange files of the shingles lens: sketches of text, and estimates of what two owners share.

use crate::chunks::list;
use crate::command::at;
use crate::corpus::documents;
use crate::dir::Dir;
use serde_json::Value;
use std::fs;

/// Two owners of generated documents, with copies and edited copies on either side.
fn owners() -> Dir {
    let dir = Dir::new();
    for (number, (id, text)) in documents(200, 281).into_iter().enumerate() {
        let owner = if number % 2 == 0 { "ours" } else { "theirs" };
        dir.write(format!("{owner}/{id}.txt"), text);
    }
    dir
}

fn sketch(dir: &Dir, flags: &[&str]) -> Value {
    at(dir, &[&["sketch", "--lens", "shingles", "--json"], flags].concat()).json()
}

#[test]
fn joined_files_equal_a_scan_of_both_folders() {
    for flags in [&[][..], &["-w", "5"], &["--key", "between us"]] {
        let dir = owners();
        let made = sketch(&dir, &[&["ours", "-o", "ours.lka"], flags].concat());
        assert_eq!(made["documents"], 100);
        sketch(&dir, &[&["theirs", "-o", "theirs.lka"], flags].concat());
        let scan = |inputs: &[&str]| at(&dir, &[&["scan", "--json", "--estimate"], inputs, flags].concat()).json();
        let both = scan(&["ours", "theirs"]);
        assert!(both["summary"]["clusters"].as_u64() > Some(10), "{both}");
        for inputs in [["ours.lka", "theirs.lka"], ["ours", "theirs.lka"]] {
            let joined = scan(&inputs);
            assert_eq!((&joined["summary"], &joined["recipe"]), (&both["summary"], &both["recipe"]), "{flags:?}");
            let first = |report: &Value| list(report, "clusters").iter().map(|c| list(c, "members").len()).max();
            assert_eq!(first(&joined), first(&both));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = owners();
    sketch(&dir, &["ours", "-o", "ours.lka"]);
    sketch(&dir, &["theirs", "-o", "other.lka", "-w", "5"]);
    sketch(&dir, &["theirs", "-o", "keyed.lka", "--key", "k"]);
    at(&dir, &["sketch", "theirs", "-o", "chunks.lka", "-q"]).expect(0);
    for (arguments, words) in [
        (&["scan", "ours.lka", "theirs"][..], &["ours.lka", "--estimate"][..]),
        (&["scan", "ours.lka", "other.lka", "--estimate"], &["other.lka", "w=5", "w=10"]),
        (&["scan", "ours.lka", "keyed.lka", "--estimate"], &["keyed.lka", "key"]),
        (&["scan", "ours.lka", "chunks.lka", "--estimate"], &["chunks.lka", "shingles", "chunks"]),
        (&["scan", "chunks.lka", "ours.lka"], &["ours.lka", "shingles", "chunks"]),
        (&["scan", "--lens", "chunks", "ours.lka"], &["ours.lka is an exchange file of the shingles lens"]),
        (&["sketch", "--lens", "shingles", "ours.lka", "-o", "x.lka"], &["ours.lka is an exchange file already"]),
        (&["sketch", "ours.lka", "-o", "x.lka"], &["ours.lka", "shingles"]),
        (&["sketch", "--lens", "shingles", "ours", "-o", "x.lka", "--avg-chunk", "100"], &["--avg-chunk", "chunks"]),
        (&["sketch", "ours", "-o", "x.lka", "-w", "5"], &["-w", "shingles"]),
    ] {
        let refused = at(&dir, arguments).expect(2);
        for word in words {
            assert!(refused.stderr.contains(word), "{arguments:?}: no {word:?} in {}", refused.stderr);
        }
        assert_eq!((refused.stdout.as_str(), refused.stderr.lines().count()), ("", 1), "{}", refused.stderr);
    }
    assert!(!dir.at("x.lka").exists());
}

#[test]
fn damage_is_found() {
    let dir = owners();
    sketch(&dir, &["ours", "-o", "ours.lka"]);
    let whole = fs::read(dir.at("ours.lka")).expect("written");
    for place in 0..24 {
        let mut broken = whole.clone();
        let byte = place * (whole.len() - 1) / 23;
        broken[byte] ^= 1 << (place % 8);
        fs::write(dir.at("ours.lka"), &broken).expect("written");
        let refused = at(&dir, &["scan", "--estimate", "ours.lka", "theirs"]).expect(2);
        assert!(refused.stderr.contains("ours.lka") && refused.stdout.is_empty(), "byte {byte}: {}", refused.stderr);
    }
    for cut in [0, 20, whole.len() / 2, whole.len() - 1] {
        fs::write(dir.at("ours.lka"), &whole[..cut]).expect("written");
        let refused = at(&dir, &["scan", "--estimate", "ours.lka", "theirs"]).expect(2);
        assert!(refused.stderr.contains("ours.lka"), "cut at {cut}: {}", refused.stderr);
    }
}
