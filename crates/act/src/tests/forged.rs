//! Files that are one though they seem two, and logs that act did not write: nothing that has no other copy is ever removed.

use super::faulty::{Faulty, Lacks};
use super::*;
use serde_json::{Value, json};

#[test]
fn one_file_through_two_mounts() {
    for other_inodes in [false, true] {
        for action in 1..4 {
            let mut stage = Stage::new();
            stage.write("k", b"the only copy", 0);
            fs::create_dir(stage.at("elsewhere")).unwrap();
            // what a second mount shows: the same file, on another device
            fs::hard_link(stage.at("k"), stage.at("elsewhere/k")).unwrap();
            stage.list(&["k", "elsewhere/k"]);
            let before = stage.files();
            let files = Faulty::new(Lacks { one_device: true, other_inodes, ..Lacks::default() });
            let acted = stage.act_with(&files, &stage.actions()[action], true).unwrap();
            says(&acted, "elsewhere/k", Outcome::Failed, "another mount");
            assert_eq!(stage.files(), before, "{action}");
        }
    }
}

/// The log of an action that was interrupted, with fields changed.
fn log_with(stage: &Stage, action: &str, changes: &[(&str, PathBuf)]) -> String {
    let mut intent = json!({
        "record": "intent", "n": 1, "action": action, "path": stage.at("in/a"), "kept": stage.at("k"),
        "temporary": stage.at("in/.lookalike-act-0123456789abcdef"),
        "bytes": 17, "modified": 1, "mode": 0o644, "uid": 0, "gid": 0, "content": "00",
    });
    if action == "move" {
        intent["to"] = json!(stage.elsewhere().join("a"));
        intent["copy"] = json!(stage.elsewhere().join(".lookalike-act-0123456789abcdef"));
    }
    for (field, value) in changes {
        intent[*field] = json!(value);
    }
    let run = json!({ "record": "run", "format": 1, "lookalike": "0.1.0", "action": action, "report": "r", "time": 1 });
    [run, intent].map(|line: Value| format!("{line}\n")).concat()
}

#[test]
fn logs_that_name_what_act_did_not_make() {
    let stage = Stage::usual();
    stage.write("precious", b"there is no copy of this", 0);
    let precious = || stage.at("precious");
    let aside = |folder: &str| stage.at(folder).join(".lookalike-act-0123456789abcdef");
    let before = stage.files();
    let mut refused = Vec::new();
    for action in ["hardlink", "symlink", "remove", "move"] {
        assert!(stage.undo_of(&log_with(&stage, action, &[])).is_ok(), "{action}: names as act writes them");
        refused.extend([
            log_with(&stage, action, &[("temporary", precious())]),
            log_with(&stage, action, &[("temporary", precious()), ("kept", precious())]),
            log_with(&stage, action, &[("temporary", aside("x/.."))]),
            log_with(&stage, action, &[("temporary", stage.at("in/.lookalike-act-0123456789abcdeg"))]),
            log_with(&stage, action, &[("temporary", stage.at("in/.lookalike-act-0123456789abcde"))]),
            log_with(&stage, action, &[("path", stage.at("in/../precious"))]),
            log_with(&stage, action, &[("path", precious()), ("kept", precious()), ("temporary", aside("."))]),
            log_with(&stage, action, &[("kept", aside("in"))]),
            log_with(&stage, action, &[("path", "precious".into())]),
        ]);
        refused.push(
            log_with(&stage, action, &[]) + &format!("{}\n", json!({"record":"undo","n":1,"temporary":precious()})),
        );
    }
    refused.push(log_with(&stage, "move", &[("copy", precious())]));
    refused.push(log_with(&stage, "move", &[("to", stage.at("in/a"))]));
    for log in refused {
        assert!(matches!(stage.undo_of(&log), Err(Error::ForeignNames { n: 1, .. })), "{log}");
        fs::write(stage.log(), &log).unwrap();
        let acted = stage.act_with(&Faulty::default(), &stage.actions()[3], true);
        assert!(matches!(acted, Err(Error::ForeignNames { n: 1, .. })), "{log}");
        assert_eq!(fs::read_to_string(stage.log()).unwrap(), log);
    }
    assert_eq!(stage.files(), before);
}

/// Two paths that lead to one name: through a link among the folders.
#[test]
fn the_only_name_of_a_file_stays() {
    let stage = Stage::usual();
    std::os::unix::fs::symlink(stage.at("in"), stage.at("link")).unwrap();
    let before = stage.files();
    let modified = stage.at("in/a").metadata().unwrap();
    let modified = modified.mtime() * 1_000_000_000 + modified.mtime_nsec();
    let to = json!(stage.at("link/a"));
    let log = log_with(&stage, "move", &[("copy", stage.at("link/.lookalike-act-0123456789abcdef"))]);
    let mut lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[1]["to"] = to;
    lines[1]["modified"] = json!(modified);
    for done in [false, true] {
        let mut text = lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n");
        if done {
            text += "{\"record\":\"done\",\"n\":1}\n";
        }
        let _ = stage.undo_of(&text);
        assert_eq!(stage.files(), before);
    }
}

#[test]
fn ids_that_lead_out_of_the_base() {
    for action in 0..4 {
        let mut stage = Stage::new();
        fs::create_dir(stage.dir.path().join("outside")).unwrap();
        std::os::unix::fs::symlink("../outside", stage.at("link")).unwrap();
        let whole = id_of(&stage.dir.path().join("outside/whole")).into_owned();
        let outside = ["../outside/up", "link/linked", &whole];
        stage.set(b"content", &["k", "in/a", outside[0], outside[1], &whole]);
        let acted = stage.act(&stage.actions()[action]);
        says(&acted, "in/a", Outcome::Done, "");
        for id in outside {
            says(&acted, id, Outcome::Failed, "where the report was made");
        }
        for name in ["up", "linked", "whole"] {
            let there = stage.dir.path().join("outside").join(name).symlink_metadata().unwrap();
            assert!(there.is_file() && there.nlink() == 1, "{name}");
        }
        let roots = vec![stage.dir.path().join("outside")];
        let acted = stage.act(&ActOptions { roots, ..stage.actions()[action].clone() });
        for id in outside {
            says(&acted, id, Outcome::Done, "");
        }
    }
}

#[test]
fn no_copy_runs_as_its_owner() {
    let stage = Stage::usual();
    fs::set_permissions(stage.at("in/a"), Permissions::from_mode(0o6755)).unwrap();
    stage.act(&stage.actions()[3]);
    assert_eq!(stage.undo().failed, 0);
    assert_eq!(stage.at("in/a").metadata().unwrap().mode() & 0o7777, 0o755);
}

#[test]
fn a_log_of_another_user() {
    let stage = Stage::usual();
    stage.act(&stage.actions()[3]);
    // only root can give files away; others cannot meet the case here
    if std::os::unix::fs::chown(stage.log(), Some(54321), None).is_ok() {
        let before = stage.files();
        for apply in [false, true] {
            assert!(matches!(stage.undo_with(&Faulty::default(), apply), Err(Error::ForeignLog { owner: 54321, .. })));
        }
        assert_eq!(stage.files(), before);
    }
}

impl Stage {
    /// Undoes what this log says.
    fn undo_of(&self, log: &str) -> Result<UndoReport, Error> {
        fs::write(self.log(), log).unwrap();
        self.undo_with(&Faulty::default(), true)
    }
}
