//! The log: what is cut off is forgotten, what is no log is not touched, and one run writes at a time.

use super::*;
use crate::log::{self, ActionState, Log};

#[test]
fn a_line_that_was_cut_off_was_never_written() {
    let stage = Stage::usual();
    stage.act(&stage.actions()[0]);
    let whole = fs::read(stage.log()).unwrap();
    let entries = log::read(&stage.log(), true).unwrap().entries;
    assert_eq!(entries.len(), 3);
    assert!(entries.values().all(|entry| entry.state == ActionState::Done));
    for length in 0..=whole.len() {
        fs::write(stage.log(), &whole[..length]).unwrap();
        let past = log::read(&stage.log(), true).unwrap_or_else(|e| panic!("{length}: {e}"));
        let lines = whole[..length].split(|byte| *byte == b'\n').count() - 1;
        // a run, then an intent and its end for each
        assert_eq!(past.entries.len(), lines / 2, "{length}");
        let undone = stage.undo_with(&Faulty::default(), false).unwrap();
        assert_eq!((undone.planned, undone.failed), ((lines / 2) as u64, 0), "{length}: {undone:?}");
    }
    // who goes on writes after what is whole
    fs::write(stage.log(), &whole[..whole.len() - 5]).unwrap();
    assert_eq!(stage.undo().done, 3);
    assert!(log::read(&stage.log(), true).unwrap().entries.is_empty());
}

#[test]
fn what_is_no_log_is_not_touched() {
    let stage = Stage::usual();
    let before = stage.files();
    for (text, words) in [
        ("{\"schema\":1}\n", "is not a log"),
        ("a diary\n", "is not a log"),
        ("a diary", "is not a log"),
        ("{\"record\":\"done\",\"n\":1}\n", "is not a log"),
    ] {
        fs::write(stage.log(), text).unwrap();
        for yes in [false, true] {
            let error = stage.act_with(&Faulty::default(), &stage.actions()[3], yes).unwrap_err().to_string();
            assert!(error.contains(words) && error.contains("log.jsonl"), "{error}");
        }
        assert_eq!(fs::read_to_string(stage.log()).unwrap(), text);
    }
    assert_eq!(stage.files(), before);
}

#[test]
fn a_damaged_line_is_told() {
    let stage = Stage::usual();
    stage.act(&stage.actions()[3]);
    let text = fs::read_to_string(stage.log()).unwrap();
    fs::write(stage.log(), text.replacen("\"record\":\"intent\"", "\"record\":\"int\"", 1)).unwrap();
    assert!(stage.undo_with(&Faulty::default(), true).unwrap_err().to_string().contains("line 2 is damaged"));
    fs::write(stage.log(), text.replacen("\"record\":\"done\",\"n\":1", "\"record\":\"done\",\"n\":7", 1)).unwrap();
    assert!(stage.undo_with(&Faulty::default(), true).unwrap_err().to_string().contains("names action 7"));
    fs::write(stage.log(), text.replacen("\"format\":1", "\"format\":2", 1)).unwrap();
    assert!(stage.undo_with(&Faulty::default(), true).unwrap_err().to_string().contains("has format 2"));
}

#[test]
fn one_at_a_time() {
    let stage = Stage::usual();
    let files = Faulty::default();
    let (held, _) = Log::open(&files, &stage.log(), false).unwrap();
    let error = stage.act_with(&files, &stage.actions()[0], true).unwrap_err().to_string();
    assert!(error.contains("in use"), "{error}");
    drop(held);
    assert_eq!(stage.act(&stage.actions()[0]).totals.done, 3);
}

#[test]
fn names_that_are_no_utf8_are_kept() {
    let mut stage = Stage::new();
    stage.set(b"content", &["a", "caf\\xE9\n\u{1b}[1m", "\\x5CxE9"]);
    let before = stage.files();
    assert_eq!(before.len(), 3);
    for action in 0..6 {
        let options = stage.actions()[action].clone();
        let acted = stage.act(&options);
        assert_eq!(acted.totals.done, 2, "{acted:?}");
        assert_eq!(stage.undo().done, 2);
        assert_eq!(stage.files(), before);
    }
}
